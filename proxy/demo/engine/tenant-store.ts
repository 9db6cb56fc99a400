import { LRUCache } from 'lru-cache';
import { MysqlError } from '../mysql-error.ts';
import type { ColumnSpec, KeySpec, PartitionSpec } from '../translate/ast.ts';
import type { SqlValue } from '../translate/context.ts';
import { columnText, emitCreateIndex, emitCreateTable, indexName } from '../translate/emit-table.ts';
import { Accounts } from './accounts.ts';
import { storeNameOf, Table, type TableDefinition, type Tablet } from './catalog.ts';
import { EngineConnection } from './connection.ts';
import { GlobalVariables } from './global-variables.ts';
import type { Plan } from './plan.ts';
import { WriterLock } from './writer-lock.ts';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Ids of tables and tablets start where a genuine kernel's user objects do. */
const FIRST_TABLE_ID = 500_001;
const FIRST_TABLET_ID = 200_001;

/** One tenant: its databases, tables, users, global variables and the file that keeps them. */
export class TenantStore {
  readonly name: string;
  readonly id: number;
  readonly lock = new WriterLock();
  readonly writer: EngineConnection;
  readonly accounts: Accounts;
  readonly globals: GlobalVariables;
  /** Translations by catalog version, database, kinds of parameters and text. */
  readonly plans = new LRUCache<string, Plan>({ max: 500 });
  /** As DBA_OB_TENANTS shows it. It says nothing of where leaders are: the demo spreads them over all read-write zones. */
  primaryZone = 'zone1,zone2,zone3';
  locality = 'FULL{1}@zone1, FULL{1}@zone2, FULL{1}@zone3, READONLY{1}@zone4, READONLY{1}@zone5';
  /** Counts changes of the catalog; translations are kept under it. */
  version = 0;
  /** Microseconds; what the proxy compares to know that a table was remade. */
  schemaVersion: number;
  readonly #path: string;
  readonly #idleReaders: EngineConnection[] = [];
  readonly #allReaders = new Set<EngineConnection>();
  readonly #databases = new Map<string, string>();
  readonly #tables = new Map<string, Table>();
  readonly #nextAuto = new Map<string, bigint>();
  #nextId = 0;

