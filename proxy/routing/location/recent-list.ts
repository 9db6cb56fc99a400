/**
 * Entries in the order of their last use, to the second, with the bytes they hold. Links stand in the entries: nothing is
 * allocated. What is used all the time is moved once a second only: its neighbours' memory is left alone in between.
 */
export interface Linked<Entry> {
  newer: Entry | null;
  older: Entry | null;
  /** When it was last moved to the front, monotonic milliseconds. */
  movedAtMs: number;
  /** What it counts for. */
  bytes: number;
}

const MOVE_GAP_MS = 1_000;

export class RecentList<Entry extends Linked<Entry>> {
  #newest: Entry | null = null;
  #oldest: Entry | null = null;
  #size = 0;
  #bytes = 0;

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get oldest(): Entry | null {
    return this.#oldest;
  }

  add(entry: Entry): void {
    this.#link(entry);
    this.#size += 1;
    this.#bytes += entry.bytes;
  }

  remove(entry: Entry): void {
    this.#unlink(entry);
    this.#size -= 1;
    this.#bytes -= entry.bytes;
  }

  /** It has been used now. */
  touch(entry: Entry, nowMs: number): void {
    if (nowMs - entry.movedAtMs < MOVE_GAP_MS) return;
    entry.movedAtMs = nowMs;
    if (entry === this.#newest) return;
    this.#unlink(entry);
    this.#link(entry);
  }

  resize(entry: Entry, bytes: number): void {
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
  }

  /** From the newest on. */
  *[Symbol.iterator](): Generator<Entry> {
    for (let entry = this.#newest; entry !== null; entry = entry.older) yield entry;
  }

  #link(entry: Entry): void {
    entry.older = this.#newest;
    entry.newer = null;
    if (this.#newest === null) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink(entry: Entry): void {
    if (entry.newer === null) this.#newest = entry.older;
    else entry.newer.older = entry.older;
    if (entry.older === null) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
  }
}
