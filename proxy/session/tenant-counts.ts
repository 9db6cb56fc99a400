/**
 * How many client sessions each tenant has, in all workers: a hash table in shared memory. A tenant takes its place when
 * somebody has logged in to it, and keeps it: made-up names, which no server lets in, take none.
 */
import { createHash } from 'node:crypto';

/** Places; each tenant takes one, and one more for each address that its clients come to. */
const PLACES = 16_384;
/** So many places are looked at before a key is given up; far more than a table that is half full needs. */
const MAX_STEPS = 1024;
const KEY_BYTES = BigInt64Array.BYTES_PER_ELEMENT;
const COUNT_BYTES = Int32Array.BYTES_PER_ELEMENT;

export class TenantCounts {
  /** 64 bits of each key's hash; 0: the place is free. */
  readonly #keys: BigInt64Array;
  readonly #counts: Int32Array;
  /** What this worker has of each count: it takes that along when it dies. */
  readonly #own: Int32Array;
  /** Of the keys that this worker has met in the table: they stay where they are, and hashing costs more than all else. */
  readonly #known = new Map<string, number>();

  /** @param memory of `TenantCounts.memory()`, the same for all workers @param worker its number */
  constructor(memory: SharedArrayBuffer, worker: number) {
    this.#keys = new BigInt64Array(memory, 0, PLACES);
    this.#counts = countsIn(memory, 0);
    this.#own = countsIn(memory, 1 + worker);
  }

  static memory(workerCount: number): SharedArrayBuffer {
    return new SharedArrayBuffer(PLACES * (KEY_BYTES + (1 + workerCount) * COUNT_BYTES));
  }

  /** The worker has ended: its sessions have, too. */
  static forget(memory: SharedArrayBuffer, worker: number): void {
    const counts = countsIn(memory, 0);
    const own = countsIn(memory, 1 + worker);
    for (let place = 0; place < PLACES; place++) Atomics.sub(counts, place, Atomics.exchange(own, place, 0));
  }

  of(key: string): number {
    const place = this.#find(key, false);
    return place < 0 ? 0 : Atomics.load(this.#counts, place);
  }

  /** @returns the count from now on; 0 when the table is full, and nothing is counted */
  add(key: string, change: 1 | -1): number {
    const place = this.#find(key, change > 0);
    if (place < 0) return 0;
    Atomics.add(this.#own, place, change);
    return Atomics.add(this.#counts, place, change) + change;
  }

  #find(key: string, mayTake: boolean): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const place = this.#search(key, mayTake);
    if (place >= 0) this.#known.set(key, place);
    return place;
  }

  #search(key: string, mayTake: boolean): number {
    const digest = createHash('sha256').update(key).digest();
    const hash = digest.readBigInt64LE() || 1n;
    let place = digest.readUInt32LE(KEY_BYTES) % PLACES;
    for (let step = 0; step < MAX_STEPS; step++) {
      let found = Atomics.load(this.#keys, place);
      if (found === 0n && mayTake) found = Atomics.compareExchange(this.#keys, place, 0n, hash) || hash;
      if (found === hash) return place;
      if (found === 0n) return -1;
      place = (place + 1) % PLACES;
    }
    return -1;
  }
}

/** @param list 0: the counts of all workers; then those of each */
const countsIn = (memory: SharedArrayBuffer, list: number): Int32Array =>
  new Int32Array(memory, PLACES * (KEY_BYTES + list * COUNT_BYTES), PLACES);
