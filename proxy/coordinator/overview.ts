/** The state of things for the console: topology with the counters that the workers report. */
import type { ConfigServerStatus, ConfiguredCluster } from '../cluster/cluster-directory.ts';
import { serversOfList } from '../cluster/map-topology.ts';
import type { ClusterTopology } from '../cluster/topology.ts';
import type { ClusterDetail } from '../command/services.ts';
import type { ConfigView } from '../config/config-view.ts';
import type { Cluster, Overview } from '../control/contract.ts';
import type { WorkerReport } from '../worker/calls.ts';
import { locationCountersOf } from './location-source.ts';

const NO_LOCATIONS: Cluster['locations'] = {
  hits: 0,
  misses: 0,
  lookups: 0,
  failures: 0,
  doubts: 0,
  evictions: 0,
  entries: 0,
  bytes: 0,
};

export interface OverviewParts {
  readonly version: string;
  readonly startedAt: Date;
  readonly listen: string;
  readonly config: ConfigView;
  /** Every configured cluster. */
  readonly clusters: readonly ClusterDetail[];
  /** They are stand-ins. */
  readonly demo: boolean;
  /** The stand-in takes faults. */
  readonly hasLab: boolean;
  readonly configServer: ConfigServerStatus | null;
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
      hasLab: parts.hasLab,
    },
    clusters: parts.clusters.map((cluster) => clusterOf(cluster, parts.demo, parts.reports)),
    configServer: parts.configServer === null ? null : configServerOf(parts.configServer),
  };
}

function configServerOf({ url, version, source, answeredAtMs, error }: ConfigServerStatus) {
  return { url, version, source, answeredAt: isoTime(answeredAtMs), error };
}

const isoTime = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

/** A cluster that nobody has asked for shows the servers it is configured with. */
function idleTopology({ key, rootServers }: ConfiguredCluster): ClusterTopology {
  const reason = 'configured address; the cluster is not watched until a client asks for it';
  const addresses = rootServers.map(({ address }) => address);
  return {
    clusterName: key,
    revision: 0,
    source: 'rslist',
    zones: [],
    servers: serversOfList(addresses, reason),
    refreshedAtMs: null,
    error: null,
  };
}

function clusterOf(detail: ClusterDetail, demo: boolean, reports: readonly WorkerReport[]): Cluster {
  const { configured } = detail;
  const topology = detail.topology ?? idleTopology(configured);
  const sum = (address: string, counter: 'serverSessions' | 'requests'): number =>
    reports.reduce(
      (total, { clusters }) => total + (clusters[topology.clusterName]?.servers[address]?.[counter] ?? 0),
      0,
    );
  return {
    name: topology.clusterName,
    demo,
    source: topology.source,
    refreshedAt: isoTime(topology.refreshedAtMs),
    error: topology.error ?? configured.error,
    isWatched: detail.topology !== null,
    zones: [...topology.zones],
    servers: topology.servers.map(({ address, zone, state, reason }) => ({
      address,
      zone,
      state,
      reason,
      serverSessions: sum(address, 'serverSessions'),
      requests: sum(address, 'requests'),
    })),
    locations: locationCountersOf(reports)[topology.clusterName] ?? NO_LOCATIONS,
  };
}
