/**
 * What a server session has to be sent before a request so that the client cannot tell it from the one before
 * (C1, C11): several-statements option, current database, variables, the prepared statement, and a BEGIN that was held
 * back until its server was known.
 */
import { COM } from '../wire/constants.ts';
import type { ReplyKind } from '../wire/scanner-types.ts';
import { framePackets } from '../wire/writer.ts';
import type { ClientRequest, SessionStatement } from './request.ts';
import type { ServerSession } from './server-session.ts';
import type { SessionVariables } from './session-variables.ts';

export interface SyncStep {
  readonly frame: Buffer;
  readonly replyKind: ReplyKind;
  /** Statement that the step prepares. */
  readonly statement: SessionStatement | null;
  /**
   * When the server refuses it: go on all the same, answer the request with the server's error, or do so and drop the
   * server session because its state is no longer known.
   */
  readonly onError: 'ignore' | 'answer' | 'drop';
  /** Called when the server has done it. */
  readonly onDone: () => void;
}

/** State of a client session that its server sessions must share. */
export interface SharedState {
  readonly variables: SessionVariables;
  readonly database: string;
  readonly multiStatements: boolean;
  readonly heldBegin: Buffer | null;
  /** The held BEGIN has reached the server. */
  beginSent(): void;
}

/** The steps still missing; empty when the server session is up to date: the usual case, decided without allocation. */
export function planSync(state: SharedState, server: ServerSession, request: ClientRequest): SyncStep[] {
  const steps: SyncStep[] = [];
  // A question about the statement before must meet it: nothing may come in between (R27, case B43).
  const keepDiagnostics = request.info?.forcesLastServer === true;
  if (!keepDiagnostics) {
    addOptionStep(steps, state, server);
    addDatabaseStep(steps, state, server);
    addVariableSteps(steps, state, server);
  }
  addPrepareStep(steps, server, request);
  if (state.heldBegin !== null) {
    steps.push({
      frame: framePackets(state.heldBegin, 0),
      replyKind: 'result',
      statement: null,
      onError: 'answer',
      onDone: () => state.beginSent(),
    });
  }
  return steps;
}

function commandFrame(command: number, body: Uint8Array): Buffer {
  return framePackets(Buffer.concat([Buffer.from([command]), body]), 0);
}

function addOptionStep(steps: SyncStep[], state: SharedState, server: ServerSession): void {
  if (server.multiStatements === state.multiStatements) return;
  const { multiStatements } = state;
  steps.push({
    frame: commandFrame(COM.SET_OPTION, Buffer.from([multiStatements ? 0 : 1, 0])),
    replyKind: 'result',
    statement: null,
    onError: 'ignore',
    onDone: () => {
      server.multiStatements = multiStatements;
    },
  });
}

function addDatabaseStep(steps: SyncStep[], state: SharedState, server: ServerSession): void {
  const { database } = state;
  if (server.database === database || database === '') return;
  steps.push({
    frame: commandFrame(COM.INIT_DB, Buffer.from(database)),
    replyKind: 'result',
    statement: null,
    // The database may have been dropped meanwhile: qualified names still work then (case B39).
    onError: 'ignore',
    onDone: () => {
      server.database = database;
    },
  });
}

function addVariableSteps(steps: SyncStep[], state: SharedState, server: ServerSession): void {
  if (server.synced.version === state.variables.version) return;
  const statements = state.variables.syncStatements(server.synced);
  if (statements.length === 0) state.variables.markSynced(server.synced);
  statements.forEach((text, index) => {
    steps.push({
      frame: commandFrame(COM.QUERY, Buffer.from(text)),
      replyKind: 'result',
      statement: null,
      onError: 'drop',
      onDone: () => {
        if (index === statements.length - 1) state.variables.markSynced(server.synced);
      },
    });
  });
}

function addPrepareStep(steps: SyncStep[], server: ServerSession, request: ClientRequest): void {
  const { statement } = request;
  if (statement === null || request.command === COM.STMT_PREPARE || statement.serverIds.has(server)) return;
  steps.push({
    frame: commandFrame(COM.STMT_PREPARE, statement.text),
    replyKind: 'prepare',
    statement,
    onError: 'answer',
    onDone: () => undefined,
  });
}
