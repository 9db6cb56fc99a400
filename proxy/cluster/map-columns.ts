/** From the rows of __all_virtual_column to the columns of one table, in the order in which they are written. No I/O. */
import { columnsOf, parseExpression } from '../sql/expression.ts';
import { readDefaultValue } from './bound-values.ts';
import type { MetadataRow } from './metadata-connection.ts';
import type { GeneratedColumn, InsertRule, KeyColumn } from './partitioning.ts';

/** Bits of column_flags: generated when read, generated when written. */
const GENERATED_FLAGS = 3;

/** A table's columns: by name in lower case, with their places. */
export type ColumnRows = ReadonlyMap<string, { readonly row: MetadataRow; readonly position: number }>;

/** prev_column_id of the first one. */
const NONE_BEFORE = '0';

/**
 * Null when the rows do not chain to one order – each names the column before it, hidden ones among them; a dropped one
 * names itself –, or when a column has other flags: INSERT may pass over it.
 */
export function orderColumns(rows: readonly MetadataRow[]): ColumnRows | null {
  const visible = rows.filter((row) => row.is_hidden === '0');
  const after = new Map(rows.map((row) => [row.prev_column_id, row]));
  const ordered = new Map<string, { row: MetadataRow; position: number }>();
  let row = after.get(NONE_BEFORE);
  for (let steps = 0; row !== undefined && steps < rows.length; steps += 1) {
    if (row.is_hidden === '0') {
      ordered.set((row.column_name ?? '').toLowerCase(), { row, position: ordered.size });
    }
    row = after.get(row.column_id);
  }
  const isPlain = visible.every(({ column_flags }) => Number(column_flags) <= GENERATED_FLAGS);
  return isPlain && ordered.size > 0 && ordered.size === visible.length ? ordered : null;
}

/** @param defaults hexadecimal, by the column's name in lower case */
export function insertRule(
  name: string,
  columns: ColumnRows,
  defaults: ReadonlyMap<string, string | null>,
): InsertRule | undefined {
  const found = columns.get(name);
  if (found === undefined) return undefined;
  const { row, position } = found;
  const isNullable = row.nullable === '1';
  const isAutoIncrement = row.autoincrement === '1';
  const hex = defaults.get(name) ?? null;
  const hasNone = isNullable && !isAutoIncrement && row.has_default === '0' && !isGenerated(row);
  const defaultValue = hex === null ? (hasNone ? null : undefined) : readDefaultValue(Buffer.from(hex, 'hex'));
  return { position, isNullable, isAutoIncrement, defaultValue };
}

const isGenerated = (row: MetadataRow): boolean => (Number(row.column_flags) & GENERATED_FLAGS) !== 0;

/** Null when it isn't generated, or from something that can't be read. @param text the expression as SQL */
export function generatedColumn(text: string, columns: ColumnRows): GeneratedColumn | null {
  const expression = text === '' ? null : parseExpression(text);
  if (expression === null) return null;
  const bases = columnsOf(expression).map((name) => baseColumn(name, columns));
  const known = bases.filter((base) => base !== null);
  return known.length === bases.length ? { expression, columns: known } : null;
}

function baseColumn(name: string, columns: ColumnRows): KeyColumn | null {
  const row = columns.get(name)?.row;
  if (row === undefined || isGenerated(row)) return null;
  const insert = insertRule(name, columns, new Map());
  return {
    name,
    type: Number(row.data_type),
    collation: Number(row.collation_type),
    length: Number(row.data_length),
    precision: Number(row.data_precision),
    scale: Number(row.data_scale),
    ...(insert === undefined ? {} : { insert }),
  };
}
