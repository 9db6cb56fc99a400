import { STATUS } from './constants.ts';
import { PacketReader } from './reader.ts';
import { PacketWriter } from './writer.ts';

const EMPTY = Buffer.alloc(0);

/** An OK packet without its session-state part. */
export interface OkPacket {
  readonly affectedRows: bigint;
  readonly insertId: bigint;
  readonly status: number;
  readonly warnings: number;
  /** Human-readable text, as raw bytes. */
  readonly message: Buffer;
  /** Session-state changes (MySQL's) or variable block (OceanBase's): raw, or null when there is none. */
  readonly state: Buffer | null;
}

/** Of an OK packet to build; 0 or nothing where left out. */
export interface OkFields {
  readonly affectedRows?: number | bigint;
  readonly insertId?: number | bigint;
  readonly status?: number;
  readonly warnings?: number;
  /** Everything after the warnings, raw. */
  readonly tail?: Uint8Array;
  /** 0xfe for an OK that stands in an EOF's place (CLIENT_DEPRECATE_EOF). */
  readonly header?: 0x00 | 0xfe;
}

/** An OK packet's payload. */
export const buildOk = (fields: OkFields = {}): Buffer => writeOk(fields).finish();

export function writeOk(fields: OkFields = {}): PacketWriter {
  return new PacketWriter(32 + (fields.tail?.length ?? 0))
    .u8(fields.header ?? 0x00)
    .lenenc(fields.affectedRows ?? 0)
    .lenenc(fields.insertId ?? 0)
    .u16(fields.status ?? STATUS.AUTOCOMMIT)
    .u16(fields.warnings ?? 0)
    .bytes(fields.tail ?? EMPTY);
}

/**
 * Reads an OK packet (header 0x00, or 0xfe under CLIENT_DEPRECATE_EOF).
 * @param sessionTrack whether CLIENT_SESSION_TRACK was agreed on this connection: it changes how the message is written
 */
export function parseOk(payload: Buffer, sessionTrack: boolean): OkPacket {
  const reader = new PacketReader(payload, 1);
  const affectedRows = reader.lenencBig();
  const insertId = reader.lenencBig();
  const status = reader.remaining >= 2 ? reader.u16() : 0;
  const warnings = reader.remaining >= 2 ? reader.u16() : 0;
  let message: Buffer = EMPTY;
  let state: Buffer | null = null;
  if (sessionTrack) {
    if (reader.remaining > 0) message = reader.lenencBytes();
    if (status & STATUS.SESSION_STATE_CHANGED && reader.remaining > 0) state = reader.lenencBytes();
  } else {
    message = reader.rest();
  }
  return { affectedRows, insertId, status, warnings, message, state };
}
