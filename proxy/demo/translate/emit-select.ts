import type { Table } from '../engine/catalog.ts';
import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { Expr, OrderItem, Select, SelectCore, SelectItem, TableRef } from './ast.ts';
import { type EmitContext, isVirtual, quoteName, type VirtualTable } from './context.ts';
import { type Emitted, sortCollation } from './conversion.ts';
import { isAggregate } from './emit-call.ts';
import { ExpressionEmitter } from './emit-expression.ts';
import { partitionCondition } from './partition-condition.ts';
import { type Origin, Scope, type SourceColumn } from './scope.ts';
import { BIGINT, commonType, isBytes, LONG_TEXT, type SqlType } from './sql-type.ts';

/** One column of a translated query. */
interface OutputColumn {
  readonly label: string;
  readonly type: SqlType;
  readonly origin: Origin | null;
  readonly sql: string;
}

export interface EmittedQuery {
  readonly sql: string;
  readonly columns: readonly OutputColumn[];
}

/** Translates a whole query; `parent` is the scope of the query around it. */
export function emitSelect(context: EmitContext, query: Select, parent: Scope | null = null): EmittedQuery {
  const distinctUnion = query.unions.includes('union');
  const single = query.cores.length === 1;
  const parts = query.cores.map((core) => emitCore(context, core, parent, distinctUnion));
  const [first] = parts;
  if (!first) throw notUnderstood('an empty SELECT');
  for (const part of parts) if (part.columns.length !== first.columns.length) throw new MysqlError('UNION_COLUMNS');
  const columns = single ? first.columns : unionColumns(parts.map((part) => part.columns));
  let sql = parts[0]?.sql ?? '';
  query.unions.forEach((union, index) => {
    sql += ` ${union.toUpperCase()} ${parts[index + 1]?.sql ?? ''}`;
  });
  const order = query.orderBy.map((item) => emitOrder(item, columns, single ? first.ordering : null));
  if (order.length > 0) sql += ` ORDER BY ${order.join(', ')}`;
  if (query.limit) {
    const { count, offset } = query.limit;
    const emitter = expressions(context, new Scope(), 'limit clause');
    sql += ` LIMIT ${emitter.emit(count).sql}${offset ? ` OFFSET ${emitter.emit(offset).sql}` : ''}`;
  }
  return { sql, columns };
}

function unionColumns(parts: readonly (readonly OutputColumn[])[]): OutputColumn[] {
  const [first = []] = parts;
  return first.map((column, index) => ({
    ...column,
    origin: null,
    type: parts.map((part) => part[index]?.type ?? column.type).reduce(commonType),
  }));
}

/** Expressions of one place of a query, with sub-queries translated by `emitSelect`. */
export function expressions(
  context: EmitContext,
  scope: Scope,
  clause: string,
  aliases?: ReadonlyMap<string, Emitted>,
): ExpressionEmitter {
  return new ExpressionEmitter(
    context,
    scope,
    clause,
    (query, around) => {
      const { sql, columns } = emitSelect(context, query, around);
      return { sql, types: columns.map((column) => column.type) };
    },
    aliases,
  );
}

interface EmittedCore extends EmittedQuery {
  readonly ordering: ExpressionEmitter;
}

function emitCore(context: EmitContext, core: SelectCore, parent: Scope | null, distinctUnion: boolean): EmittedCore {
  const scope = new Scope(parent);
  const conditions: string[] = [];
  const from = core.from ? emitTableRef(context, scope, core.from, conditions) : '';
  const fields = expressions(context, scope, 'field list');
  const columns: OutputColumn[] = [];
  const aliases = new Map<string, Emitted>();
  for (const item of core.items) {
    if ('star' in item) columns.push(...expandStar(scope, item.table));
    else {
      const emitted = fields.emit(item.expr);
      const named = labelOf(item);
      columns.push({
        label: item.alias ?? named,
        type: emitted.type,
        origin: originOf(scope, item.expr),
        sql: emitted.sql,
      });
      if (item.alias !== null) aliases.set(item.alias.toLowerCase(), emitted);
    }
  }
  if (columns.length === 0) throw new MysqlError('SYNTAX', { near: "'' at line 1" });
  const distinct = core.distinct || distinctUnion;
  const list = columns.map(
    ({ sql, label, type }) => `${sql}${distinct ? sortCollation(type) : ''} AS ${quoteName(label)}`,
  );
  let sql = `SELECT ${core.distinct ? 'DISTINCT ' : ''}${list.join(', ')}`;
  if (from) sql += ` FROM ${from}`;
  if (core.where) conditions.push(expressions(context, scope, 'where clause').condition(core.where));
  if (conditions.length > 0) sql += ` WHERE ${conditions.join(' AND ')}`;
  if (core.groupBy.length > 0) {
    const grouping = core.groupBy.map(({ expr }) => emitGroup(context, scope, expr, columns, aliases));
    sql += ` GROUP BY ${grouping.join(', ')}`;
  }
  if (core.having) {
    if (
      core.groupBy.length === 0 &&
      !core.items.some((item) => 'expr' in item && hasAggregate(item.expr)) &&
      !hasAggregate(core.having)
    ) {
      throw notUnderstood('HAVING without GROUP BY or an aggregate');
    }
    sql += ` HAVING ${expressions(context, scope, 'having clause', aliases).condition(core.having)}`;
  }
  return { sql, columns, ordering: expressions(context, scope, 'order clause', aliases) };
}

