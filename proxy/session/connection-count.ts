/**
 * How many client connections all workers have: one number in shared memory, and beside it each worker's part, so that a
 * worker that dies takes its part along.
 */
export class ConnectionCount {
  readonly #cells: Int32Array;
  readonly #worker: number;

  /** @param memory of `ConnectionCount.memory()`, the same for all workers @param worker its number */
  constructor(memory: SharedArrayBuffer, worker: number) {
    this.#cells = new Int32Array(memory);
    this.#worker = worker;
  }

  static memory(workerCount: number): SharedArrayBuffer {
    return new SharedArrayBuffer((1 + workerCount) * Int32Array.BYTES_PER_ELEMENT);
  }

  static total(memory: SharedArrayBuffer): number {
    return Atomics.load(new Int32Array(memory), 0);
  }

  /** The worker has ended: its connections have, too. */
  static forget(memory: SharedArrayBuffer, worker: number): void {
    const cells = new Int32Array(memory);
    Atomics.sub(cells, 0, Atomics.exchange(cells, 1 + worker, 0));
  }

  /** @returns how many all workers have from now on */
  add(change: 1 | -1 | 0): number {
    Atomics.add(this.#cells, 1 + this.#worker, change);
    return Atomics.add(this.#cells, 0, change) + change;
  }
}
