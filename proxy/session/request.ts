/** One request of a client, from its first byte to the end of its reply. */
import type { TableLocation } from '../cluster/topology.ts';
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
  /** What `quickRoute` has looked up for `routeRequest` right behind it, so that it is asked for, and counted, once. */
  found: FoundPlaces | null;
  /**
   * What the router went by, for feedback: the place of its table or partition. Null: by none, or by that of a
   * partitioned table as a whole, of which servers tell nothing.
   */
  place: TableLocation | null;
  /** The server it was sent to because it leads all of the tenant, `ip:port`; null: it went by something else. */
  singleLeader: string | null;
  /** It was routed as a weak read. */
  isWeak: boolean;
  /** R22: what the server has told; null: nothing. */
  partitionHit: boolean | null;
  /** `_ob_proxy_weakread_feedback`: 1 no replica of it here, 2 all leader, 3 partly leader; null: nothing told. */
  weakReadFeedback: string | null;
}

interface FoundPlaces {
  /** Of its table; a promise while it is asked for. */
  readonly whole: TableLocation | null | Promise<TableLocation | null>;
  /** Of its partition, or of the table; null: not looked for. */
  readonly place: TableLocation | Promise<TableLocation> | null;
}

/** What a request begins with. */
export const UNROUTED = {
  sent: false,
  found: null,
  place: null,
  singleLeader: null,
  isWeak: false,
  partitionHit: null,
  weakReadFeedback: null,
} as const;

/** Whether the text of a transaction's beginning lets it only read. */
export const beginsReadOnly = (begin: Buffer): boolean => /\bread\s+only\b/i.test(begin.toString('latin1'));

/**
 * Whether a text asks about the statement before it, so that it has to meet it at its server, with nothing in between
 * (R27, case B43). LAST_INSERT_ID() does not count: its value goes along to every server.
 */
export function asksAboutLast(info: StatementInfo | null): boolean {
  if (info === null) return false;
  return info.forcesLastServer && !info.usesLastInsertId;
}
