/** What the router has to know of a session: a client's own, or one that is only described. */
import type { ConfigView } from '../config/config-view.ts';
import type { SqlDialect } from '../sql/classify.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import type { SessionCluster, SessionContext } from './session-context.ts';

/** A server that the session holds a server session of. */
export interface HeldServer {
  readonly address: string;
  /** It can be sent a request now. */
  readonly ready: boolean;
}

/**
 * Everything that a plan hangs on besides the statement; a {@link ClientSession} is one. What makes plans takes nothing
 * else of a session, so that a plan for a described session is made by the very code that routes.
 */
export interface RoutedSession {
  readonly context: Pick<SessionContext, 'config' | 'random'>;
  /** The parameters as they count for this session. */
  readonly config: ConfigView;
  readonly cluster: SessionCluster | null;
  readonly tenant: string;
  /** Current database; empty: none. */
  readonly database: string;
  /** Server status flags as the client was last told. */
  readonly status: number;
  /** A transaction's beginning that no server has been sent yet. */
  readonly heldBegin: Buffer | null;
  readonly dialect: SqlDialect;
  readonly servers: {
    /** The one that any request must use whatever the router says, or null. */
    readonly tied: HeldServer | null;
    /** Server of the statement before, or null. */
    readonly last: HeldServer | null;
    /** `SET @obproxy_route_addr`: `ip:port` of the server that the next statement is to go to; null: any. */
    readonly routeAddress: string | null;
  };
  readonly variables: {
    /** Current value of a system variable, or undefined. */
    value(name: string): string | undefined;
    /** A user variable as an SQL literal, or undefined. @param name in lower case */
    userVariable(name: string): string | undefined;
    userVariables(): readonly (readonly [name: string, literal: string])[];
  };
  /** @param incomplete the text is only the beginning of the statement */
  classify(text: Buffer, incomplete: boolean): StatementInfo;
}
