import type { Database } from '../database.ts';
import { databaseErrorText } from '../database-error.ts';
import type { WarningLog } from '../history-keeper.ts';
import type { AuditKey } from './audit-key.ts';
import { type ChainReport, verifyChain } from './verify-chain.ts';

/** What is known of the chain. */
export interface ChainState {
  /** Of the last look that came to its end; null: there was none yet. */
  readonly report: ChainReport | null;
  /** When that was. */
  readonly checkedAt: Date | null;
  /** How far the look under way has come; null: none is. */
  readonly progress: { readonly rows: number; readonly total: number } | null;
  /** Why the last look did not come to its end; null: it did. */
  readonly error: string | null;
  /** Of the key that signs checkpoints; null: it is missing. */
  readonly keyFingerprint: string | null;
}

/** A report older than this is renewed when somebody asks (ms). */
const staleAfterMs = 10 * 60_000;

/** Looks at the whole chain when somebody wants to know, one look at a time, in small pieces beside everything else. */
export class ChainWatch {
  readonly #database: Database;
  readonly #key: AuditKey | null;
  readonly #log: WarningLog;
  readonly #now: () => Date;
  readonly #ending = new AbortController();
  #report: ChainReport | null = null;
  #checkedAt: Date | null = null;
  #progress: { rows: number; total: number } | null = null;
  #error: string | null = null;
  #running: Promise<void> | null = null;

  constructor(database: Database, key: AuditKey | null, log: WarningLog, now: () => Date) {
    this.#database = database;
    this.#key = key;
    this.#log = log;
    this.#now = now;
  }

  /** What is known; a look begins if that is old. */
  state(): ChainState {
    const isStale = this.#checkedAt === null || this.#now().getTime() - this.#checkedAt.getTime() >= staleAfterMs;
    return isStale && this.#error === null ? this.verify() : this.#state();
  }

  /** As `state`, with a look that begins now unless one is under way. */
  verify(): ChainState {
    this.#running ??= this.#look().finally(() => {
      this.#running = null;
    });
    return this.#state();
  }

  /** Resolves when no look is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Breaks off a look under way. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #look(): Promise<void> {
    this.#progress = { rows: 0, total: 0 };
    try {
      this.#report = await verifyChain(this.#database, {
        key: this.#key,
        signal: this.#ending.signal,
        onProgress: (rows, total) => {
          this.#progress = { rows, total };
        },
      });
      this.#checkedAt = this.#now();
      this.#error = null;
      const { breakCount, breaks } = this.#report;
      if (breakCount > 0) this.#log.warn({ breakCount, first: breaks[0]?.what }, 'the chain of the history is broken');
    } catch (error) {
      this.#error = databaseErrorText(error);
    }
    this.#progress = null;
  }

  #state(): ChainState {
    return {
      report: this.#report,
      checkedAt: this.#checkedAt,
      progress: this.#progress,
      error: this.#error,
      keyFingerprint: this.#key?.fingerprint ?? null,
    };
  }
}