  constructor(name: string, id: number, path: string) {
    this.name = name;
    this.id = id;
    this.#path = path;
    this.writer = new EngineConnection(path);
    this.writer.exec(
      'CREATE TABLE IF NOT EXISTS __databases (name TEXT PRIMARY KEY);' +
        'CREATE TABLE IF NOT EXISTS __tables (store TEXT PRIMARY KEY, definition TEXT NOT NULL, next_auto INTEGER);' +
        'CREATE TABLE IF NOT EXISTS __ids (next INTEGER NOT NULL)',
    );
    this.accounts = new Accounts(this.writer);
    this.globals = new GlobalVariables(this.writer);
    for (const [database] of this.writer.all('SELECT name FROM __databases')) {
      this.#databases.set(String(database).toLowerCase(), String(database));
    }
    for (const [definition] of this.writer.all('SELECT definition FROM __tables')) {
      const table = new Table(JSON.parse(String(definition)) as TableDefinition);
      this.#tables.set(table.storeName, table);
    }
    this.#nextId = Number(this.writer.all('SELECT max(next) FROM __ids')[0]?.[0] ?? 0);
    this.schemaVersion = Math.max(
      Date.now() * 1000,
      ...[...this.#tables.values()].map((table) => table.definition.schemaVersion),
    );
  }

  get databases(): string[] {
    return [...this.#databases.values()].sort();
  }

  hasDatabase(name: string): boolean {
    return this.#databases.has(name.toLowerCase());
  }

  get tables(): Table[] {
    return [...this.#tables.values()];
  }

  findTable(database: string, name: string): Table | undefined {
    return this.#tables.get(storeNameOf(database, name));
  }

  tableById(tableId: number): Table | undefined {
    return this.tables.find((table) => table.definition.tableId === tableId);
  }

  /** A connection that reads what is committed; given back with `returnReader`. */
  takeReader(): EngineConnection {
    const idle = this.#idleReaders.pop();
    if (idle) return idle;
    const reader = new EngineConnection(this.#path);
    this.#allReaders.add(reader);
    return reader;
  }

  returnReader(reader: EngineConnection): void {
    reader.host = null;
    if (this.#idleReaders.length < 4) this.#idleReaders.push(reader);
    else {
      this.#allReaders.delete(reader);
      reader.close();
    }
  }

  createDatabase(name: string): void {
    this.writer.run('INSERT INTO __databases VALUES (:name)', { ':name': name.toLowerCase() });
    this.#databases.set(name.toLowerCase(), name.toLowerCase());
    this.#changed();
  }

  dropDatabase(name: string): void {
    for (const table of this.tables) if (table.database === name.toLowerCase()) this.dropTable(table);
    this.writer.run('DELETE FROM __databases WHERE name = :name', { ':name': name.toLowerCase() });
    this.#databases.delete(name.toLowerCase());
    this.#changed();
  }

  createTable(shape: {
    readonly database: string;
    readonly name: string;
    readonly columns: readonly ColumnSpec[];
    readonly keys: readonly KeySpec[];
    readonly partition: PartitionSpec | null;
    readonly comment: string;
    readonly duplicate: boolean;
    readonly firstAutoIncrement: number | null;
  }): Table {
    const { firstAutoIncrement, ...definition } = shape;
    const names = shape.partition?.partitions.map((partition) => partition.name) ?? [''];
    const tableId = this.#newId(FIRST_TABLE_ID);
    const tablets = names.map((partitionName): Tablet => {
      const id = this.#newId(0);
      const partitionId = shape.partition ? FIRST_TABLE_ID + id : 0;
      return { partitionId, partitionName, tabletId: FIRST_TABLET_ID + id, leaderSlot: id };
    });
    const table = new Table({
      ...definition,
      database: shape.database.toLowerCase(),
      name: shape.name.toLowerCase(),
      tableId,
      schemaVersion: this.#changed(),
      tablets,
    });
    for (const sql of emitCreateTable(table)) this.writer.exec(sql);
    this.#keep(table);
    if (firstAutoIncrement !== null) this.#nextAuto.set(table.storeName, BigInt(firstAutoIncrement));
    return table;
  }

  dropTable(table: Table): void {
    this.writer.exec(`DROP TABLE ${quoted(table.storeName)}`);
    this.writer.run('DELETE FROM __tables WHERE store = :store', { ':store': table.storeName });
    this.#tables.delete(table.storeName);
    this.#nextAuto.delete(table.storeName);
    this.#changed();
  }

  /** Empties a table as TRUNCATE does: the counter starts again, and it gets new tablets. */
  truncateTable(table: Table): void {
    this.writer.exec(`DELETE FROM ${quoted(table.storeName)}`);
    this.#nextAuto.delete(table.storeName);
    const tablets = table.definition.tablets.map((tablet) => ({
      ...tablet,
      tabletId: FIRST_TABLET_ID + this.#newId(0),
    }));
    this.#keep(new Table({ ...table.definition, tablets, schemaVersion: this.#changed() }));
  }

  renameTable(table: Table, database: string, name: string): void {
    const renamed = new Table({
      ...table.definition,
      database: database.toLowerCase(),
      name: name.toLowerCase(),
      schemaVersion: this.#changed(),
    });
    for (const key of table.definition.keys) {
      if (key.kind !== 'primary') this.writer.exec(`DROP INDEX ${quoted(indexName(table, key.name))}`);
    }
    this.writer.exec(`ALTER TABLE ${quoted(table.storeName)} RENAME TO ${quoted(renamed.storeName)}`);
    for (const key of renamed.definition.keys) {
      if (key.kind !== 'primary')
        this.writer.exec(emitCreateIndex(renamed, key.name, key.columns, key.kind === 'unique'));
    }
    this.writer.run('DELETE FROM __tables WHERE store = :store', { ':store': table.storeName });
    this.#tables.delete(table.storeName);
    this.#keep(renamed);
  }

  createIndex(table: Table, key: KeySpec): void {
    this.writer.exec(emitCreateIndex(table, key.name, key.columns, key.kind === 'unique'));
    this.#keep(
      new Table({ ...table.definition, keys: [...table.definition.keys, key], schemaVersion: this.#changed() }),
    );
  }

  dropIndex(table: Table, name: string): void {
    this.writer.exec(`DROP INDEX ${quoted(indexName(table, name))}`);
    const keys = table.definition.keys.filter((key) => key.name.toLowerCase() !== name.toLowerCase());
    this.#keep(new Table({ ...table.definition, keys, schemaVersion: this.#changed() }));
  }

  /** @param filling what the rows that are there already get, as the engine's literal */
  addColumn(table: Table, column: ColumnSpec, filling: string): void {
    const changed = new Table({
      ...table.definition,
      columns: [...table.definition.columns, column],
      schemaVersion: this.#changed(),
    });
    const added = changed.column(column.name);
    if (!added) throw new MysqlError('INTERNAL', { detail: `column ${column.name} got lost` });
    this.writer.exec(
      `ALTER TABLE ${quoted(table.storeName)} ADD COLUMN ${columnText(added, false)} DEFAULT ${filling}`,
    );
    this.#keep(changed);
  }

  dropColumn(table: Table, name: string): void {
    this.writer.exec(`ALTER TABLE ${quoted(table.storeName)} DROP COLUMN ${quoted(name)}`);
    const columns = table.definition.columns.filter((column) => column.name.toLowerCase() !== name.toLowerCase());
    this.#keep(new Table({ ...table.definition, columns, schemaVersion: this.#changed() }));
  }

  /** The value of an AUTO_INCREMENT column: the given one, or the next when none (null or 0) is given. */
  nextAutoIncrement(store: string, given: SqlValue): { value: bigint; generated: boolean } {
    const next = this.#autoOf(store);
    const explicit = given === null || given === 0n ? null : BigInt(given as bigint);
    const value = explicit ?? next;
    if (value >= next) this.#nextAuto.set(store, value + 1n);
    return { value, generated: explicit === null };
  }

  /** Reads a table's counter before its first use, since the engine cannot be asked while it runs a statement. */
  prepareAutoIncrement(table: Table): void {
    this.#autoOf(table.storeName);
  }

  /** Restores the catalog after a rolled-back change of it. */
  reload(): void {
    this.#databases.clear();
    this.#tables.clear();
    for (const [database] of this.writer.all('SELECT name FROM __databases'))
      this.#databases.set(String(database), String(database));
    for (const [definition] of this.writer.all('SELECT definition FROM __tables')) {
      const table = new Table(JSON.parse(String(definition)) as TableDefinition);
      this.#tables.set(table.storeName, table);
    }
    this.#changed();
  }

  close(): void {
    for (const reader of this.#allReaders) reader.close();
    this.writer.close();
  }

  #autoOf(store: string): bigint {
    const known = this.#nextAuto.get(store);
    if (known !== undefined) return known;
    const column = this.#tables.get(store)?.autoIncrementColumn;
    const highest = column ? this.writer.all(`SELECT max(${quoted(column.name)}) FROM ${quoted(store)}`)[0]?.[0] : 0n;
    const next = BigInt((highest as bigint | null) ?? 0n) + 1n;
    this.#nextAuto.set(store, next);
    return next;
  }

  #keep(table: Table): void {
    this.writer.run('INSERT OR REPLACE INTO __tables (store, definition) VALUES (:store, :definition)', {
      ':store': table.storeName,
      ':definition': JSON.stringify(table.definition),
    });
    this.#tables.set(table.storeName, table);
  }

  #newId(base: number): number {
    this.#nextId++;
    this.writer.exec(`DELETE FROM __ids; INSERT INTO __ids VALUES (${this.#nextId})`);
    return base + this.#nextId;
  }

  #changed(): number {
    this.version++;
    this.schemaVersion = Math.max(this.schemaVersion + 8, Date.now() * 1000);
    return this.schemaVersion;
  }
}
