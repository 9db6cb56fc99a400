/** From what a statement says of the key's columns to the partition that it needs. */
import type { KeyColumn, Partition, Partitioning } from '../../cluster/partitioning.ts';
import type { KeyConditions, KeyTerm } from '../../sql/key-conditions.ts';
import type { KeyOperand } from '../../sql/key-operand.ts';
import { type ColumnRange, findPartition } from './find-partition.ts';
import { type Constant, isInteger, type KeyValue, keyValue, valueBefore } from './key-value.ts';

/** The value of a parameter or a user variable; undefined: not known. */
export type OperandResolver = (operand: KeyOperand) => Constant | undefined;

/** The columns of a partitioning's key, each once. */
export function keyColumnsOf({ rule, subRule }: Partitioning): readonly KeyColumn[] {
  const all = [...rule.columns, ...(subRule?.columns ?? [])];
  return all.filter((column, index) => all.findIndex(({ name }) => name === column.name) === index);
}

/**
 * The one partition that a statement needs; null when there may be others, or nothing certain is known.
 * @param columns those that the conditions number, from `keyColumnsOf`
 */
export function partitionFor(
  partitioning: Partitioning,
  columns: readonly KeyColumn[],
  conditions: KeyConditions,
  resolve: OperandResolver,
): Partition | null {
  const rangeOfColumn = (name: string): ColumnRange | undefined => {
    const index = columns.findIndex((column) => column.name === name);
    const column = columns[index];
    if (column === undefined) return undefined;
    const terms = conditions.terms.filter((term) => term.column === index);
    return conditions.source === 'values' ? insertedValue(column, terms, resolve) : rangeOf(column, terms, resolve);
  };
  return findPartition(partitioning, conditions.partition, rangeOfColumn);
}

function insertedValue(
  column: KeyColumn,
  terms: readonly KeyTerm[],
  resolve: OperandResolver,
): ColumnRange | undefined {
  const [term] = terms;
  if (term === undefined || terms.length > 1) return undefined;
  const value = termValue(term, column, resolve);
  // AUTO_INCREMENT, of which the proxy isn't told, makes a number of its own from these.
  if (value === undefined || (isInteger(column.type) && (value === null || value === 0n))) return undefined;
  return { value };
}

function rangeOf(column: KeyColumn, terms: readonly KeyTerm[], resolve: OperandResolver): ColumnRange | undefined {
  let equal: KeyValue | undefined;
  let low: KeyValue | undefined;
  let high: KeyValue | undefined;
  for (const term of terms) {
    const value = termValue(term, column, resolve);
    // A comparison with NULL is never true.
    if (value === undefined || (value === null && term.operator !== '<=>')) continue;
    switch (term.operator) {
      case '=':
      case '<=>':
        // Two different values: no row at all, and no partition better than another.
        if (equal !== undefined && !isSame(equal, value)) return undefined;
        equal = value;
        break;
      case '<':
        // Of texts and the like the limit itself is taken along: a little more than needed.
        high ??= valueBefore(value, column) ?? value;
        break;
      case '<=':
        high ??= value;
        break;
      case '>':
        low ??= typeof value === 'bigint' && isInteger(column.type) ? value + 1n : value;
        break;
      default:
        low ??= value;
    }
  }
  if (equal !== undefined) return { value: equal };
  if (low === undefined && high === undefined) return undefined;
  if (low !== undefined && high !== undefined && isSame(low, high)) return { value: low };
  return { ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) };
}

function termValue(term: KeyTerm, column: KeyColumn, resolve: OperandResolver): KeyValue | undefined {
  const constant = resolve(term.operand);
  return constant === undefined ? undefined : keyValue(constant, column);
}

const isSame = (left: KeyValue, right: KeyValue): boolean =>
  Buffer.isBuffer(left) && Buffer.isBuffer(right) ? left.equals(right) : left === right;
