import { type Column, isConstant, type Table } from '../engine/catalog.ts';
import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { Assignment, Delete, Expr, Insert, Update } from './ast.ts';
import { type EmitContext, quoteName, quoteText } from './context.ts';
import { emitSelect, expressions, sourceColumns } from './emit-select.ts';
import { Scope } from './scope.ts';
import { storeAs } from './store-as.ts';

/** INSERT and REPLACE in the engine's terms. */
export interface EmittedInsert {
  readonly table: Table;
  readonly mode: Insert['mode'];
  /** `INSERT INTO t (columns)`. */
  readonly head: string;
  /** One text per row of VALUES, or null for INSERT … SELECT. */
  readonly rows: readonly string[] | null;
  readonly source: string | null;
  readonly columns: readonly string[];
  /** Assignments of ON DUPLICATE KEY UPDATE with the condition that they change something; empty when there are none. */
  readonly onConflict: string;
}

export function emitInsert(context: EmitContext, insert: Insert): EmittedInsert {
  const table = context.storedTable(insert.table.database, insert.table.name);
  const named = insert.columns && insert.columns.length > 0 ? insert.columns : null;
  const listed = named ? named.map((name) => requireColumn(table, name)) : [...table.columns];
  for (const [index, column] of listed.entries()) {
    if (listed.indexOf(column) !== index) throw new MysqlError('BAD_FIELD_IN_SET', { column: column.name });
  }
  const omitted = table.columns.filter((column) => !listed.includes(column));
  const scope = new Scope();
  scope.add({ alias: table.name, columns: [] });
  const emitter = expressions(context, scope, 'field list');
  const all = [...listed, ...omitted];
  let rows: string[] | null = null;
  let source: string | null = null;
  if (insert.rows) {
    rows = insert.rows.map((row, index) => {
      const allDefaults = row.length === 0 && !named;
      if (row.length !== listed.length && !allDefaults)
        throw new MysqlError('TOO_MANY_TABLE_VALUES', { row: index + 1 });
      const values = all.map((column, position) => {
        const given = position < listed.length ? row[position] : undefined;
        return !given || given.kind === 'default'
          ? defaultOf(context, table, column)
          : storeAs(context, table, column, emitter.emit(given));
      });
      return `(${values.join(', ')})`;
    });
  } else if (insert.query) {
    const query = emitSelect(context, insert.query);
    if (query.columns.length !== listed.length) throw new MysqlError('TOO_MANY_TABLE_VALUES', { row: 1 });
    const names = query.columns.map((_, index) => `_c${index}`);
    const values = all.map((column, position) => {
      const name = names[position];
      const from = query.columns[position];
      if (name === undefined || !from) return defaultOf(context, table, column);
      const expr: Expr = { kind: 'column', database: '', table: '', name };
      return storeAs(context, table, column, { sql: name, type: from.type, expr });
    });
    source = `WITH _q(${names.join(', ')}) AS (${query.sql}) SELECT ${values.join(', ')} FROM _q WHERE true`;
    if (insert.onDuplicate.length > 0) throw notUnderstood('INSERT … SELECT … ON DUPLICATE KEY UPDATE');
  } else throw notUnderstood('an INSERT without values');
  const columns = all.map((column) => column.name);
  const head = `INSERT INTO ${quoteName(table.storeName)} AS ${quoteName(table.name)} (${columns.map(quoteName).join(', ')})`;
  return { table, mode: insert.mode, head, rows, source, columns, onConflict: emitOnDuplicate(context, table, insert) };
}

function requireColumn(table: Table, name: string): Column {
  const column = table.column(name);
  if (!column) throw new MysqlError('UNKNOWN_COLUMN', { column: name, clause: 'field list' });
  return column;
}

/** The value of a column that a row does not name. */
function defaultOf(context: EmitContext, table: Table, column: Column): string {
  const { spec } = column;
  if (spec.autoIncrement) return `demo_auto(${quoteText(context, table.storeName)}, NULL)`;
  if (spec.defaultValue === undefined || (spec.defaultValue.kind === 'null' && spec.notNull)) {
    if (column.type.kind === 'timestamp' && spec.notNull) return context.bind({ kind: 'fact', fact: 'now' });
    if (spec.notNull) throw new MysqlError('NO_DEFAULT', { column: column.name });
    return 'NULL';
  }
  if (!isConstant(spec.defaultValue) && spec.defaultValue.kind !== 'call')
    throw new MysqlError('INVALID_DEFAULT', { column: column.name });
  return storeAs(context, table, column, expressions(context, new Scope(), 'default').emit(spec.defaultValue));
}

function emitOnDuplicate(context: EmitContext, table: Table, insert: Insert): string {
  if (insert.onDuplicate.length === 0) return '';
  const scope = new Scope();
  scope.add({ alias: table.name, columns: sourceColumns(table, table.name) });
  scope.excluded = true;
  return emitAssignments(context, table, table.name, scope, insert.onDuplicate).text;
}

