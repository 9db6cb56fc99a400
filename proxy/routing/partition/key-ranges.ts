/** From what a statement says of the key's columns to the partition that it needs. */
import type { KeyColumn, Partition, Partitioning } from '../../cluster/partitioning.ts';
import type { KeyConditions, KeyTerm } from '../../sql/key-conditions.ts';
import type { KeyOperand } from '../../sql/key-operand.ts';
import { type ColumnRange, findPartition } from './find-partition.ts';
import { generatedValue } from './generated-value.ts';
import { type Constant, isInteger, type KeyValue, keyValue, valueBefore } from './key-value.ts';

/** The value of a parameter or a user variable; undefined: not known. */
export type OperandResolver = (operand: Exclude<KeyOperand, { readonly kind: 'default' }>) => Constant | undefined;

/** The columns of a partitioning's key and those that they are generated from, each once. */
export function keyColumnsOf({ rule, subRule }: Partitioning): readonly KeyColumn[] {
  const keys = [...rule.columns, ...(subRule?.columns ?? [])];
  const all = [...keys, ...keys.flatMap(({ generated }) => generated?.columns ?? [])];
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
    const isInsert = conditions.source === 'values';
    const own = isInsert ? insertedValue(column, terms, resolve) : rangeOf(column, terms, resolve);
    if (own?.value !== undefined || !column.generated) return own;
    const value = generatedValue(column, column.generated, (base) => rangeOfColumn(base.name)?.value);
    return value === undefined ? own : { value };
  };
  return findPartition(partitioning, conditions.partition, rangeOfColumn);
}

function insertedValue(
  column: KeyColumn,
  terms: readonly KeyTerm[],
  resolve: OperandResolver,
): ColumnRange | undefined {
  const [term] = terms;
  const { insert } = column;
  if (term === undefined || terms.length > 1) return undefined;
  const value = term.operand.kind === 'default' ? insert?.defaultValue : termValue(term, column, resolve);
  // AUTO_INCREMENT makes a number of its own from these.
  const isNone = value === null || (value === 0n && isInteger(column.type));
  if (value === undefined || (isNone && insert?.isAutoIncrement !== false)) return undefined;
  // NULL for a column that takes none is refused, or becomes something else.
  return value === null && !insert?.isNullable ? undefined : { value };
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
  const constant = term.operand.kind === 'default' ? undefined : resolve(term.operand);
  return constant === undefined ? undefined : keyValue(constant, column);
}

const isSame = (left: KeyValue, right: KeyValue): boolean =>
  Buffer.isBuffer(left) && Buffer.isBuffer(right) ? left.equals(right) : left === right;
