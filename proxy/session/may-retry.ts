import { OdpError } from '../errors/odp-error.ts';
import { COM } from '../wire/constants.ts';
import type { ClientRequest, SessionStatement } from './request.ts';

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
  if (!request.sent || REPEATABLE.has(request.command)) return true;
  // An open cursor or long data is gone with its server session.
  if (request.statement?.holder) return false;
  const isStatement = request.command === COM.QUERY || request.command === COM.STMT_EXECUTE;
  return isStatement && request.info?.isRead === true;
}

/** The server session with a statement's cursor, long data, or only text is gone: no other one can go on. */
export function holderLostError(statement: SessionStatement): OdpError {
  const held = statement.isTextWhole ? 'the open cursor or long data of statement' : 'statement';
  const detail = `${statement.holder?.address ?? ''} is gone, and with it ${held} ${statement.id}`;
  return new OdpError('SERVER_CLOSED', { detail });
}
