/**
 * Where a worker's time goes, stage by stage (ODP_STAGES). When it is switched on, methods of the data path are put
 * between two readings of the clock; otherwise nothing of it is there. The readings themselves cost some 0.1 µs a call.
 */

export type Stage = 'accept' | 'read' | 'scan' | 'classify' | 'plan' | 'sync' | 'write';

export interface StageCount {
  calls: number;
  /** Milliseconds in it, without the stages that it has gone through on its way. */
  ms: number;
}

/** Methods by which a stage is entered; `of` is a class's prototype. */
export interface StagePlace {
  readonly stage: Stage;
  readonly of: object;
  readonly methods: readonly string[];
}

export class StageClock {
  readonly #nowMs: () => number;
  #counts = new Map<Stage, StageCount>();
  /** The stages that are under way, innermost last. */
  readonly #open: StageCount[] = [];
  #sinceMs = 0;

  /** @param nowMs monotonic, with fractions */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The same function, counted. */
  timed<Args extends readonly unknown[], Result>(
    stage: Stage,
    work: (...args: Args) => Result,
  ): (...args: Args) => Result {
    return (...args) => {
      this.#enter(stage);
      try {
        return work(...args);
      } finally {
        this.#leave();
      }
    };
  }

  /** Counts every call of the methods from now on. @throws Error that names a method that is not there */
  watch(places: readonly StagePlace[]): void {
    for (const { stage, of, methods } of places) {
      for (const name of methods) {
        const method: unknown = Reflect.get(of, name);
        if (typeof method !== 'function') throw new Error(`stage ${stage}: there is no method ${name}`);
        const clock = this;
        const value = function (this: unknown, ...args: unknown[]): unknown {
          return clock.timed(stage, () => Reflect.apply(method, this, args))();
        };
        Object.defineProperty(of, name, { value, configurable: true, writable: true });
      }
    }
  }

  /** What was counted since it was taken last. */
  take(): ReadonlyMap<Stage, StageCount> {
    const counts = this.#counts;
    this.#counts = new Map();
    return counts;
  }

  #enter(stage: Stage): void {
    const nowMs = this.#nowMs();
    const outer = this.#open.at(-1);
    if (outer !== undefined) outer.ms += nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    let count = this.#counts.get(stage);
    if (count === undefined) {
      count = { calls: 0, ms: 0 };
      this.#counts.set(stage, count);
    }
    count.calls++;
    this.#open.push(count);
  }

  #leave(): void {
    const nowMs = this.#nowMs();
    const inner = this.#open.pop();
    if (inner !== undefined) inner.ms += nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
  }
}
