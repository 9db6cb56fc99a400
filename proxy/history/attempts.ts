import { errorText, OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from './database-error.ts';
import type { WarningLog } from './history-keeper.ts';
import type { Beside, HistoryEntry, HistoryLog } from './history-log.ts';
import type { Actor } from './history-row.ts';

/** Rows of attempts that may wait to be written: a storm of them must not fill the memory. */
const maxWaiting = 1_000;

/** Characters of a reason. */
const maxFailureLength = 1_000;

/**
 * What was asked for and not done, and what may be done whether or not it can be written down. Writing never fails: what
 * cannot be written goes into the log.
 */
export class Attempts {
  readonly #history: HistoryLog;
  readonly #log: WarningLog;
  /** Errors whose rows are written: a door that passes one on does not write it again. */
  readonly #known = new WeakSet<object>();
  #waiting = 0;

  constructor(history: HistoryLog, log: WarningLog) {
    this.#history = history;
    this.#log = log;
  }

  /**
   * Writes what an error has ended: refused if the fault lies with the one who asked, else failed.
   * @param beside what is written with the row of each entry
   */
  async refused(actor: Actor, entries: readonly HistoryEntry[], error: unknown, beside?: Beside): Promise<void> {
    if (this.knows(error)) return;
    if (typeof error === 'object' && error !== null) this.#known.add(error);
    const failure = failureText(error);
    for (const entry of entries) {
      const newValue = typeof entry.newValue === 'string' ? withoutCredentials(entry.newValue) : null;
      await this.note(actor, { ...entry, newValue, outcome: outcomeOf(error), failure }, beside);
    }
  }

  /** Whether the rows of an error have been written, or tried to. */
  knows(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#known.has(error);
  }

  /** Writes one row; see `HistoryLog.add`. */
  note(actor: Actor, entry: HistoryEntry, beside?: Beside): Promise<void> {
    return this.#written(actor, entry, () => this.#history.add(actor, entry, beside));
  }

  /** Writes one row unless it is known already; see `HistoryLog.addNews`. */
  noteNews(actor: Actor, entry: HistoryEntry): Promise<void> {
    return this.#written(actor, entry, () => this.#history.addNews(actor, entry));
  }

  async #written(actor: Actor, entry: HistoryEntry, write: () => Promise<unknown>): Promise<void> {
    if (this.#waiting >= maxWaiting) {
      this.#unwritten(actor, entry, 'too many rows are waiting');
      return;
    }
    this.#waiting += 1;
    try {
      await write();
    } catch (error) {
      this.#unwritten(actor, entry, databaseErrorText(error));
    } finally {
      this.#waiting -= 1;
    }
  }

  #unwritten({ actor, requestId }: Actor, { action }: HistoryEntry, reason: string): void {
    this.#log.warn({ action, actor, requestId, reason }, 'action could not be audited');
  }
}

function outcomeOf(error: unknown): 'refused' | 'failed' {
  return error instanceof OdpError && error.spec.httpStatus < 500 ? 'refused' : 'failed';
}

function failureText(error: unknown): string {
  const text = error instanceof OdpError ? `${error.code}: ${error.message}` : errorText(error);
  return withoutCredentials(text).slice(0, maxFailureLength);
}

/** A refused text may be one that was refused for the password in its URL. */
const withoutCredentials = (text: string): string => text.replace(/(\/\/)[^/\s]*@/g, '$1******@');
