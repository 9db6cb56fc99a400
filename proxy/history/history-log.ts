import { EventEmitter } from 'node:events';
import type { Database, DatabaseWriter } from './database.ts';
import { countRows, selectRows } from './history-query.ts';
import type { Actor, HistoryAction, HistoryFilter, HistoryRow } from './history-row.ts';
import { pruneHistory, type Retention } from './retention.ts';

/** What an action adds to its actor. Left out: empty, or null for the values. */
export interface HistoryEntry {
  readonly action: HistoryAction;
  readonly parameter?: string;
  /** For whom the parameter was changed, as `scopeText` writes it. */
  readonly scope?: string;
  readonly oldValue?: string | null;
  readonly newValue?: string | null;
  readonly reason?: string;
}

/** One page, newest row first. */
export interface HistoryPage {
  readonly rows: HistoryRow[];
  /** Rows that fit the filter. */
  readonly total: number;
  /** `before` of the next page, or null at the end. */
  readonly nextBefore: number | null;
}

/** Rows read at a time by `stream`. */
const streamBatch = 500;

/** The audit trail: rows are added, read and pruned, never changed. */
export class HistoryLog {
  readonly #database: Database;
  readonly #now: () => Date;
  readonly #retention: Retention;
  readonly #added = new EventEmitter();

  constructor(database: Database, now: () => Date, retention: Retention) {
    this.#database = database;
    this.#now = now;
    this.#retention = retention;
    this.#added.setMaxListeners(0);
  }

  /** Tells every row after it is committed. @returns the function that ends it. */
  onAdded(listener: (row: HistoryRow) => void): () => void {
    this.#added.on('row', listener);
    return () => this.#added.off('row', listener);
  }

  /** Writes one row of its own transaction. */
  async add(actor: Actor, entry: HistoryEntry): Promise<HistoryRow> {
    const row = await this.insert(this.#database, actor, entry, this.#now());
    this.announce([row]);
    return row;
  }

  /** Writes one row inside the caller's transaction; `announce` it after the commit. */
  async insert(writer: DatabaseWriter, actor: Actor, entry: HistoryEntry, at: Date): Promise<HistoryRow> {
    const row = await writer.historyRow.create({
      data: {
        at,
        action: entry.action,
        actor: actor.actor,
        source: actor.source,
        origin: actor.origin,
        parameter: entry.parameter ?? '',
        scope: entry.scope ?? '',
        oldValue: entry.oldValue ?? null,
        newValue: entry.newValue ?? null,
        reason: entry.reason ?? '',
        requestId: actor.requestId,
      },
    });
    return row as HistoryRow;
  }

  /** Tells the listeners about committed rows. */
  announce(rows: readonly HistoryRow[]): void {
    for (const row of rows) this.#added.emit('row', row);
  }

  /** Removes what the retention rule gives up, in small batches. @returns rows removed. */
  async prune(): Promise<number> {
    return await pruneHistory(this.#database, this.#retention, this.#now());
  }

  /** One page of rows older than `before` (all when left out), newest first; stable while rows are added (case B108). */
  async page(filter: HistoryFilter, limit: number, before?: number): Promise<HistoryPage> {
    const total = await countRows(this.#database, filter);
    const rows = await selectRows(this.#database, filter, limit + 1, before);
    const page = rows.slice(0, limit);
    return { rows: page, total, nextBefore: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
  }

  /** All rows that fit, newest first, up to the newest of this moment; read in batches, so that memory stays bounded. */
  async *stream(filter: HistoryFilter): AsyncGenerator<HistoryRow> {
    let before: number | undefined;
    for (;;) {
      const rows = await selectRows(this.#database, filter, streamBatch, before);
      yield* rows;
      if (rows.length < streamBatch) return;
      before = rows.at(-1)?.id;
    }
  }
}
