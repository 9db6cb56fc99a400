import type { Expr } from '../translate/ast.ts';
import type { SqlValue } from '../translate/context.ts';
import { isMaximum } from '../translate/partition-condition.ts';
import { isInteger, isTemporal } from '../translate/sql-type.ts';
import { normalizeTemporal } from '../translate/temporal.ts';
import type { Column, Table } from './catalog.ts';

type Comparable = bigint | number | string | null;

/**
 * Index of the partition that a row belongs to, given the values of the partitioning columns: HASH, RANGE and LIST as
 * OceanBase's MySQL mode computes them. Null for KEY, whose hash the demo does not compute, and when no partition fits.
 */
export function partitionIndexOf(table: Table, values: readonly SqlValue[]): number | null {
  const { partition } = table.definition;
  if (!partition) return 0;
  const columns = partition.columns.map((name) => table.column(name));
  const keys = columns.map((column, index) => (column ? asComparable(column, values[index] ?? null) : undefined));
  if (keys.includes(undefined)) return null;
  const row = keys.map((key) => key ?? null);
  switch (partition.method) {
    case 'hash': {
      const [key] = row;
      if (key === null || key === undefined) return 0;
      if (typeof key !== 'bigint') return null;
      return Number((key < 0n ? -key : key) % BigInt(partition.count));
    }
    case 'range':
    case 'range columns': {
      const found = partition.partitions.findIndex(({ values: [bound = []] }) => isBelow(row, bound, columns));
      return found < 0 ? null : found;
    }
    case 'list':
    case 'list columns': {
      const found = partition.partitions.findIndex(({ values: rows }) =>
        rows.some((items) => items.every((item, index) => boundOf(item, columns[index]) === row[index])),
      );
      if (found >= 0) return found;
      const rest = partition.partitions.findIndex(({ values: rows }) =>
        rows.some(([item]) => item?.kind === 'default'),
      );
      return rest < 0 ? null : rest;
    }
    default:
      return null;
  }
}

function isBelow(
  row: readonly Comparable[],
  bound: readonly Expr[],
  columns: readonly (Column | undefined)[],
): boolean {
  for (const [index, expr] of bound.entries()) {
    if (isMaximum(expr)) return true;
    const value = row[index] ?? null;
    const limit = boundOf(expr, columns[index]) ?? null;
    if (value === null) return true;
    if (limit === null || value > limit) return false;
    if (value < limit) return true;
  }
  return false;
}

function boundOf(expr: Expr, column: Column | undefined): Comparable | undefined {
  if (!column) return undefined;
  if (expr.kind === 'number') return asComparable(column, BigInt(expr.text));
  if (expr.kind === 'string') return asComparable(column, expr.value);
  return expr.kind === 'null' ? null : undefined;
}

function asComparable({ type }: Column, value: SqlValue): Comparable | undefined {
  if (value === null) return null;
  if (isInteger(type)) {
    if (typeof value === 'bigint') return value;
    const number = Number(value);
    return Number.isInteger(number) ? BigInt(number) : undefined;
  }
  if (value instanceof Uint8Array) return undefined;
  if (isTemporal(type)) {
    const kind = type.kind === 'date' || type.kind === 'time' ? type.kind : 'datetime';
    return normalizeTemporal(kind, type.scale, String(value)) ?? undefined;
  }
  return typeof value === 'string' ? (type.binaryCollation ? value : value.toLowerCase()) : String(value);
}
