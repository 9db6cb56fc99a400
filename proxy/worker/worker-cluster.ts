/** One cluster as a worker knows it: its newest topology, the places of its tables, and counters of its servers. */

import { internalPasswords } from '../cluster/internal-passwords.ts';
import { LocationLookup } from '../cluster/location-lookup.ts';
import { MetadataClient } from '../cluster/metadata-client.ts';
import { lookupPartitioning } from '../cluster/partition-lookup.ts';
import type { Partition, Partitioning } from '../cluster/partitioning.ts';
import type { QuestionOptions, RareQuestion } from '../cluster/rare-question.ts';
import { lookupRoutine, type Routine } from '../cluster/routine-lookup.ts';
import { tenantNames } from '../cluster/tenant-names.ts';
import { type ClusterTopology, isMember, type TableLocation } from '../cluster/topology.ts';
import { type VariableFlags, variableFlags } from '../cluster/variable-flags.ts';
import type { ConfigView } from '../config/config-view.ts';
import type { LeveledConfig } from '../config/leveled-config.ts';
import { BlocklistView } from '../congestion/blocklist-view.ts';
import type { ServerVerdict } from '../congestion/types.ts';
import { errorText } from '../errors/odp-error.ts';
import type { Logger } from '../log/logger.ts';
import { LocationCache, type LocationCounters, type ToldPlaces } from '../routing/location/location-cache.ts';
import type { LocationEntry } from '../routing/location/location-entry.ts';
import { type LocationPage, type LocationPageQuery, pickPage } from '../routing/location/location-page.ts';
import {
  isWanted,
  type LocationFilter,
  type LocationKey,
  type LocationView,
  viewOf,
} from '../routing/location/location-view.ts';
import { RefreshBudget } from '../routing/location/refresh-budget.ts';
import { RoutineCache } from '../routing/location/routine-cache.ts';
import { type RoutineView, routineView } from '../routing/location/routine-view.ts';
import { PartitioningCache } from '../routing/partition/partitioning-cache.ts';
import { StaleReplicas } from '../routing/stale-replicas.ts';
import type { ServerHealth } from '../session/server-health.ts';
import type { SessionCluster } from '../session/session-context.ts';
import type { RoutineName } from '../sql/statement-info.ts';
import type { ClusterReport, WorkerClusterStart } from './calls.ts';
import { SingleLeaders } from './single-leaders.ts';

const MAX_MISSING_TABLES = 4096;
/** The part of `routing_cache_mem_limited` that partitionings may take at most; locations have the rest. */
const PARTITIONINGS_SHARE = 0.5;
/** The part that procedures may take at most. */
const ROUTINES_SHARE = 0.1;
/** No server tells that a procedure was made anew. */
const ROUTINE_LIFETIME_MS = 60_000;
/** Partitions and procedures that could not be told are asked for again after this. */
const ANSWER_RETRY_MS = 10_000;
/** How long "no such table" is believed: a table just created must be found soon. */
const NEGATIVE_LIFETIME_MS = 1000;

/** How long the cluster's list of tenants is believed. */
const TENANTS_LIFETIME_MS = 5_000;
/** The same of what only an upgrade changes. */
const VARIABLE_FLAGS_LIFETIME_MS = 600_000;

/** Between half of it and all of it after a change of locality its tenant's places are in doubt (reference proxy). */
const LOCALITY_EXPIRY_MS = 60_000;

interface ServerCounters {
  serverSessions: number;
  requests: number;
  errors: number;
}

/** What a worker knows of one cluster: topology, locations, blocklist verdicts. */
export class WorkerCluster implements SessionCluster {
  topology: ClusterTopology;
  readonly blocklist = new BlocklistView();
  readonly #client: MetadataClient;
  readonly #locations: LocationCache;
  readonly #partitionings: PartitioningCache;
  readonly #routines: RoutineCache;
  readonly #tenants: RareQuestion<readonly string[]>;
  readonly #variableFlags: RareQuestion<VariableFlags>;
  readonly #counters = new Map<string, ServerCounters>();
  readonly #config: ConfigView;
  readonly #shares: () => number;
  #verdicts: readonly ServerVerdict[];
  /** See `LocationView.doubtedBeforeMs`; on this thread's clock. */
  #doubtedBeforeMs = Number.NEGATIVE_INFINITY;
  #members: ReadonlySet<string>;
  readonly #singleLeaders: SingleLeaders;

