/** What becomes of each command of a client (reference protocol page, §4). */
import { OdpError } from '../errors/odp-error.ts';
import { COM, HEADER_LENGTH, STATUS } from '../wire/constants.ts';
import { errOf } from '../wire/err-packet.ts';
import type { ReplyKind } from '../wire/scanner-types.ts';
import { framePackets } from '../wire/writer.ts';
import { answerInternal } from './answer-internal.ts';
import { changeUser } from './change-user.ts';
import type { ClientSession } from './client-session.ts';
import { dispatchStatementCommand, isStatementCommand } from './dispatch-statement.ts';
import type { ClientRequest, SessionStatement } from './request.ts';

/** Where a request stands in a chunk: packet header at `start`. `whole` is false when its rest is still to come. */
export interface RequestRange {
  readonly chunk: Buffer;
  readonly start: number;
  readonly end: number;
  readonly whole: boolean;
}

/** Commands that a server answers, and how. */
const FORWARDED: ReadonlyMap<number, ReplyKind> = new Map<number, ReplyKind>([
  [COM.INIT_DB, 'result'],
  [COM.FIELD_LIST, 'fields'],
  [COM.CREATE_DB, 'result'],
  [COM.DROP_DB, 'result'],
  [COM.REFRESH, 'result'],
  [COM.STATISTICS, 'single'],
  [COM.DEBUG, 'result'],
  [COM.SET_OPTION, 'result'],
]);

export function dispatchCommand(
  session: ClientSession,
  chunk: Buffer,
  start: number,
  end: number,
  whole: boolean,
): void {
  const range: RequestRange = { chunk, start, end, whole };
  const command = chunk[start + HEADER_LENGTH] ?? 0;
  if (command === COM.QUERY) return query(session, range);
  if (command === COM.QUIT) return session.close();
  if (command === COM.PING) return session.sendOk();
  if (session.cluster === null) return dispatchProxysys(session, command, range);
  if (isStatementCommand(command)) return dispatchStatementCommand(session, command, range);
  const replyKind = FORWARDED.get(command);
  if (replyKind !== undefined) return forward(session, command, range, { replyKind });
  switch (command) {
    case COM.CHANGE_USER:
      return changeUser(session, range);
    case COM.RESET_CONNECTION:
      return resetConnection(session, range);
    case COM.PROCESS_INFO:
      return answerInternal(session, 'SHOW PROCESSLIST');
    case COM.PROCESS_KILL:
      return answerInternal(session, `KILL CONNECTION ${end - start >= 9 ? chunk.readUInt32LE(start + 5) : 0}`);
    default:
      return refuseRequest(session, range, new OdpError('UNKNOWN_COMMAND', { command: `0x${command.toString(16)}` }));
  }
}

/** Hands a request to the forwarder. Its bytes are copied: they are needed until the reply, and for a second try. */
export function forward(
  session: ClientSession,
  command: number,
  range: RequestRange,
  how: {
    readonly replyKind: ReplyKind | null;
    readonly info?: ClientRequest['info'];
    readonly statement?: SessionStatement;
  },
): void {
  session.forwarder.forward({
    command,
    bytes: Buffer.from(range.chunk.subarray(range.start, range.end)),
    complete: range.whole,
    info: how.info ?? null,
    replyKind: how.replyKind,
    statement: how.statement ?? null,
    sent: false,
  });
}

/** Answers with an error. A request that is still coming in cannot be skipped cheaply: its connection ends. */
export function refuseRequest(session: ClientSession, range: RequestRange, error: OdpError): void {
  if (range.whole) session.sendError(error);
  else session.refuse(framePackets(errOf(error), 1));
}

function query(session: ClientSession, range: RequestRange): void {
  const text = range.chunk.subarray(range.start + HEADER_LENGTH + 1, range.end);
  if (session.cluster === null) return answerInternal(session, text.toString('utf8'));
  const info = session.classify(text, !range.whole);
  if (range.whole) {
    if (info.mayBeInternalCommand && session.context.commands.isInternal(session, text.toString('utf8'))) {
      return answerInternal(session, text.toString('utf8'));
    }
    if (holdOrEndTransaction(session, text, info)) return;
  }
  forward(session, COM.QUERY, range, { replyKind: 'result', info });
}

/**
 * BEGIN is answered at once and sent with the first statement behind it, whose table decides the server. Ended before
 * that, the transaction never reaches one.
 */
function holdOrEndTransaction(session: ClientSession, text: Buffer, info: NonNullable<ClientRequest['info']>): boolean {
  if (info.isMulti) return false;
  const free = session.boundServer === null && session.pinnedServer === null && !session.stayOnLastServer;
  // A consistent snapshot is taken when the statement runs, so that one cannot wait.
  if (info.kind === 'begin' && free && !/snapshot/i.test(text.toString('latin1'))) {
    session.heldBegin = Buffer.concat([Buffer.from([COM.QUERY]), text]);
    session.status |= STATUS.IN_TRANS;
    session.sendOk();
    return true;
  }
  if (session.heldBegin !== null && (info.kind === 'commit' || info.kind === 'rollback')) {
    if (!info.startsTransaction) {
      session.heldBegin = null;
      session.status &= ~STATUS.IN_TRANS;
    }
    session.sendOk();
    return true;
  }
  return false;
}

/** Every server session but one is closed; that one is reset, and what the client set is forgotten (case B29). */
function resetConnection(session: ClientSession, range: RequestRange): void {
  const kept = session.boundServer ?? session.pinnedServer ?? session.lastServer;
  for (const server of [...session.servers.values()]) if (server !== kept) session.dropServer(server);
  session.heldBegin = null;
  forward(session, COM.RESET_CONNECTION, range, { replyKind: 'result' });
}

/** The proxy's own tenant has no servers: only simple commands mean anything there (case B97). */
function dispatchProxysys(session: ClientSession, command: number, range: RequestRange): void {
  switch (command) {
    case COM.INIT_DB:
    case COM.RESET_CONNECTION:
    case COM.SET_OPTION:
      return session.sendOk();
    case COM.STATISTICS:
      return session.send(framePackets(Buffer.from(`Sessions of this worker: ${session.context.registry.size}`), 1));
    case COM.PROCESS_INFO:
      return answerInternal(session, 'SHOW PROCESSLIST');
    case COM.STMT_PREPARE:
      return refuseRequest(session, range, new OdpError('UNSUPPORTED_IN_PREPARED', { command: 'internal commands' }));
    default: {
      const detail = `command 0x${command.toString(16)} means nothing to the proxysys tenant`;
      return refuseRequest(session, range, new OdpError('BAD_INTERNAL_COMMAND', { detail }));
    }
  }
}
