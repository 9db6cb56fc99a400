/** What a client session needs of the worker that holds it. */
import type { SecureContext } from 'node:tls';
import type { Partition, Partitioning } from '../cluster/partitioning.ts';
import type { Routine } from '../cluster/routine-lookup.ts';
import type { ClusterTopology, TableLocation } from '../cluster/topology.ts';
import type { ConfigView } from '../config/config-view.ts';
import type { LeveledConfig } from '../config/leveled-config.ts';
import type { BlocklistView } from '../congestion/blocklist-view.ts';
import type { Logger } from '../log/logger.ts';
import type { Deadlines } from '../net/deadlines.ts';
import type { ToldPlaces } from '../routing/location/location-cache.ts';
import type { StaleReplicas } from '../routing/stale-replicas.ts';
import type { StatementCache } from '../sql/statement-cache.ts';
import type { RoutineName } from '../sql/statement-info.ts';
import type { ClientSession } from './client-session.ts';
import type { InternalCommands } from './internal-commands.ts';
import type { ServerHealth } from './server-health.ts';
import type { SessionRegistry } from './session-registry.ts';
import type { TenantLimit } from './tenant-limit.ts';

/** One cluster as a worker sees it. */
export interface SessionCluster {
  readonly name: string;
  /** The newest topology; replaced as a whole when it changes. */
  readonly topology: ClusterTopology;
  /** Whether the server belongs to the cluster now: one that is leaving or gone is sent nothing more (B3). */
  serves(address: string): boolean;
  /**
   * Location of a table: the known one at once, else a promise of the look-up's result. Null: the cluster knows no such
   * table, or nobody could be asked.
   * @param table the statement's own name of it: by the same object it is found faster
   */
  locate(
    tenant: string,
    database: string,
    table: { readonly name: string },
  ): TableLocation | null | Promise<TableLocation | null>;
  /** How a table is partitioned; null: in no way that can be calculated, or nobody could be asked. */
  partitioning(location: TableLocation): Partitioning | null | Promise<Partitioning | null>;
  /** As `locate`, for one partition of a table. */
  locatePartition(location: TableLocation, partition: Partition): TableLocation | null | Promise<TableLocation | null>;
  /** What `tellAgain` asks for: that these places are what is known now; null: they are not. */
  told(whole: TableLocation, place: TableLocation): ToldPlaces | null;
  /** Whether `locate` and `locatePartition` would tell the same again; they count as asked then. False: ask them. */
  tellAgain(told: ToldPlaces): boolean;
  /** A procedure by the name in CALL; null: there is none, or nobody could be asked. @param database the current one */
  routine(tenant: string, database: string, name: RoutineName): Routine | null | Promise<Routine | null>;
  /** `ip:port` of the server that leads all of a tenant; null: there is none, or it was in the wrong a moment ago. */
  singleLeader(tenant: string): string | null;
  /** R22: it may not lead all of the tenant any more. */
  doubtSingleLeader(tenant: string): void;
  /** R22: servers have shown that this place, as it was told, is wrong. */
  doubt(place: TableLocation): void;
  /** R22: a server has confirmed this place. */
  confirm(place: TableLocation): void;
  /** Which servers are to receive nothing now, as far as this worker has been told (B14). */
  readonly blocklist: BlocklistView;
  readonly health: ServerHealth;
  /** Replicas that were too old for a weak read lately (case B78). */
  readonly staleReplicas: StaleReplicas;
  /** Counters for the console. */
  countRequest(address: string): void;
  /** A request has ended in an error there, the server's own or because it could not be had. */
  countError(address: string): void;
  countServerSession(address: string, change: 1 | -1): void;
}

/** TLS of new connections; null: they are plain. */
export interface SessionTls {
  readonly forClients: SecureContext | null;
  readonly forServers: SecureContext | null;
  /** Clients without TLS are refused, except those of the proxy's own tenant (reference). */
  readonly required: boolean;
}

/** Who wants sessions that have come to the end of a request: because they are to move, or to end. */
export interface SessionTaker {
  /** @returns whether the session is not to go on here now */
  takes(session: ClientSession): boolean;
}

export interface SessionContext {
  /** What counts for everybody. */
  readonly config: ConfigView;
  /** What counts for a session: `ClientSession.config` is its view. */
  readonly levels: LeveledConfig;
  readonly log: Logger;
  readonly deadlines: Deadlines;
  readonly statements: StatementCache;
  readonly registry: SessionRegistry;
  readonly commands: InternalCommands;
  readonly tls: SessionTls;
  /** Text that the greeting and `__proxy_version` carry. */
  readonly proxyVersion: string;
  /** In [0, 1). */
  readonly random: () => number;
  /**
   * The cluster of a log-in name, at once when it is served already. @param id of the cluster, empty: none was given
   * @throws OdpError CLUSTER_NOT_EXIST, or why it cannot be served; the promise rejects with the same
   */
  findCluster(name: string, id: string): SessionCluster | Promise<SessionCluster>;
  /** Cluster of log-in names that give none; empty: there is no such cluster. */
  defaultCluster(): string;
  /** Counts a client connection in or out. @returns how many all workers have now */
  countConnection(change: 1 | -1 | 0): number;
  /** Counts the sessions of each tenant, and knows how many it may have. */
  readonly tenantLimit: TenantLimit;
  /** Capabilities that servers of this proxy were last seen to offer: a client is offered no EOF style they lack. */
  serverCapabilities: number;
  /** Null: the usual case. */
  taker: SessionTaker | null;
}
