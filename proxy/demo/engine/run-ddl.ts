import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { ColumnSpec, CreateTable, KeySpec, Statement, TableName } from '../translate/ast.ts';
import { EmitContext, type Environment } from '../translate/context.ts';
import { expressions } from '../translate/emit-select.ts';
import { Scope } from '../translate/scope.ts';
import { storeAs } from '../translate/store-as.ts';
import { isConstant, Table } from './catalog.ts';
import { type OkResult, ok } from './result.ts';
import type { TenantStore } from './tenant-store.ts';

/** Databases that belong to the server. */
const SYSTEM_DATABASES = ['information_schema', 'mysql', 'oceanbase'];

const DDL = new Set([
  'createTable',
  'createDatabase',
  'dropDatabase',
  'dropTable',
  'truncate',
  'renameTable',
  'createIndex',
  'dropIndex',
  'addColumn',
  'dropColumn',
]);

/** Statements that change the catalog: they end an open transaction first. */
export function isDdl(statement: Statement): boolean {
  return DDL.has(statement.kind);
}

/** Runs a change of the catalog inside the writer's transaction. */
export function runDdl(store: TenantStore, environment: Environment, statement: Statement): OkResult {
  const find = (name: TableName): Table => {
    const database = databaseOf(environment, name);
    const table = store.findTable(database, name.name);
    if (!table) throw new MysqlError('NO_SUCH_TABLE', { table: `${database}.${name.name}` });
    return table;
  };
  switch (statement.kind) {
    case 'createDatabase':
      if (!store.hasDatabase(statement.database)) store.createDatabase(statement.database);
      else if (!statement.ifNotExists) throw new MysqlError('DATABASE_EXISTS', { database: statement.database });
      return ok(1);
    case 'dropDatabase': {
      const { database } = statement;
      if (SYSTEM_DATABASES.includes(database.toLowerCase()))
        throw new MysqlError('DB_ACCESS_DENIED', { user: 'demo', database });
      if (store.hasDatabase(database)) {
        const count = store.tables.filter((table) => table.database === database.toLowerCase()).length;
        store.dropDatabase(database);
        return ok(count);
      }
      if (!statement.ifExists) throw new MysqlError('DROP_UNKNOWN_DATABASE', { database });
      return ok();
    }
    case 'createTable':
      return createTable(store, environment, statement, find);
    case 'dropTable': {
      const missing = statement.tables.filter((name) => !store.findTable(databaseOf(environment, name), name.name));
      if (missing.length > 0 && !statement.ifExists) {
        throw new MysqlError('UNKNOWN_TABLE', {
          table: missing.map((name) => `${databaseOf(environment, name)}.${name.name}`).join(','),
        });
      }
      for (const name of statement.tables) {
        const table = store.findTable(databaseOf(environment, name), name.name);
        if (table) store.dropTable(table);
      }
      return ok();
    }
    case 'truncate':
      store.truncateTable(find(statement.table));
      return ok();
    case 'renameTable': {
      const database = databaseOf(environment, statement.to);
      requireDatabase(store, database);
      if (store.findTable(database, statement.to.name))
        throw new MysqlError('TABLE_EXISTS', { table: statement.to.name });
      store.renameTable(find(statement.from), database, statement.to.name);
      return ok();
    }
    case 'createIndex': {
      const table = find(statement.table);
      checkKeys(table.definition.columns, [...table.definition.keys, statement.key]);
      store.createIndex(table, statement.key);
      return ok();
    }
    case 'dropIndex': {
      const table = find(statement.table);
      const key = table.definition.keys.find(
        (candidate) => candidate.name.toLowerCase() === statement.name.toLowerCase(),
      );
      if (!key || key.kind === 'primary') throw new MysqlError('CANT_DROP_KEY', { key: statement.name });
      store.dropIndex(table, key.name);
      return ok();
    }
    case 'addColumn':
      return addColumn(store, environment, find(statement.table), statement.column);
    case 'dropColumn': {
      const table = find(statement.table);
      const column = table.column(statement.column);
      if (!column) throw new MysqlError('CANT_DROP_KEY', { key: statement.column });
      const used = [
        ...table.definition.keys.flatMap((key) => key.columns),
        ...(table.definition.partition?.columns ?? []),
      ];
      if (used.some((name) => name.toLowerCase() === column.name.toLowerCase()))
        throw notUnderstood('dropping a column of a key');
      store.dropColumn(table, column.name);
      return ok();
    }
    default:
      throw new MysqlError('INTERNAL', { detail: `${statement.kind} is no change of the catalog` });
  }
}

function databaseOf(environment: Environment, name: TableName): string {
  const database = name.database || environment.database;
  if (database === '') throw new MysqlError('NO_DATABASE');
  return database.toLowerCase();
}

function requireDatabase(store: TenantStore, database: string): void {
  if (!store.hasDatabase(database)) throw new MysqlError('UNKNOWN_DATABASE', { database });
  if (database === 'information_schema') throw new MysqlError('DB_ACCESS_DENIED', { user: 'demo', database });
}