/** `a = x, b = y` and the condition that at least one of them differs from what is stored. */
function emitAssignments(
  context: EmitContext,
  table: Table,
  alias: string,
  scope: Scope,
  assignments: readonly Assignment[],
): { text: string; differs: string } {
  const emitter = expressions(context, scope, 'field list');
  const assigned = new Map<string, Expr>();
  const pairs: { name: string; sql: string; counts: boolean }[] = [];
  for (const { column: name, value } of assignments) {
    const column = requireColumn(table, name);
    // MySQL assigns from left to right: a later value sees what an earlier one has set.
    const expr = substitute(value, assigned);
    const sql =
      value.kind === 'default'
        ? defaultOf(context, table, column)
        : storeAs(context, table, column, emitter.emit(expr));
    assigned.set(column.name.toLowerCase(), expr);
    pairs.push({ name: column.name, sql, counts: true });
  }
  for (const column of table.columns) {
    if (column.spec.onUpdateNow && !assigned.has(column.name.toLowerCase())) {
      pairs.push({ name: column.name, sql: context.bind({ kind: 'fact', fact: 'now' }), counts: false });
    }
  }
  const differs = pairs
    .filter((pair) => pair.counts)
    .map(({ name, sql }) => `${quoteName(alias)}.${quoteName(name)} COLLATE BINARY IS NOT ${sql}`)
    .join(' OR ');
  const set = pairs.map(({ name, sql }) => `${quoteName(name)} = ${sql}`).join(', ');
  return { text: `SET ${set} WHERE ${differs}`, differs };
}

function substitute(expr: Expr, assigned: ReadonlyMap<string, Expr>): Expr {
  if (assigned.size === 0) return expr;
  if (expr.kind === 'column') return assigned.get(expr.name.toLowerCase()) ?? expr;
  if (expr.kind === 'binary')
    return { ...expr, left: substitute(expr.left, assigned), right: substitute(expr.right, assigned) };
  if (expr.kind === 'unary' || expr.kind === 'cast') return { ...expr, operand: substitute(expr.operand, assigned) };
  if (expr.kind === 'call') return { ...expr, args: expr.args.map((arg) => substitute(arg, assigned)) };
  if (mentions(expr, assigned)) throw notUnderstood('a SET value that uses a column set before it, in this form');
  return expr;
}

function mentions(expr: Expr, assigned: ReadonlyMap<string, Expr>): boolean {
  const names = new Set<string>();
  JSON.stringify(expr, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'column' && 'name' in value) {
      names.add(String(value.name).toLowerCase());
    }
    return typeof value === 'bigint' ? String(value) : value;
  });
  return [...names].some((name) => assigned.has(name));
}

/** UPDATE: a count of the rows that match, and the change of those that differ. */
export interface EmittedUpdate {
  readonly table: Table;
  readonly countSql: string;
  readonly sql: string;
}

export function emitUpdate(context: EmitContext, update: Update): EmittedUpdate {
  const table = context.storedTable(update.table.database, update.table.name);
  const alias = update.alias ?? update.table.name;
  const scope = new Scope();
  scope.add({ alias, columns: sourceColumns(table, alias) });
  const chosen = emitChoice(context, table, alias, scope, update);
  const { text, differs } = emitAssignments(context, table, alias, scope, update.assignments);
  const target = `${quoteName(table.storeName)} AS ${quoteName(alias)}`;
  const set = text.slice(0, text.length - ` WHERE ${differs}`.length);
  return {
    table,
    countSql: `SELECT count(*) FROM ${target} WHERE ${chosen}`,
    sql: `UPDATE ${target} ${set} WHERE (${chosen}) AND (${differs})`,
  };
}

export function emitDelete(context: EmitContext, statement: Delete): { table: Table; sql: string } {
  const table = context.storedTable(statement.table.database, statement.table.name);
  const alias = statement.alias ?? statement.table.name;
  const scope = new Scope();
  scope.add({ alias, columns: sourceColumns(table, alias) });
  const chosen = emitChoice(context, table, alias, scope, statement);
  return { table, sql: `DELETE FROM ${quoteName(table.storeName)} AS ${quoteName(alias)} WHERE ${chosen}` };
}

/** The rows that WHERE, ORDER BY and LIMIT choose, as one condition. */
function emitChoice(
  context: EmitContext,
  table: Table,
  alias: string,
  scope: Scope,
  choice: Pick<Update, 'where' | 'orderBy' | 'limit'>,
): string {
  const where = choice.where ? expressions(context, scope, 'where clause').condition(choice.where) : '1';
  if (!choice.limit) return where;
  const ordering = expressions(context, scope, 'order clause');
  const order = choice.orderBy.map(({ expr, descending }) => `${ordering.emit(expr).sql}${descending ? ' DESC' : ''}`);
  const limit = expressions(context, new Scope(), 'limit clause').emit(choice.limit.count).sql;
  const from = `${quoteName(table.storeName)} AS ${quoteName(alias)}`;
  return (
    `${quoteName(alias)}.rowid IN (SELECT ${quoteName(alias)}.rowid FROM ${from} WHERE ${where}` +
    `${order.length > 0 ? ` ORDER BY ${order.join(', ')}` : ''} LIMIT ${limit})`
  );
}
