import { COLUMN_TYPE } from './constants.ts';
import type { PacketWriter } from './writer.ts';

const { TINY, SHORT, YEAR, LONG, INT24, LONGLONG, FLOAT, DOUBLE, DATE, DATETIME, TIMESTAMP, TIME } = COLUMN_TYPE;

/**
 * Writes one value, given as text, as the binary protocol has it for the column's type. Types that have no binary form
 * of their own (decimals, strings, JSON …) stay text.
 * @throws RangeError when the text is no value of that type
 */
export function writeBinaryValue(writer: PacketWriter, type: number, value: string | Uint8Array): void {
  const text = (): string => (typeof value === 'string' ? value : Buffer.from(value).toString('latin1'));
  switch (type) {
    case TINY:
      writer.u8(Number(wholeNumber(text(), 8)));
      return;
    case SHORT:
    case YEAR:
      writer.u16(Number(wholeNumber(text(), 16)));
      return;
    case LONG:
    case INT24:
      writer.u32(Number(wholeNumber(text(), 32)));
      return;
    case LONGLONG:
      writer.u64(wholeNumber(text(), 64));
      return;
    case FLOAT:
    case DOUBLE:
      writeFloat(writer, type, text());
      return;
    case DATE:
    case DATETIME:
    case TIMESTAMP:
      writeDate(writer, text());
      return;
    case TIME:
      writeTime(writer, text());
      return;
    default:
      writer.lenencBytes(typeof value === 'string' ? Buffer.from(value, 'utf8') : value);
  }
}

/** The two's complement of a signed or unsigned number. */
function wholeNumber(text: string, bits: number): bigint {
  if (!/^-?\d+$/.test(text)) throw new RangeError(`'${text}' is no whole number`);
  const value = BigInt(text);
  if (value >= 1n << BigInt(bits) || value < -(1n << BigInt(bits - 1))) {
    throw new RangeError(`${text} does not fit into ${bits} bits`);
  }
  return BigInt.asUintN(bits, value);
}

function writeFloat(writer: PacketWriter, type: number, text: string): void {
  const number = Number(text);
  if (text.trim() === '' || Number.isNaN(number)) throw new RangeError(`'${text}' is no number`);
  const bytes = Buffer.alloc(type === FLOAT ? 4 : 8);
  if (type === FLOAT) bytes.writeFloatLE(number);
  else bytes.writeDoubleLE(number);
  writer.bytes(bytes);
}

const DATE_TEXT = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?)?$/;
const TIME_TEXT = /^(-?)(\d{1,3}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?$/;

const microseconds = (digits: string | undefined): number => Number((digits ?? '').padEnd(6, '0'));

/** A length byte, then as many fields as are not zero from the end. */
function writeDate(writer: PacketWriter, text: string): void {
  const match = DATE_TEXT.exec(text);
  if (!match) throw new RangeError(`'${text}' is no date`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits: string | undefined) => Number(digits ?? 0));
  const fraction = microseconds(match[7]);
  const hasTime = hour + minute + second + fraction > 0;
  if (!hasTime && year + month + day === 0) {
    writer.u8(0);
    return;
  }
  writer
    .u8(fraction > 0 ? 11 : hasTime ? 7 : 4)
    .u16(year)
    .u8(month)
    .u8(day);
  if (hasTime) writer.u8(hour).u8(minute).u8(second);
  if (fraction > 0) writer.u32(fraction);
}

function writeTime(writer: PacketWriter, text: string): void {
  const match = TIME_TEXT.exec(text);
  if (!match) throw new RangeError(`'${text}' is no time`);
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(2, 5).map(Number);
  const fraction = microseconds(match[5]);
  if (hours + minutes + seconds + fraction === 0) {
    writer.u8(0);
    return;
  }
  writer
    .u8(fraction > 0 ? 12 : 8)
    .u8(match[1] === '-' ? 1 : 0)
    .u32(Math.floor(hours / 24))
    .u8(hours % 24)
    .u8(minutes)
    .u8(seconds);
  if (fraction > 0) writer.u32(fraction);
}