  readonly health: ServerHealth;
  readonly staleReplicas: StaleReplicas;
  /** Log-ins that asked for it. */
  logins = 0;

  /** @param shares how many such clusters, over all workers, share the limits of the process now */
  constructor(
    start: WorkerClusterStart,
    levels: LeveledConfig,
    log: Logger,
    health: ServerHealth,
    shares: () => number,
  ) {
    const config = levels.global;
    this.health = health;
    this.staleReplicas = new StaleReplicas({
      nowMs: () => performance.now(),
      wallMs: Date.now,
      forgetAfterMs: () => config.timeMs('read_stale_remove_interval'),
    });
    this.topology = start.topology;
    this.#members = membersOf(start.topology);
    this.#config = config;
    this.#shares = shares;
    this.#verdicts = start.verdicts;
    this.updateBlocklist();
    this.#client = new MetadataClient({
      passwords: () => internalPasswords(levels, start.topology.clusterName),
      connectTimeoutMs: () => config.timeMs('short_async_task_timeout'),
      queryTimeoutMs: () => config.timeMs('short_async_task_timeout'),
    });
    const lookup = new LocationLookup({
      query: (address, sql) => this.#client.query(address, sql),
      topology: () => this.topology,
    });
    const question = (lifetimeMs: number): QuestionOptions => ({
      query: (address, sql) => this.#client.query(address, sql),
      topology: () => this.topology,
      nowMs: () => performance.now(),
      lifetimeMs,
    });
    this.#tenants = tenantNames(question(TENANTS_LIFETIME_MS));
    this.#variableFlags = variableFlags(question(VARIABLE_FLAGS_LIFETIME_MS));
    this.#singleLeaders = new SingleLeaders({
      topology: () => this.topology,
      serves: (address) => this.serves(address),
      nowMs: () => performance.now(),
      // The next round of the state refresh, which takes place within that time, knows better.
      doubtMs: () => config.timeMs('server_state_refresh_interval'),
    });
    this.#locations = new LocationCache({
      load: (name) => lookup.lookupTable(name, name.tabletId),
      nowMs: () => performance.now(),
      random: Math.random,
      maxBytes: () => this.#cacheBytes() - this.#partitionings.bytes - this.#routines.bytes,
      maxMissing: MAX_MISSING_TABLES,
      negativeLifetimeMs: NEGATIVE_LIFETIME_MS,
      minUpdateGapMs: () => config.timeMs('delay_update_entry_interval'),
      lifetimeMs: (kind) =>
        kind === 'tenant' ? config.timeMs('tenant_location_valid_time') : config.timeMs('location_expire_period_time'),
      usesOldMeanwhile: () => config.bool('enable_async_pull_location_cache'),
      budget: new RefreshBudget(() => this.#refreshesPerSecond()),
      clusterVersion: () => this.topology.revision,
      onLoadError: (error, { tenant, database, table }) =>
        log.warn(
          { tenant, database, table, reason: errorText(error) },
          'the location of a table could not be found out',
        ),
    });
    this.#partitionings = new PartitioningCache({
      load: (tenant, tableId) =>
        lookupPartitioning(
          tenant,
          tableId,
          (sql) => lookup.query(sql),
          (error) =>
            log.info(
              { tenant, tableId, reason: errorText(error) },
              'the order of the columns of a table is not told: INSERT without a list of columns goes by the place of the table',
            ),
        ),
      nowMs: () => performance.now(),
      maxBytes: () => this.#cacheBytes() * PARTITIONINGS_SHARE,
      retryAfterMs: ANSWER_RETRY_MS,
      onLoadError: (error, { tenant, database, table }) =>
        log.warn(
          { tenant, database, table, reason: errorText(error) },
          'the partitions of a table could not be found out: its requests go by the place of the table',
        ),
    });
    this.#routines = new RoutineCache({
      load: (tenant, database, name) => lookupRoutine(tenant, database, name, (sql) => lookup.query(sql)),
      nowMs: () => performance.now(),
      maxBytes: () => this.#cacheBytes() * ROUTINES_SHARE,
      maxMissing: MAX_MISSING_TABLES,
      lifetimeMs: ROUTINE_LIFETIME_MS,
      negativeLifetimeMs: NEGATIVE_LIFETIME_MS,
      retryAfterMs: ANSWER_RETRY_MS,
      clusterVersion: () => this.topology.revision,
      onLoadError: (error, tenant, database, { name }) =>
        log.warn(
          { tenant, database, routine: name, reason: errorText(error) },
          'a procedure could not be found out: its CALL goes as without a table',
        ),
    });
  }

  get name(): string {
    return this.topology.clusterName;
  }

  setTopology(topology: ClusterTopology): void {
    this.#expireMoved(this.topology, topology);
    this.topology = topology;
    const members = membersOf(topology);
    const isChanged =
      members.size !== this.#members.size || [...members].some((address) => !this.#members.has(address));
    this.#members = members;
    // A location with a server that has left, or read before one came, is not what it was (case B76 e).
    if (isChanged) this.#locations.doubtWhere(() => true);
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

  locate(
    tenant: string,
    database: string,
    table: { readonly name: string },
  ): TableLocation | null | Promise<TableLocation | null> {
    return this.#locations.locate(tenant, database, table);
  }

  partitioning(location: TableLocation): Partitioning | null | Promise<Partitioning | null> {
    return this.#partitionings.get(location);
  }

  locatePartition(location: TableLocation, partition: Partition): TableLocation | null | Promise<TableLocation | null> {
    return this.#locations.locatePartition(location, partition);
  }

  told(whole: TableLocation, place: TableLocation): ToldPlaces | null {
    return this.#locations.told(whole, place);
  }

  tellAgain(told: ToldPlaces): boolean {
    return this.#locations.tellAgain(told);
  }

  routine(tenant: string, database: string, name: RoutineName): Routine | null | Promise<Routine | null> {
    return this.#routines.get(tenant, database, name);
  }

  singleLeader(tenant: string): string | null {
    return this.#singleLeaders.of(tenant);
  }

  doubtSingleLeader(tenant: string): void {
    this.#singleLeaders.doubt(tenant);
  }

  doubt(place: TableLocation): void {
    this.#locations.doubt(place);
  }

  confirm(place: TableLocation): void {
    this.#locations.confirm(place);
  }

  /** Names of the cluster's tenants; null: it does not tell. Throws LOCATION_UNAVAILABLE when nobody answers. */
  tenantNames(): Promise<readonly string[] | null> {
    return this.#tenants.get();
  }

  /** Of its system variables; null: it does not tell. Throws LOCATION_UNAVAILABLE when nobody answers. */
  variableFlags(): Promise<VariableFlags | null> {
    return this.#variableFlags.get();
  }

  countRequest(address: string): void {
    this.#countersOf(address).requests++;
  }

  countError(address: string): void {
    this.#countersOf(address).errors++;
  }

  countServerSession(address: string, change: 1 | -1): void {
    this.#countersOf(address).serverSessions += change;
  }

  /** Cached locations, those used last first. @param limit views at most */
  locations(filter: LocationFilter, limit: number): LocationView[] {
    const views: LocationView[] = [];
    for (const entry of this.#locations.entries()) {
      if (views.length >= limit) break;
      if (isWanted(entry, this.name, filter)) views.push(this.#viewOf(entry));
    }
    return views;
  }

  /** Cached procedures, those used last first. @param like see `routineView` @param limit views at most */
  routines(like: string | null, limit: number): RoutineView[] {
    const views: RoutineView[] = [];
    const clockShiftMs = Date.now() - performance.now();
    for (const entry of this.#routines.known()) {
      if (views.length >= limit) break;
      const view = routineView(entry, this.name, like, clockShiftMs, this.#doubtedBeforeMs);
      if (view !== null) views.push(view);
    }
    return views;
  }

  locationPage(query: LocationPageQuery): LocationPage {
    const { picked, matches } = pickPage(this.#locations.entries(), this.name, query);
    const views = picked.slice(0, query.limit).map((entry) => this.#viewOf(entry));
    return { views, matches, hasMore: picked.length > query.limit };
  }

  /** Fetches one location anew; null: it isn't cached here. */
  async refreshLocation(key: LocationKey): Promise<LocationView | null> {
    const entry = await this.#locations.refresh(key);
    return entry === null ? null : this.#viewOf(entry);
  }

  locationCounters(): LocationCounters {
    return this.#locations.counters();
  }

  /** Parameters that are in force now. */
  parametersChanged(names: readonly string[]): void {
    this.updateBlocklist();
    if (names.includes('routing_cache_mem_limited')) {
      this.#partitionings.shrink();
      this.#routines.shrink();
      this.#locations.shrink();
    }
    const relativeMs = this.#config.int('partition_location_expire_relative_time');
    // It counts once: the coordinator sets it back to 0.
    if (names.includes('partition_location_expire_relative_time') && relativeMs !== 0) this.#expire(relativeMs);
  }

  /** Counters of all servers that were ever used. */
  report(): ClusterReport['servers'] {
    return Object.fromEntries([...this.#counters].map(([address, counters]) => [address, { ...counters }]));
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** A tenant with another locality has its replicas elsewhere soon: its places are fetched anew, not all at once. */
  #expireMoved({ localities: before = {} }: ClusterTopology, { localities: now = {} }: ClusterTopology): void {
    if (!this.#config.bool('check_tenant_locality_change')) return;
    const moved = new Set(Object.keys(now).filter((tenant) => (before[tenant] ?? now[tenant]) !== now[tenant]));
    if (moved.size > 0) this.#locations.expireWithin(({ tenant }) => moved.has(tenant), LOCALITY_EXPIRY_MS);
  }

  /** What was fetched before now plus this; in the future lies nothing. */
  #expire(relativeMs: number): void {
    const beforeMs = performance.now() + Math.min(0, relativeMs);
    this.#doubtedBeforeMs = beforeMs;
    this.#locations.doubtWhere(({ updatedAtMs }) => updatedAtMs <= beforeMs);
    this.#routines.doubtBefore(beforeMs);
  }

  #viewOf(entry: LocationEntry): LocationView {
    const partitioning = entry.location === null ? null : this.#partitionings.peek(entry.location);
    return viewOf(entry, this.name, partitioning, Date.now() - performance.now(), this.#doubtedBeforeMs);
  }

  /** This worker's share: at least one, unless there are to be none. */
  #refreshesPerSecond(): number {
    const isMerging = this.topology.zones.some((zone) => zone.state === 'MERGE');
    const limit = isMerging
      ? this.#config.int('limited_pl_update_threshold')
      : this.#config.int('normal_pl_update_threshold');
    return limit === 0 ? 0 : Math.max(1, Math.floor(limit / this.#shares()));
  }

  /** This worker's share of the memory for all that is known of this cluster's tables. */
  #cacheBytes(): number {
    return this.#config.bytes('routing_cache_mem_limited') / this.#shares();
  }

  #countersOf(address: string): ServerCounters {
    let counters = this.#counters.get(address);
    if (counters === undefined) {
      counters = { serverSessions: 0, requests: 0, errors: 0 };
      this.#counters.set(address, counters);
    }
    return counters;
  }
}

function membersOf(topology: ClusterTopology): ReadonlySet<string> {
  return new Set(topology.servers.filter(isMember).map((server) => server.address));
}
