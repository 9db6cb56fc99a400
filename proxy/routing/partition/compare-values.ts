/** Order and equality of key values and bounds, by the column's type and collation. */
import type { BoundValue, KeyColumn } from '../../cluster/partitioning.ts';
import { upperCase } from './hash-values.ts';

const GENERAL_CI = 45;
const BINARY = 63;

/** Negative, 0 or positive. NULL is less than all values, 'max' greater. Undefined: of kinds that don't compare. */
export function compareValues(left: BoundValue, right: BoundValue, column: KeyColumn): number | undefined {
  if (left === 'max' || right === 'max') return left === right ? 0 : left === 'max' ? 1 : -1;
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
  if (typeof left === 'bigint' && typeof right === 'bigint') return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'bigint' || typeof right === 'bigint') return undefined;
  return column.collation === BINARY ? Buffer.compare(left, right) : compareTexts(left, right, column.collation);
}

/** The shorter text counts as filled with blanks. */
function compareTexts(left: Buffer, right: Buffer, collation: number): number {
  const fold = collation === GENERAL_CI ? upperCase : (byte: number) => byte;
  const length = Math.max(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const difference = fold(left[at] ?? 0x20) - fold(right[at] ?? 0x20);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Rows value by value; undefined when a pair doesn't compare. */
export function compareRows(
  left: readonly BoundValue[],
  right: readonly BoundValue[],
  columns: readonly KeyColumn[],
): number | undefined {
  for (const [index, column] of columns.entries()) {
    const a = left[index];
    const b = right[index];
    if (a === undefined || b === undefined) return undefined;
    const order = compareValues(a, b, column);
    if (order !== 0) return order;
  }
  return 0;
}
