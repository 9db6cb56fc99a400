/** What becomes of each command of a client (reference protocol page, §4). */
import { OdpError } from '../errors/odp-error.ts';
import { COM, HEADER_LENGTH } from '../wire/constants.ts';
import type { ReplyKind } from '../wire/scanner-types.ts';
import { framePackets } from '../wire/writer.ts';
import { answerInternal, forwardText } from './answer-internal.ts';
import { changeUser } from './change-user.ts';
import type { ClientSession } from './client-session.ts';
import { dispatchStatementCommand, isStatementCommand } from './dispatch-statement.ts';
import { dropHeld, holdOrEndTransaction } from './held-transaction.ts';
import { refusedSetting } from './imposed-variables.ts';
import { type ClientRequest, type SessionStatement, UNROUTED } from './request.ts';
import { answerRouteAddress } from './route-address.ts';
import { memoryRefusal } from './session-memory.ts';

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

/** Commands whose rest may stream: all others fit in what is read whole. */
const MAY_BE_LONG: ReadonlySet<number> = new Set<number>([
  COM.QUERY,
  COM.STMT_PREPARE,
  COM.STMT_EXECUTE,
  COM.STMT_SEND_LONG_DATA,
]);

export function dispatchCommand(session: ClientSession, range: RequestRange): void {
  const command = range.chunk[range.start + HEADER_LENGTH] ?? 0;
  if (!range.whole && !MAY_BE_LONG.has(command)) {
    const detail = `command 0x${command.toString(16)} of this size`;
    return refuseRequest(session, range, new OdpError('MALFORMED_PACKET', { detail }));
  }
  if (command === COM.QUERY) return query(session, range);
  if (command === COM.QUIT) return session.close();
  if (command === COM.PING) return session.sendOk();
  if (session.cluster === null) return dispatchProxysys(session, command, range);
  const refusal = memoryRefusal(session, command, false);
  if (refusal !== null) return refuseRequest(session, range, refusal);
  if (isStatementCommand(command)) return dispatchStatementCommand(session, command, range);
  const replyKind = FORWARDED.get(command);
  if (replyKind !== undefined) return forward(session, range, { replyKind });
  switch (command) {
    case COM.CHANGE_USER:
      return changeUser(session, range);
    case COM.RESET_CONNECTION:
      return resetConnection(session, range);
    case COM.PROCESS_INFO:
      // As a text: servers do not know the command.
      if (session.sharesIds) return forwardText(session, 'SHOW PROCESSLIST');
      return answerInternal(session, 'SHOW PROCESSLIST');
    case COM.PROCESS_KILL:
      return killByCommand(session, range);
    default:
      return refuseRequest(session, range, new OdpError('UNKNOWN_COMMAND', { command: `0x${command.toString(16)}` }));
  }
}

/** COM_PROCESS_KILL: the id is all that is in it. */
function killByCommand(session: ClientSession, range: RequestRange): void {
  const at = range.start + HEADER_LENGTH + 1;
  if (range.end - at === 4) return answerInternal(session, `KILL CONNECTION ${range.chunk.readUInt32LE(at)}`);
  refuseRequest(session, range, new OdpError('MALFORMED_PACKET', { detail: 'KILL without an id of four bytes' }));
}

interface Handling {
  readonly replyKind: ReplyKind | null;
  readonly info?: ClientRequest['info'];
  readonly statement?: SessionStatement;
}

/** A request of its own bytes: they are needed until the reply, and for a second try. */
function requestOf(range: RequestRange, how: Handling): ClientRequest {
  return {
    command: range.chunk[range.start + HEADER_LENGTH] ?? 0,
    bytes: Buffer.from(range.chunk.subarray(range.start, range.end)),
    complete: range.whole,
    info: how.info ?? null,
    replyKind: how.replyKind,
    statement: how.statement ?? null,
    ...UNROUTED,
  };
}

/** Hands a request to the forwarder. */
export function forward(session: ClientSession, range: RequestRange, how: Handling): void {
  session.forwarder.forward(requestOf(range, how));
}

/** Answers with an error; the rest of a long request is swallowed first. */
export function refuseRequest(session: ClientSession, range: RequestRange, error: OdpError): void {
  if (range.whole) session.sendError(error, ((range.chunk[range.start + 3] ?? 0) + 1) & 0xff);
  else session.forwarder.refuse(requestOf(range, { replyKind: 'result' }), error);
}

/** Swallows a request that has no reply. */
export function ignoreRequest(session: ClientSession, range: RequestRange): void {
  if (range.whole) return;
  const error = new OdpError('MALFORMED_PACKET', { detail: 'nothing is answered to this command' });
  session.forwarder.refuse(requestOf(range, { replyKind: null }), error);
}

function query(session: ClientSession, range: RequestRange): void {
  const text = range.chunk.subarray(range.start + HEADER_LENGTH + 1, range.end);
  if (session.cluster === null) {
    if (range.whole) return answerInternal(session, text.toString('utf8'));
    return refuseRequest(session, range, new OdpError('BAD_INTERNAL_COMMAND', { detail: 'a text of this size' }));
  }
  const info = session.classify(text, !range.whole);
  if (range.whole) {
    if (info.mayBeInternalCommand && session.context.commands.isInternal(session, text.toString('utf8'))) {
      return answerInternal(session, text.toString('utf8'));
    }
    if (info.routeAddress !== null) return answerRouteAddress(session, info.routeAddress);
  }
  const overLimit = memoryRefusal(session, COM.QUERY, info.endsTransaction);
  const refusal = overLimit ?? (range.whole ? refusedSetting(session.config, info, text) : null);
  if (refusal !== null) return refuseRequest(session, range, refusal);
  if (range.whole) {
    if (holdOrEndTransaction(session, text, info)) return;
    if (isBadRoute(session, info)) return rejectBadRoute(session, range);
  }
  forward(session, range, { replyKind: 'result', info });
}

/** `enable_bad_route_reject`: a transaction's first statement has to name the table that decides its server. */
function isBadRoute(session: ClientSession, info: NonNullable<ClientRequest['info']>): boolean {
  if (session.heldBegin === null || session.heldSets.length > 0 || info.table !== null) return false;
  return session.config.bool('enable_bad_route_reject');
}

function rejectBadRoute(session: ClientSession, range: RequestRange): void {
  dropHeld(session);
  const detail = 'the first statement of the transaction names no table';
  refuseRequest(session, range, new OdpError('BAD_ROUTE_REQUEST', { detail }));
}

/** Every server session but one is closed; that one is reset, and what the client set is forgotten (case B29). */
function resetConnection(session: ClientSession, range: RequestRange): void {
  const { servers } = session;
  const kept = servers.bound ?? servers.pinned ?? servers.last;
  for (const server of servers.all()) if (server !== kept) session.dropServer(server);
  session.heldBegin = null;
  session.heldSets.length = 0;
  forward(session, range, { replyKind: 'result' });
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
    case COM.PROCESS_KILL:
      return killByCommand(session, range);
    case COM.STMT_PREPARE:
      return refuseRequest(session, range, new OdpError('UNSUPPORTED_IN_PREPARED', { command: 'internal commands' }));
    default: {
      const detail = `command 0x${command.toString(16)} means nothing to the proxysys tenant`;
      return refuseRequest(session, range, new OdpError('BAD_INTERNAL_COMMAND', { detail }));
    }
  }
}
