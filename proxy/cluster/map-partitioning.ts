/** From the rows of the proxy's partition views to a table's partitioning. No I/O. */
import { columnsOf, type Expression, parseExpression } from '../sql/expression.ts';
import { readBounds } from './bound-values.ts';
import { type ColumnRows, generatedColumn, insertRule } from './map-columns.ts';
import type { MetadataRow } from './metadata-connection.ts';
import type { KeyColumn, Partition, Partitioning, PartitionRule } from './partitioning.ts';

/** Columns as `orderColumns` has them, and defaults as `insertRule` takes them. */
export interface TableColumns {
  readonly columns: ColumnRows;
  readonly defaults: ReadonlyMap<string, string | null>;
}

/** V4's numbers. INTERVAL (7) is none of them: its partitions come by themselves. */
const KINDS: Readonly<Record<string, PartitionRule['kind']>> = {
  0: 'hash',
  1: 'key',
  2: 'key',
  3: 'range',
  4: 'range',
  5: 'list',
  6: 'list',
};
const KEY_IMPLICIT = '2';

/**
 * Null when the table is partitioned in a form that isn't known.
 * Throws MALFORMED_PACKET for bounds that can't be read.
 * @param info rows of __all_virtual_proxy_partition_info
 * @param parts rows of __all_virtual_proxy_partition, bounds in hexadecimal as `high_bound`
 * @param subParts rows of __all_virtual_proxy_sub_partition, likewise
 * @param table what is known of the table's columns; null: nothing
 */
export function mapPartitioning(
  info: readonly MetadataRow[],
  parts: readonly MetadataRow[],
  subParts: readonly MetadataRow[],
  table: TableColumns | null = null,
): Partitioning | null {
  const first = info[0];
  if (first === undefined) return null;
  const rule = mapRule(info, table, first.part_type, first.part_expr);
  const isTwoLevel = first.part_level === '2';
  const subRule = isTwoLevel ? mapRule(info, table, first.sub_part_type, first.sub_part_expr) : null;
  if (rule === null || (isTwoLevel && subRule === null)) return null;
  const partitions = mapPartitions(rule, parts, 'part_position', (row) =>
    subRule === null
      ? []
      : mapPartitions(
          subRule,
          subParts.filter((sub) => sub.part_id === row.part_id),
          'sub_part_position',
          () => [],
        ),
  );
  const isComplete = partitions.length === Number(first.part_num);
  return isComplete && partitions.every((partition) => isUsable(partition, isTwoLevel))
    ? { rule, subRule, partitions }
    : null;
}

const isUsable = (partition: Partition, isTwoLevel: boolean): boolean =>
  isTwoLevel ? partition.subPartitions.length > 0 : partition.tabletId !== '0';

/** @param expression as SQL; empty for KEY(), which takes the primary key */
function mapRule(
  info: readonly MetadataRow[],
  table: TableColumns | null,
  type: string | null | undefined,
  expression: string | null | undefined,
): PartitionRule | null {
  const kind = KINDS[type ?? ''];
  if (kind === undefined) return null;
  const isImplicit = type === KEY_IMPLICIT && (expression ?? '') === '';
  const key = isImplicit ? { names: primaryKey(info), expression: null } : readKey(expression ?? '');
  if (key === null || key.names.length === 0) return null;
  const columns = key.names.flatMap((name) => {
    const row = info.find((candidate) => candidate.part_key_name?.toLowerCase() === name);
    return row === undefined ? [] : [mapColumn(row, name, table)];
  });
  return columns.length === key.names.length ? { kind, columns, expression: key.expression } : null;
}

function readKey(text: string): { names: string[]; expression: Expression | null } | null {
  const names = columnNames(text);
  if (names !== null) return { names, expression: null };
  const expression = parseExpression(text);
  if (expression === null) return null;
  return { names: columnsOf(expression), expression: expression.kind === 'column' ? null : expression };
}

function primaryKey(info: readonly MetadataRow[]): string[] {
  const place = (row: MetadataRow) => Number(row.part_key_rowkey_idx);
  const rows = info.filter((row) => row.part_key_level === '1' && place(row) >= 0);
  return rows.sort((left, right) => place(left) - place(right)).map((row) => (row.part_key_name ?? '').toLowerCase());
}

/** Null when the expression is more than a list of columns. */
function columnNames(expression: string): string[] | null {
  const names: string[] = [];
  for (const [, quoted, bare] of expression.matchAll(
    /\s*(?:`((?:[^`]|``)+)`|([\w$\u0080-\uffff]+))\s*(?:,|$)|[\s\S]+/g,
  )) {
    const name = quoted?.replaceAll('``', '`') ?? bare;
    if (name === undefined) return null;
    names.push(name.toLowerCase());
  }
  return names;
}

function mapColumn(row: MetadataRow, name: string, table: TableColumns | null): KeyColumn {
  const insert = table === null ? undefined : insertRule(name, table.columns, table.defaults);
  const generated = table === null ? null : generatedColumn(row.part_key_extra ?? '', table.columns);
  return {
    name,
    type: Number(row.part_key_type),
    collation: Number(row.part_key_collation_type),
    length: Number(row.part_key_length),
    precision: Number(row.part_key_precision),
    scale: Number(row.part_key_scale),
    ...(insert === undefined ? {} : { insert }),
    ...(generated === null ? {} : { generated }),
  };
}

function mapPartitions(
  rule: PartitionRule,
  rows: readonly MetadataRow[],
  position: 'part_position' | 'sub_part_position',
  subPartitionsOf: (row: MetadataRow) => Partition[],
): Partition[] {
  const isHashed = rule.kind === 'hash' || rule.kind === 'key';
  const ordered = isHashed ? [...rows].sort((left, right) => Number(left[position]) - Number(right[position])) : rows;
  return ordered.map((row) => ({
    name: row.part_name ?? '',
    tabletId: row.tablet_id ?? '0',
    bounds: isHashed ? [] : readBounds(Buffer.from(row.high_bound ?? '', 'hex'), rule.kind === 'list'),
    subPartitions: subPartitionsOf(row),
  }));
}
