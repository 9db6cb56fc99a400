/** From the conditions on a key to the one partition that all rows they admit are in. */
import type { BoundValue, KeyColumn, Partition, Partitioning, PartitionRule } from '../../cluster/partitioning.ts';
import type { Expression } from '../../sql/expression.ts';
import { compareRows, compareValues } from './compare-values.ts';
import { evaluateInteger, isGrowing } from './evaluate-expression.ts';
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
 * @param named the only one to look in, in lower case; null: the statement names none
 * @param rangeOf by the column's name in lower case; undefined: nothing is known of it
 */
export function findPartition(
  { rule, subRule, partitions }: Partitioning,
  named: string | null,
  rangeOf: (name: string) => ColumnRange | undefined,
): Partition | null {
  const inside = (partition: Partition): Partition | null =>
    subRule === null ? partition : choose(subRule, partition.subPartitions, rangeOf);
  if (named === null) {
    const partition = choose(rule, partitions, rangeOf);
    return partition === null ? null : inside(partition);
  }
  for (const partition of partitions) {
    if (partition.name.toLowerCase() === named) return inside(partition);
    const found = partition.subPartitions.find(({ name }) => name.toLowerCase() === named);
    if (found !== undefined) return found;
  }
  return null;
}

function choose(
  rule: PartitionRule,
  partitions: readonly Partition[],
  rangeOf: (name: string) => ColumnRange | undefined,
): Partition | null {
  const { columns, kind, expression } = rule;
  if (!columns.every(isSupported)) return null;
  if (expression !== null) {
    const result: ColumnRange = rangeOfExpression(expression, columns, rangeOf);
    return choose({ kind, columns: [RESULT], expression: null }, partitions, () => result);
  }
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
      return isWhole ? findInRanges(values, columns, partitions) : findOneRange(ranges, columns, partitions);
  }
}

/** What an expression comes to is compared as a BIGINT. */
const RESULT: KeyColumn = { name: '', type: 5, collation: 63, length: -1, precision: 20, scale: 0 };

function rangeOfExpression(
  expression: Expression,
  columns: readonly KeyColumn[],
  rangeOf: (name: string) => ColumnRange | undefined,
): ColumnRange {
  const evaluate = (limit: keyof ColumnRange): KeyValue | undefined =>
    evaluateInteger(expression, (name) => {
      const column = columns.find((candidate) => candidate.name === name);
      const value = rangeOf(name)?.[limit];
      return column === undefined || value === undefined ? undefined : { column, value };
    });
  const value = evaluate('value');
  if (value !== undefined || columns.length > 1 || !isGrowing(expression)) return known({ value });
  return known({ low: evaluate('low'), high: evaluate('high') });
}

const known = ({ value, low, high }: { [Limit in keyof ColumnRange]: KeyValue | undefined }): ColumnRange => ({
  ...(value === undefined ? {} : { value }),
  ...(low === undefined ? {} : { low }),
  ...(high === undefined ? {} : { high }),
});

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
  values: readonly BoundValue[],
  columns: readonly KeyColumn[],
  partitions: readonly Partition[],
): Partition | null {
  let best: Partition | null = null;
  for (const partition of partitions) {
    const bound = partition.bounds[0];
    if (bound === undefined) return null;
    const order = compareRows(values, bound, columns);
    if (order === undefined) return null;
    // No value reaches MAXVALUE, whatever it is.
    if (order > 0 || (order === 0 && !values.includes('max'))) continue;
    const againstBest = best === null ? -1 : compareRows(bound, best.bounds[0] ?? [], columns);
    if (againstBest === undefined) return null;
    if (againstBest < 0) best = partition;
  }
  return best;
}

/** Limits that both fall into the same partition; so does all between them then. */
function findOneRange(
  ranges: readonly ColumnRange[],
  columns: readonly KeyColumn[],
  partitions: readonly Partition[],
): Partition | null {
  // Values of the first columns, limits of the next one; the columns behind it may have any value.
  const first = ranges.findIndex(({ value }) => value === undefined);
  const fixed = first < 0 ? ranges : ranges.slice(0, first);
  const { low, high } = ranges[fixed.length] ?? {};
  const column = columns[fixed.length];
  if (column === undefined || (fixed.length === 0 && low === undefined && high === undefined)) return null;
  if (low !== undefined && high !== undefined && (compareValues(low, high, column) ?? 1) > 0) return null;
  const row = (limit: BoundValue, rest: BoundValue): BoundValue[] =>
    columns.map((_, at) => (at < fixed.length ? (fixed[at]?.value ?? null) : at === fixed.length ? limit : rest));
  const bottom = findInRanges(row(low ?? null, null), columns, partitions);
  const top = findInRanges(row(high ?? 'max', 'max'), columns, partitions);
  return top !== null && top === bottom ? top : null;
}
