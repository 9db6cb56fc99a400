import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { SqlValue } from '../translate/context.ts';
import type { SqlType } from '../translate/sql-type.ts';

/** Writes a double as MySQL does: shortest digits that read back, exponent from 1e15 on and below 1e-15. */
export function formatDouble(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-15)) return value.toExponential().replace('e+', 'e');
  const text = String(value);
  if (!text.includes('e')) return text;
  const digits = text.replace(/e.*$/, '').replace(/[-.]/g, '').length;
  return value.toFixed(Math.min(100, digits - 1 - Math.floor(Math.log10(size))));
}

/** A float's text: six significant digits. */
function formatFloat(value: number): string {
  return formatDouble(Number(value.toPrecision(6)));
}

/**
 * The text-protocol form of a value of a result column.
 * @throws MysqlError NUMBER_OUT_OF_RANGE for an integer that left the 64 bits
 */
export function formatText(value: SqlValue, type: SqlType, label: string): string | Uint8Array | null {
  if (value === null) return null;
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  switch (type.kind) {
    case 'int':
    case 'year':
      return String(checkedInteger(value, type, label));
    case 'decimal':
      return formatDecimal(value, type.scale);
    case 'float':
      return formatFloat(Number(value));
    case 'double':
      return formatDouble(Number(value));
    default:
      return typeof value === 'bigint' ? String(value) : formatDouble(value);
  }
}

/** Rounds half away from zero at a decimal digit, by the number as it is written. */
export function roundTo(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value;
  const exact = Number(`${Math.abs(value)}e${digits}`);
  const rounded = Number.isNaN(exact) ? Math.abs(value) : Number(`${Math.round(exact)}e${-digits}`);
  return Math.sign(value) * rounded;
}

/**
 * A decimal with its digits behind the point.
 * @throws MysqlError NOT_SUPPORTED when the engine's numbers cannot hold all of its digits
 */
export function formatDecimal(value: bigint | number, scale: number): string {
  if (typeof value === 'bigint') return scale > 0 ? `${value}.${'0'.repeat(scale)}` : String(value);
  if (Math.abs(value) * 10 ** scale >= Number.MAX_SAFE_INTEGER) {
    throw notUnderstood(
      `the number ${value} with ${scale} digits behind the point (decimals have up to 15 digits here)`,
    );
  }
  return roundTo(value, scale).toFixed(Math.min(30, scale));
}

/** An integer result; a float in its place means that the engine's arithmetic overflowed. */
export function checkedInteger(value: bigint | number, type: SqlType, label: string): bigint {
  const bad = typeof value === 'number' ? !Number.isSafeInteger(value) : type.unsigned && value < 0n;
  if (bad)
    throw new MysqlError('NUMBER_OUT_OF_RANGE', {
      type: type.unsigned ? 'BIGINT UNSIGNED' : 'BIGINT',
      expression: label,
    });
  return BigInt(value);
}
