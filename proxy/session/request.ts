/** One request of a client, from its first byte to the end of its reply. */
import type { StatementInfo } from '../sql/statement-info.ts';
import type { ReplyKind } from '../wire/scanner-types.ts';
import type { PreparedStatement } from './prepared-statements.ts';
import type { ServerSession } from './server-session.ts';

export type SessionStatement = PreparedStatement<ServerSession>;

export interface ClientRequest {
  /** Command byte. */
  readonly command: number;
  /** Packet header and payload as far as they have come; the request's own copy. */
  bytes: Buffer;
  /** The whole request is in `bytes`; else its rest streams from the client to the server. */
  readonly complete: boolean;
  /** What the text says; null for commands without one. */
  readonly info: StatementInfo | null;
  /** Null: the command has no reply. */
  readonly replyKind: ReplyKind | null;
  /** Prepared statement that it prepares or uses. */
  readonly statement: SessionStatement | null;
  /** Sent to a server at least once. */
  sent: boolean;
}

/**
 * Whether a text asks about the statement before it, so that it has to meet it at its server, with nothing in between
 * (R27, case B43). LAST_INSERT_ID() does not count: its value goes along to every server.
 */
export function asksAboutLast(info: StatementInfo | null): boolean {
  if (info === null) return false;
  return info.forcesLastServer && !info.usesLastInsertId;
}
