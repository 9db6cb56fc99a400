/**
 * A value as the column of a partitioning key holds it. What the server would change in a way that isn't certain
 * (rounding, truncation, another character set, a time zone) has no value here: then the partition is not calculated.
 */
import type { KeyColumn } from '../../cluster/partitioning.ts';
import type { KeyOperand } from '../../sql/key-operand.ts';
import { dayBefore, exists, momentBefore, momentOfDate, momentOfDateTime, packDate, packDateTime } from './moment.ts';

/** A constant of a statement. */
export type Constant = Exclude<KeyOperand, { readonly kind: 'parameter' | 'variable' | 'default' }>;

/** Integers, unscaled decimals and packed dates as bigint. */
export type KeyValue = bigint | Buffer | null;

/** ObObjType. */
export const TYPE = { varchar: 22, char: 23, decimal: 39, date: 41, datetime: 42 } as const;
const INTEGER_BITS: Readonly<Record<number, number>> = { 1: 8, 2: 16, 3: 24, 4: 32, 5: 64 };
export const COLLATION = { generalCi: 45, bin: 46, binary: 63 } as const;

/** Undefined: not known. */
export function keyValue(constant: Constant, column: KeyColumn): KeyValue | undefined {
  if (!isSupported(column)) return undefined;
  if (constant.kind === 'null') return null;
  const { type } = column;
  if (isInteger(type)) return integerValue(constant, type);
  switch (type) {
    case TYPE.decimal:
      return decimalValue(constant, column);
    case TYPE.varchar:
    case TYPE.char:
      return textOf(constant, column);
    default:
      return constant.kind === 'string' || constant.kind === 'moment'
        ? dateValue(constant.bytes.toString('latin1'), column)
        : undefined;
  }
}

export const isInteger = (type: number): boolean => type >= 1 && type <= 10;
export const isUnsigned = (type: number): boolean => type > 5;

/** Types and collations that were compared with a genuine kernel. BINARY(n) is not among them: it is filled with zeros. */
export function isSupported({ type, collation }: KeyColumn): boolean {
  if (isInteger(type) || type === TYPE.decimal || type === TYPE.date || type === TYPE.datetime) return true;
  if (type === TYPE.varchar) {
    return collation === COLLATION.generalCi || collation === COLLATION.bin || collation === COLLATION.binary;
  }
  return type === TYPE.char && (collation === COLLATION.generalCi || collation === COLLATION.bin);
}

/** The number as digits without fraction; undefined when it has one. Numbers in quotes only in their plainest form. */
function wholeDigits(constant: Constant): string | undefined {
  if (constant.kind === 'string') {
    const text = constant.bytes.toString('latin1');
    return /^(0|-?[1-9]\d{0,14})$/.test(text) ? text : undefined;
  }
  return constant.kind === 'number' ? /^(-?\d{1,80})(?:\.0*)?$/.exec(constant.text)?.[1] : undefined;
}

function integerValue(constant: Constant, type: number): bigint | undefined {
  const digits = constant.kind === 'bits' ? bitDigits(constant.bytes) : wholeDigits(constant);
  if (digits === undefined) return undefined;
  const value = BigInt(digits);
  const bits = INTEGER_BITS[isUnsigned(type) ? type - 5 : type] ?? 64;
  const fits = isUnsigned(type) ? BigInt.asUintN(bits, value) === value : BigInt.asIntN(bits, value) === value;
  return fits ? value : undefined;
}

function decimalValue(constant: Constant, { precision, scale }: KeyColumn): bigint | undefined {
  const text = constant.kind === 'string' ? wholeDigits(constant) : constant.kind === 'number' ? constant.text : '';
  const match = /^(-?)(\d{1,80})(?:\.(\d*))?$/.exec(text ?? '');
  if (match === null) return undefined;
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > scale) return undefined;
  const value = BigInt((match[2] ?? '') + fraction.padEnd(scale, '0'));
  if (value >= 10n ** BigInt(precision)) return undefined;
  return match[1] === '-' ? -value : value;
}

const bitDigits = (bytes: Buffer): string | undefined => (bytes.length <= 8 ? `0x${bytes.toString('hex')}` : undefined);

function textOf(constant: Constant, column: KeyColumn): Buffer | undefined {
  const isText = constant.kind === 'string' || (constant.kind === 'bits' && column.collation === COLLATION.binary);
  return isText ? textValue(constant.bytes, column) : undefined;
}

/** utf8mb4_general_ci folds letters by tables of its own: only ASCII is certain. */
function textValue(bytes: Buffer, { collation, length }: KeyColumn): Buffer | undefined {
  if (collation === COLLATION.binary) return bytes.length <= length ? bytes : undefined;
  if (collation === COLLATION.bin) return characters(bytes) <= length ? bytes : undefined;
  return bytes.length <= length && bytes.every((byte) => byte < 0x80) ? bytes : undefined;
}

/** Infinite for bytes that are no UTF-8. */
function characters(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? Number.POSITIVE_INFINITY : [...text].length;
}

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?$/;

/** Only the plain forms of days that exist; a column DATE takes no time of day, and no second is rounded. */
function dateValue(text: string, { type, scale }: KeyColumn): bigint | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const fraction = (match[7] ?? '').replace(/0+$/, '');
  const moment = { year, month, day, hour, minute, second, microsecond: Number(fraction.padEnd(6, '0')) };
  if (!exists(moment) || hour > 23 || minute > 59 || second > 59) return undefined;
  if (type === TYPE.date) return match[4] === undefined ? packDate(moment) : undefined;
  return fraction.length > scale ? undefined : packDateTime(moment);
}

/** The largest value below `value` that the column can hold; undefined: there is none, or it isn't a matter of counting. */
export function valueBefore(value: KeyValue, { type, scale }: KeyColumn): KeyValue | undefined {
  if (typeof value !== 'bigint') return undefined;
  const isDate = type === TYPE.date;
  if (!isDate && type !== TYPE.datetime) return value - 1n;
  const moment = isDate ? dayBefore(momentOfDate(value)) : momentBefore(momentOfDateTime(value), 10 ** (6 - scale));
  if (moment.year < 1) return undefined;
  return isDate ? packDate(moment) : packDateTime(moment);
}
