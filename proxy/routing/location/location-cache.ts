/**
 * Where the tables, partitions and tenants of one cluster are, as far as asked (R4). A request never waits for a refresh
 * unless it is told to: it takes the old place while the new one is fetched. However many ask, one fetch is in flight.
 */
import type { TableLocation } from '../../cluster/topology.ts';
import {
  estimateBytes,
  keyOf,
  type LocationEntry,
  type LocationName,
  newEntry,
  WHOLE_TABLE,
} from './location-entry.ts';
import { RecentList } from './recent-list.ts';
import type { RefreshBudget } from './refresh-budget.ts';

export interface LocationCacheOptions {
  /**
   * Asks the cluster. Null: there is no such table (or no such database, tenant, partition). Rejects when nobody answers.
   */
  readonly load: (name: LocationName) => Promise<TableLocation | null>;
  readonly onLoadError: (error: unknown, name: LocationName) => void;
  /** Monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Estimated memory for all entries. The entry used last is kept in any case. */
  readonly maxBytes: () => number;
  /** Entries without a location are bounded by number as well: they cost whoever invents names nothing. */
  readonly maxMissing: number;
  /** How long "no such table" and a failed look-up are believed. */
  readonly negativeLifetimeMs: number;
  /** An entry is not fetched anew again sooner than this (`delay_update_entry_interval`). */
  readonly minUpdateGapMs: () => number;
  /** Age at which an entry is in doubt; each entry gets a random half to all of it. 0: none. */
  readonly lifetimeMs: (kind: LocationEntry['kind']) => number;
  /** `enable_async_pull_location_cache`; false: requests wait for what is in doubt. */
  readonly usesOldMeanwhile: () => boolean;
  /** Fetches of what is known already; first ones are not limited. */
  readonly budget: RefreshBudget;
  /** Revision of the topology now. */
  readonly clusterVersion: () => number;
}

/** Since the start; sizes now. */
export interface LocationCounters {
  /** Times that a location was told from memory, and times that a request had to ask for it; who joins it is not counted. */
  readonly hits: number;
  readonly misses: number;
  /** Fetches: all, those of what was known already, and those that nobody answered. */
  readonly lookups: number;
  readonly refreshes: number;
  readonly failures: number;
  /** Times that feedback of servers put an entry in doubt. */
  readonly doubts: number;
  readonly evictions: number;
  readonly entries: number;
  readonly bytes: number;
}

type Place = TableLocation | null;

/** Two places that were told together, e.g. of a table and of its partition, and the slice of time in which that was. */
export interface ToldPlaces {
  readonly slice: number;
  readonly whole: TableLocation;
  readonly place: TableLocation;
  readonly ofWhole: LocationEntry;
  readonly ofPlace: LocationEntry;
}

/**
 * An entry that was looked at stays as it is told for the rest of such a slice, unless something happens to it: then its
 * age, its state and its place among those used last need not be looked at with every request.
 */
const SLICE_MS = 256;

/** A partition as its table's partitioning lists it. */
interface PartitionName {
  readonly name: string;
  readonly tabletId: string;
}

export class LocationCache {
  readonly #options: LocationCacheOptions;
  readonly #entries = new Map<string, LocationEntry>();
  readonly #entryOf = new WeakMap<TableLocation, LocationEntry>();
  /** The way to an entry without making and hashing its key, from what stands for its name: a statement's, a partition's. */
  readonly #held = new WeakMap<object, LocationEntry>();
  /** Tablet ids of the cached partitions, by the key of their table. */
  readonly #tablets = new Map<string, Set<string>>();
  readonly #known = new RecentList<LocationEntry>();
  readonly #missing = new RecentList<LocationEntry>();
  #hits = 0;
  #misses = 0;
  #lookups = 0;
  #refreshes = 0;
  #failures = 0;
  #doubts = 0;
  #evictions = 0;

  constructor(options: LocationCacheOptions) {
    this.#options = options;
  }

