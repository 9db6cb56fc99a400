/** Which clusters there are and where their servers are first looked for: one by start options (R2), or several told by a ConfigServer (R3). */
import type { ServerAddress } from '../config/server-address.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { IdcRegion } from './topology.ts';

/** A server of a configured list. */
export interface RootServer {
  readonly address: ServerAddress;
  /** As the ConfigServer gives it; empty in a list of start options. */
  readonly role: string;
  /** `ReadonlyRsList` holds the read-only ones; empty in a list of start options. */
  readonly replicaType: '' | 'FULL' | 'READONLY';
}

/** A cluster that clients may log in to. */
export interface ConfiguredCluster {
  /** Identity everywhere in the proxy: the name, or `name:id` for one that is not the primary of its name. */
  readonly key: string;
  /** What servers know the cluster by. */
  readonly name: string;
  /** 0: not told. */
  readonly id: number;
  /** Empty: not known yet. */
  readonly rootServers: readonly RootServer[];
  readonly idcRegions: readonly IdcRegion[];
  /** Where the list and the IDCs come from; empty without a ConfigServer. */
  readonly rsUrl: string;
  readonly idcUrl: string;
  /** Wall-clock milliseconds of the last answers that were good, or null. */
  readonly listedAtMs: number | null;
  readonly idcsAtMs: number | null;
  /** How often both were asked for. */
  readonly listFetches: number;
  readonly idcFetches: number;
  /** Why the list could not be read anew, or null. */
  readonly error: string | null;
}

/** The clusters that are configured now. */
export interface ClusterDirectory {
  clusters(): readonly ConfiguredCluster[];
  /** By the name and id of a log-in name (id empty: the primary); null: not configured. */
  find(name: string, id: string): ConfiguredCluster | null;
  /**
   * As `find`, with its servers known.
   * @throws OdpError CLUSTER_NOT_EXIST, CLUSTERS_NOT_KNOWN, or why its servers cannot be found out
   */
  ready(name: string, id: string): Promise<ConfiguredCluster>;
  /** Cluster of log-in names that give none; empty: there is none. */
  defaultName(): string;
  /** How things stand with the ConfigServer; null: there is none. */
  readonly status: ConfigServerStatus | null;
}

/** How things stand with the ConfigServer itself. */
export interface ConfigServerStatus {
  readonly url: string;
  /** Of the document in force; empty: there is none. */
  readonly version: string;
  /** Where it is from. */
  readonly source: 'server' | 'copy' | 'none';
  /** Wall-clock milliseconds of the last good answer, or of the copy; null: never. */
  readonly answeredAtMs: number | null;
  /** Why the last question had no good answer, or null. */
  readonly error: string | null;
}

/** Test mode (R2): one cluster, whatever id a log-in name gives. */
export function singleCluster(name: string, addresses: readonly ServerAddress[]): ClusterDirectory {
  const cluster: ConfiguredCluster = {
    key: name,
    name,
    id: 0,
    rootServers: addresses.map((address) => ({ address, role: '', replicaType: '' })),
    idcRegions: [],
    rsUrl: '',
    idcUrl: '',
    listedAtMs: null,
    idcsAtMs: null,
    listFetches: 0,
    idcFetches: 0,
    error: null,
  };
  const find = (wanted: string) => (wanted === name ? cluster : null);
  return {
    clusters: () => [cluster],
    find,
    ready: async (wanted) => {
      const found = find(wanted);
      if (found === null) throw new OdpError('CLUSTER_NOT_EXIST', { cluster: wanted });
      return found;
    },
    defaultName: () => name,
    status: null,
  };
}
