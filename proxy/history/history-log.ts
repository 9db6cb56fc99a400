import { EventEmitter } from 'node:events';
import type { AuditKey } from './chain/audit-key.ts';
import { chainHead } from './chain/checkpoint.ts';
import { chainFormat, rowHash, storableText } from './chain/row-hash.ts';
import type { Database, DatabaseWriter } from './database.ts';
import { countCap, countRows, selectRows, withWorkers } from './history-query.ts';
import type { Actor, HistoryAction, HistoryFilter, HistoryOutcome, HistoryRow } from './history-row.ts';
import { pruneHistory, type Retention } from './retention.ts';
import { SerialQueue } from './serial-queue.ts';

/** What an action adds to its actor. Left out: empty, null for the values, `done` for the outcome. */
export interface HistoryEntry {
  readonly action: HistoryAction;
  readonly parameter?: string;
  /** For whom the parameter was changed, as `scopeText` writes it. */
  readonly scope?: string;
  readonly oldValue?: string | null;
  readonly newValue?: string | null;
  readonly outcome?: HistoryOutcome;
  /** Why it was refused or failed: without secrets. */
  readonly failure?: string;
  /** Workers in which it came into force. */
  readonly workers?: { readonly applied: number; readonly total: number };
  readonly reason?: string;
}

/** Writes more in the transaction of a row. @returns a row that follows it; null: none */
export type Beside = (transaction: DatabaseWriter, at: Date) => Promise<HistoryEntry | null>;

/** One page, newest row first. */
export interface HistoryPage {
  readonly rows: HistoryRow[];
  /** Rows that fit the filter; at most `countCap`. */
  readonly total: number;
  /** There are more than `total`. */
  readonly hasMoreThanTotal: boolean;
  /** `before` of the next page, or null at the end. */
  readonly nextBefore: number | null;
}

const dayMs = 86_400_000;

/** Rows read at a time by `stream`. */
const streamBatch = 500;

/** Characters of a text that somebody else has chosen, such as the name of a refused log-in. */
const maxTextLength = 65_536;

/** How long a row may wait for those before it (ms): a slow disk must not lose one. */
const maxWaitMs = 30_000;

/** The audit trail: rows are added, read and pruned, never changed. Each is chained to the one before it. */
export class HistoryLog {
  readonly #database: Database;
  readonly #key: AuditKey | null;
  /** Rows of their own transactions go one after the other, so that none waits long inside the database. */
  readonly #queue = new SerialQueue();
  readonly #now: () => Date;
  readonly #retention: Retention;
  readonly #added = new EventEmitter();

  /** @param key null: it is missing, so that nothing can be pruned */
  constructor(database: Database, key: AuditKey | null, now: () => Date, retention: Retention) {
    this.#database = database;
    this.#key = key;
    this.#now = now;
    this.#retention = retention;
    this.#added.setMaxListeners(0);
  }

  /** Tells every row after it is committed. @returns the function that ends it. */
  onAdded(listener: (row: HistoryRow) => void): () => void {
    this.#added.on('row', listener);
    return () => this.#added.off('row', listener);
  }

