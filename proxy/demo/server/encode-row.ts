import { PacketWriter } from '../../wire/writer.ts';
import { checkedInteger, formatText } from '../engine/format-value.ts';
import type { ResultColumn } from '../engine/result.ts';
import type { SqlValue } from '../translate/context.ts';
import { parseDateTime } from '../translate/temporal.ts';

export type RowEncoder = (columns: readonly ResultColumn[], row: readonly SqlValue[]) => Buffer;

/** A row of the text protocol. */
export function encodeTextRow(columns: readonly ResultColumn[], row: readonly SqlValue[]): Buffer {
  const writer = new PacketWriter(128);
  columns.forEach(({ type, label }, index) => {
    const text = formatText(row[index] ?? null, type, label);
    if (text === null) writer.u8(0xfb);
    else if (typeof text === 'string') writer.lenencString(text);
    else writer.lenencBytes(text);
  });
  return writer.finish();
}

/** A row of the binary protocol. */
export function encodeBinaryRow(columns: readonly ResultColumn[], row: readonly SqlValue[]): Buffer {
  const nulls = Buffer.alloc((columns.length + 9) >> 3);
  const values = new PacketWriter(128);
  columns.forEach((column, index) => {
    const value = row[index] ?? null;
    if (value === null) nulls[(index + 2) >> 3] = (nulls[(index + 2) >> 3] ?? 0) | (1 << ((index + 2) & 7));
    else encodeBinaryValue(values, column, value);
  });
  return new PacketWriter(1 + nulls.length + 64).u8(0).bytes(nulls).bytes(values.finish()).finish();
}

function encodeBinaryValue(writer: PacketWriter, { type, label }: ResultColumn, value: Exclude<SqlValue, null>): void {
  switch (type.kind) {
    case 'int':
    case 'year': {
      const integer = checkedInteger(value as bigint | number, type, label);
      const bits = type.kind === 'year' ? 16 : type.bits;
      if (bits === 8) writer.u8(Number(BigInt.asUintN(8, integer)));
      else if (bits === 16) writer.u16(Number(BigInt.asUintN(16, integer)));
      else if (bits < 64) writer.u32(Number(BigInt.asUintN(32, integer)));
      else writer.u64(integer);
      return;
    }
    case 'float': {
      const bytes = Buffer.alloc(4);
      bytes.writeFloatLE(Number(value));
      writer.bytes(bytes);
      return;
    }
    case 'double':
    case 'unknown': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(Number(value));
      writer.bytes(bytes);
      return;
    }
    case 'date':
    case 'datetime':
    case 'timestamp':
      encodeMoment(writer, String(value), type.kind === 'date');
      return;
    case 'time':
      encodeTime(writer, String(value));
      return;
    default: {
      const text = formatText(value, type, label) ?? '';
      if (typeof text === 'string') writer.lenencString(text);
      else writer.lenencBytes(text);
    }
  }
}

function encodeMoment(writer: PacketWriter, text: string, dateOnly: boolean): void {
  const parts = parseDateTime(text);
  if (!parts) {
    writer.u8(0);
    return;
  }
  const { year, month, day, hour, minute, second, micros } = parts;
  const short = dateOnly || (hour === 0 && minute === 0 && second === 0 && micros === 0);
  writer
    .u8(short ? 4 : micros === 0 ? 7 : 11)
    .u16(year)
    .u8(month)
    .u8(day);
  if (short) return;
  writer.u8(hour).u8(minute).u8(second);
  if (micros !== 0) writer.u32(micros);
}

function encodeTime(writer: PacketWriter, text: string): void {
  const match = /^(-?)(\d+):(\d+):(\d+)(?:\.(\d+))?$/.exec(text);
  const [, sign = '', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match ?? [];
  const micros = Number(fraction.padEnd(6, '0') || '0');
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + micros;
  if (total === 0) {
    writer.u8(0);
    return;
  }
  writer
    .u8(micros === 0 ? 8 : 12)
    .u8(sign === '-' ? 1 : 0)
    .u32(Math.floor(Number(hours) / 24))
    .u8(Number(hours) % 24)
    .u8(Number(minutes))
    .u8(Number(seconds));
  if (micros !== 0) writer.u32(micros);
}
