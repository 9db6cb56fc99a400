/**
 * What a server session has to be sent before a request so that the client cannot tell it from the one before
 * (C1, C11): several-statements option, current database, variables, the prepared statement, and a BEGIN that was held
 * back until its server was known.
 */
import { COM } from '../wire/constants.ts';
import type { ReplyKind } from '../wire/scanner-types.ts';
import { framePackets } from '../wire/writer.ts';
import { isXa } from './held-transaction.ts';
import { asksAboutLast, type ClientRequest, type SessionStatement } from './request.ts';
import type { ServerSession } from './server-session.ts';
import type { SessionVariables } from './session-variables.ts';

export type SyncStepKind = 'option' | 'database' | 'variables' | 'prepare' | 'begin' | 'xa-start';

export interface SyncStep {
  readonly kind: SyncStepKind;
  readonly frame: Buffer;
  readonly replyKind: ReplyKind;
  /** Statement that the step prepares. */
  readonly statement: SessionStatement | null;
  /** When the server refuses it: go on all the same, answer the request with its error, or do `parts` instead. */
  readonly onError: 'ignore' | 'answer' | 'split';
  readonly parts: readonly SyncStep[];
  /** Called when the server has done it, or when `parts` take its place. */
  readonly onDone: () => void;
}

/** State of a client session that its server sessions must share. */
export interface SharedState {
  readonly variables: SessionVariables;
  readonly database: string;
  /** A server session has this current database. */
  databaseAt(server: ServerSession, name: string): void;
  readonly multiStatements: boolean;
  readonly heldBegin: Buffer | null;
  /** Statements of this transaction that wait with its BEGIN. */
  readonly heldSets: Buffer[];
  /** The held BEGIN has reached the server. */
  beginSent(): void;
}

const NOTHING: SyncStep[] = [];
/** Where steps are collected: mostly there are none, and then no list is made. */
const collected: SyncStep[] = [];

/** The steps still missing; empty when the server session is up to date: the usual case, decided without allocation. */
export function planSync(state: SharedState, server: ServerSession, request: ClientRequest): SyncStep[] {
  const steps = collected;
  steps.length = 0;
  // A question about the statement before must meet it: nothing may come in between (R27, case B43).
  if (!asksAboutLast(request.info)) {
    addOptionStep(steps, state, server);
    addDatabaseStep(steps, state, server);
    addVariableSteps(steps, state, server);
  }
  addPrepareStep(steps, server, request);
  addHeldSteps(steps, state);
  return steps.length === 0 ? NOTHING : steps.splice(0);
}

function addHeldSteps(steps: SyncStep[], state: SharedState): void {
  if (state.heldBegin !== null) {
    steps.push({
      kind: isXa(state.heldBegin) ? 'xa-start' : 'begin',
      frame: framePackets(state.heldBegin, 0),
      replyKind: 'result',
      statement: null,
      onError: 'answer',
      parts: [],
      onDone: () => state.beginSent(),
    });
  }
  for (const set of state.heldSets) {
    steps.push({
      kind: 'variables',
      frame: framePackets(set, 0),
      replyKind: 'result',
      statement: null,
      onError: 'ignore',
      parts: [],
      onDone: () => state.heldSets.shift(),
    });
  }
}

function commandFrame(command: number, body: Uint8Array): Buffer {
  return framePackets(Buffer.concat([Buffer.from([command]), body]), 0);
}

function addOptionStep(steps: SyncStep[], state: SharedState, server: ServerSession): void {
  if (server.multiStatements === state.multiStatements) return;
  const { multiStatements } = state;
  steps.push({
    kind: 'option',
    frame: commandFrame(COM.SET_OPTION, Buffer.from([multiStatements ? 0 : 1, 0])),
    replyKind: 'result',
    statement: null,
    onError: 'ignore',
    parts: [],
    onDone: () => {
      server.multiStatements = multiStatements;
    },
  });
}

function addDatabaseStep(steps: SyncStep[], state: SharedState, server: ServerSession): void {
  const { database } = state;
  if (server.database === database || database === '') return;
  steps.push({
    kind: 'database',
    frame: commandFrame(COM.INIT_DB, Buffer.from(database)),
    replyKind: 'result',
    statement: null,
    // The database may have been dropped meanwhile: qualified names still work then (case B39).
    onError: 'ignore',
    parts: [],
    onDone: () => {
      state.databaseAt(server, database);
    },
  });
}

function addVariableSteps(steps: SyncStep[], state: SharedState, server: ServerSession): void {
  const { variables } = state;
  if (server.synced.version === variables.version) return;
  const lists = variables.missing(server.synced);
  if (lists.length === 0) variables.markSynced(server.synced);
  for (const [index, list] of lists.entries()) {
    const isLast = index === lists.length - 1;
    steps.push({
      ...setStep(list.join(', ')),
      // One variable that this server does not know, or does not let be set, must not keep the others from it (case B32).
      onError: 'split',
      parts: list.map((assignment) => setStep(assignment)),
      onDone: () => {
        if (isLast) variables.markSynced(server.synced);
      },
    });
  }
}

function setStep(assignments: string): SyncStep {
  return {
    kind: 'variables',
    frame: commandFrame(COM.QUERY, Buffer.from(`SET ${assignments}`, 'latin1')),
    replyKind: 'result',
    statement: null,
    onError: 'ignore',
    parts: [],
    onDone: () => undefined,
  };
}

function addPrepareStep(steps: SyncStep[], server: ServerSession, request: ClientRequest): void {
  const { statement } = request;
  if (statement === null || request.command === COM.STMT_PREPARE || statement.serverIds.has(server)) return;
  steps.push({
    kind: 'prepare',
    frame: commandFrame(COM.STMT_PREPARE, statement.text),
    replyKind: 'prepare',
    statement,
    onError: 'answer',
    parts: [],
    onDone: () => undefined,
  });
}
