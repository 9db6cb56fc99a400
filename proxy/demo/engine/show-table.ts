import type { Expr, PartitionSpec } from '../translate/ast.ts';
import type { SqlValue } from '../translate/context.ts';
import { type SqlType, typeText } from '../translate/sql-type.ts';
import type { Column, Table } from './catalog.ts';

/** How a key shows beside a column: PRI, UNI, MUL or nothing. */
export function keyMark(table: Table, name: string): string {
  const lower = name.toLowerCase();
  if (table.primaryKey.some((column) => column.toLowerCase() === lower)) return 'PRI';
  for (const key of table.definition.keys) {
    if (key.columns[0]?.toLowerCase() !== lower) continue;
    return key.kind === 'unique' && key.columns.length === 1 ? 'UNI' : 'MUL';
  }
  return '';
}

/** A default as DESCRIBE and information_schema show it. */
export function defaultText(expr: Expr | undefined): string | null {
  switch (expr?.kind) {
    case 'string':
    case 'temporal':
      return expr.value;
    case 'number':
      return expr.text;
    case 'bool':
      return expr.value ? '1' : '0';
    case 'call':
      return 'CURRENT_TIMESTAMP';
    default:
      return null;
  }
}

export function extraText({ spec }: Column): string {
  if (spec.autoIncrement) return 'auto_increment';
  return spec.onUpdateNow ? 'ON UPDATE CURRENT_TIMESTAMP' : '';
}

/** One row of DESCRIBE: Field, Type, Null, Key, Default, Extra. */
export function describeColumn(table: Table, column: Column): SqlValue[] {
  const { spec } = column;
  return [
    column.name,
    typeText(spec.type),
    spec.notNull ? 'NO' : 'YES',
    keyMark(table, column.name),
    defaultText(spec.defaultValue),
    extraText(column),
  ];
}

export function describeVirtual({ name, type }: { readonly name: string; readonly type: SqlType }): SqlValue[] {
  const text = type.kind === 'int' ? 'bigint(20)' : `${type.kind}(${type.length})`;
  return [name, text, 'NO', '', null, ''];
}

/** Rows of SHOW INDEX. */
export function keyRows(table: Table): SqlValue[][] {
  return table.definition.keys.flatMap((key) =>
    key.columns.map((name, index): SqlValue[] => [
      table.name,
      key.kind === 'key' ? 1n : 0n,
      key.name,
      BigInt(index + 1),
      name,
      'A',
      null,
      null,
      null,
      table.column(name)?.spec.notNull ? '' : 'YES',
      'BTREE',
      'available',
      '',
      'YES',
      null,
    ]),
  );
}

/** The statement that would make the table. */
export function showCreateTable(table: Table): string {
  const { keys, partition, comment, duplicate } = table.definition;
  const lines = table.columns.map((column) => `  ${columnLine(column)}`);
  for (const key of keys) {
    const columns = key.columns.map((name) => `\`${name}\``).join(', ');
    if (key.kind === 'primary') lines.push(`  PRIMARY KEY (${columns})`);
    else lines.push(`  ${key.kind === 'unique' ? 'UNIQUE ' : ''}KEY \`${key.name}\` (${columns})`);
  }
  const scope = duplicate ? " DUPLICATE_SCOPE = 'CLUSTER'" : '';
  const tail = `${comment === '' ? '' : ` COMMENT = ${quoted(comment)}`}${scope}`;
  return `CREATE TABLE \`${table.name}\` (\n${lines.join(',\n')}\n) DEFAULT CHARSET = utf8mb4${tail}${partition ? partitionText(partition) : ''}`;
}

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

function columnLine({ name, spec }: Column): string {
  const parts = [`\`${name}\``, typeText(spec.type)];
  if (spec.type.binaryCollation) parts.push('COLLATE utf8mb4_bin');
  if (spec.notNull) parts.push('NOT NULL');
  if (spec.autoIncrement) parts.push('AUTO_INCREMENT');
  const value = defaultText(spec.defaultValue);
  if (value !== null) parts.push(`DEFAULT ${spec.defaultValue?.kind === 'call' ? value : quoted(value)}`);
  else if (!spec.notNull) parts.push('DEFAULT NULL');
  if (spec.onUpdateNow) parts.push('ON UPDATE CURRENT_TIMESTAMP');
  if (spec.comment !== '') parts.push(`COMMENT ${quoted(spec.comment)}`);
  return parts.join(' ');
}

function partitionText({ method, columns, count, partitions }: PartitionSpec): string {
  const names = columns.map((name) => `\`${name}\``).join(', ');
  const head = `\n PARTITION BY ${method.toUpperCase()}(${names})`;
  if (method === 'hash' || method === 'key') return `${head} PARTITIONS ${count}`;
  const lines = partitions.map(({ name, bound }) => {
    if (method.startsWith('list')) return `PARTITION \`${name}\` VALUES IN (${bound})`;
    return `PARTITION \`${name}\` VALUES LESS THAN ${bound === 'MAXVALUE' && method === 'range' ? 'MAXVALUE' : `(${bound})`}`;
  });
  return `${head}\n(${lines.join(',\n')})`;
}
