import { isUtf8 } from 'node:buffer';
import { COLUMN_TYPE } from '../../wire/constants.ts';
import type { PacketReader } from '../../wire/reader.ts';
import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { SqlValue } from '../translate/context.ts';

/** Type of a bound parameter: the protocol's column type, with 0x8000 for unsigned. */
export type ParameterTypes = readonly number[];

const UNSIGNED = 0x8000;

const BYTE_TYPES: readonly number[] = [
  COLUMN_TYPE.TINY_BLOB,
  COLUMN_TYPE.MEDIUM_BLOB,
  COLUMN_TYPE.LONG_BLOB,
  COLUMN_TYPE.BLOB,
];

/**
 * Reads the values of COM_STMT_EXECUTE, which begin behind the iteration count.
 * @param known types of an earlier execution, used when the packet brings none
 * @param longData values that came by COM_STMT_SEND_LONG_DATA
 */
export function readParameters(
  reader: PacketReader,
  count: number,
  known: ParameterTypes,
  longData: ReadonlyMap<number, readonly Buffer[]>,
): { values: SqlValue[]; types: ParameterTypes } {
  if (count === 0) return { values: [], types: known };
  const nulls = reader.bytes((count + 7) >> 3);
  const types = reader.u8() === 1 ? Array.from({ length: count }, () => reader.u16()) : known;
  if (types.length < count) throw new MysqlError('MALFORMED_PACKET');
  const values = Array.from({ length: count }, (_, index): SqlValue => {
    const type = types[index] ?? COLUMN_TYPE.NULL;
    const sent = longData.get(index);
    if (sent) {
      return textOrBytes(Buffer.concat(sent), type);
    }
    if (((nulls[index >> 3] ?? 0) >> (index & 7)) & 1) return null;
    return readValue(reader, type);
  });
  return { values, types };
}

function readValue(reader: PacketReader, type: number): SqlValue {
  const unsigned = (type & UNSIGNED) !== 0;
  const integer = (value: bigint, bits: number): bigint => (unsigned ? value : BigInt.asIntN(bits, value));
  switch (type & 0xff) {
    case COLUMN_TYPE.NULL:
      return null;
    case COLUMN_TYPE.TINY:
      return integer(BigInt(reader.u8()), 8);
    case COLUMN_TYPE.SHORT:
    case COLUMN_TYPE.YEAR:
      return integer(BigInt(reader.u16()), 16);
    case COLUMN_TYPE.LONG:
    case COLUMN_TYPE.INT24:
      return integer(BigInt(reader.u32()), 32);
    case COLUMN_TYPE.LONGLONG: {
      const value = integer(reader.u64(), 64);
      if (value > 0x7fffffffffffffffn)
        throw notUnderstood(`the number ${value} (integers have up to 63 bits and a sign here)`);
      return value;
    }
    case COLUMN_TYPE.FLOAT:
      return Buffer.from(reader.bytes(4)).readFloatLE();
    case COLUMN_TYPE.DOUBLE:
      return Buffer.from(reader.bytes(8)).readDoubleLE();
    case COLUMN_TYPE.DATE:
    case COLUMN_TYPE.DATETIME:
    case COLUMN_TYPE.TIMESTAMP:
      return readMoment(reader, (type & 0xff) === COLUMN_TYPE.DATE);
    case COLUMN_TYPE.TIME:
      return readTime(reader);
    case COLUMN_TYPE.DECIMAL:
    case COLUMN_TYPE.NEWDECIMAL: {
      const text = reader.lenencString();
      return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
    }
    default:
      return textOrBytes(Buffer.from(reader.lenencBytes()), type);
  }
}

/** Many drivers send bytes as text: what is none stays as it is. */
function textOrBytes(bytes: Buffer, type: number): SqlValue {
  return BYTE_TYPES.includes(type & 0xff) || !isUtf8(bytes) ? bytes : bytes.toString('utf8');
}

const two = (value: number): string => String(value).padStart(2, '0');

function readMoment(reader: PacketReader, dateOnly: boolean): string {
  const length = reader.u8();
  if (length === 0) return '0000-00-00';
  const date = `${String(reader.u16()).padStart(4, '0')}-${two(reader.u8())}-${two(reader.u8())}`;
  if (length < 7) return dateOnly ? date : `${date} 00:00:00`;
  const time = `${two(reader.u8())}:${two(reader.u8())}:${two(reader.u8())}`;
  const micros = length >= 11 ? reader.u32() : 0;
  return micros === 0 ? `${date} ${time}` : `${date} ${time}.${String(micros).padStart(6, '0')}`;
}

function readTime(reader: PacketReader): string {
  const length = reader.u8();
  if (length === 0) return '00:00:00';
  const sign = reader.u8() === 1 ? '-' : '';
  const days = reader.u32();
  const hours = reader.u8() + days * 24;
  const rest = `${two(reader.u8())}:${two(reader.u8())}`;
  const micros = length >= 12 ? reader.u32() : 0;
  return `${sign}${two(hours)}:${rest}${micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`}`;
}
