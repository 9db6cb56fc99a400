/** How the blocklists look in the contract's shapes. */
import type { ServerDetails } from '../congestion/server-details.ts';
import type { Instant } from '../congestion/types.ts';
import type { StoredEvidence } from '../history/blocklist-evidence.ts';
import type { StoredTransition } from '../history/blocklist-row.ts';
import { reasonText } from '../history/describe-transition.ts';
import type { ClusterBlocklist } from './blocklist-service.ts';
import type { BlocklistCluster, BlocklistEvent, BlocklistServer, Evidence, Probe, ServerFailure } from './contract.ts';

/** Statements without their values can be long, and fifty of them are shown per server. */
const maxDigestLength = 300;

export function clusterView({ name, blocklist }: ClusterBlocklist, at: Instant): BlocklistCluster {
  const servers = blocklist
    .rows(at)
    .map(({ address }) => blocklist.details(address, at))
    .filter((details) => details !== null)
    .map(serverView);
  return { name, parameters: { ...blocklist.parameters }, servers };
}

export function eventView(row: StoredTransition): BlocklistEvent {
  const { id, at, cluster, address, zone, list, change, listedForMs, evidence, parameters } = row;
  return {
    id,
    at: at.toISOString(),
    cluster,
    server: address,
    zone,
    list,
    change,
    listedForMs,
    reason: reasonText(row),
    evidence: evidence === null ? null : evidenceView(evidence),
    parameters,
  };
}

export function isoTime(wallAtMs: number): string {
  return new Date(wallAtMs).toISOString();
}

function serverView(details: ServerDetails): BlocklistServer {
  const { row, told } = details;
  return {
    address: row.address,
    zone: row.zone,
    region: row.region,
    zoneState: row.zoneState,
    state: row.serverState,
    reason: told.reason,
    listings: details.listings.map(({ list, wallAtMs, evidence }) => ({
      list,
      since: isoTime(wallAtMs),
      reason: reasonText({ evidence, change: 'listed', parameters: null }),
      evidence: evidenceView(evidence),
    })),
    lastListedAt: {
      status: orNull(row.lastDeadListedWallAtMs),
      detection: orNull(row.lastDetectionListedWallAtMs),
      alive: orNull(row.lastAliveListedWallAtMs),
    },
    retryAt: orNull(details.retryWallAtMs),
    keepUntil: orNull(details.keepUntilWallAtMs),
    finding: details.finding,
    failedProbesInRow: details.failedProbesInRow,
    failures: {
      inWindow: row.failuresInWindow,
      total: row.failureTotal,
      lastAt: orNull(row.lastFailureWallAtMs),
      connectInWindow: row.connectFailuresInWindow,
      connectTotal: row.connectFailureTotal,
      lastConnectAt: orNull(row.lastConnectFailureWallAtMs),
      buckets: details.histogram.some((count) => count > 0) ? [...details.histogram] : [],
      bucketMs: details.histogramPartMs,
    },
    recentFailures: details.failures.map(failureView),
    probes: details.probes.map(probeView),
  };
}

function evidenceView(evidence: StoredEvidence): Evidence {
  switch (evidence.kind) {
    case 'parameters':
      return { kind: 'parameters', changed: [...evidence.changed] };
    case 'probes':
      return { kind: 'probes', probes: evidence.probes.map(probeView) };
    case 'failures':
      return { kind: 'failures', failures: evidence.failures.map(failureView) };
    default:
      return evidence;
  }
}

function probeView({ wallAtMs, ok, tookMs, detail }: Omit<Probe, 'at'> & { readonly wallAtMs: number }): Probe {
  return { at: isoTime(wallAtMs), ok, tookMs, detail };
}

function failureView(failure: Omit<ServerFailure, 'at'> & { readonly wallAtMs: number }): ServerFailure {
  const { wallAtMs, kind, tookMs, errno, detail, sessionId, digest } = failure;
  const shortDigest = digest.slice(0, maxDigestLength);
  return { at: isoTime(wallAtMs), kind, tookMs, errno, detail, sessionId, digest: shortDigest };
}

function orNull(wallAtMs: number | null): string | null {
  return wallAtMs === null ? null : isoTime(wallAtMs);
}
