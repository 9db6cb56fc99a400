/** How a client session hands statements that the proxy answers itself to the command room. */
import type { OdpError } from '../errors/odp-error.ts';
import type { ColumnDefinition, TextValue } from '../wire/result-set.ts';
import type { ClientSession } from './client-session.ts';

export type CommandReply =
  | {
      readonly kind: 'rows';
      readonly columns: readonly ColumnDefinition[];
      readonly rows: readonly (readonly TextValue[])[];
    }
  /** `affectedRows` left out: 0. */
  | { readonly kind: 'ok'; readonly affectedRows?: number }
  | { readonly kind: 'error'; readonly error: OdpError }
  /** A server has to answer this text in place of the client's. */
  | { readonly kind: 'forward'; readonly statement: string }
  /** The error is sent, then the connection is closed. */
  | { readonly kind: 'close'; readonly error: OdpError | null };

export interface InternalCommands {
  /**
   * The reply to a statement, or null when it is not the proxy's to answer and goes to a server.
   * For sessions of the proxysys tenant it is never null: nothing is forwarded for them.
   */
  run(session: ClientSession, statement: string): Promise<CommandReply> | null;
  /** Whether `run` would answer the statement; asked before a statement is prepared. */
  isInternal(session: ClientSession, statement: string): boolean;
}
