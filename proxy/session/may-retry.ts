import { OdpError } from '../errors/odp-error.ts';
import { COM } from '../wire/constants.ts';
import type { ClientSession } from './client-session.ts';
import { asksAboutLast, type ClientRequest, type SessionStatement } from './request.ts';
import { refusalBy } from './server-health.ts';
import type { ServerSession } from './server-session.ts';

/** Commands besides texts that can be repeated: what they do is done once, however often they are sent. */
const REPEATABLE: ReadonlySet<number> = new Set<number>([
  COM.INIT_DB,
  COM.FIELD_LIST,
  COM.STATISTICS,
  COM.SET_OPTION,
  COM.STMT_PREPARE,
]);

/**
 * Whether sending a request once more, to another server, cannot do anything twice: none of it was sent, or it is a
 * plain read (C14, case B67).
 * @param seen the client has got bytes of the reply
 */
export function mayRetry(request: ClientRequest, seen: boolean): boolean {
  if (!request.complete || seen) return false;
  return !request.sent || isRepeatable(request);
}

/** Whether a request that is lost with its server could be sent to another one. */
export function isRepeatable(request: ClientRequest): boolean {
  if (!request.complete) return false;
  if (REPEATABLE.has(request.command)) return true;
  // An open cursor or long data is gone with its server session.
  if (request.statement?.holder) return false;
  const isStatement = request.command === COM.QUERY || request.command === COM.STMT_EXECUTE;
  return isStatement && request.info?.isRead === true;
}

/**
 * Whether a server that answers with this error has only said that it is of no use now, so that a request that is tied
 * to nothing is better taken to another one.
 */
export function mayGoElsewhere(session: ClientSession, request: ClientRequest, errno: number): boolean {
  const refusal = errno === 0 ? null : refusalBy(errno);
  if (refusal === null || session.servers.tied !== null || asksAboutLast(request.info)) return false;
  // What has been sent along of long data may still be there, and would be joined to what comes next.
  if (request.statement !== null && request.statement.longData.length > 0) return false;
  return refusal === 'not-begun' ? request.complete && !request.statement?.holder : isRepeatable(request);
}

/** The server session that holds a statement's cursor, long data, or text; null: none does. */
export function liveHolder(statement: SessionStatement | null): ServerSession | null {
  const holder = statement?.holder ?? null;
  return holder === null || holder.closed === true ? null : holder;
}

/** The server session with a statement's cursor, long data, or only text is gone: no other one can go on. */
export function holderLostError(statement: SessionStatement): OdpError {
  const held = statement.isTextWhole ? 'the open cursor or long data of statement' : 'statement';
  const detail = `${statement.holder?.address ?? ''} is gone, and with it ${held} ${statement.id}`;
  return new OdpError('SERVER_CLOSED', { detail });
}