  /**
   * What is known at once, or a promise of it while it has to be asked for. Null: no such table, or its place could not
   * be found out lately: any server of the tenant will do. The promise never rejects.
   * @param name an object that lives on and is never changed finds its entry faster the next time
   */
  locate(tenant: string, database: string, name: { readonly name: string }): Place | Promise<Place> {
    const held = this.#held.get(name);
    const isSame = held !== undefined && held.state !== 'DELETED' && held.database === database;
    if (isSame && held.tenant === tenant && held.tabletId === WHOLE_TABLE) return this.#use(held);
    return this.#find({ tenant, database, table: name.name, tabletId: WHOLE_TABLE }, null, name);
  }

  /** As `locate`, for one partition of a table. */
  locatePartition({ tenant, database, table }: TableLocation, partition: PartitionName): Place | Promise<Place> {
    const held = this.#held.get(partition);
    const isSame = held !== undefined && held.state !== 'DELETED' && held.table === table;
    if (isSame && held.database === database && held.tenant === tenant) return this.#use(held);
    const { tabletId, name } = partition;
    return this.#find({ tenant, database, table, tabletId }, name, partition);
  }

  #find(name: LocationName, partitionName: string | null, holder: object): Place | Promise<Place> {
    const key = keyOf(name.tenant, name.database, name.table, name.tabletId);
    const entry = this.#entries.get(key) ?? this.#add(key, name, partitionName, this.#options.nowMs());
    this.#held.set(holder, entry);
    return this.#use(entry);
  }

  /** For `tellAgain`; null: one of them is not what is told now. */
  told(whole: TableLocation, place: TableLocation): ToldPlaces | null {
    const ofWhole = this.#entryOf.get(whole);
    const ofPlace = whole === place ? ofWhole : this.#entryOf.get(place);
    if (ofWhole === undefined || ofPlace === undefined) return null;
    const told = { slice: sliceOf(this.#options.nowMs()), whole, place, ofWhole, ofPlace };
    return isFresh(told) ? told : null;
  }

  /** Whether both places would be told again, without looking for them; if so they count as used. */
  tellAgain(told: ToldPlaces): boolean {
    if (told.slice !== sliceOf(this.#options.nowMs()) || !isFresh(told)) return false;
    this.#hit(told.ofWhole);
    if (told.place !== told.whole) this.#hit(told.ofPlace);
    return true;
  }

  #hit(entry: LocationEntry): void {
    this.#hits += 1;
    entry.hits += 1;
  }

  #use(entry: LocationEntry): Place | Promise<Place> {
    const nowMs = this.#options.nowMs();
    const slice = sliceOf(nowMs);
    if (entry.freshIn === slice) {
      this.#hit(entry);
      return entry.location;
    }
    entry.accessedAtMs = nowMs;
    if (entry.location === null) return this.#withoutLocation(entry, nowMs);
    this.#known.touch(entry, nowMs);
    if (nowMs >= entry.expiresAtMs && entry.state === 'AVAIL') becomeDirty(entry);
    if (entry.state === 'DIRTY') this.#refreshIfDue(entry, nowMs);
    if (entry.loading !== null && !this.#options.usesOldMeanwhile()) return entry.loading;
    if (entry.state === 'AVAIL' && entry.expiresAtMs >= (slice + 1) * SLICE_MS) entry.freshIn = slice;
    this.#hit(entry);
    return entry.location;
  }

  /**
   * The servers have shown that a place is wrong (R22). One that has been replaced since is of no concern. With a
   * partition its table is in doubt: it may have been made anew, with other partitions.
   */
  doubt(place: TableLocation): void {
    const entry = this.#entryOf.get(place);
    if (entry === undefined || entry.location !== place || entry.state === 'DELETED') return;
    this.#doubt(entry);
    if (entry.kind !== 'partition') return;
    const table = this.#entries.get(keyOf(entry.tenant, entry.database, entry.table, WHOLE_TABLE));
    if (table !== undefined && table.location !== null) this.#doubt(table);
  }

  /** A server has confirmed a place (R22). */
  confirm(place: TableLocation): void {
    const entry = this.#entryOf.get(place);
    if (entry?.location === place) entry.validAtMs = this.#options.nowMs();
  }

  /** Fetches an entry anew at once, whatever limits there are; null: it isn't cached. */
  refresh({ tenant, database, table, tabletId }: LocationName): Promise<LocationEntry> | null {
    const entry = this.#entries.get(keyOf(tenant, database, table, tabletId));
    if (entry === undefined) return null;
    return (entry.loading ?? this.#fetch(entry)).then(() => entry);
  }

  /** Entries for which it is true are in doubt from now on; each is fetched anew when it is used. */
  doubtWhere(isDoubtful: (entry: LocationEntry) => boolean): void {
    for (const entry of this.#known) {
      if (!isDoubtful(entry)) continue;
      if (entry.loading !== null) entry.doubted = true;
      else becomeDirty(entry);
    }
  }

  /** Entries for which it is true are in doubt at a random moment between half of this time and all of it. */
  expireWithin(isMeant: (entry: LocationEntry) => boolean, ms: number): void {
    const { nowMs, random } = this.#options;
    for (const entry of this.#known) {
      if (!isMeant(entry)) continue;
      entry.expiresAtMs = Math.min(entry.expiresAtMs, nowMs() + ms * (0.5 + random() / 2));
      entry.freshIn = -1;
    }
  }

  /** Those used last first; what is missing comes behind. */
  *entries(): Generator<LocationEntry> {
    yield* this.#known;
    yield* this.#missing;
  }

  counters(): LocationCounters {
    return {
      hits: this.#hits,
      misses: this.#misses,
      lookups: this.#lookups,
      refreshes: this.#refreshes,
      failures: this.#failures,
      doubts: this.#doubts,
      evictions: this.#evictions,
      entries: this.#entries.size,
      bytes: this.#known.bytes + this.#missing.bytes,
    };
  }

  /** After a change of the limit. */
  shrink(): void {
    const { maxBytes, maxMissing } = this.#options;
    for (let entry = this.#missing.oldest; entry !== null && this.#missing.size > maxMissing; ) {
      const { newer } = entry;
      if (entry.loading === null) this.#evict(entry);
      entry = newer;
    }
    const limit = maxBytes();
    for (const list of [this.#missing, this.#known]) {
      // What is being fetched stays, so that nobody asks for it a second time; so does what was used last.
      for (let entry = list.oldest; entry?.newer && this.#known.bytes + this.#missing.bytes > limit; ) {
        const { newer }: LocationEntry = entry;
        if (entry.loading === null) this.#evict(entry);
        entry = newer;
      }
    }
  }

  #add(key: string, name: LocationName, partitionName: string | null, nowMs: number): LocationEntry {
    const entry = newEntry(name, partitionName, nowMs);
    entry.bytes = estimateBytes(entry);
    this.#entries.set(key, entry);
    this.#missing.add(entry);
    if (entry.kind === 'partition') {
      const tableKey = keyOf(name.tenant, name.database, name.table, WHOLE_TABLE);
      const tablets = this.#tablets.get(tableKey);
      if (tablets === undefined) this.#tablets.set(tableKey, new Set([name.tabletId]));
      else tablets.add(name.tabletId);
    }
    return entry;
  }

  #doubt(entry: LocationEntry): void {
    this.#doubts += 1;
    if (entry.loading !== null) entry.doubted = true;
    else {
      becomeDirty(entry);
      this.#refreshIfDue(entry, this.#options.nowMs());
    }
  }

  /** A table has been dropped or made anew: its partitions are no more. */
  #evictPartitions({ tenant, database, table }: LocationName): void {
    for (const tabletId of this.#tablets.get(keyOf(tenant, database, table, WHOLE_TABLE)) ?? []) {
      const entry = this.#entries.get(keyOf(tenant, database, table, tabletId));
      if (entry !== undefined && entry.loading === null) this.#evict(entry);
    }
  }

  #evict(entry: LocationEntry): void {
    entry.state = 'DELETED';
    entry.freshIn = -1;
    this.#entries.delete(keyOf(entry.tenant, entry.database, entry.table, entry.tabletId));
    (entry.location === null ? this.#missing : this.#known).remove(entry);
    this.#evictions += 1;
    if (entry.kind !== 'partition') return;
    const tableKey = keyOf(entry.tenant, entry.database, entry.table, WHOLE_TABLE);
    const tablets = this.#tablets.get(tableKey);
    tablets?.delete(entry.tabletId);
    if (tablets?.size === 0) this.#tablets.delete(tableKey);
  }

  #withoutLocation(entry: LocationEntry, nowMs: number): Place | Promise<Place> {
    this.#missing.touch(entry, nowMs);
    if (entry.loading !== null) return entry.loading;
    if (nowMs - entry.updatedAtMs < this.#options.negativeLifetimeMs) {
      this.#hits += 1;
      entry.hits += 1;
      return null;
    }
    this.#misses += 1;
    entry.misses += 1;
    return this.#fetch(entry);
  }

  #refreshIfDue(entry: LocationEntry, nowMs: number): void {
    if (nowMs - entry.refreshedAtMs < this.#options.minUpdateGapMs()) return;
    if (this.#options.budget.take(nowMs)) void this.#fetch(entry);
  }

  #fetch(entry: LocationEntry): Promise<Place> {
    const isRefresh = entry.location !== null;
    entry.freshIn = -1;
    entry.state = isRefresh ? 'UPDATING' : 'BUILDING';
    entry.doubted = false;
    this.#lookups += 1;
    if (isRefresh) this.#refreshes += 1;
    entry.loading = this.#options.load(entry).then(
      (location) => this.#settle(entry, location, false),
      (error: unknown) => {
        this.#failures += 1;
        this.#options.onLoadError(error, entry);
        // What was known before is better than nothing.
        return this.#settle(entry, entry.location, true);
      },
    );
    return entry.loading;
  }

  #settle(entry: LocationEntry, location: Place, failed: boolean): Place {
    const nowMs = this.#options.nowMs();
    const isRefresh = entry.state === 'UPDATING';
    const list = entry.location === null ? this.#missing : this.#known;
    list.remove(entry);
    const before = entry.location;
    entry.loading = null;
    entry.location = location;
    if (location !== null) this.#entryOf.set(location, entry);
    if (before !== null && before.tableId !== location?.tableId && entry.kind === 'table') this.#evictPartitions(entry);
    entry.failed = failed;
    if (isRefresh) entry.refreshedAtMs = nowMs;
    if (!failed || location === null) entry.updatedAtMs = nowMs;
    if (!failed) {
      entry.clusterVersion = this.#options.clusterVersion();
      entry.expiresAtMs = this.#expiry(entry.kind, nowMs);
    }
    entry.state = location !== null && (failed || entry.doubted) ? 'DIRTY' : 'AVAIL';
    entry.bytes = estimateBytes(entry);
    (location === null ? this.#missing : this.#known).add(entry);
    this.shrink();
    return location;
  }

  #expiry(kind: LocationEntry['kind'], nowMs: number): number {
    const lifetimeMs = this.#options.lifetimeMs(kind);
    return lifetimeMs > 0 ? nowMs + lifetimeMs * (0.5 + this.#options.random() / 2) : Number.POSITIVE_INFINITY;
  }
}

const sliceOf = (nowMs: number): number => Math.floor(nowMs / SLICE_MS);

function isFresh({ slice, whole, place, ofWhole, ofPlace }: ToldPlaces): boolean {
  if (ofWhole.freshIn !== slice || ofWhole.location !== whole) return false;
  return ofPlace.freshIn === slice && ofPlace.location === place;
}

function becomeDirty(entry: LocationEntry): void {
  entry.state = 'DIRTY';
  entry.freshIn = -1;
}
