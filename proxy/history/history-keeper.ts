import { databaseErrorText } from './database-error.ts';

/** Where warnings go; pino's shape. */
export interface WarningLog {
  warn(fields: object, text: string): void;
}

/** Rows that grow in number and are removed by a rule: the history, and what the blocklists leave. */
export interface Prunable {
  /** Calls the listener for each row added. @returns the function that ends it. */
  onAdded(listener: () => void): () => void;
  /** Removes what the rule gives up, in small batches. @returns rows removed. */
  prune(): Promise<number>;
}

/** Rows added between two looks at the retention rule. */
const pruneEveryRows = 500;

/** Time between two looks when little is added: rows also grow too old. */
const pruneEveryMs = 6 * 3_600_000;

/** Has the log pruned at the start, after so many rows and every few hours; never holds up the one who adds a row. */
export class HistoryKeeper {
  readonly #log: Prunable;
  readonly #warnings: WarningLog;
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;
  #added = 0;
  #running: Promise<void> | undefined;

  constructor(log: Prunable, warnings: WarningLog) {
    this.#log = log;
    this.#warnings = warnings;
    this.#timer = setInterval(() => this.#start(), pruneEveryMs).unref();
    this.#stopListening = log.onAdded(() => {
      this.#added += 1;
      if (this.#added >= pruneEveryRows) this.#start();
    });
    this.#start();
  }

  /** Stops, and waits for a clean-up under way. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopListening();
    await this.#running;
  }

  #start(): void {
    if (this.#running !== undefined) return;
    this.#added = 0;
    this.#running = this.#prune().finally(() => {
      this.#running = undefined;
    });
  }

  async #prune(): Promise<void> {
    try {
      await this.#log.prune();
    } catch (error) {
      this.#warnings.warn({ reason: databaseErrorText(error) }, 'old history rows could not be removed');
    }
  }
}
