/**
 * Where an action came from: the web console, the API by a token, a MySQL client, a start option, the proxy itself, its
 * ConfigServer, or the take-over by another version.
 */
type HistorySource = 'console' | 'api' | 'sql' | 'start' | 'system' | 'configserver' | 'upgrade';

/** What is audited; stored as text, so that a name may never change its meaning. */
export type HistoryAction =
  | 'parameter.change'
  | 'parameter.apply'
  | 'configuration.export'
  | 'revert.cancel'
  | 'revert.leave'
  | 'proposal.create'
  | 'proposal.approve'
  | 'proposal.refuse'
  | 'proposal.withdraw'
  | 'proposal.expire'
  | 'proposal.bypass'
  | 'login'
  | 'login.failed'
  | 'login.locked'
  | 'logout'
  | 'access.refused'
  | 'password.change'
  | 'user.create'
  | 'user.reset'
  | 'user.role'
  | 'user.disable'
  | 'user.enable'
  | 'user.lock'
  | 'user.unlock'
  | 'login.end'
  | 'history.export'
  | 'token.create'
  | 'token.revoke'
  | 'token.refused'
  | 'blocklist.release'
  | 'location.refresh'
  | 'session.kill'
  | 'upgrade.step'
  | 'resource.delete'
  | 'configserver.change'
  | 'demo.fault'
  | 'demo.load'
  | 'cluster.change'
  | 'proxy.start'
  | 'worker.die';

/**
 * What came of it. `done`: it happened. `persisted`: a change is stored; a row `parameter.apply` of the same request says
 * in how many workers it came into force (`applied`: all that there are). `refused`: nothing was done, for a reason that
 * lies with the one who asked. `failed`: it was tried, and did not succeed.
 */
export type HistoryOutcome = 'done' | 'persisted' | 'applied' | 'refused' | 'failed';

/** One audited action; `id` grows by one with each, whatever the clock did (case B105). */
export interface HistoryRow {
  readonly id: number;
  readonly at: Date;
  readonly action: HistoryAction;
  /** Console user or SQL `user@host`, as text, so that it outlives the account (case B104). */
  readonly actor: string;
  /** Role at that moment; empty: none is known. */
  readonly role: string;
  /** Name of the API token that it was done by, in the name of `actor`; empty: by none. */
  readonly token: string;
  readonly source: HistorySource;
  /** Address that it came from; may be empty. */
  readonly origin: string;
  /** Parameter name; empty for actions without one. */
  readonly parameter: string;
  /** For whom the parameter was changed (`tenant=t1 cluster=c1`); empty: for all. */
  readonly scope: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  readonly outcome: HistoryOutcome;
  /** Why it was refused or failed, without secrets; empty: it was not. */
  readonly failure: string;
  /** Of a `parameter.apply`: workers in which the change is in force, of how many; else null. */
  readonly workersApplied: number | null;
  readonly workersTotal: number | null;
  readonly reason: string;
  readonly requestId: string;
  /** Encoding that `hash` is over; 0: none, the row is not part of the chain. */
  readonly chainFormat: number;
  /** SHA-256 over this row and the hash of the row before, hex. */
  readonly hash: string;
}

/** Who does something, from where, and in which request: goes into every history row. */
export interface Actor {
  readonly actor: string;
  /** Left out: none is known. */
  readonly role?: string;
  /** Name of the API token; left out: none. */
  readonly token?: string;
  readonly source: HistorySource;
  readonly origin: string;
  readonly requestId: string;
}

/** Which rows are wanted; everything given must fit. */
export interface HistoryFilter {
  readonly parameter?: string | undefined;
  readonly actor?: string | undefined;
  readonly role?: string | undefined;
  readonly token?: string | undefined;
  readonly origin?: string | undefined;
  readonly outcome?: HistoryOutcome | undefined;
  readonly requestId?: string | undefined;
  readonly source?: HistorySource | undefined;
  /** Without one, rows of `parameter.apply` are left out: the change's own row tells what they say. */
  readonly action?: HistoryAction | undefined;
  /** Any of them; not empty. */
  readonly actions?: readonly HistoryAction[] | undefined;
  /** Half-open interval [from, to), ISO 8601. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /**
   * Words, each of which is found in parameter, scope, values, actor, token, reason, failure, address or request id; letters of
   * either case, no pattern characters.
   */
  readonly text?: string | undefined;
}
