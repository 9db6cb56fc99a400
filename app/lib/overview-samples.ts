/** Pieces of what the proxy tells, for tests of the Overview and the blocklists. */

import type { BlocklistCluster, BlocklistEvent, BlocklistServer, Overview } from '../../proxy/control/contract.ts';
import { inLanguage } from '../messages/area.ts';
import { overview as texts } from '../messages/overview.ts';
import { makeText } from './text.ts';

export const t = makeText<typeof texts>('en', inLanguage(texts, 'en'));

export const at = '2026-03-01T03:12:00.000Z';

export function aServer(address: string, parts: Partial<BlocklistServer> = {}): BlocklistServer {
  return {
    address,
    zone: 'zone1',
    region: 'R',
    zoneState: 'ACTIVE',
    state: 'ACTIVE',
    reason: '',
    listings: [],
    lastListedAt: { status: null, detection: null, alive: null },
    retryAt: null,
    keepUntil: null,
    finding: null,
    failedProbesInRow: 0,
    failures: {
      inWindow: 0,
      total: 0,
      lastAt: null,
      connectInWindow: 0,
      connectTotal: 0,
      lastConnectAt: null,
      buckets: [],
      bucketMs: 2_000,
    },
    recentFailures: [],
    probes: [],
    ...parts,
  };
}

export function aListing(
  list: 'status' | 'detection' | 'alive',
  since = at,
  reason = `reason of ${list}`,
): BlocklistServer['listings'][number] {
  return { list, since, reason, evidence: { kind: 'restart' } };
}

export function aBlocklist(servers: readonly BlocklistServer[], enabled = true, name = 'obdemo'): BlocklistCluster {
  const parameters = {
    enabled,
    failureThreshold: 5,
    failWindowMs: 120_000,
    retryIntervalMs: 20_000,
    minKeepMs: 20_000,
    minConnectTimeoutMs: 100,
    detectFailThreshold: 3,
    detectMode: 1,
  };
  return { name, parameters, servers: [...servers] };
}

export function anEvent(id: number, parts: Partial<BlocklistEvent> = {}): BlocklistEvent {
  return {
    id,
    at,
    cluster: 'obdemo',
    server: '127.0.0.12:2881',
    zone: 'zone2',
    list: 'detection',
    change: 'listed',
    listedForMs: null,
    reason: '4 probes failed',
    evidence: null,
    parameters: null,
    ...parts,
  };
}

export function anOverview(cluster: Partial<Overview['clusters'][number]> = {}): Overview {
  return {
    proxy: {
      version: '1',
      startedAt: at,
      listen: '127.0.0.1:2883',
      idc: '',
      enableCongestion: true,
      workers: [],
      rssBytes: 1,
      hasLab: false,
    },
    clusters: [
      {
        name: 'obdemo',
        demo: false,
        source: 'views',
        refreshedAt: at,
        error: null,
        isWatched: true,
        zones: [],
        servers: [],
        locations: { hits: 0, misses: 0, lookups: 0, failures: 0, doubts: 0, evictions: 0, entries: 0, bytes: 0 },
        ...cluster,
      },
    ],
    configServer: null,
  };
}