/** Longest label that is made from an expression's text. */
const MAX_LABEL = 255;

/** MySQL's label of a column without an alias: its name, the content of a string, NULL, else the text as written. */
function labelOf({ expr, text }: SelectItem): string {
  if (expr.kind === 'column') return expr.name;
  if (expr.kind === 'string') return expr.value.slice(0, MAX_LABEL);
  return expr.kind === 'null' ? 'NULL' : text.slice(0, MAX_LABEL);
}

function hasAggregate(expr: Expr): boolean {
  if (expr.kind === 'call') return isAggregate(expr.name) || expr.args.some(hasAggregate);
  if (expr.kind === 'binary') return hasAggregate(expr.left) || hasAggregate(expr.right);
  if (expr.kind === 'unary' || expr.kind === 'cast' || expr.kind === 'is' || expr.kind === 'between')
    return hasAggregate(expr.operand);
  return false;
}

function emitGroup(
  context: EmitContext,
  scope: Scope,
  expr: Expr,
  columns: readonly OutputColumn[],
  aliases: ReadonlyMap<string, Emitted>,
): string {
  const position = expr.kind === 'number' ? columns[Number(expr.text) - 1] : undefined;
  if (expr.kind === 'number') {
    if (!position) throw new MysqlError('UNKNOWN_COLUMN', { column: expr.text, clause: 'group statement' });
    return `${position.sql}${sortCollation(position.type)}`;
  }
  // GROUP BY looks for a column first and for an alias only then.
  const column = expr.kind === 'column' ? scope.find(expr.table, expr.name, 'group statement') : null;
  const emitted = expressions(context, scope, 'group statement', column ? undefined : aliases).emit(expr);
  return `${emitted.sql}${sortCollation(emitted.type)}`;
}

function emitOrder(item: OrderItem, columns: readonly OutputColumn[], ordering: ExpressionEmitter | null): string {
  const direction = item.descending ? ' DESC' : '';
  if (item.expr.kind === 'number') {
    const position = Number(item.expr.text);
    const column = columns[position - 1];
    if (!column) throw new MysqlError('UNKNOWN_COLUMN', { column: item.expr.text, clause: 'order clause' });
    return `${position}${sortCollation(column.type)}${direction}`;
  }
  if (ordering) {
    const emitted = ordering.emit(item.expr);
    return `${emitted.sql}${sortCollation(emitted.type)}${direction}`;
  }
  const { expr } = item;
  const index =
    expr.kind === 'column' ? columns.findIndex((column) => column.label.toLowerCase() === expr.name.toLowerCase()) : -1;
  const column = columns[index];
  if (!column) throw notUnderstood('ORDER BY of a UNION by other than a column of its first SELECT');
  return `${index + 1}${sortCollation(column.type)}${direction}`;
}

function originOf(scope: Scope, expr: Expr): Origin | null {
  return expr.kind === 'column' ? (scope.find(expr.table, expr.name, 'field list')?.column.origin ?? null) : null;
}

function expandStar(scope: Scope, table: string): OutputColumn[] {
  const sources = scope.sources.filter(({ alias }) => table === '' || alias.toLowerCase() === table.toLowerCase());
  if (sources.length === 0) {
    if (table !== '') throw new MysqlError('UNKNOWN_TABLE', { table });
    throw new MysqlError('SYNTAX', { near: "'*' at line 1" });
  }
  const seen = new Set<string>();
  const columns: OutputColumn[] = [];
  for (const source of sources) {
    for (const column of source.columns) {
      const lower = column.name.toLowerCase();
      if (scope.shared.has(lower) && seen.has(lower) && table === '') continue;
      seen.add(lower);
      const sql = `${quoteName(source.alias)}.${quoteName(column.name)}`;
      columns.push({ label: column.name, type: column.type, origin: column.origin, sql });
    }
  }
  if (table === '' && scope.shared.size > 0) {
    columns.sort(
      (a, b) => Number(scope.shared.has(b.label.toLowerCase())) - Number(scope.shared.has(a.label.toLowerCase())),
    );
  }
  return columns;
}