  /** Writes one row in a transaction of its own, with what else `beside` writes, and the row that this may ask for. */
  async add(actor: Actor, entry: HistoryEntry, beside?: Beside): Promise<HistoryRow> {
    const { row, further } = await this.#alone(async (transaction, at) => {
      const written = await this.insert(transaction, actor, entry, at);
      const next = (await beside?.(transaction, at)) ?? null;
      return { row: written, further: next === null ? [] : [await this.insert(transaction, actor, next, at)] };
    });
    this.announce([row, ...further]);
    return row;
  }

  /**
   * As `add`, of a value that this process only looks at, as others may: a row is written if the last one of this action,
   * parameter and scope has another new value, which is then the old one.
   */
  async addNews(actor: Actor, entry: HistoryEntry): Promise<void> {
    const { action, parameter = '', scope = '', newValue = null } = entry;
    const row = await this.#alone(async (transaction, at) => {
      const last = await transaction.historyRow.findFirst({
        where: { action, parameter, scope },
        orderBy: { id: 'desc' },
      });
      const oldValue = last?.newValue ?? null;
      return oldValue === newValue ? null : await this.insert(transaction, actor, { ...entry, oldValue }, at);
    });
    if (row !== null) this.announce([row]);
  }

  #alone<Result>(write: (transaction: DatabaseWriter, at: Date) => Promise<Result>): Promise<Result> {
    const at = this.#now();
    return this.#queue.run(() =>
      this.#database.$transaction((transaction) => write(transaction, at), { maxWait: maxWaitMs }),
    );
  }

  /** As `add`, unless there is a row of the same request id of the last day. @returns null then */
  async addOnce(actor: Actor, entry: HistoryEntry): Promise<HistoryRow | null> {
    const row = await this.#alone(async (transaction, at) => {
      // Seen with the lock held: it may be told twice at once, and to two generations.
      const since = new Date(at.getTime() - dayMs);
      const where = { requestId: actor.requestId, at: { gte: since } };
      return (await transaction.historyRow.findFirst({ where })) === null
        ? await this.insert(transaction, actor, entry, at)
        : null;
    });
    if (row !== null) this.announce([row]);
    return row;
  }

  /**
   * Writes one row; `announce` it after the commit.
   * @param transaction the caller's, which holds the write lock: two rows with one predecessor would break the chain
   */
  async insert(transaction: DatabaseWriter, actor: Actor, entry: HistoryEntry, at: Date): Promise<HistoryRow> {
    const head = await chainHead(transaction);
    const { oldValue = null, newValue = null, workers } = entry;
    const unhashed = {
      id: head.id + 1,
      at,
      action: entry.action,
      actor: storable(actor.actor),
      role: storable(actor.role ?? ''),
      token: storable(actor.token ?? ''),
      source: actor.source,
      origin: storable(actor.origin),
      parameter: storable(entry.parameter ?? ''),
      scope: storable(entry.scope ?? ''),
      oldValue: oldValue === null ? null : storable(oldValue),
      newValue: newValue === null ? null : storable(newValue),
      outcome: entry.outcome ?? 'done',
      failure: storable(entry.failure ?? ''),
      workersApplied: workers?.applied ?? null,
      workersTotal: workers?.total ?? null,
      reason: storable(entry.reason ?? ''),
      requestId: storable(actor.requestId),
      chainFormat,
    };
    const row = { ...unhashed, hash: rowHash(head.hash, unhashed) ?? '' };
    await transaction.historyRow.create({ data: row });
    return row;
  }

  /** Tells the listeners about committed rows. */
  announce(rows: readonly HistoryRow[]): void {
    for (const row of rows) this.#added.emit('row', row);
  }

  /** Removes what the retention rule gives up, in small batches. @returns rows removed. */
  async prune(): Promise<number> {
    return await pruneHistory(this.#database, this.#key, this.#retention, this.#now());
  }

  /** One page of rows older than `before` (all when left out), newest first; stable while rows are added (case B108). */
  async page(filter: HistoryFilter, limit: number, before?: number): Promise<HistoryPage> {
    const counted = await countRows(this.#database, filter);
    const rows = await selectRows(this.#database, filter, limit + 1, before);
    const page = await withWorkers(this.#database, rows.slice(0, limit));
    const total = { total: Math.min(counted, countCap), hasMoreThanTotal: counted > countCap };
    return { rows: page, ...total, nextBefore: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
  }

  /** The newest row of an action for each part of the sessions that it was for. */
  async lastOfEachScope(action: HistoryAction, parameter: string): Promise<HistoryRow[]> {
    return await this.#database.$queryRaw<HistoryRow[]>`
      SELECT * FROM "HistoryRow" WHERE id IN (
        SELECT MAX(id) FROM "HistoryRow" WHERE action = ${action} AND parameter = ${parameter} GROUP BY scope)`;
  }

  /** All rows that fit, newest first, up to the newest of this moment; read in batches, so that memory stays bounded. */
  async *stream(filter: HistoryFilter): AsyncGenerator<HistoryRow> {
    let before: number | undefined;
    for (;;) {
      const rows = await selectRows(this.#database, filter, streamBatch, before);
      yield* await withWorkers(this.#database, rows);
      if (rows.length < streamBatch) return;
      before = rows.at(-1)?.id;
    }
  }
}

function storable(text: string): string {
  return storableText(text.length > maxTextLength ? text.slice(0, maxTextLength) : text);
}
