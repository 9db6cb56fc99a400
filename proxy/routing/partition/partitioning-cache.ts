/** How the tables of one cluster are partitioned, as far as asked. Kept until the table's schema version changes. */
import { LRUCache } from 'lru-cache';
import type { Partitioning } from '../../cluster/partitioning.ts';
import type { TableLocation } from '../../cluster/topology.ts';

export interface PartitioningCacheOptions {
  /** Null: its partitions can't be calculated. Rejects when nobody answers. */
  readonly load: (tenant: string, tableId: string) => Promise<Partitioning | null>;
  readonly onLoadError: (error: unknown, location: TableLocation) => void;
  /** Monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  readonly maxEntries: number;
  /** How long after a failure it isn't asked again. */
  readonly retryAfterMs: number;
}

interface Entry {
  readonly schemaVersion: string;
  value: Partitioning | null;
  loading: Promise<Partitioning | null> | null;
  /** After a failure: when to ask again. */
  retryAtMs: number;
}

export class PartitioningCache {
  readonly #options: PartitioningCacheOptions;
  readonly #entries: LRUCache<string, Entry>;

  constructor(options: PartitioningCacheOptions) {
    this.#options = options;
    this.#entries = new LRUCache({ max: options.maxEntries });
  }

  /** A promise only while it is being asked for; it never rejects: a failure counts as null for a while. */
  get(location: TableLocation): Partitioning | null | Promise<Partitioning | null> {
    const key = `${location.tenant}\0${location.tableId}`;
    const known = this.#entries.get(key);
    if (known?.schemaVersion === location.schemaVersion) {
      if (known.loading !== null) return known.loading;
      if (known.retryAtMs > this.#options.nowMs()) return known.value;
    }
    const entry: Entry = {
      schemaVersion: location.schemaVersion,
      value: null,
      loading: null,
      retryAtMs: Number.POSITIVE_INFINITY,
    };
    this.#entries.set(key, entry);
    entry.loading = this.#load(entry, location);
    return entry.loading;
  }

  /** What is known, without asking for it. */
  peek({ tenant, tableId, schemaVersion }: TableLocation): Partitioning | null {
    const known = this.#entries.peek(`${tenant}\0${tableId}`);
    return known?.schemaVersion === schemaVersion ? known.value : null;
  }

  async #load(entry: Entry, location: TableLocation): Promise<Partitioning | null> {
    const { load, onLoadError, nowMs, retryAfterMs } = this.#options;
    try {
      entry.value = await load(location.tenant, location.tableId);
    } catch (error) {
      entry.retryAtMs = nowMs() + retryAfterMs;
      onLoadError(error, location);
    }
    entry.loading = null;
    return entry.value;
  }
}
