import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { SqlValue } from '../translate/context.ts';
import { type FunctionHost, registerFunctions } from './functions.ts';

/** Longest translated text that keeps its prepared statement. */
const MAX_CACHED_TEXT = 16_384;

export type BindValues = Record<string, SqlValue>;

/** One connection of the engine to a tenant's file, with prepared statements kept by text. */
export class EngineConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, StatementSync>({ max: 300 });
  /** The session whose statement runs; functions such as LAST_INSERT_ID(x) act on it. */
  host: FunctionHost | null = null;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA busy_timeout = 0; PRAGMA cache_size = -16384; ' +
        'PRAGMA temp_store = MEMORY; PRAGMA recursive_triggers = OFF',
    );
    registerFunctions(this.#database, {
      setLastInsertId: (value) => this.host?.setLastInsertId(value),
      nextAutoIncrement: (store, given) => this.host?.nextAutoIncrement(store, given) ?? null,
    });
  }

  /** Runs statements that give nothing back. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Rows one at a time, each an array; the read goes on while they are taken. */
  iterate(sql: string, values: BindValues): Iterator<SqlValue[]> {
    return this.#prepare(sql).iterate(values) as unknown as Iterator<SqlValue[]>;
  }

  all(sql: string, values: BindValues = {}): SqlValue[][] {
    return this.#prepare(sql).all(values) as unknown as SqlValue[][];
  }

  /** Number of rows changed. */
  run(sql: string, values: BindValues): number {
    return Number(this.#prepare(sql).run(values).changes);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  /** Prepared statements look at the tables' shape: they are dropped when it changes. */
  forgetStatements(): void {
    this.#statements.clear();
  }

  #prepare(sql: string): StatementSync {
    const kept = this.#statements.get(sql);
    if (kept) return kept;
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    statement.setAllowUnknownNamedParameters(true);
    if (sql.length <= MAX_CACHED_TEXT) this.#statements.set(sql, statement);
    return statement;
  }
}
