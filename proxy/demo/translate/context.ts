import type { Table } from '../engine/catalog.ts';
import { MysqlError } from '../mysql-error.ts';
import type { SqlType } from './sql-type.ts';

/** A value of the engine: what node:sqlite takes and gives, integers as bigint. */
export type SqlValue = null | bigint | number | string | Uint8Array;

/** Facts of the session or the moment that an expression may ask for. */
export type Fact =
  | 'now'
  | 'now6'
  | 'utc'
  | 'date'
  | 'time'
  | 'connectionId'
  | 'database'
  | 'user'
  | 'account'
  | 'lastInsertId'
  | 'rowCount'
  | 'foundRows';

/** Where the value of a place in the translated statement comes from when it runs. */
export type Bind =
  | { readonly kind: 'param'; readonly index: number }
  | { readonly kind: 'value'; readonly value: SqlValue }
  | { readonly kind: 'fact'; readonly fact: Fact }
  | { readonly kind: 'sysvar'; readonly scope: '' | 'global' | 'session'; readonly name: string }
  | { readonly kind: 'uservar'; readonly name: string }
  | { readonly kind: 'virtual'; readonly table: VirtualTable };

/** A table whose rows are made when it is read: information_schema and OceanBase's internal tables. */
export interface VirtualTable {
  /** Makes the rows for the session that reads them. */
  rows(): readonly (readonly SqlValue[])[];
  readonly kind: 'virtual';
  readonly database: string;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[];
}

/** What the translator asks of the session it translates for. */
export interface Environment {
  /** Current database, empty when none is chosen. */
  readonly database: string;
  /** @throws MysqlError NO_SUCH_TABLE */
  findTable(database: string, name: string): Table | VirtualTable;
  paramType(index: number): SqlType;
  userVariableType(name: string): SqlType;
  /** @throws MysqlError UNKNOWN_VARIABLE */
  systemVariableType(scope: '' | 'global' | 'session', name: string): SqlType;
}

export function isVirtual(table: Table | VirtualTable): table is VirtualTable {
  return table.kind === 'virtual';
}

/** Collects the places of one translated statement. */
export class EmitContext {
  readonly environment: Environment;
  readonly binds: Bind[] = [];
  /** Tables in the order they were met; the first decides the partition-hit feedback. */
  readonly tables: (Table | VirtualTable)[] = [];
  /** Whether the outcome depends on values that a kept translation must not freeze. */
  volatile = false;
  #aliasCount = 0;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** Text of a place; the same fact or parameter has one place. */
  bind(bind: Bind): string {
    const known = this.binds.findIndex(
      (other) =>
        (bind.kind === 'param' && other.kind === 'param' && other.index === bind.index) ||
        (bind.kind === 'fact' && other.kind === 'fact' && other.fact === bind.fact),
    );
    if (known >= 0) return `:p${known + 1}`;
    this.binds.push(bind);
    return `:p${this.binds.length}`;
  }

  table(database: string, name: string): Table | VirtualTable {
    const inDatabase = database || this.environment.database;
    if (inDatabase === '') throw new MysqlError('NO_DATABASE');
    const table = this.environment.findTable(inDatabase, name);
    this.tables.push(table);
    return table;
  }

  /** @throws MysqlError for a table that only exists as a view of the server's state */
  storedTable(database: string, name: string): Table {
    const table = this.table(database, name);
    if (isVirtual(table)) throw new MysqlError('DB_ACCESS_DENIED', { user: 'demo', database: table.database });
    return table;
  }

  freshAlias(): string {
    this.#aliasCount++;
    return `_d${this.#aliasCount}`;
  }
}

/** A name as SQLite reads it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text literal; text with NUL has none, and becomes a place. */
export function quoteText(context: EmitContext, text: string): string {
  if (text.includes('\0')) return context.bind({ kind: 'value', value: text });
  return `'${text.replaceAll("'", "''")}'`;
}
