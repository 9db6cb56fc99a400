/** The state of things for the console: topology with the counters that the workers report. */
import type { ClusterTopology } from '../cluster/topology.ts';
import type { ConfigView } from '../config/config-view.ts';
import type { Cluster, Overview } from '../control/contract.ts';
import type { WorkerReport } from '../worker/calls.ts';

export interface OverviewParts {
  readonly version: string;
  readonly startedAt: Date;
  readonly listen: string;
  readonly config: ConfigView;
  readonly clusters: readonly { readonly topology: ClusterTopology; readonly demo: boolean }[];
  readonly reports: readonly WorkerReport[];
  readonly rssBytes: number;
}

export function makeOverview(parts: OverviewParts): Overview {
  return {
    proxy: {
      version: parts.version,
      startedAt: parts.startedAt.toISOString(),
      listen: parts.listen,
      idc: parts.config.text('proxy_idc_name'),
      enableCongestion: parts.config.bool('enable_congestion'),
      workers: parts.reports.map(({ clientSessions, serverSessions, requests }, id) => ({
        id,
        clientSessions,
        serverSessions,
        requests,
      })),
      rssBytes: parts.rssBytes,
    },
    clusters: parts.clusters.map(({ topology, demo }) => clusterOf(topology, demo, parts.reports)),
  };
}

function clusterOf(topology: ClusterTopology, demo: boolean, reports: readonly WorkerReport[]): Cluster {
  const sum = (address: string, counter: 'serverSessions' | 'requests'): number =>
    reports.reduce(
      (total, { clusters }) => total + (clusters[topology.clusterName]?.servers[address]?.[counter] ?? 0),
      0,
    );
  return {
    name: topology.clusterName,
    demo,
    source: topology.source,
    refreshedAt: topology.refreshedAtMs === null ? null : new Date(topology.refreshedAtMs).toISOString(),
    error: topology.error,
    zones: [...topology.zones],
    servers: topology.servers.map(({ address, zone, state, reason }) => ({
      address,
      zone,
      state,
      reason,
      serverSessions: sum(address, 'serverSessions'),
      requests: sum(address, 'requests'),
    })),
  };
}
