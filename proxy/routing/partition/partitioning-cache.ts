/** How the tables of one cluster are partitioned, as far as asked. Kept until the table's schema version changes. */
import type { Partitioning } from '../../cluster/partitioning.ts';
import type { TableLocation } from '../../cluster/topology.ts';
import { type Linked, RecentList } from '../location/recent-list.ts';
import { estimateBytes } from './estimate-bytes.ts';

export interface PartitioningCacheOptions {
  /** Null: its partitions can't be calculated. Rejects when nobody answers. */
  readonly load: (tenant: string, tableId: string) => Promise<Partitioning | null>;
  readonly onLoadError: (error: unknown, location: TableLocation) => void;
  /** Monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  /** Estimated memory for all entries. The one used last, and those being asked for, are kept in any case. */
  readonly maxBytes: () => number;
  /** How long after a failure it isn't asked again. */
  readonly retryAfterMs: number;
}

interface Entry extends Linked<Entry> {
  readonly key: string;
  readonly schemaVersion: string;
  value: Partitioning | null;
  loading: Promise<Partitioning | null> | null;
  /** After a failure: when to ask again. */
  retryAtMs: number;
  isDropped: boolean;
}

export class PartitioningCache {
  readonly #options: PartitioningCacheOptions;
  readonly #entries = new Map<string, Entry>();
  /** The way to an entry without making and hashing its key. */
  readonly #held = new WeakMap<TableLocation, Entry>();
  readonly #recent = new RecentList<Entry>();

  constructor(options: PartitioningCacheOptions) {
    this.#options = options;
  }

  /** Estimated memory that it holds. */
  get bytes(): number {
    return this.#recent.bytes;
  }

  /** A promise only while it is being asked for; it never rejects: a failure counts as null for a while. */
  get(location: TableLocation): Partitioning | null | Promise<Partitioning | null> {
    const held = this.#held.get(location);
    const entry = held === undefined || held.isDropped ? this.#find(location) : held;
    if (entry.loading !== null) return entry.loading;
    const nowMs = this.#options.nowMs();
    this.#recent.touch(entry, nowMs);
    if (entry.retryAtMs > nowMs) return entry.value;
    entry.loading = this.#load(entry, location);
    return entry.loading;
  }

  /** What is known, without asking for it. */
  peek(location: TableLocation): Partitioning | null {
    const known = this.#entries.get(keyOf(location));
    return known?.schemaVersion === location.schemaVersion ? known.value : null;
  }

  /** After a change of the limit. */
  shrink(): void {
    const limit = this.#options.maxBytes();
    for (let entry = this.#recent.oldest; entry?.newer && this.#recent.bytes > limit; ) {
      const { newer }: Entry = entry;
      if (entry.loading === null) this.#drop(entry);
      entry = newer;
    }
  }

  #find(location: TableLocation): Entry {
    const key = keyOf(location);
    const { schemaVersion } = location;
    let entry = this.#entries.get(key);
    if (entry?.schemaVersion !== schemaVersion) {
      if (entry !== undefined) this.#drop(entry);
      entry = this.#add(key, schemaVersion);
    }
    this.#held.set(location, entry);
    return entry;
  }

  #add(key: string, schemaVersion: string): Entry {
    const entry: Entry = {
      key,
      schemaVersion,
      value: null,
      loading: null,
      retryAtMs: Number.NEGATIVE_INFINITY,
      isDropped: false,
      newer: null,
      older: null,
      movedAtMs: this.#options.nowMs(),
      bytes: estimateBytes(null),
    };
    this.#entries.set(key, entry);
    this.#recent.add(entry);
    return entry;
  }

  #drop(entry: Entry): void {
    entry.isDropped = true;
    this.#entries.delete(entry.key);
    this.#recent.remove(entry);
  }

  async #load(entry: Entry, location: TableLocation): Promise<Partitioning | null> {
    const { load, onLoadError, nowMs, retryAfterMs } = this.#options;
    entry.retryAtMs = Number.POSITIVE_INFINITY;
    try {
      entry.value = await load(location.tenant, location.tableId);
    } catch (error) {
      entry.retryAtMs = nowMs() + retryAfterMs;
      onLoadError(error, location);
    }
    entry.loading = null;
    if (entry.isDropped) return entry.value;
    this.#recent.resize(entry, estimateBytes(entry.value));
    this.shrink();
    return entry.value;
  }
}

const keyOf = ({ tenant, tableId }: TableLocation): string => `${tenant}\0${tableId}`;
