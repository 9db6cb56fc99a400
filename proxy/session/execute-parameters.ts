/** Values of the parameters in a COM_STMT_EXECUTE, as far as the partition of a row may hang on them. */
import type { Constant } from '../routing/partition/key-value.ts';
import { COLUMN_TYPE } from '../wire/constants.ts';
import { PacketReader } from '../wire/reader.ts';
import { newTypesFlagOffset, readParameterTypes } from './prepared-statements.ts';

const UNSIGNED = 0x80;
/** Command, statement id, flags and iteration count stand before the bits of the NULLs. */
const NULL_BITS_AT = 10;

/**
 * One constant per parameter; undefined where its type has none. Throws MALFORMED_PACKET when the payload ends early.
 * @param payload from the command byte on
 * @param knownTypes those sent before, for an EXECUTE that relies on them
 */
export function readParameters(
  payload: Buffer,
  count: number,
  knownTypes: Buffer | null,
): (Constant | undefined)[] | null {
  const sent = readParameterTypes(payload, count);
  const types = sent ?? knownTypes;
  if (types === null) return null;
  const reader = new PacketReader(payload, newTypesFlagOffset(count) + 1 + (sent?.length ?? 0));
  const values: (Constant | undefined)[] = [];
  for (let index = 0; index < count; index += 1) {
    const isNull = ((payload[NULL_BITS_AT + (index >> 3)] ?? 0) & (1 << (index & 7))) !== 0;
    const type = types[index * 2] ?? COLUMN_TYPE.NULL;
    const isUnsigned = ((types[index * 2 + 1] ?? 0) & UNSIGNED) !== 0;
    values.push(isNull || type === COLUMN_TYPE.NULL ? { kind: 'null' } : readValue(reader, type, isUnsigned));
  }
  return values;
}

const number = (value: number | bigint): Constant => ({ kind: 'number', text: String(value) });

function readValue(reader: PacketReader, type: number, isUnsigned: boolean): Constant | undefined {
  switch (type) {
    case COLUMN_TYPE.TINY: {
      const value = reader.u8();
      return number(isUnsigned ? value : (value << 24) >> 24);
    }
    case COLUMN_TYPE.SHORT:
    case COLUMN_TYPE.YEAR: {
      const value = reader.u16();
      return number(isUnsigned ? value : (value << 16) >> 16);
    }
    case COLUMN_TYPE.LONG:
    case COLUMN_TYPE.INT24: {
      const value = reader.u32();
      return number(isUnsigned ? value : value | 0);
    }
    case COLUMN_TYPE.LONGLONG: {
      const value = reader.u64();
      return number(isUnsigned ? value : BigInt.asIntN(64, value));
    }
    case COLUMN_TYPE.FLOAT:
      reader.skip(4);
      return undefined;
    case COLUMN_TYPE.DOUBLE: {
      // Some drivers send every number as a DOUBLE; whole ones are what they look like.
      const value = reader.bytes(8).readDoubleLE();
      return Number.isSafeInteger(value) ? number(value === 0 ? 0 : value) : undefined;
    }
    case COLUMN_TYPE.DATE:
    case COLUMN_TYPE.DATETIME:
      return readMoment(reader);
    case COLUMN_TYPE.TIME:
    case COLUMN_TYPE.TIMESTAMP:
      reader.skip(reader.u8());
      return undefined;
    case COLUMN_TYPE.DECIMAL:
    case COLUMN_TYPE.NEWDECIMAL: {
      const text = reader.lenencString();
      return /^-?\d+(\.\d*)?$/.test(text) ? { kind: 'number', text } : undefined;
    }
    default:
      return { kind: 'string', bytes: Buffer.from(reader.lenencBytes()) };
  }
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0');

function readMoment(reader: PacketReader): Constant | undefined {
  const length = reader.u8();
  if (length < 4) {
    reader.skip(length);
    return undefined;
  }
  const day = `${digits(reader.u16(), 4)}-${digits(reader.u8(), 2)}-${digits(reader.u8(), 2)}`;
  let text = day;
  if (length >= 7) text += ` ${digits(reader.u8(), 2)}:${digits(reader.u8(), 2)}:${digits(reader.u8(), 2)}`;
  if (length >= 11) text += `.${digits(reader.u32(), 6)}`;
  return { kind: 'string', bytes: Buffer.from(text) };
}
