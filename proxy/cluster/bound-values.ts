/**
 * Reads `high_bound_val_bin`: per row the number of values, then each value as type, collation level, collation, scale
 * and content (read off a genuine kernel). Rows of LIST follow each other with a zero behind each.
 */
import { OdpError } from '../errors/odp-error.ts';
import { PacketReader } from '../wire/reader.ts';
import type { BoundRow, BoundValue } from './partitioning.ts';

const TYPE = {
  null: 0,
  int: 5,
  unsigned: 10,
  varchar: 22,
  char: 23,
  extremum: 25,
  decimal: 39,
  date: 41,
  datetime: 42,
} as const;

/** Throws MALFORMED_PACKET for what it doesn't know. @param isList rows are followed by a zero */
export function readBounds(bytes: Buffer, isList: boolean): BoundRow[] {
  const reader = new PacketReader(bytes);
  const rows: BoundRow[] = [];
  while (reader.remaining > 0) {
    const count = reader.u8();
    rows.push(Array.from({ length: count }, () => readValue(reader)));
    if (isList) reader.skip(1);
  }
  return rows;
}

function readValue(reader: PacketReader): BoundValue {
  const type = reader.u8();
  reader.skip(3);
  switch (type) {
    case TYPE.null:
      return null;
    case TYPE.int:
      return BigInt.asIntN(64, readVarint(reader));
    case TYPE.unsigned:
    case TYPE.date:
    case TYPE.datetime:
      return readVarint(reader);
    case TYPE.varchar:
    case TYPE.char: {
      const text = Buffer.from(reader.bytes(Number(readVarint(reader))));
      reader.skip(1);
      return text;
    }
    case TYPE.decimal:
      return readDecimal(reader);
    case TYPE.extremum:
      if (BigInt.asIntN(64, readVarint(reader)) === MAXIMUM) return 'max';
  }
  throw new OdpError('MALFORMED_PACKET', { detail: `a partition bound of type ${type}` });
}

const MAXIMUM = -2n;

/** Bits of the integer types; those of one byte are written as that byte. */
const INTEGER_BITS: Readonly<Record<number, number>> = { 1: 8, 2: 16, 3: 24, 4: 32, 6: 8, 7: 16, 8: 24, 9: 32 };
const FIRST_UNSIGNED = 6;

/** A column's default, written as a value of a bound is; undefined for what isn't a constant, or not known. */
export function readDefaultValue(bytes: Buffer): Exclude<BoundValue, 'max'> | undefined {
  const type = bytes[0] ?? TYPE.extremum;
  const bits = INTEGER_BITS[type];
  if (bits === undefined) {
    if (!Object.values<number>(TYPE).includes(type) || type === TYPE.extremum) return undefined;
    const value = readValue(new PacketReader(bytes));
    return value === 'max' ? undefined : value;
  }
  const reader = new PacketReader(bytes.subarray(4));
  const value = bits === 8 ? BigInt(reader.u8()) : readVarint(reader);
  return type < FIRST_UNSIGNED ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
}

/** Number of bytes, scale, and the unscaled number in so many bytes, the lowest first. */
function readDecimal(reader: PacketReader): bigint {
  const length = reader.u8();
  reader.skip(1);
  let value = 0n;
  for (let at = 0; at < length; at += 1) value |= BigInt(reader.u8()) << BigInt(8 * at);
  return BigInt.asIntN(8 * length, value);
}

/** Seven bits a byte, lowest first. */
function readVarint(reader: PacketReader): bigint {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = reader.u8();
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asUintN(64, value);
  }
}
