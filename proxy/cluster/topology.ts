/**
 * What the proxy knows of a cluster: cluster → region → IDC → zone → OBServer (R6, R13). Plain data, sent as it is
 * from the coordinator to the workers and to the console.
 */
import type { ServerState, Zone } from './states.ts';

/** A server of a cluster. */
export interface ObServer {
  /** `ip:port` of the SQL port; the identity of a server everywhere. */
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly zone: string;
  readonly state: ServerState;
  /** Why the state is what it is, in words. */
  readonly reason: string;
}

/** One state of knowledge about one cluster; never changed, only replaced. */
export interface ClusterTopology {
  readonly clusterName: string;
  /** Grows by one with every change of content; 0 = nothing known but the configured list. */
  readonly revision: number;
  /** `views`: read from DBA_OB_SERVERS/DBA_OB_ZONES; `rslist`: only the configured addresses are known. */
  readonly source: 'views' | 'rslist';
  readonly zones: readonly Zone[];
  readonly servers: readonly ObServer[];
  /**
   * Primary zones of the tenants as the cluster writes them (`z1,z2;z3`), by tenant; tenants without a preference are
   * left out, and all while it isn't known.
   */
  readonly primaryZones?: Readonly<Record<string, string>>;
  /** Localities of the tenants as the cluster writes them, by tenant; left out while they aren't known. */
  readonly localities?: Readonly<Record<string, string>>;
  /** `ip:port` of the server that leads all of a tenant, by tenant: only of those that one server leads. */
  readonly singleLeaders?: Readonly<Record<string, string>>;
  /** Wall-clock milliseconds of the last refresh that worked, or null. */
  readonly refreshedAtMs: number | null;
  /** Why the last refresh failed, or null. */
  readonly error: string | null;
  /** What the ConfigServer tells of IDCs (`ObIDCRegionInfo`); left out without one. */
  readonly idcRegions?: readonly IdcRegion[];
}

/** An IDC and the region it is in. */
export interface IdcRegion {
  readonly idc: string;
  readonly region: string;
}

/** B3: a server that is on its way out of the cluster, or out of it, is sent nothing more. */
export const isMember = (server: Pick<ObServer, 'state'>): boolean =>
  server.state !== 'DELETING' && server.state !== 'DELETED';

/** Where the replicas of one table (or partition) are (R4). */
export interface TableLocation {
  readonly tenant: string;
  readonly database: string;
  readonly table: string;
  /** Decimal text: table ids pass 2^53. */
  readonly tableId: string;
  readonly partitionCount: number;
  /** Decimal text, of the partition that the replicas are of; left out: they are the table's. */
  readonly tabletId?: string;
  readonly schemaVersion: string;
  readonly replicas: readonly Replica[];
}

/** A copy of a table or partition on one server. */
export interface Replica {
  /** `ip:port`. */
  readonly address: string;
  readonly role: 'leader' | 'follower';
  /** It never leads; serves weak reads only. */
  readonly isReadOnly?: true;
  /** Of a duplicate table: it serves strong reads as well as the leader does. Left out: it is none. */
  readonly isDuplicate?: true;
}
