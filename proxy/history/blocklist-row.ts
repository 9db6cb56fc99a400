import type { StoredEvidence, StoredParameters } from './blocklist-evidence.ts';

/** A server came on a list or off it. */
export interface NewTransition {
  readonly cluster: string;
  /** `ip:port`. */
  readonly address: string;
  readonly zone: string;
  /** status, detection, alive */
  readonly list: string;
  readonly change: 'listed' | 'released';
  /** Milliseconds since 1970. */
  readonly wallAtMs: number;
  /** For a release: how long it was on the list; null for a listing, and when it is not known. */
  readonly listedForMs: number | null;
  readonly evidence: StoredEvidence;
  /** In force when it happened; null when that is not known. */
  readonly parameters: StoredParameters | null;
}

/** As kept. `id` grows with each, whatever the clock did (case B105). */
export interface StoredTransition {
  readonly id: number;
  readonly at: Date;
  readonly cluster: string;
  readonly address: string;
  readonly zone: string;
  readonly list: string;
  readonly change: string;
  readonly listedForMs: number | null;
  /** Null: written by another version, or damaged. */
  readonly evidence: StoredEvidence | null;
  readonly parameters: StoredParameters | null;
}

/** A failure of business SQL on one server (B10). */
export interface NewFailure {
  readonly cluster: string;
  readonly address: string;
  readonly kind: string;
  /** Milliseconds since 1970. */
  readonly wallAtMs: number;
  /** How long the request, or for the connect kinds the attempt, had lasted. */
  readonly tookMs: number;
  readonly errno: number;
  readonly detail: string;
  readonly sessionId: number;
  readonly digest: string;
}

/** A failure as it was read back. */
export interface StoredFailure extends NewFailure {
  readonly id: number;
}

/** Which transitions are wanted; everything given must fit. */
export interface TransitionFilter {
  readonly cluster?: string | undefined;
  readonly server?: string | undefined;
  readonly zone?: string | undefined;
  readonly list?: string | undefined;
  readonly change?: string | undefined;
  /** Half-open interval [from, to), ISO 8601. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** One page, newest first. */
export interface TransitionPage {
  readonly rows: readonly StoredTransition[];
  /** Rows that fit the filter. */
  readonly total: number;
  /** `before` of the next page, or null at the end. */
  readonly nextBefore: number | null;
}
