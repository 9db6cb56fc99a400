/**
 * The stored procedures of one cluster that were called, as far as asked. However many call one, one look-up is in
 * flight; what is known is used while it is asked for anew.
 */
import type { Routine } from '../../cluster/routine-lookup.ts';
import type { RoutineName } from '../../sql/statement-info.ts';
import type { LocationState } from './location-entry.ts';
import { type Linked, RecentList } from './recent-list.ts';

export interface RoutineCacheOptions {
  /** Null: there is no such procedure. Rejects when nobody answers. @param database the current one; empty: none */
  readonly load: (tenant: string, database: string, name: RoutineName) => Promise<Routine | null>;
  readonly onLoadError: (error: unknown, tenant: string, database: string, name: RoutineName) => void;
  /** Monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  /** Estimated memory for what is known. The one used last is kept in any case. */
  readonly maxBytes: () => number;
  /** What is not known is bounded by number: it costs whoever invents names nothing. */
  readonly maxMissing: number;
  /** After this a procedure is asked for anew: it may have been made anew. */
  readonly lifetimeMs: number;
  /** How long "no such procedure" is believed. */
  readonly negativeLifetimeMs: number;
  /** How long after a failure it isn't asked again. */
  readonly retryAfterMs: number;
  /** Revision of the topology now. */
  readonly clusterVersion: () => number;
}

/** Times in monotonic milliseconds; minus infinity: not yet. */
export interface RoutineEntry extends Linked<RoutineEntry> {
  readonly key: string;
  readonly tenant: string;
  /** Null: there is none, or it could not be found out. */
  routine: Routine | null;
  state: LocationState;
  clusterVersion: number;
  readonly createdAtMs: number;
  updatedAtMs: number;
  accessedAtMs: number;
  /** When it is asked for anew. */
  expiresAtMs: number;
  loading: Promise<Routine | null> | null;
}

const ENTRY_BYTES = 512;

export class RoutineCache {
  readonly #options: RoutineCacheOptions;
  readonly #entries = new Map<string, RoutineEntry>();
  readonly #known = new RecentList<RoutineEntry>();
  readonly #missing = new RecentList<RoutineEntry>();

  constructor(options: RoutineCacheOptions) {
    this.#options = options;
  }

  /** Estimated memory that it holds. */
  get bytes(): number {
    return this.#known.bytes + this.#missing.bytes;
  }

  /** Known procedures, those used last first. */
  known(): Iterable<RoutineEntry> {
    return this.#known;
  }

  /**
   * What is known at once, or a promise of it while it has to be asked for. It never rejects: a failure counts as null
   * for a while. @param database the current one; empty: none
   */
  get(tenant: string, database: string, name: RoutineName): Routine | null | Promise<Routine | null> {
    const nowMs = this.#options.nowMs();
    const key = [tenant, database, ...name.qualifiers, name.name].join('\0');
    const entry = this.#entries.get(key) ?? this.#add(key, tenant, nowMs);
    entry.accessedAtMs = nowMs;
    this.#listOf(entry).touch(entry, nowMs);
    if (entry.loading === null && nowMs >= entry.expiresAtMs) {
      entry.state = entry.routine === null ? 'BUILDING' : 'UPDATING';
      entry.loading = this.#fetch(entry, database, name);
    }
    return entry.routine ?? entry.loading;
  }

  /** What was fetched until then is in doubt: asked for anew when it is used. */
  doubtBefore(beforeMs: number): void {
    for (const entry of this.#known) {
      if (entry.updatedAtMs > beforeMs || entry.loading !== null) continue;
      entry.state = 'DIRTY';
      entry.expiresAtMs = Number.NEGATIVE_INFINITY;
    }
  }

  /** After a change of the limit. */
  shrink(): void {
    const limit = this.#options.maxBytes();
    this.#shrinkList(this.#known, ({ bytes }) => bytes > limit);
    this.#shrinkList(this.#missing, ({ size }) => size > this.#options.maxMissing);
  }

  #listOf(entry: RoutineEntry): RecentList<RoutineEntry> {
    return entry.routine === null ? this.#missing : this.#known;
  }

  #add(key: string, tenant: string, nowMs: number): RoutineEntry {
    const entry: RoutineEntry = {
      key,
      tenant,
      routine: null,
      state: 'BORN',
      clusterVersion: 0,
      createdAtMs: nowMs,
      updatedAtMs: Number.NEGATIVE_INFINITY,
      accessedAtMs: nowMs,
      expiresAtMs: Number.NEGATIVE_INFINITY,
      loading: null,
      newer: null,
      older: null,
      movedAtMs: nowMs,
      bytes: bytesOf(key, null),
    };
    this.#entries.set(key, entry);
    this.#missing.add(entry);
    this.shrink();
    return entry;
  }

  async #fetch(entry: RoutineEntry, database: string, name: RoutineName): Promise<Routine | null> {
    const { load, onLoadError, nowMs, lifetimeMs, negativeLifetimeMs, retryAfterMs, clusterVersion } = this.#options;
    let { routine } = entry;
    let lastsMs = retryAfterMs;
    try {
      routine = await load(entry.tenant, database, name);
      lastsMs = routine === null ? negativeLifetimeMs : lifetimeMs;
      entry.state = 'AVAIL';
      entry.updatedAtMs = nowMs();
      entry.clusterVersion = clusterVersion();
    } catch (error) {
      // What was known before is better than nothing.
      entry.state = 'DIRTY';
      onLoadError(error, entry.tenant, database, name);
    }
    entry.loading = null;
    entry.expiresAtMs = nowMs() + lastsMs;
    this.#listOf(entry).remove(entry);
    entry.routine = routine;
    entry.bytes = bytesOf(entry.key, routine);
    this.#listOf(entry).add(entry);
    this.shrink();
    return routine;
  }

  #shrinkList(list: RecentList<RoutineEntry>, isTooBig: (list: RecentList<RoutineEntry>) => boolean): void {
    for (let entry = list.oldest; entry?.newer && isTooBig(list); ) {
      const { newer }: RoutineEntry = entry;
      if (entry.loading === null) {
        entry.state = 'DELETED';
        this.#entries.delete(entry.key);
        list.remove(entry);
      }
      entry = newer;
    }
  }
}

/** Estimated: objects by their shape, texts by their length. The statement is kept a second time, read. */
function bytesOf(key: string, routine: Routine | null): number {
  const names = routine === null ? 0 : routine.database.length + routine.packageName.length + routine.name.length;
  return ENTRY_BYTES + 2 * (key.length + names) + 4 * (routine?.routeSql.length ?? 0);
}
