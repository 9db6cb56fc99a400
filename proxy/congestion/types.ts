/**
 * Words of the blocklists (B1–B24): what is fed in, what comes out. Times named `…AtMs` are milliseconds on one monotonic
 * clock that all threads share: that of `process.hrtime` (each thread's `performance.now()` has a zero of its own). Only
 * differences of them count. Times named `…wallAtMs` are milliseconds since 1970, for people; nothing is decided by them.
 */
import type { ServerState, ZoneState } from '../cluster/states.ts';

/** A point in time on both clocks. */
export interface Instant {
  readonly atMs: number;
  readonly wallAtMs: number;
}

/** The three lists. They are independent of each other; a server on any one receives nothing (B14). */
export type BlocklistName = 'status' | 'detection' | 'alive';

/** The five parameters (B17–B21) and the switch (B16). */
export interface CongestionParameters {
  /** B16: off routes to listed servers at once, but observing goes on. */
  readonly enabled: boolean;
  /** B17: so many failures within the window list a server; below 0, and as 0, every server comes off all lists. */
  readonly failureThreshold: number;
  /** B18. */
  readonly failWindowMs: number;
  /** B19: a server on the alive list is tried again this long after it was listed, and after each try. */
  readonly retryIntervalMs: number;
  /** B20: how long a server stays at least on the alive or status list. */
  readonly minKeepMs: number;
  /** B21: a connect attempt given up after this long, or longer, lists the server at once; given up earlier it says nothing. */
  readonly minConnectTimeoutMs: number;
  /** Consecutive failed probes that make DETECT_DEAD (B6: more than 3). */
  readonly detectFailThreshold: number;
  /** `server_detect_mode`: 0 nobody is probed, so that nobody is on the detection list either; 1 suspects; 2 all. */
  readonly detectMode: number;
}

/** The kinds of B10. */
export const failureKinds = [
  'query-timeout',
  'server-error',
  'connect-failure',
  'connect-timeout',
  'malformed-reply',
  'transfer-failure',
] as const;
/** How a request failed on a server. */
export type FailureKind = (typeof failureKinds)[number];

/** One failure of business SQL on one server (B10). */
export interface FailureEvent extends Instant {
  readonly address: string;
  readonly kind: FailureKind;
  /** How long the request, or for the connect kinds the attempt, had lasted. */
  readonly tookMs: number;
  /** MySQL error number; 0 when the server sent none. */
  readonly errno: number;
  /** In words, e.g. what the system said. */
  readonly detail: string;
  /** Client session (`cs_id`) it happened to; 0 for none. */
  readonly sessionId: number;
  /** Normal form of the statement, without values; empty when none was running. */
  readonly digest: string;
}

/** What the cluster's own views say of a server (B1–B4). */
export interface ServerStatus {
  readonly address: string;
  readonly zone: string;
  readonly region: string;
  readonly zoneState: ZoneState;
  readonly state: ServerState;
  /** The view's row in words. */
  readonly reason: string;
}

/** One probe of the detection (B5). */
export interface ProbeResult extends Instant {
  readonly address: string;
  readonly ok: boolean;
  readonly tookMs: number;
  /** What went wrong, in words; empty when it answered. */
  readonly detail: string;
}

/** Why a server came on a list or off it, with what proves it. Kept as JSON for good: changes here are migrations. */
export type Evidence =
  | { readonly kind: 'view'; readonly state: ServerState; readonly zoneState: ZoneState; readonly reason: string }
  | { readonly kind: 'probes'; readonly probes: readonly Omit<ProbeResult, 'address' | 'atMs'>[] }
  | { readonly kind: 'failures'; readonly failures: readonly Omit<FailureEvent, 'address' | 'atMs'>[] }
  | { readonly kind: 'success'; readonly sessionId: number }
  | { readonly kind: 'parameters'; readonly changed: readonly (keyof CongestionParameters)[] }
  | { readonly kind: 'hand'; readonly actor: string; readonly reason: string }
  | { readonly kind: 'removed' };

/** A server came on a list or off it. */
export interface BlocklistTransition extends Instant {
  readonly address: string;
  readonly zone: string;
  readonly list: BlocklistName;
  readonly change: 'listed' | 'released';
  readonly evidence: Evidence;
  /** In force when it happened. */
  readonly parameters: CongestionParameters;
  /** For a release: how long the server was on the list. */
  readonly listedForMs: number | null;
}

/** What a worker has to know of one server to choose: plain data, sent at each change. */
export interface ServerVerdict {
  readonly address: string;
  /** Lists it is on; UPGRADE of zone or server counts as status (B4). */
  readonly lists: readonly BlocklistName[];
  /** From when on one request may try it again (B12); null: not on the alive list, or also on another. */
  readonly retryAtMs: number | null;
}
