/** Something that may take too long. The owner registers it once for its life and arms it by setting `deadlineAtMs`. */
export interface DeadlineTarget {
  /** On the clock of `Deadlines.nowMs`; Infinity: not armed. */
  deadlineAtMs: number;
  /** Called once the deadline has passed; it is disarmed before. */
  onDeadline(): void;
}

/**
 * Coarse deadlines of all connections of a thread: one interval instead of a timer per request. A deadline fires up to
 * one tick late.
 */
export class Deadlines {
  readonly #targets = new Set<DeadlineTarget>();
  readonly #clock: () => number;
  #nowMs: number;
  #timer: NodeJS.Timeout | null = null;

  /** @param clock monotonic milliseconds */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#nowMs = clock();
  }

  /** Monotonic time of the last tick: reading it costs nothing. */
  get nowMs(): number {
    return this.#nowMs;
  }

  start(tickMs: number): void {
    this.#timer = setInterval(() => this.tick(), tickMs).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  register(target: DeadlineTarget): void {
    this.#targets.add(target);
  }

  unregister(target: DeadlineTarget): void {
    this.#targets.delete(target);
  }

  /** Moves the clock and fires what is due. */
  tick(): void {
    this.#nowMs = this.#clock();
    for (const target of this.#targets) {
      if (target.deadlineAtMs > this.#nowMs) continue;
      target.deadlineAtMs = Number.POSITIVE_INFINITY;
      target.onDeadline();
    }
  }
}
