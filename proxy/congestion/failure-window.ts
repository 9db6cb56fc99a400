import { firstFrom } from './sorted-times.ts';

/** More failures than this within one window are not told apart: a higher threshold never lists. */
const MAX_COUNTED = 10_000;

/** What goes to another process: times ascending. */
export interface KeptWindow {
  readonly times: readonly number[];
  readonly startedAtMs: number;
}

/**
 * The failures of one server within the last `congestion_fail_window` (B11), counted exactly: one that is as old as the
 * window still counts, one that is older does not. Memory: at most 10 000 times. Several workers report, so times may
 * come a little out of order. See docs/decisions/0003 for why it has no buckets.
 */
export class FailureWindow {
  /** Ascending. */
  readonly #times: number[] = [];
  #windowMs: number;
  #startedAtMs: number;

  constructor(windowMs: number, startedAtMs: number) {
    this.#windowMs = windowMs;
    this.#startedAtMs = startedAtMs;
  }

  /** What counts at `nowMs`, and since when it is counted. */
  kept(nowMs: number): KeptWindow {
    return { times: this.#times.slice(firstFrom(this.#times, this.#begin(nowMs))), startedAtMs: this.#startedAtMs };
  }

  /** Goes on counting where another process was. */
  goOn({ times, startedAtMs }: KeptWindow): void {
    this.#times.splice(0, this.#times.length, ...times);
    this.#startedAtMs = startedAtMs;
  }

  /** Forgets everything; what happened before `atMs` does not count even if it is told later (B18). */
  restart(atMs: number, windowMs = this.#windowMs): void {
    this.#times.length = 0;
    this.#windowMs = windowMs;
    this.#startedAtMs = atMs;
  }

  /** False: it happened before counting (re)started, and does not count. */
  add(atMs: number): boolean {
    if (atMs < this.#startedAtMs) return false;
    this.#times.splice(firstFrom(this.#times, atMs), 0, atMs);
    const expired = firstFrom(this.#times, this.#begin(atMs));
    const surplus = this.#times.length - MAX_COUNTED;
    this.#times.splice(0, Math.max(expired, surplus));
    return true;
  }

  count(nowMs: number): number {
    return this.#times.length - firstFrom(this.#times, this.#begin(nowMs));
  }

  /** Counts in equal parts of the window that ends now, oldest first: the console's sparkline. */
  histogram(nowMs: number, parts: number): number[] {
    const counts = new Array<number>(parts).fill(0);
    const begin = this.#begin(nowMs);
    for (const time of this.#times.slice(firstFrom(this.#times, begin))) {
      const part = Math.min(parts - 1, Math.floor(((time - begin) / this.#windowMs) * parts));
      counts[part] = (counts[part] ?? 0) + 1;
    }
    return counts;
  }

  /** The window ends now, or with the newest failure when the caller's clock reading is older than that. */
  #begin(nowMs: number): number {
    return Math.max(nowMs, this.#times.at(-1) ?? nowMs) - this.#windowMs;
  }
}
