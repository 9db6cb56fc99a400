import { EventEmitter } from 'node:events';
import { BatchWriter } from './batch-writer.ts';
import { insertFailures, insertTransitions } from './blocklist-insert.ts';
import {
  countTransitions,
  selectFailures,
  selectLastBefore,
  selectOpen,
  selectTransitions,
  selectTransitionsSince,
} from './blocklist-query.ts';
import type {
  NewFailure,
  NewTransition,
  StoredFailure,
  StoredTransition,
  TransitionFilter,
  TransitionPage,
} from './blocklist-row.ts';
import type { Database } from './database.ts';
import { databaseErrorText } from './database-error.ts';
import type { Prunable, WarningLog } from './history-keeper.ts';
import { pruneTable, type Retention } from './retention.ts';

/** Kept of listings and releases: a year, and at most so many. */
export const transitionRetention: Retention = { maxRows: 50_000, maxAgeDays: 365 };
/** Kept of failures: what `what if` may look back on, and at most so many (some 40 MB). */
export const failureRetention: Retention = { maxRows: 200_000, maxAgeDays: 1 };

/** Rows read at a time. */
const readBatch = 5_000;
const transitionQueue = { batchRows: 50, maxWaiting: 2_000, pauseMs: 0, retryMs: 1_000 };
const failureQueue = { batchRows: 200, maxWaiting: 5_000, pauseMs: 100, retryMs: 1_000 };

/**
 * What the blocklists did, and the failures that they counted. Rows are handed over and written soon after, in batches;
 * nobody waits for the disk, and when it cannot keep up the oldest that wait are dropped, counted and logged.
 */
export class BlocklistLog {
  readonly #database: Database;
  readonly #now: () => Date;
  readonly #log: WarningLog;
  readonly #transitions: BatchWriter<NewTransition>;
  readonly #failures: BatchWriter<NewFailure>;
  readonly #added = new EventEmitter();
  #records = true;
  /** What happens while the records are taken over comes after it; null: they are not. */
  #held: NewTransition[] | null = null;
  #taking: Promise<void> = Promise.resolve();

