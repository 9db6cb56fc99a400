/**
 * Evaluates the expressions that MySQL mode allows a partitioning by, as a genuine kernel does. What isn't certain –
 * numbers beyond 64 bits, unsigned columns below zero, fractions – has no value.
 */
import type { KeyColumn } from '../../cluster/partitioning.ts';
import type { Expression } from '../../sql/expression.ts';
import { DATE_FUNCTIONS, GROWING_DATE_FUNCTIONS, TIME_FUNCTIONS } from './date-functions.ts';
import { isInteger, isUnsigned, type KeyValue, TYPE } from './key-value.ts';
import { momentOfDate, momentOfDateTime } from './moment.ts';

/** A column's value; undefined: not known. */
export type ColumnValue = (name: string) => { readonly column: KeyColumn; readonly value: KeyValue } | undefined;

const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);

/** Null is NULL; undefined: not known. */
export function evaluateInteger(expression: Expression, lookUp: ColumnValue): bigint | null | undefined {
  switch (expression.kind) {
    case 'number':
      return /^\d+$/.test(expression.text) ? inRange(BigInt(expression.text)) : undefined;
    case 'column':
      return integerColumn(expression.name, lookUp);
    default:
      return call(expression.name, expression.args, lookUp);
  }
}

const inRange = (value: bigint): bigint | undefined => (value >= SMALLEST && value <= LARGEST ? value : undefined);

function integerColumn(name: string, lookUp: ColumnValue): bigint | null | undefined {
  const found = lookUp(name);
  if (found === undefined || !isInteger(found.column.type) || Buffer.isBuffer(found.value)) return undefined;
  return found.value === null ? null : inRange(found.value);
}

function call(name: string, args: readonly Expression[], lookUp: ColumnValue): bigint | null | undefined {
  const [first, second] = args;
  if (first === undefined || args.length > 2) return undefined;
  if (second !== undefined) {
    const left = evaluateInteger(first, lookUp);
    const right = evaluateInteger(second, lookUp);
    if (left === undefined || right === undefined) return undefined;
    return left === null || right === null ? null : signed(arithmetic(name, left, right), args, lookUp);
  }
  if (name in DATE_FUNCTIONS || name in TIME_FUNCTIONS) return dateFunction(name, first, lookUp);
  if (name === 'floor' || name === 'ceil' || name === 'ceiling') return whole(name, first, lookUp);
  const value = evaluateInteger(first, lookUp);
  if (value === undefined || value === null) return value;
  if (name === 'abs') return inRange(value < 0n ? -value : value);
  return name === 'negate' ? signed(-value, args, lookUp) : undefined;
}

function arithmetic(name: string, left: bigint, right: bigint): bigint | null | undefined {
  switch (name) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '%':
      return right === 0n ? null : left % right;
    case 'div':
      return right === 0n ? null : left / right;
    default:
      return undefined;
  }
}

/** A server refuses an unsigned result below zero, or makes a large number of it. */
function signed(
  result: bigint | null | undefined,
  args: readonly Expression[],
  lookUp: ColumnValue,
): bigint | null | undefined {
  if (result === null || result === undefined) return result;
  return result < 0n && args.some((argument) => takesUnsigned(argument, lookUp)) ? undefined : inRange(result);
}

function takesUnsigned(expression: Expression, lookUp: ColumnValue): boolean {
  if (expression.kind === 'number') return false;
  if (expression.kind === 'call') return expression.args.some((argument) => takesUnsigned(argument, lookUp));
  return isUnsigned(lookUp(expression.name)?.column.type ?? 0);
}

function whole(name: string, argument: Expression, lookUp: ColumnValue): bigint | null | undefined {
  const found = argument.kind === 'column' ? lookUp(argument.name) : undefined;
  if (found?.column.type !== TYPE.decimal) return evaluateInteger(argument, lookUp);
  if (found.value === null) return null;
  if (Buffer.isBuffer(found.value)) return undefined;
  const unit = 10n ** BigInt(found.column.scale);
  const cut = found.value / unit;
  const rest = found.value % unit;
  if (name === 'floor') return inRange(rest < 0n ? cut - 1n : cut);
  return inRange(rest > 0n ? cut + 1n : cut);
}

function dateFunction(name: string, argument: Expression, lookUp: ColumnValue): bigint | null | undefined {
  const found = argument.kind === 'column' ? lookUp(argument.name) : undefined;
  if (found === undefined) return undefined;
  const { type } = found.column;
  if (type !== TYPE.datetime && (type !== TYPE.date || name in TIME_FUNCTIONS)) return undefined;
  if (found.value === null) return null;
  if (Buffer.isBuffer(found.value)) return undefined;
  const moment = type === TYPE.date ? momentOfDate(found.value) : momentOfDateTime(found.value);
  const result = (DATE_FUNCTIONS[name] ?? TIME_FUNCTIONS[name])?.(moment);
  return result === undefined ? undefined : BigInt(result);
}

/** Whether a larger value of its only column never makes the result smaller: limits of the column are limits of it then. */
export function isGrowing(expression: Expression): boolean {
  if (expression.kind === 'column') return true;
  if (expression.kind === 'number') return false;
  const { name, args } = expression;
  const [first, second] = args;
  if (first === undefined) return false;
  if (args.length === 1) {
    if (GROWING_DATE_FUNCTIONS.has(name)) return first.kind === 'column';
    return (name === 'floor' || name === 'ceil' || name === 'ceiling') && isGrowing(first);
  }
  const isPlain = args.length === 2 && second?.kind === 'number';
  return isPlain && (name === '+' || name === '-' || (name === 'div' && second.text !== '0')) && isGrowing(first);
}
