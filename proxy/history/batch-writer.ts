/** Writes rows to something slow without ever holding up those who hand them over. */

/** How rows are written, and how many may wait. */
export interface BatchWriterOptions<Row> {
  /** Writes a batch, in order, all or nothing. */
  readonly write: (batch: readonly Row[]) => Promise<void>;
  /** Told when a batch could not be written; it is tried again after `retryMs`. */
  readonly onError: (error: unknown) => void;
  /** Told how many of the oldest rows were given up since the last time, when room had run out. */
  readonly onDropped: (rows: number) => void;
  /** Rows in one batch at most. */
  readonly batchRows: number;
  /** Rows that may wait; beyond, the oldest are dropped. */
  readonly maxWaiting: number;
  /** Pause after a batch, so that a storm of rows does not take the whole disk. */
  readonly pauseMs: number;
  /** Pause after a batch that failed. */
  readonly retryMs: number;
}

/** A bounded queue of rows and the writing of them in batches, beside whoever adds. */
export class BatchWriter<Row> {
  readonly #options: BatchWriterOptions<Row>;
  #waiting: Row[] = [];
  #droppedUntold = 0;
  #dropped = 0;
  #running: Promise<void> | null = null;
  #wake: (() => void) | null = null;
  #closed = false;

  constructor(options: BatchWriterOptions<Row>) {
    this.#options = options;
  }

  /** Rows given up since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Rows that wait, those of a batch under way not included. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes a row over; it is written soon. */
  push(row: Row): void {
    if (this.#closed) return;
    this.#waiting.push(row);
    if (this.#waiting.length > this.#options.maxWaiting + this.#options.batchRows) this.#dropOldest();
    this.#running ??= this.#run();
  }

  /** Resolves when everything handed over so far has been written or dropped. Hangs while the writing fails. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /** Writes what waits, once and without pauses, and takes nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wake?.();
    await this.idle();
  }

  async #run(): Promise<void> {
    // The next turn: what happens at one moment goes into one batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const written = await this.#writeOne();
      if (!written && this.#closed) {
        this.#give(this.#waiting.length);
        break;
      }
      if (this.#waiting.length > 0) await this.#pause(written ? this.#options.pauseMs : this.#options.retryMs);
    }
    this.#tellDropped();
    this.#running = null;
  }

  async #writeOne(): Promise<boolean> {
    const batch = this.#waiting.splice(0, this.#options.batchRows);
    try {
      await this.#options.write(batch);
    } catch (error) {
      this.#options.onError(error);
      this.#waiting = [...batch, ...this.#waiting];
      return false;
    }
    this.#tellDropped();
    return true;
  }

  /** A batch's worth at a time, so that dropping stays cheap while a storm lasts. */
  #dropOldest(): void {
    this.#give(this.#options.batchRows);
  }

  #give(rows: number): void {
    this.#waiting = this.#waiting.slice(rows);
    this.#dropped += rows;
    this.#droppedUntold += rows;
  }

  #tellDropped(): void {
    if (this.#droppedUntold === 0) return;
    this.#options.onDropped(this.#droppedUntold);
    this.#droppedUntold = 0;
  }

  #pause(ms: number): Promise<void> {
    if (this.#closed || ms === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(done, ms).unref();
      this.#wake = done;
    });
  }
}