  constructor(database: Database, now: () => Date, log: WarningLog) {
    this.#database = database;
    this.#now = now;
    this.#log = log;
    this.#added.setMaxListeners(0);
    this.#transitions = new BatchWriter({
      ...transitionQueue,
      ...warnings(log, 'blocklist events'),
      write: (batch) => this.#writeTransitions(batch),
    });
    this.#failures = new BatchWriter({
      ...failureQueue,
      ...warnings(log, 'server failures'),
      write: (batch) => this.#writeFailures(batch),
    });
  }

  /** What there is to prune, for a HistoryKeeper each. */
  get prunables(): readonly Prunable[] {
    const prunable = (
      event: string,
      table: 'BlocklistTransition' | 'ServerFailure',
      retention: Retention,
    ): Prunable => ({
      onAdded: (listener) => this.#listen(event, listener),
      prune: () => pruneTable(this.#database, table, retention, this.#now()),
    });
    return [
      prunable('transition', 'BlocklistTransition', transitionRetention),
      prunable('failure', 'ServerFailure', failureRetention),
    ];
  }

  /** Rows given up since the start, because they could not be written fast enough. */
  get dropped(): { readonly transitions: number; readonly failures: number } {
    return { transitions: this.#transitions.dropped, failures: this.#failures.dropped };
  }

  /** Of two generations that serve at the same time one keeps records: what happens would be there twice else. */
  record(on: boolean): void {
    this.#records = on;
  }

  addTransition(transition: NewTransition): void {
    if (!this.#records) return;
    if (this.#held === null) this.#transitions.push(transition);
    else this.#held.push(transition);
  }

  addFailure(failure: NewFailure): void {
    if (this.#records) this.#failures.push(failure);
  }

  /** Tells every transition once it is written. @returns the function that ends it. */
  onAdded(listener: (row: StoredTransition) => void): () => void {
    return this.#listen('transition', listener);
  }

  /** The listings that had not ended at a moment, oldest first. */
  listedAt(at: Date): Promise<StoredTransition[]> {
    return selectOpen(this.#database, at);
  }

  /** One page of transitions older than `before` (all when left out), newest first; stable while rows are added. */
  async page(filter: TransitionFilter, limit: number, before?: number): Promise<TransitionPage> {
    const total = await countTransitions(this.#database, filter);
    const rows = await selectTransitions(this.#database, filter, limit + 1, before);
    const page = rows.slice(0, limit);
    return { rows: page, total, nextBefore: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
  }

  /**
   * What was listed, came on and went off a cluster's lists since `from`: first the last transition of each server and
   * list before it, then all since, in the order of ids.
   */
  async *transitionsSince(cluster: string, from: Date): AsyncGenerator<StoredTransition> {
    yield* await selectLastBefore(this.#database, cluster, from);
    yield* inBatches((after) => selectTransitionsSince(this.#database, cluster, from, after, readBatch));
  }

  /** The failures of a cluster since `from`, oldest first. */
  failures(cluster: string, from: Date): AsyncGenerator<StoredFailure> {
    return inBatches((after) => selectFailures(this.#database, cluster, from, after, readBatch));
  }

  /**
   * This process keeps records from now on, where another one did before it: what they say and what is listed here is made
   * the same. Listings that are not here any more end, and those that nobody has recorded begin, both now; the others go on.
   * Never rejects: what cannot be read goes into the log.
   * @param listed what is listed here at this moment; nothing at a start
   */
  takeOver(listed: readonly NewTransition[]): Promise<void> {
    this.#records = true;
    const held: NewTransition[] = [];
    this.#held = held;
    this.#taking = this.#taking.then(() => this.#align(listed, held));
    return this.#taking;
  }

  /** Another process goes on with the records. Resolves when everything added so far is written. */
  async giveAway(): Promise<void> {
    this.#records = false;
    await this.#taking;
    await this.idle();
  }

  /** Resolves when everything added so far is written. */
  async idle(): Promise<void> {
    await Promise.all([this.#transitions.idle(), this.#failures.idle()]);
  }

  /** Writes what waits and takes nothing more. */
  async close(): Promise<void> {
    await Promise.all([this.#transitions.close(), this.#failures.close()]);
  }

  /** @param held what has happened since it was listed so */
  async #align(listed: readonly NewTransition[], held: readonly NewTransition[]): Promise<void> {
    try {
      await this.#transitions.idle();
      const open = await selectOpen(this.#database);
      const wallAtMs = this.#now().getTime();
      const [openKeys, listedKeys] = [new Set(open.map(keyOf)), new Set(listed.map(keyOf))];
      for (const row of open.filter((one) => !listedKeys.has(keyOf(one)))) {
        const { cluster, address, zone, list, parameters } = row;
        const release = { cluster, address, zone, list, parameters, wallAtMs, listedForMs: null };
        this.#transitions.push({ ...release, change: 'released', evidence: { kind: 'restart' } });
      }
      for (const row of listed.filter((one) => !openKeys.has(keyOf(one)))) this.#transitions.push({ ...row, wallAtMs });
    } catch (error) {
      const reason = databaseErrorText(error);
      this.#log.warn({ reason }, 'what is listed could not be compared with the blocklist events');
    }
    for (const transition of held) this.#transitions.push(transition);
    if (this.#held === held) this.#held = null;
    await this.#transitions.idle();
  }

  #listen<Row>(event: string, listener: (row: Row) => void): () => void {
    this.#added.on(event, listener);
    return () => this.#added.off(event, listener);
  }

  async #writeTransitions(batch: readonly NewTransition[]): Promise<void> {
    const ids = await insertTransitions(this.#database, batch);
    batch.forEach((transition, index) => {
      const { wallAtMs, ...rest } = transition;
      const row: StoredTransition = { ...rest, id: ids[index] ?? 0, at: new Date(wallAtMs) };
      this.#added.emit('transition', row);
    });
  }

  async #writeFailures(batch: readonly NewFailure[]): Promise<void> {
    await insertFailures(this.#database, batch);
    for (const row of batch) this.#added.emit('failure', row);
  }
}

/** One server on one list. */
const keyOf = ({ cluster, address, list }: Pick<NewTransition, 'cluster' | 'address' | 'list'>): string =>
  `${cluster} ${address} ${list}`;

/** @param read rows with an id above `after`, oldest first, up to `readBatch` */
async function* inBatches<Row extends { readonly id: number }>(
  read: (after: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let after = 0;
  for (;;) {
    const rows = await read(after);
    yield* rows;
    if (rows.length < readBatch) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** One warning when the disk begins to fail and one when rows were lost, not one per batch. */
function warnings(log: WarningLog, what: string) {
  let lastReason = '';
  return {
    onError: (error: unknown): void => {
      const reason = databaseErrorText(error);
      if (reason !== lastReason) log.warn({ reason }, `${what} could not be stored; trying again`);
      lastReason = reason;
    },
    onDropped: (rows: number): void => log.warn({ rows }, `${what} were lost: they could not be stored fast enough`),
  };
}
