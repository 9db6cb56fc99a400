/**
 * Where the tables of one cluster are, as far as asked (R4). Bounded; entries go stale by feedback (R22), not by age.
 * A request never waits for a refresh: it takes the old place while the new one is being fetched.
 */
import { LRUCache } from 'lru-cache';
import type { TableLocation } from '../cluster/topology.ts';

/**
 * Asks the cluster. Null: there is no such table (or no such database, tenant, partition). Rejects when nobody answers.
 * `tabletId` is a partition's; that of the whole table is '0'.
 */
type LocationLoader = (
  tenant: string,
  database: string,
  table: string,
  tabletId: string,
) => Promise<TableLocation | null>;

const WHOLE_TABLE = '0';

export interface LocationCacheOptions {
  readonly load: LocationLoader;
  /** Monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  readonly maxEntries: number;
  /** How long "no such table" and a failed look-up are believed. */
  readonly negativeLifetimeMs: number;
  /** An entry is not fetched again sooner than this after the last time (`delay_update_entry_interval`). */
  readonly minUpdateGapMs: () => number;
  readonly onLoadError: (error: unknown, tenant: string, database: string, table: string) => void;
}

interface LocationEntry {
  readonly tenant: string;
  readonly database: string;
  readonly table: string;
  readonly tabletId: string;
  location: TableLocation | null;
  state: 'available' | 'dirty';
  /** When the last fetch ended; before the first one, minus infinity. */
  fetchedAtMs: number;
  /** The fetch in flight. */
  loading: Promise<TableLocation | null> | null;
}

export class LocationCache {
  readonly #options: LocationCacheOptions;
  readonly #entries: LRUCache<string, LocationEntry>;

  constructor(options: LocationCacheOptions) {
    this.#options = options;
    this.#entries = new LRUCache({ max: options.maxEntries });
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * What is known now, without waiting. Null: no such table, or its place could not be found out lately: any server of
   * the tenant will do. Undefined: never asked; {@link load} it. A dirty entry is used while it is fetched anew.
   */
  get(tenant: string, database: string, table: string, tabletId = WHOLE_TABLE): TableLocation | null | undefined {
    const entry = this.#entries.get(keyOf(tenant, database, table, tabletId));
    if (entry === undefined || entry.fetchedAtMs === Number.NEGATIVE_INFINITY) return undefined;
    const ageMs = this.#options.nowMs() - entry.fetchedAtMs;
    if (entry.location === null) return ageMs < this.#options.negativeLifetimeMs ? null : undefined;
    if (entry.state === 'dirty' && entry.loading === null && ageMs >= this.#options.minUpdateGapMs()) {
      void this.#fetch(entry);
    }
    return entry.location;
  }

  /** Asks the cluster unless it is being asked already. Never rejects: a failure counts as null for a while. */
  load(tenant: string, database: string, table: string, tabletId = WHOLE_TABLE): Promise<TableLocation | null> {
    const key = keyOf(tenant, database, table, tabletId);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      const fetchedAtMs = Number.NEGATIVE_INFINITY;
      entry = { tenant, database, table, tabletId, location: null, state: 'available', fetchedAtMs, loading: null };
      this.#entries.set(key, entry);
    }
    return entry.loading ?? this.#fetch(entry);
  }

  /** The servers have shown that what is known is wrong (R22). An entry that isn't there stays away. */
  markDirty(tenant: string, database: string, table: string, tabletId = WHOLE_TABLE): void {
    const entry = this.#entries.peek(keyOf(tenant, database, table, tabletId));
    if (entry !== undefined) entry.state = 'dirty';
  }

  #fetch(entry: LocationEntry): Promise<TableLocation | null> {
    const { tenant, database, table, tabletId } = entry;
    const settle = (location: TableLocation | null, state: LocationEntry['state']): TableLocation | null => {
      entry.loading = null;
      entry.fetchedAtMs = this.#options.nowMs();
      entry.location = location;
      entry.state = state;
      return location;
    };
    // Marked before the answer is there, so that feedback that comes meanwhile is not forgotten.
    entry.state = 'available';
    entry.loading = this.#options.load(tenant, database, table, tabletId).then(
      (location) => settle(location, entry.state),
      (error: unknown) => {
        this.#options.onLoadError(error, tenant, database, table);
        return settle(entry.location, 'dirty');
      },
    );
    return entry.loading;
  }
}

function keyOf(tenant: string, database: string, table: string, tabletId: string): string {
  return `${tenant}\0${database}\0${table}\0${tabletId}`;
}
