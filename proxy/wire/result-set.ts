import { writeBinaryValue } from './binary-value.ts';
import { COLLATION, MAX_PAYLOAD, STATUS } from './constants.ts';
import { buildEof } from './eof-packet.ts';
import { buildOk } from './ok-packet.ts';
import { framePackets, PacketWriter } from './writer.ts';

/** A column of a result that this process makes itself. */
export interface ColumnDefinition {
  readonly name: string;
  /** One of COLUMN_TYPE. */
  readonly type: number;
  readonly schema?: string;
  readonly table?: string;
  readonly collation?: number;
  /** Display length in bytes. */
  readonly length?: number;
  readonly flags?: number;
  readonly decimals?: number;
}

/** A column definition's payload. */
export function buildColumn(column: ColumnDefinition): Buffer {
  return new PacketWriter(96)
    .lenencString('def')
    .lenencString(column.schema ?? '')
    .lenencString(column.table ?? '')
    .lenencString(column.table ?? '')
    .lenencString(column.name)
    .lenencString(column.name)
    .u8(0x0c)
    .u16(column.collation ?? COLLATION.UTF8MB4_GENERAL_CI)
    .u32(column.length ?? 1024)
    .u8(column.type)
    .u16(column.flags ?? 0)
    .u8(column.decimals ?? 0)
    .u16(0)
    .finish();
}

/** A value as it is sent; null is NULL. */
export type TextValue = string | Uint8Array | null;

/** A row of the text protocol. */
export function buildTextRow(row: readonly TextValue[]): Buffer {
  const writer = new PacketWriter(256);
  for (const value of row) {
    if (value === null) writer.u8(0xfb);
    else if (typeof value === 'string') writer.lenencString(value);
    else writer.lenencBytes(value);
  }
  return writer.finish();
}

/** A row of the binary protocol (replies to COM_STMT_EXECUTE). Values are given as text, whatever their type. */
export function buildBinaryRow(columns: readonly ColumnDefinition[], row: readonly TextValue[]): Buffer {
  const nullBitmap = Buffer.alloc((columns.length + 9) >> 3);
  const values = new PacketWriter(256);
  columns.forEach((column, index) => {
    const value = row[index] ?? null;
    if (value === null) {
      // The bitmap of a row begins with two unused bits.
      const bit = index + 2;
      nullBitmap[bit >> 3] = (nullBitmap[bit >> 3] ?? 0) | (1 << (bit & 7));
    } else writeBinaryValue(values, column.type, value);
  });
  return new PacketWriter(64).u8(0).bytes(nullBitmap).bytes(values.finish()).finish();
}

/** A result to build; without `binary` in the text protocol. */
export interface ResultSet {
  readonly columns: readonly ColumnDefinition[];
  readonly rows: readonly (readonly TextValue[])[];
  readonly status?: number;
  /** CLIENT_DEPRECATE_EOF was agreed with the receiver. */
  readonly deprecateEof: boolean;
  readonly binary?: boolean;
}

/** A whole result set as framed packets; the first packet has sequence id 1 unless said otherwise. */
export function buildResultSet(result: ResultSet, firstSequence = 1): Buffer {
  const status = result.status ?? STATUS.AUTOCOMMIT;
  const frames: Buffer[] = [];
  let sequence = firstSequence;
  const add = (payload: Buffer): void => {
    frames.push(framePackets(payload, sequence));
    sequence += Math.floor(payload.length / MAX_PAYLOAD) + 1;
  };
  add(new PacketWriter(9).lenenc(result.columns.length).finish());
  for (const column of result.columns) add(buildColumn(column));
  if (!result.deprecateEof) add(buildEof(status));
  for (const row of result.rows) add(result.binary ? buildBinaryRow(result.columns, row) : buildTextRow(row));
  add(result.deprecateEof ? buildOk({ header: 0xfe, status }) : buildEof(status));
  return Buffer.concat(frames);
}