function createTable(
  store: TenantStore,
  environment: Environment,
  statement: CreateTable,
  find: (name: TableName) => Table,
): OkResult {
  const database = databaseOf(environment, statement.table);
  requireDatabase(store, database);
  if (store.findTable(database, statement.table.name)) {
    if (statement.ifNotExists) return ok();
    throw new MysqlError('TABLE_EXISTS', { table: statement.table.name });
  }
  const like = statement.like ? find(statement.like).definition : null;
  const columns = like ? like.columns : statement.columns;
  if (columns.length === 0) throw new MysqlError('SYNTAX', { near: "')' at line 1" });
  const keys = like ? like.keys : allKeys(statement);
  checkKeys(columns, keys);
  const primary = keys.find((key) => key.kind === 'primary')?.columns.map((name) => name.toLowerCase()) ?? [];
  const withKeys = columns.map((column) => ({
    ...column,
    notNull: column.notNull || primary.includes(column.name.toLowerCase()),
  }));
  const partition = like ? like.partition : checkedPartition(statement, withKeys, primary);
  store.createTable({
    database,
    name: statement.table.name,
    columns: withKeys,
    keys,
    partition,
    comment: statement.comment,
    duplicate: statement.duplicate,
    firstAutoIncrement: statement.autoIncrement,
  });
  return ok();
}

function allKeys(statement: CreateTable): KeySpec[] {
  const keys: KeySpec[] = [];
  for (const column of statement.columns) {
    if (column.primaryKey) keys.push({ name: 'PRIMARY', kind: 'primary', columns: [column.name] });
    if (column.unique) keys.push({ name: column.name, kind: 'unique', columns: [column.name] });
  }
  for (const key of statement.keys) {
    let { name } = key;
    // A key without a name is called after its first column, with a number when that is taken.
    for (
      let number = 2;
      name !== 'PRIMARY' && name === key.columns[0] && keys.some((other) => other.name === name);
      number++
    ) {
      name = `${key.columns[0]}_${number}`;
    }
    keys.push({ ...key, name });
  }
  return keys;
}

function checkKeys(columns: readonly ColumnSpec[], keys: readonly KeySpec[]): void {
  const names = columns.map((column) => column.name.toLowerCase());
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index)
      throw new MysqlError('DUPLICATE_COLUMN', { column: columns[index]?.name ?? name });
  }
  if (keys.filter((key) => key.kind === 'primary').length > 1) throw new MysqlError('MULTIPLE_PRIMARY_KEY');
  const keyNames = keys.map((key) => key.name.toLowerCase());
  for (const [index, name] of keyNames.entries()) {
    if (keyNames.indexOf(name) !== index)
      throw new MysqlError('DUPLICATE_KEY_NAME', { key: keys[index]?.name ?? name });
  }
  for (const column of keys.flatMap((key) => key.columns)) {
    if (!names.includes(column.toLowerCase())) throw new MysqlError('KEY_COLUMN_MISSING', { column });
  }
  for (const { name, defaultValue, type } of columns) {
    if (defaultValue?.kind === 'bytes') throw notUnderstood('a binary DEFAULT');
    if (
      defaultValue &&
      !isConstant(defaultValue) &&
      !(defaultValue.kind === 'call' && /^(NOW|CURRENT_TIMESTAMP|LOCALTIME|LOCALTIMESTAMP)$/.test(defaultValue.name))
    ) {
      throw new MysqlError('INVALID_DEFAULT', { column: name });
    }
    if (type.name === 'binary') throw notUnderstood('BINARY columns (write VARBINARY)');
  }
}

function checkedPartition(
  statement: CreateTable,
  columns: readonly ColumnSpec[],
  primary: readonly string[],
): CreateTable['partition'] {
  const { partition } = statement;
  if (!partition) return null;
  const names = partition.columns.length > 0 || partition.method !== 'key' ? partition.columns : primary;
  for (const name of names) {
    if (!columns.some((column) => column.name.toLowerCase() === name.toLowerCase())) {
      throw new MysqlError('UNKNOWN_COLUMN', { column: name, clause: 'partition function' });
    }
    if (primary.length > 0 && !primary.includes(name.toLowerCase())) {
      throw new MysqlError('PARTITION_KEY');
    }
  }
  return { ...partition, columns: names };
}

/** Existing rows get the column's default, or for NOT NULL without one the zero of its type. */
function addColumn(store: TenantStore, environment: Environment, table: Table, column: ColumnSpec): OkResult {
  if (table.column(column.name)) throw new MysqlError('DUPLICATE_COLUMN', { column: column.name });
  if (column.autoIncrement || column.primaryKey || column.unique)
    throw notUnderstood('ALTER TABLE … ADD of a key column');
  checkKeys([...table.definition.columns, column], table.definition.keys);
  const added = new Table({ ...table.definition, columns: [column] }).column(column.name);
  if (!added) throw new MysqlError('INTERNAL', { detail: `column ${column.name} got lost` });
  const { defaultValue } = column;
  let filling = 'NULL';
  if (defaultValue && defaultValue.kind !== 'null') {
    if (!isConstant(defaultValue)) throw notUnderstood('ALTER TABLE … ADD with a DEFAULT that is not constant');
    const context = new EmitContext(environment);
    filling = `(${storeAs(context, table, added, expressions(context, new Scope(), 'default').emit(defaultValue))})`;
    if (context.binds.length > 0 || /demo_/.test(filling)) throw notUnderstood('this DEFAULT in ALTER TABLE … ADD');
  } else if (column.notNull) {
    const numeric = ['int', 'year', 'decimal', 'double', 'float'].includes(added.type.kind);
    const text = ['char', 'varchar', 'text'].includes(added.type.kind);
    if (!numeric && !text) throw notUnderstood('ALTER TABLE … ADD of this NOT NULL column without a DEFAULT');
    filling = numeric ? '0' : "''";
  }
  store.addColumn(table, column, filling);
  return ok();
}