function emitTableRef(context: EmitContext, scope: Scope, ref: TableRef, conditions: string[]): string {
  switch (ref.kind) {
    case 'table': {
      const table = context.table(ref.database, ref.name);
      const alias = ref.alias ?? ref.name;
      scope.add({ alias, columns: sourceColumns(table, alias) });
      if (isVirtual(table)) return `${virtualRows(context, table)} AS ${quoteName(alias)}`;
      if (ref.partitions.length > 0) conditions.push(partitionCondition(context, table, alias, ref.partitions));
      return `${quoteName(table.storeName)} AS ${quoteName(alias)}`;
    }
    case 'derived': {
      const { sql, columns } = emitSelect(context, ref.query, scope.parent);
      const names = columns.map(({ label, type }): SourceColumn => ({ name: label, type, origin: null }));
      for (const [index, { name }] of names.entries()) {
        if (names.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) !== index) {
          throw new MysqlError('DUPLICATE_COLUMN', { column: name });
        }
      }
      scope.add({ alias: ref.alias, columns: names });
      return `(${sql}) AS ${quoteName(ref.alias)}`;
    }
    case 'rows':
      return demoRows(context, scope, ref);
    case 'join':
      return emitJoin(context, scope, ref, conditions);
  }
}

function emitJoin(
  context: EmitContext,
  scope: Scope,
  ref: Extract<TableRef, { kind: 'join' }>,
  conditions: string[],
): string {
  const left = emitTableRef(context, scope, ref.left, conditions);
  const leftCount = scope.sources.length;
  const right = emitTableRef(context, scope, ref.right, conditions);
  const word = ref.type === 'inner' ? 'JOIN' : `${ref.type.toUpperCase()} JOIN`;
  const operand = ref.right.kind === 'join' ? `(${right})` : right;
  if (ref.using.length > 0) {
    if (ref.type === 'right') throw notUnderstood('RIGHT JOIN … USING');
    const leftSide = new Scope();
    leftSide.sources.push(...scope.sources.slice(0, leftCount));
    for (const name of ref.using) leftSide.shared.add(name.toLowerCase());
    const rightSide = new Scope();
    rightSide.sources.push(...scope.sources.slice(leftCount));
    const on = ref.using.map((name) => {
      scope.shared.add(name.toLowerCase());
      return `${leftSide.resolve('', name, 'from clause').sql} = ${rightSide.resolve('', name, 'from clause').sql}`;
    });
    return `${left} ${word} ${operand} ON ${on.join(' AND ')}`;
  }
  const on = ref.on ? ` ON ${expressions(context, scope, 'on clause').condition(ref.on)}` : '';
  return `${left} ${word} ${operand}${on}`;
}

const FLAG = {
  NOT_NULL: 1,
  PRIMARY: 2,
  UNIQUE: 4,
  MULTIPLE: 8,
  AUTO_INCREMENT: 512,
  NO_DEFAULT: 4096,
  PART_KEY: 16384,
};

/** A table's columns with the flags that result metadata show (as a genuine kernel sets them). */
export function sourceColumns(table: Table | VirtualTable, alias: string): SourceColumn[] {
  if (isVirtual(table)) {
    return table.columns.map(({ name, type }) => ({
      name,
      type,
      origin: { database: table.database, table: alias, originalTable: table.name, column: name, flags: 0 },
    }));
  }
  return table.columns.map(({ name, type, spec }) => {
    const primary = table.primaryKey.some((key) => key.toLowerCase() === name.toLowerCase());
    const flags =
      (spec.notNull || primary ? FLAG.NOT_NULL : 0) |
      (primary ? FLAG.PRIMARY | FLAG.PART_KEY : 0) |
      (spec.autoIncrement ? FLAG.AUTO_INCREMENT : 0);
    return {
      name,
      type,
      origin: { database: table.database, table: alias, originalTable: table.name, column: name, flags },
    };
  });
}

/** Rows of a virtual table come in as one JSON text, an array of arrays; bytes are written as hex digits in it. */
function virtualRows(context: EmitContext, table: VirtualTable): string {
  context.volatile = true;
  const place = context.bind({ kind: 'virtual', table });
  const columns = table.columns.map(({ name, type }, index) => {
    const value = `value ->> ${index}`;
    return `${isBytes(type) ? `unhex(${value})` : value} AS ${quoteName(name)}`;
  });
  return `(SELECT ${columns.join(', ')} FROM json_each(${place}))`;
}

/**
 * `demo_rows(n, bytes)`: n rows (id, payload) made while they are read, for results of any size in constant memory.
 */
function demoRows(context: EmitContext, scope: Scope, ref: Extract<TableRef, { kind: 'rows' }>): string {
  const emitter = expressions(context, new Scope(), 'from clause');
  const count = emitter.emit(ref.count).sql;
  const bytes = emitter.emit(ref.bytes).sql;
  scope.add({
    alias: ref.alias,
    columns: [
      { name: 'id', type: BIGINT, origin: null },
      { name: 'payload', type: LONG_TEXT, origin: null },
    ],
  });
  const numbers = `WITH RECURSIVE _n(id) AS (SELECT 1 WHERE ${count} > 0 UNION ALL SELECT id + 1 FROM _n WHERE id < ${count})`;
  return `(${numbers} SELECT id, demo_payload(id, ${bytes}) AS payload FROM _n) AS ${quoteName(ref.alias)}`;
}
