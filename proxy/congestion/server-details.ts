/** What can be told of one server: the columns of SHOW PROXYCONGESTION, and what the console shows besides. */
import type { ServerState, ZoneState } from '../cluster/states.ts';
import type { Listing } from './list-state.ts';
import type { ServerEntry } from './server-entry.ts';
import type { BlocklistName, CongestionParameters, FailureEvent, Instant, ProbeResult, ServerStatus } from './types.ts';

/** Columns of the console's sparkline. */
const HISTOGRAM_PARTS = 60;

/**
 * A row of SHOW PROXYCONGESTION (B24) in the order of its columns, without `cluster_name` and `cr_version`, which belong to
 * the cluster. Times are milliseconds since 1970, null when there is none.
 */
export interface BlocklistRow {
  readonly zone: string;
  readonly region: string;
  readonly zoneState: ZoneState;
  readonly address: string;
  readonly serverState: ServerState;
  readonly isAliveListed: boolean;
  readonly lastAliveListedWallAtMs: number | null;
  /** `dead_congested`: INACTIVE or REPLAY; an UPGRADE has the same effect without being on the list (B4). */
  readonly isDeadListed: boolean;
  readonly lastDeadListedWallAtMs: number | null;
  readonly failureTotal: number;
  /** The connect failures and connect time-outs among the failures. */
  readonly connectFailureTotal: number;
  readonly lastConnectFailureWallAtMs: number | null;
  readonly connectFailuresInWindow: number;
  readonly lastFailureWallAtMs: number | null;
  readonly failuresInWindow: number;
  readonly refCount: number;
  readonly isDetectionListed: boolean;
  readonly lastDetectionListedWallAtMs: number | null;
  /** Not a column: empty when the server takes requests. SHOW without `all` has the rows where it is not empty. */
  readonly lists: readonly BlocklistName[];
}

/** All that is known of one server, for the console and the control API. */
export interface ServerDetails {
  readonly row: BlocklistRow;
  /** What the cluster's views said last, with their reason. */
  readonly told: ServerStatus;
  /** What our probes find; null: not probed yet, or neither. */
  readonly finding: 'DETECT_ALIVE' | 'DETECT_DEAD' | null;
  readonly failedProbesInRow: number;
  /** Since when and why, for each list it is on. */
  readonly listings: readonly Listing[];
  /** When the next request may try it (B12); null: it is not on the alive list only. May be in the past. */
  readonly retryWallAtMs: number | null;
  /** From when on a success can release it from the alive list (B13); null: not on it. */
  readonly keepUntilWallAtMs: number | null;
  /** Failures in each part of the window that ends now, oldest first. */
  readonly histogram: readonly number[];
  readonly histogramPartMs: number;
  /** The last failures that count, oldest first. */
  readonly failures: readonly FailureEvent[];
  /** The last probes, oldest first. */
  readonly probes: readonly ProbeResult[];
}

/** The row of one server at a time. */
export function describeRow(entry: ServerEntry, at: Instant): BlocklistRow {
  const { status, detection, alive, told } = entry;
  const counts = alive.counts(at.atMs);
  return {
    zone: told.zone,
    region: told.region,
    zoneState: told.zoneState,
    address: told.address,
    serverState: entry.shownState,
    isAliveListed: alive.listing !== null,
    lastAliveListedWallAtMs: alive.lastListedWallAtMs,
    isDeadListed: status.isDead,
    lastDeadListedWallAtMs: status.lastDeadWallAtMs,
    ...counts,
    // Nobody counts holders here. The reference's idle entry shows 2: its table holds it, and so does the SHOW itself.
    refCount: 2,
    isDetectionListed: detection.listing !== null,
    lastDetectionListedWallAtMs: detection.lastListedWallAtMs,
    lists: entry.listings().map(({ list }) => list),
  };
}

/** The details of one server at a time. */
export function describeServer(entry: ServerEntry, at: Instant, parameters: CongestionParameters): ServerDetails {
  const { detection, alive, told } = entry;
  const { retryAtMs } = entry.verdict(parameters);
  const toWall = (atMs: number) => at.wallAtMs + (atMs - at.atMs);
  return {
    row: describeRow(entry, at),
    told,
    finding: detection.finding,
    failedProbesInRow: detection.failuresInRow,
    listings: entry.listings(),
    retryWallAtMs: retryAtMs === null ? null : toWall(retryAtMs),
    keepUntilWallAtMs: alive.listing === null ? null : toWall(alive.listing.atMs + parameters.minKeepMs),
    histogram: alive.histogram(at.atMs, HISTOGRAM_PARTS),
    histogramPartMs: parameters.failWindowMs / HISTOGRAM_PARTS,
    failures: alive.countedFailures(at.atMs, parameters),
    probes: [...detection.probes],
  };
}
