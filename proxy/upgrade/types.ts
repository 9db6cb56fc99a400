/** What the state machine of upgrades knows, is told, and wants done. All of it is plain data. */
import type {
  ChildStatus,
  GenerationRole,
  ParentStatus,
  UpgradeKind,
  UpgradeOutcome,
  UpgradePhase,
} from './status-names.ts';

/** Now on a clock that is never set, and on the wall clock. */
export interface Moment {
  readonly nowMs: number;
  readonly wallMs: number;
}

/** Parameters of upgrades as the active generation has them. */
export interface UpgradeSettings {
  /** `hot_upgrade_exit_timeout`: how long sessions may stay behind after a commit or rollback; -1: as long as they like. */
  exitTimeoutMs: number;
  /** `hot_upgrade_rollback_timeout`. */
  rollbackTimeoutMs: number;
  /** `hot_upgrade_failure_retries`: attempts at a new generation. */
  failureRetries: number;
  /** `delay_exit_time`. */
  delayExitMs: number;
}

/** A session that has not been handed over yet. */
interface StayingSession {
  /** Connection id (`cs_id`). */
  id: number;
  /** `user@tenant#cluster`. */
  user: string;
  reason: string;
  /** For how long it has been asked to leave (ms). */
  waitedMs: number;
}

/** What a generation tells of itself, at least once a second. */
export interface GenerationReport {
  version: string;
  workers: number;
  /** Client sessions, those that are still logging in included. */
  clientSessions: number;
  requests: number;
  /** Errors that the proxy itself has answered to clients. */
  errors: number;
  rssBytes: number;
  settings: UpgradeSettings;
  /** Sessions handed over since it was last told to, and those that the other side could not take. */
  moved: number;
  refused: number;
  /** At most 100, those that wait longest first. */
  waiting: StayingSession[];
  waitingTotal: number;
}

export interface Generation {
  readonly id: number;
  readonly directory: string;
  readonly startedAt: Moment;
  role: GenerationRole;
  /** 0: not known yet. */
  pid: number;
  lastHeardMs: number;
  /** Null: it has not told yet. */
  report: GenerationReport | null;
  /** Told to end, or killed. */
  isEnding: boolean;
}

export interface Step {
  readonly number: number;
  readonly at: Moment;
  readonly phase: UpgradePhase;
  readonly text: string;
  readonly by: string;
  readonly source: OrderSource;
  /** As in `Order`. */
  readonly role?: string;
  readonly token?: string;
  readonly origin?: string;
}

/** Where an order came from: as in the history, `start` stands for the command line. */
type OrderSource = 'console' | 'api' | 'sql' | 'start' | 'system';

/** Who orders something, and why. */
export interface Order {
  readonly by: string;
  readonly source: OrderSource;
  readonly reason: string;
  /** Role and address of a person at the console, and the API token; left out: none is known. */
  readonly role?: string;
  readonly token?: string;
  readonly origin?: string;
}

export interface StartOrder extends Order {
  readonly kind: UpgradeKind;
  /** Tree of the new generation; null: that of the active one. */
  readonly directory: string | null;
  readonly hold: boolean;
  readonly watchMs: number;
  readonly md5: string | null;
}

export interface Run {
  readonly number: number;
  readonly order: StartOrder;
  readonly directory: string;
  readonly startedAt: Moment;
  readonly old: number;
  /** Null: waits for the next attempt. */
  fresh: number | null;
  failures: number;
  failure: string;
  /** When the next attempt is due; null: none is. */
  retryAtMs: number | null;
  /** Since when the phase lasts. */
  phaseSinceMs: number;
  watchUntilMs: number | null;
  closeRestAtMs: number | null;
  isRestClosed: boolean;
  /** The generation that sessions leave accepts nobody any more: only then no session there is left for good. */
  hasStopped: boolean;
  /** The rollback is due to the time limit. */
  isTimeout: boolean;
  moved: number;
  /** When the last one was told to have gone over. */
  movedAtMs: number;
  refused: number;
  readonly steps: Step[];
  outcome: UpgradeOutcome | null;
  endedAt: Moment | null;
}

export interface UpgradeState {
  phase: UpgradePhase;
  parentStatus: ParentStatus;
  childStatus: ChildStatus;
  settings: UpgradeSettings;
  generations: Generation[];
  /** The one that takes new clients; null: none just now. */
  active: number | null;
  /** Tree that is started when nobody serves: the first one, then that of the last commit. */
  directory: string;
  /**
   * Tree of a run that was not committed though its generation was ready: it may have migrated the database, so that
   * the tree before cannot be started any more. Null: there was none since the last commit.
   */
  triedDirectory: string | null;
  /** Starts in a row, outside of runs, that came to nothing. */
  failedStarts: number;
  /** Present or last. */
  run: Run | null;
  lastGeneration: number;
  lastRun: number;
  /** Without an active generation: when the next start is due. */
  restartAtMs: number | null;
}

/** What somebody orders. */
export type UpgradeOrder =
  | ({ readonly type: 'start' } & StartOrder)
  | ({ readonly type: 'commit' } & Order)
  | ({ readonly type: 'rollback' } & Order);

/** What has happened. */
export type UpgradeEvent =
  | UpgradeOrder
  /** A generation runs as this process. */
  | { readonly type: 'started'; readonly generation: number; readonly pid: number }
  /** It has tested itself, or serves already. */
  | { readonly type: 'ready'; readonly generation: number }
  | { readonly type: 'accepting'; readonly generation: number }
  /** It accepts nobody any more. */
  | { readonly type: 'stopped'; readonly generation: number }
  | { readonly type: 'report'; readonly generation: number; readonly report: GenerationReport }
  /** Its tree cannot be used at all: no further attempt. */
  | {
      readonly type: 'unusable';
      readonly generation: number;
      readonly status: 'UNAVAILABLE_BINARY' | 'CHECK_BIN_MD5_FAIL';
      readonly text: string;
    }
  /** Its process is gone. */
  | { readonly type: 'ended'; readonly generation: number; readonly how: string }
  /** Time passes. */
  | { readonly type: 'tick' };

/** What is to be done. */
export type UpgradeEffect =
  /** `trial`: it tests itself and waits to be told to accept. */
  | {
      readonly type: 'start';
      readonly generation: number;
      readonly directory: string;
      readonly trial: boolean;
      readonly md5: string | null;
    }
  | { readonly type: 'accept'; readonly generation: number }
  | { readonly type: 'stop-accepting'; readonly generation: number }
  | { readonly type: 'hand-over'; readonly from: number; readonly to: number }
  | { readonly type: 'stop-hand-over'; readonly from: number }
  | { readonly type: 'close-rest'; readonly generation: number; readonly reason: string }
  /** In good order. */
  | { readonly type: 'end'; readonly generation: number; readonly delayMs: number }
  | { readonly type: 'kill'; readonly generation: number }
  /** To be kept in the history. */
  | { readonly type: 'record'; readonly run: number; readonly step: Step; readonly reason: string }
  /** For the person who started the product. */
  | { readonly type: 'say'; readonly text: string };

/** An order that cannot be carried out. */
export interface Refusal {
  readonly code: 'UPGRADE_RUNNING' | 'UPGRADE_NOT_POSSIBLE';
  readonly details: Readonly<Record<string, string>>;
}

export interface Reduced {
  readonly state: UpgradeState;
  readonly effects: readonly UpgradeEffect[];
  /** Null: nothing was refused. */
  readonly refusal: Refusal | null;
}
