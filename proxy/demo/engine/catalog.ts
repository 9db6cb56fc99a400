import type { ColumnSpec, Expr, KeySpec, PartitionSpec } from '../translate/ast.ts';
import { type SqlType, typeOfColumn } from '../translate/sql-type.ts';

/** A column of a table, ready for translation. */
export interface Column {
  readonly name: string;
  readonly type: SqlType;
  readonly spec: ColumnSpec;
}

/** One tablet of a table: a partition, or the whole table (partition id 0). */
export interface Tablet {
  readonly partitionId: number;
  readonly partitionName: string;
  readonly tabletId: number;
  /** Index into the cluster's servers that may lead; the cluster turns it into a server. */
  readonly leaderSlot: number;
}

/** What is kept of a table between starts. */
export interface TableDefinition {
  readonly database: string;
  readonly name: string;
  readonly tableId: number;
  readonly schemaVersion: number;
  readonly columns: readonly ColumnSpec[];
  readonly keys: readonly KeySpec[];
  readonly partition: PartitionSpec | null;
  readonly tablets: readonly Tablet[];
  readonly comment: string;
  /** A duplicate table: every replica serves strong reads. Left out: it is none. */
  readonly duplicate?: boolean;
}

/** A table as the translator sees it. */
export class Table {
  readonly kind = 'stored';
  readonly definition: TableDefinition;
  readonly columns: readonly Column[];
  /** Name of the engine's table that holds the rows. */
  readonly storeName: string;
  /** Columns of the primary key, in its order. */
  readonly primaryKey: readonly string[];
  readonly #byName: ReadonlyMap<string, Column>;

  constructor(definition: TableDefinition) {
    this.definition = definition;
    this.columns = definition.columns.map((spec) => ({ name: spec.name, type: typeOfColumn(spec.type), spec }));
    this.storeName = storeNameOf(definition.database, definition.name);
    this.primaryKey = definition.keys.find((key) => key.kind === 'primary')?.columns ?? [];
    this.#byName = new Map(this.columns.map((column) => [column.name.toLowerCase(), column]));
  }

  get name(): string {
    return this.definition.name;
  }

  get database(): string {
    return this.definition.database;
  }

  column(name: string): Column | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  get autoIncrementColumn(): Column | undefined {
    return this.columns.find((column) => column.spec.autoIncrement);
  }
}

/** Table names compare without case, as with lower_case_table_names = 2. */
export function storeNameOf(database: string, name: string): string {
  return `${database.toLowerCase()}.${name.toLowerCase()}`;
}

/** Value of a column default that is not an expression of the moment. */
export function isConstant(expr: Expr): boolean {
  return ['number', 'string', 'null', 'bool', 'bytes', 'temporal'].includes(expr.kind);
}
