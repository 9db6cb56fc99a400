/** Where an action came from: the web console, a MySQL client, a start option, or the proxy itself. */
type HistorySource = 'console' | 'sql' | 'start' | 'system';

/** What is audited; stored as text, so that a name may never change its meaning. */
export type HistoryAction =
  | 'parameter.change'
  | 'login'
  | 'login.failed'
  | 'logout'
  | 'password.change'
  | 'history.export'
  | 'blocklist.release'
  | 'location.refresh'
  | 'session.kill'
  | 'upgrade.step';

/** One audited action; `id` grows with each, whatever the clock did (case B105). */
export interface HistoryRow {
  readonly id: number;
  readonly at: Date;
  readonly action: HistoryAction;
  /** Console user or SQL `user@host`, as text, so that it outlives the account (case B104). */
  readonly actor: string;
  readonly source: HistorySource;
  /** Address that it came from; may be empty. */
  readonly origin: string;
  /** Parameter name; empty for actions without one. */
  readonly parameter: string;
  /** For whom the parameter was changed (`tenant=t1 cluster=c1`); empty: for all. */
  readonly scope: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  readonly reason: string;
  readonly requestId: string;
}

/** Who does something, from where, and in which request: goes into every history row. */
export interface Actor {
  readonly actor: string;
  readonly source: HistorySource;
  readonly origin: string;
  readonly requestId: string;
}

/** Which rows are wanted; everything given must fit. */
export interface HistoryFilter {
  readonly parameter?: string | undefined;
  readonly actor?: string | undefined;
  readonly source?: HistorySource | undefined;
  readonly action?: HistoryAction | undefined;
  /** Half-open interval [from, to), ISO 8601. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Found in parameter, scope, values, actor or reason; letters of either case, no pattern characters. */
  readonly text?: string | undefined;
}
