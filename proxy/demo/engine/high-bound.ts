import type { Expr } from '../translate/ast.ts';
import { isMaximum } from '../translate/partition-condition.ts';
import { parseDateTime } from '../translate/temporal.ts';
import type { Column } from './catalog.ts';

/** OceanBase's object types (ObObjType) of the column types that may partition a table. */
export function objectType({ type }: Column): number {
  switch (type.kind) {
    case 'int': {
      const signed = { 8: 1, 16: 2, 24: 3, 32: 4 }[type.bits] ?? 5;
      return type.unsigned ? signed + 5 : signed;
    }
    case 'float':
      return 11;
    case 'double':
      return 12;
    case 'decimal':
      return 15;
    case 'date':
      return 41;
    case 'datetime':
      return 42;
    case 'timestamp':
      return 18;
    case 'time':
      return 20;
    case 'year':
      return 21;
    case 'varchar':
    case 'varbinary':
      return 22;
    case 'char':
    case 'binary':
      return 23;
    default:
      return 27;
  }
}

/** The type a bound is kept in: integers as 64 bits. */
export function boundType(column: Column): number {
  if (column.type.kind === 'int') return column.type.unsigned ? 10 : 5;
  return objectType(column);
}

const MAXIMUM = Buffer.from('19070000feffffffffffffffff01', 'hex');

/**
 * A partition's bound as `high_bound_val_bin` has it: number of values, then each as type, collation level, collation,
 * scale and value (read off a genuine kernel). LIST rows follow each other with a zero after each.
 */
export function encodeBounds(rows: readonly (readonly Expr[])[], columns: readonly Column[], list: boolean): Buffer {
  const parts: Buffer[] = [];
  for (const row of rows) {
    parts.push(Buffer.from([row.length]));
    row.forEach((expr, index) => {
      const column = columns[index];
      parts.push(isMaximum(expr) || expr.kind === 'default' || !column ? MAXIMUM : encodeValue(expr, column));
    });
    if (list) parts.push(Buffer.from([0]));
  }
  return Buffer.concat(parts);
}

function encodeValue(expr: Expr, column: Column): Buffer {
  const type = boundType(column);
  const text = expr.kind === 'number' ? expr.text : expr.kind === 'string' ? expr.value : '';
  switch (type) {
    case 5:
      return Buffer.concat([Buffer.from([5, 5, 0x3f, 0]), varint(BigInt(text))]);
    case 10:
      return Buffer.concat([Buffer.from([10, 5, 0x3f, 0xff]), varint(BigInt(text))]);
    case 22:
    case 23: {
      const bytes = Buffer.from(text, 'utf8');
      const head = Buffer.from([type, 4, column.type.binaryCollation ? 46 : 45, 0xff]);
      return Buffer.concat([head, varint(BigInt(bytes.length)), bytes, Buffer.from([0])]);
    }
    case 41:
    case 42: {
      const parts = parseDateTime(text);
      if (!parts) return MAXIMUM;
      const head = Buffer.from([type, 5, 0x3f, 0xff]);
      if (type === 41) return Buffer.concat([head, varint(BigInt((parts.year << 9) | (parts.month << 5) | parts.day))]);
      const day = BigInt(((parts.year * 13 + parts.month) << 5) | parts.day);
      const clock = BigInt((parts.hour << 12) | (parts.minute << 6) | parts.second);
      return Buffer.concat([head, varint((((day << 17n) | clock) << 24n) | BigInt(parts.micros))]);
    }
    default:
      return Buffer.alloc(0);
  }
}

/** Seven bits a byte, lowest first; negative numbers as 64 bits. */
function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
