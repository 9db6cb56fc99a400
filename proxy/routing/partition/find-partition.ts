/** From the conditions on a key to the one partition that all rows they admit are in. */
import type { KeyColumn, Partition, Partitioning, PartitionRule } from '../../cluster/partitioning.ts';
import { compareRows, compareValues } from './compare-values.ts';
import { hashIndex, keyIndex } from './hash-values.ts';
import { isSupported, type KeyValue } from './key-value.ts';

/** What is known of one column: its value, or limits that it keeps (both included). */
export interface ColumnRange {
  readonly value?: KeyValue;
  readonly low?: KeyValue;
  readonly high?: KeyValue;
}

/**
 * Null when it can't be said for certain, or when no partition takes the row.
 * @param rangeOf by the column's name in lower case; undefined: nothing is known of it
 */
export function findPartition(
  { rule, subRule, partitions }: Partitioning,
  rangeOf: (name: string) => ColumnRange | undefined,
): Partition | null {
  const partition = choose(rule, partitions, rangeOf);
  if (partition === null || subRule === null) return partition;
  return choose(subRule, partition.subPartitions, rangeOf);
}

function choose(
  rule: PartitionRule,
  partitions: readonly Partition[],
  rangeOf: (name: string) => ColumnRange | undefined,
): Partition | null {
  const { columns, kind } = rule;
  if (!columns.every(isSupported)) return null;
  const ranges: ColumnRange[] = [];
  for (const { name } of columns) {
    const range = rangeOf(name);
    if (range === undefined) break;
    ranges.push(range);
  }
  const values = ranges.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const isWhole = values.length === columns.length;
  switch (kind) {
    case 'hash':
      return isWhole && values[0] !== undefined ? at(partitions, hashIndex(values[0], partitions.length)) : null;
    case 'key':
      return isWhole ? at(partitions, keyIndex(values, columns, partitions.length)) : null;
    case 'list':
      return isWhole ? findInLists(values, columns, partitions) : null;
    default:
      return isWhole ? findInRanges(values, columns, partitions) : findOneRange(ranges[0], columns, partitions);
  }
}

const at = (partitions: readonly Partition[], index: number | null): Partition | null =>
  index === null ? null : (partitions[index] ?? null);

function findInLists(
  values: readonly KeyValue[],
  columns: readonly KeyColumn[],
  partitions: readonly Partition[],
): Partition | null {
  let others: Partition | null = null;
  for (const partition of partitions) {
    for (const row of partition.bounds) {
      if (row[0] === 'max') others = partition;
      else {
        const order = compareRows(values, row, columns);
        if (order === undefined) return null;
        if (order === 0) return partition;
      }
    }
  }
  return others;
}

/** The partition with the least bound above the values: the rows need not come in order. */
function findInRanges(
  values: readonly KeyValue[],
  columns: readonly KeyColumn[],
  partitions: readonly Partition[],
): Partition | null {
  let best: Partition | null = null;
  for (const partition of partitions) {
    const bound = partition.bounds[0];
    if (bound === undefined) return null;
    const order = compareRows(values, bound, columns);
    if (order === undefined) return null;
    if (order >= 0) continue;
    const againstBest = best === null ? -1 : compareRows(bound, best.bounds[0] ?? [], columns);
    if (againstBest === undefined) return null;
    if (againstBest < 0) best = partition;
  }
  return best;
}

/** Limits of a single column that both fall into the same partition; so does all between them then. */
function findOneRange(
  range: ColumnRange | undefined,
  columns: readonly KeyColumn[],
  partitions: readonly Partition[],
): Partition | null {
  const [column] = columns;
  if (range === undefined || column === undefined || columns.length > 1) return null;
  const { low, high } = range;
  if (high === undefined) return null;
  const top = findInRanges([high], columns, partitions);
  // Without a lower limit there is still the one below which no bound lies.
  const bottom = findInRanges([low ?? null], columns, partitions);
  const isOrdered = low === undefined || low === null || (compareValues(low, high, column) ?? 1) <= 0;
  return top !== null && top === bottom && isOrdered ? top : null;
}
