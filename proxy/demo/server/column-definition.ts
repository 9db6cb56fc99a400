import { COLLATION, COLUMN_FLAG, COLUMN_TYPE } from '../../wire/constants.ts';
import { PacketWriter } from '../../wire/writer.ts';
import type { ResultColumn } from '../engine/result.ts';
import type { SqlType } from '../translate/sql-type.ts';

const FLAG = { BLOB: 0x10, TIMESTAMP: 0x400 } as const;

/** The protocol's type, collation, display length, flags and decimals of a column, as a genuine kernel gives them. */
interface WireType {
  readonly type: number;
  readonly collation: number;
  readonly length: number;
  readonly flags: number;
  readonly decimals: number;
}

const INTEGER_TYPES: Readonly<Record<number, number>> = {
  8: COLUMN_TYPE.TINY,
  16: COLUMN_TYPE.SHORT,
  24: COLUMN_TYPE.INT24,
  32: COLUMN_TYPE.LONG,
  64: COLUMN_TYPE.LONGLONG,
};

const BYTES_PER_CHARACTER = 4;

/** Type fields of a column; `stored` tells a table's column from an expression. */
function wireTypeOf(type: SqlType, stored: boolean): WireType {
  const computed = stored ? 0 : COLUMN_FLAG.BINARY;
  const unsigned = type.unsigned ? COLUMN_FLAG.UNSIGNED : 0;
  const binary = { collation: COLLATION.BINARY, length: type.length, decimals: 0 };
  const text = { collation: type.binaryCollation ? 46 : COLLATION.UTF8MB4_GENERAL_CI, decimals: 0, flags: 0 };
  switch (type.kind) {
    case 'int':
      return { ...binary, type: INTEGER_TYPES[type.bits] ?? COLUMN_TYPE.LONGLONG, flags: computed | unsigned };
    case 'year':
      return { ...binary, type: COLUMN_TYPE.YEAR, flags: COLUMN_FLAG.UNSIGNED | computed };
    case 'decimal':
      return {
        ...binary,
        type: COLUMN_TYPE.NEWDECIMAL,
        length: type.length + 2,
        flags: computed | unsigned,
        decimals: type.scale,
      };
    case 'float':
      return { ...binary, type: COLUMN_TYPE.FLOAT, flags: computed | unsigned, decimals: 31 };
    case 'double':
    case 'unknown':
      return { ...binary, type: COLUMN_TYPE.DOUBLE, length: 23, flags: computed | unsigned, decimals: 31 };
    case 'date':
      return { ...binary, type: COLUMN_TYPE.DATE, flags: COLUMN_FLAG.BINARY };
    case 'datetime':
      return { ...binary, type: COLUMN_TYPE.DATETIME, flags: COLUMN_FLAG.BINARY, decimals: type.scale };
    case 'timestamp':
      return {
        ...binary,
        type: COLUMN_TYPE.TIMESTAMP,
        flags: COLUMN_FLAG.BINARY | FLAG.TIMESTAMP,
        decimals: type.scale,
      };
    case 'time':
      return { ...binary, type: COLUMN_TYPE.TIME, flags: COLUMN_FLAG.BINARY, decimals: type.scale };
    case 'binary':
      return { ...binary, type: COLUMN_TYPE.STRING, flags: COLUMN_FLAG.BINARY };
    case 'varbinary':
      return { ...binary, type: COLUMN_TYPE.VAR_STRING, flags: COLUMN_FLAG.BINARY };
    case 'blob':
      return { ...binary, type: COLUMN_TYPE.BLOB, flags: COLUMN_FLAG.BINARY | FLAG.BLOB };
    case 'char':
      return { ...text, type: COLUMN_TYPE.STRING, length: type.length * BYTES_PER_CHARACTER };
    case 'varchar':
      return { ...text, type: COLUMN_TYPE.VAR_STRING, length: Math.min(0xffffffff, type.length * BYTES_PER_CHARACTER) };
    case 'text':
      return { ...text, type: COLUMN_TYPE.BLOB, length: type.length, flags: FLAG.BLOB };
    case 'null':
      return { ...binary, type: COLUMN_TYPE.NULL, flags: COLUMN_FLAG.BINARY };
  }
}

/** A column definition packet. `withDefault` adds the empty default value that COM_FIELD_LIST carries. */
export function encodeColumn({ label, type, origin }: ResultColumn, withDefault = false): Buffer {
  const wire = wireTypeOf(type, origin !== null);
  const writer = new PacketWriter(96)
    .lenencString('def')
    .lenencString(origin?.database ?? '')
    .lenencString(origin?.table ?? '')
    .lenencString(origin?.originalTable ?? '')
    .lenencString(label)
    .lenencString(origin?.column ?? '')
    .u8(0x0c)
    .u16(wire.collation)
    .u32(wire.length)
    .u8(wire.type)
    .u16(wire.flags | (origin?.flags ?? 0))
    .u8(wire.decimals)
    .u16(0);
  return (withDefault ? writer.lenenc(0) : writer).finish();
}

/** The definition of a `?`. */
export function encodeParameter(): Buffer {
  return new PacketWriter(32)
    .lenencString('def')
    .lenenc(0)
    .lenenc(0)
    .lenenc(0)
    .lenencString('?')
    .lenenc(0)
    .u8(0x0c)
    .u16(COLLATION.UTF8MB4_GENERAL_CI)
    .u32(0)
    .u8(COLUMN_TYPE.LONGLONG)
    .u16(0)
    .u8(0)
    .u16(0)
    .finish();
}
