import type { Column, Table } from '../engine/catalog.ts';
import { notUnderstood } from '../mysql-error.ts';
import type { Expr } from './ast.ts';
import { quoteName } from './context.ts';
import { isMaximum } from './partition-condition.ts';
import { isBytes, isString } from './sql-type.ts';

/**
 * The engine's table for a MySQL table. What MySQL checks and SQLite does not is written as named CHECK constraints,
 * `<error>:<column>`, which `constraint-error.ts` turns back into MySQL's errors.
 */
export function emitCreateTable(table: Table): string[] {
  const [keyName, ...otherKeys] = table.primaryKey;
  const keyColumn = keyName === undefined ? undefined : table.column(keyName);
  const rowidKey = keyColumn?.type.kind === 'int' && otherKeys.length === 0 ? keyColumn : undefined;
  const parts = table.columns.map((column) => columnText(column, column === rowidKey));
  if (keyColumn && !rowidKey) parts.push(`PRIMARY KEY (${table.primaryKey.map(quoteName).join(', ')})`);
  const covered = partitionCoverage(table);
  if (covered !== null) parts.push(`CONSTRAINT "partition:" CHECK (${covered})`);
  return [
    `CREATE TABLE ${quoteName(table.storeName)} (${parts.join(', ')})`,
    ...table.definition.keys
      .filter((key) => key.kind !== 'primary')
      .map((key) => emitCreateIndex(table, key.name, key.columns, key.kind === 'unique')),
  ];
}

/** The condition that a row finds a partition; null when every row does. */
function partitionCoverage(table: Table): string | null {
  const { partition } = table.definition;
  if (!partition || partition.method === 'hash' || partition.method === 'key') return null;
  const names = partition.columns.map(quoteName);
  const bounds = partition.partitions.flatMap(({ values }) => values);
  const row = (values: readonly Expr[]): string => `(${values.map(boundLiteral).join(', ')})`;
  if (partition.method.startsWith('range')) {
    const last = bounds.at(-1) ?? [];
    if (last.some(isMaximum)) return null;
    return `${names[0]} IS NULL OR (${names.join(', ')}) < ${row(last)}`;
  }
  if (bounds.some((values) => values.some((value) => value.kind === 'default'))) return null;
  const options = bounds.map((values) =>
    values.map((value, index) => `${names[index]} IS ${boundLiteral(value)}`).join(' AND '),
  );
  return options.map((option) => `(${option})`).join(' OR ');
}

function boundLiteral(expr: Expr): string {
  if (expr.kind === 'number') return expr.text;
  if (expr.kind === 'string') return `'${expr.value.replaceAll("'", "''")}'`;
  if (expr.kind === 'null') return 'NULL';
  throw notUnderstood('a partition bound that is not a plain value');
}

export function indexName(table: Table, key: string): string {
  return `${table.storeName}/${key.toLowerCase()}`;
}

export function emitCreateIndex(table: Table, key: string, columns: readonly string[], unique: boolean): string {
  const names = columns.map(quoteName).join(', ');
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoteName(indexName(table, key))} ON ${quoteName(table.storeName)} (${names})`;
}

/** One column with its checks. */
export function columnText(column: Column, rowidKey: boolean): string {
  const { name, type, spec } = column;
  const quoted = quoteName(name);
  const checks: string[] = [];
  const check = (error: string, condition: string): void => {
    checks.push(`CONSTRAINT ${quoteName(`${error}:${name}`)} CHECK (${condition})`);
  };
  let storage = 'TEXT';
  if (type.kind === 'int' || type.kind === 'year') {
    storage = 'INTEGER';
    const [low, high] = integerRange(column);
    check('range', `typeof(${quoted}) <> 'real' AND ${quoted} BETWEEN ${low} AND ${high}`);
  } else if (type.kind === 'decimal' || type.kind === 'double' || type.kind === 'float') {
    storage = 'REAL';
    const limit = type.kind === 'decimal' ? `abs(${quoted}) < 1e${type.length - type.scale}` : '1';
    check('range', type.unsigned ? `${limit} AND ${quoted} >= 0` : limit);
  } else if (isBytes(type)) {
    storage = 'BLOB';
    check('long', `length(${quoted}) <= ${type.length}`);
  } else if (isString(type)) {
    storage = type.binaryCollation ? 'TEXT' : 'TEXT COLLATE NOCASE';
    if (spec.type.name === 'enum') {
      check('enum', `${quoted} IN (${spec.type.values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')})`);
    } else if (type.kind === 'text') check('long', `octet_length(${quoted}) <= ${type.length}`);
    else check('long', `length(${quoted}) <= ${type.length}`);
  }
  if (type.kind === 'binary') throw notUnderstood('BINARY columns (write VARBINARY)');
  const key = rowidKey ? ' PRIMARY KEY' : '';
  return `${quoted} ${storage}${key}${spec.notNull ? ' NOT NULL' : ''}${checks.length > 0 ? ` ${checks.join(' ')}` : ''}`;
}

function integerRange({ type }: Column): readonly [low: string, high: string] {
  if (type.kind === 'year') return ['0', '2155'];
  // The engine's integers have 63 bits and a sign: the upper half of BIGINT UNSIGNED is out of its range.
  if (type.bits === 64) return [type.unsigned ? '0' : '-9223372036854775808', '9223372036854775807'];
  const size = 2n ** BigInt(type.bits);
  return type.unsigned ? ['0', String(size - 1n)] : [String(-size / 2n), String(size / 2n - 1n)];
}
