/** One cluster as a worker knows it: its newest topology, the places of its tables, and counters of its servers. */
import { LocationLookup } from '../cluster/location-lookup.ts';
import { MetadataClient } from '../cluster/metadata-client.ts';
import { lookupPartitioning } from '../cluster/partition-lookup.ts';
import type { Partition, Partitioning } from '../cluster/partitioning.ts';
import { type ClusterTopology, isMember, type TableLocation } from '../cluster/topology.ts';
import type { ConfigView } from '../config/config-view.ts';
import { BlocklistView } from '../congestion/blocklist-view.ts';
import type { ServerVerdict } from '../congestion/types.ts';
import { errorText } from '../errors/odp-error.ts';
import type { Logger } from '../log/logger.ts';
import { LocationCache } from '../routing/location-cache.ts';
import { PartitioningCache } from '../routing/partition/partitioning-cache.ts';
import type { ServerHealth } from '../session/server-health.ts';
import type { SessionCluster } from '../session/session-context.ts';
import type { WorkerClusterStart, WorkerReport } from './calls.ts';

const MAX_LOCATIONS = 20_000;
const MAX_PARTITIONED_TABLES = 2000;
/** Partitions that could not be told are asked for again after this. */
const PARTITIONS_RETRY_MS = 10_000;
/** How long "no such table" is believed: a table just created must be found soon. */
const NEGATIVE_LIFETIME_MS = 1000;

interface ServerCounters {
  serverSessions: number;
  requests: number;
}

/** What a worker knows of one cluster: topology, locations, blocklist verdicts. */
export class WorkerCluster implements SessionCluster {
  topology: ClusterTopology;
  readonly rootServers: readonly string[];
  readonly blocklist = new BlocklistView();
  readonly #client: MetadataClient;
  readonly #locations: LocationCache;
  readonly #partitionings: PartitioningCache;
  readonly #counters = new Map<string, ServerCounters>();
  readonly #config: ConfigView;
  #verdicts: readonly ServerVerdict[];
  #members: ReadonlySet<string>;

  readonly health: ServerHealth;

  constructor(start: WorkerClusterStart, config: ConfigView, log: Logger, health: ServerHealth) {
    this.health = health;
    this.topology = start.topology;
    this.rootServers = start.rootServers;
    this.#members = membersOf(start.topology);
    this.#config = config;
    this.#verdicts = start.verdicts;
    this.updateBlocklist();
    this.#client = new MetadataClient({
      passwords: () => [config.text('observer_sys_password'), config.text('observer_sys_password1')],
      connectTimeoutMs: () => config.timeMs('short_async_task_timeout'),
      queryTimeoutMs: () => config.timeMs('short_async_task_timeout'),
    });
    const lookup = new LocationLookup({
      query: (address, sql) => this.#client.query(address, sql),
      topology: () => this.topology,
    });
    this.#locations = new LocationCache({
      load: (tenant, database, table, tabletId) => lookup.lookupTable({ tenant, database, table }, tabletId),
      nowMs: () => performance.now(),
      maxEntries: MAX_LOCATIONS,
      negativeLifetimeMs: NEGATIVE_LIFETIME_MS,
      minUpdateGapMs: () => config.timeMs('delay_update_entry_interval'),
      onLoadError: (error, tenant, database, table) =>
        log.warn(
          { tenant, database, table, reason: errorText(error) },
          'the location of a table could not be found out',
        ),
    });
    this.#partitionings = new PartitioningCache({
      load: (tenant, tableId) => lookupPartitioning(tenant, tableId, (sql) => lookup.query(sql)),
      nowMs: () => performance.now(),
      maxEntries: MAX_PARTITIONED_TABLES,
      retryAfterMs: PARTITIONS_RETRY_MS,
      onLoadError: (error, { tenant, database, table }) =>
        log.warn(
          { tenant, database, table, reason: errorText(error) },
          'the partitions of a table could not be found out: its requests go by the place of the table',
        ),
    });
  }

  get name(): string {
    return this.topology.clusterName;
  }

  setTopology(topology: ClusterTopology): void {
    this.topology = topology;
    this.#members = membersOf(topology);
    this.#client.retainOnly(topology.servers.map((server) => server.address));
  }

  setVerdicts(verdicts: readonly ServerVerdict[]): void {
    this.#verdicts = verdicts;
    this.updateBlocklist();
  }

  /** After a change of `enable_congestion`: what is listed stays known, and counts again as soon as it is on (B16). */
  updateBlocklist(): void {
    this.blocklist.update(this.#verdicts, this.#config.bool('enable_congestion'));
  }

  serves(address: string): boolean {
    return this.#members.has(address);
  }

  locate(tenant: string, database: string, table: string): TableLocation | null | Promise<TableLocation | null> {
    const known = this.#locations.get(tenant, database, table);
    return known === undefined ? this.#locations.load(tenant, database, table) : known;
  }

  partitioning(location: TableLocation): Partitioning | null | Promise<Partitioning | null> {
    return this.#partitionings.get(location);
  }

  locatePartition(
    { tenant, database, table }: TableLocation,
    { tabletId }: Partition,
  ): TableLocation | null | Promise<TableLocation | null> {
    const known = this.#locations.get(tenant, database, table, tabletId);
    return known === undefined ? this.#locations.load(tenant, database, table, tabletId) : known;
  }

  markPartitionDirty({ tenant, database, table }: TableLocation, { tabletId }: Partition): void {
    this.#locations.markDirty(tenant, database, table, tabletId);
  }

  markDirty(tenant: string, database: string, table: string): void {
    this.#locations.markDirty(tenant, database, table);
  }

  countRequest(address: string): void {
    this.#countersOf(address).requests++;
  }

  countServerSession(address: string, change: 1 | -1): void {
    this.#countersOf(address).serverSessions += change;
  }

  /** Counters of all servers that were ever used. */
  report(): WorkerReport['servers'] {
    return Object.fromEntries([...this.#counters].map(([address, counters]) => [address, { ...counters }]));
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #countersOf(address: string): ServerCounters {
    let counters = this.#counters.get(address);
    if (counters === undefined) {
      counters = { serverSessions: 0, requests: 0 };
      this.#counters.set(address, counters);
    }
    return counters;
  }
}

function membersOf(topology: ClusterTopology): ReadonlySet<string> {
  return new Set(topology.servers.filter(isMember).map((server) => server.address));
}
