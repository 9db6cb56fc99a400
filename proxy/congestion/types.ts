/** Words of the blocklists (B1–B24): what is fed in, what comes out. Times named `…AtMs` are on a monotonic clock. */
import type { ServerState, ZoneState } from '../cluster/states.ts';

/** The three lists. They are independent of each other; a server on any one receives nothing (B14). */
export type BlocklistName = 'status' | 'detection' | 'alive';

/** The five parameters (B17–B21) and the switch (B16). */
export interface CongestionParameters {
  /** B16: off routes to listed servers at once, but observing goes on. */
  readonly enabled: boolean;
  /** B17: failures within the window that list a server; below 0 every server comes off and none is listed; 0: none is listed. */
  readonly failureThreshold: number;
  /** B18. */
  readonly failWindowMs: number;
  /** B19: a server on the alive list is tried again this long after its last failure. */
  readonly retryIntervalMs: number;
  /** B20: how long a server stays at least on the alive or status list. */
  readonly minKeepMs: number;
  /** B21: a connect attempt that lasts this long is a failure. */
  readonly minConnectTimeoutMs: number;
  /** Consecutive failed probes that make DETECT_DEAD (B6: more than 3). */
  readonly detectFailThreshold: number;
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
export type FailureKind = (typeof failureKinds)[number];

/** One failure of business SQL on one server (B10). */
export interface FailureEvent {
  readonly address: string;
  readonly kind: FailureKind;
  readonly atMs: number;
  /** Wall clock, for people: milliseconds since 1970. */
  readonly wallAtMs: number;
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
export interface ProbeResult {
  readonly address: string;
  readonly ok: boolean;
  readonly atMs: number;
  readonly wallAtMs: number;
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
export interface BlocklistTransition {
  readonly address: string;
  readonly zone: string;
  readonly list: BlocklistName;
  readonly change: 'listed' | 'released';
  readonly atMs: number;
  readonly wallAtMs: number;
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
  /** When the alive list lets one request try it again (B12), wall clock; null: not on that list, or also on another. */
  readonly retryAtWallMs: number | null;
}
