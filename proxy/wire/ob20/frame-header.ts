/**
 * Header of one frame of OceanBase's protocol 2.0, little-endian (reference protocol page §2.2; checked byte for byte
 * against a genuine kernel). Between two servers of this kind it goes
 *
 *     outer header 7 · header 24 · payload · checksum of the payload 4
 *
 * where the outer header is MySQL's compressed one: length of all that follows, sequence, 0. In the compressed form the
 * outer header belongs to the zlib stream's packet and is no part of the frame.
 */
import { OdpError } from '../../errors/odp-error.ts';
import { MAX_PAYLOAD } from '../constants.ts';
import { crc16 } from './checksums.ts';

/** MySQL's compressed header before the frame's own. */
export const OUTER_HEADER_LENGTH = 7;
/** The frame's own header. */
export const FRAME_HEADER_LENGTH = 24;
/** Checksum behind the payload. */
export const FRAME_TAIL_LENGTH = 4;
/** The outer header counts three bytes: longer payloads take several frames. */
export const MAX_FRAME_PAYLOAD = MAX_PAYLOAD - FRAME_HEADER_LENGTH - FRAME_TAIL_LENGTH;

/** Request ids are 24 bits long and wrap. */
export const REQUEST_ID_MASK = 0xffffff;

const MAGIC = 0x20ab;
const VERSION = 20;

/** Flags of a frame. */
export const FRAME_FLAG = {
  /** The payload begins with extra information. */
  EXTRA_INFO: 0x01,
  /** Last frame of a request or reply. */
  LAST: 0x02,
  /** A proxy would send the request elsewhere if it is told to. */
  REROUTE: 0x04,
  /** Extra information is type, length, value; else pairs of serialised objects. */
  NEW_EXTRA_INFO: 0x08,
  WEAK_READ: 0x10,
  /** Statements of the transaction may go to several servers: offered by the proxy, granted by the server. */
  INTERNAL_ROUTING: 0x20,
  /** The statement before went to another server. */
  SWITCHED_ROUTE: 0x40,
} as const;

/** Fields of a header. One object is filled again and again on the data path. */
export interface FrameHeader {
  connectionId: number;
  /** 24 bits; all frames of a request and of its reply have the same. */
  requestId: number;
  /** Goes on from the request's frames to the reply's, and wraps at 256. */
  sequence: number;
  payloadLength: number;
  /** `FRAME_FLAG` bits. */
  flags: number;
}

export const newFrameHeader = (): FrameHeader => ({
  connectionId: 0,
  requestId: 0,
  sequence: 0,
  payloadLength: 0,
  flags: 0,
});

/** Writes the outer header, unless `isBare`, and the frame's at `at`. @returns offset behind them */
export function writeFrameHeader(bytes: Buffer, at: number, header: FrameHeader, isBare = false): number {
  let own = at;
  if (!isBare) {
    bytes.writeUIntLE(FRAME_HEADER_LENGTH + header.payloadLength + FRAME_TAIL_LENGTH, at, 3);
    bytes[at + 3] = header.sequence;
    bytes.writeUIntLE(0, at + 4, 3);
    own += OUTER_HEADER_LENGTH;
  }
  bytes.writeUInt16LE(MAGIC, own);
  bytes.writeUInt16LE(VERSION, own + 2);
  bytes.writeUInt32LE(header.connectionId, own + 4);
  bytes.writeUIntLE(header.requestId, own + 8, 3);
  bytes[own + 11] = header.sequence;
  bytes.writeUInt32LE(header.payloadLength, own + 12);
  bytes.writeUInt32LE(header.flags, own + 16);
  bytes.writeUInt16LE(0, own + 20);
  bytes.writeUInt16LE(crc16(bytes, at, own + 22), own + 22);
  return own + FRAME_HEADER_LENGTH;
}

/**
 * Reads the headers at `at` into `header`.
 * @throws OdpError PACKET_CHECKSUM, or MALFORMED_PACKET when the checksum is right and the rest is not
 */
export function readFrameHeader(bytes: Buffer, at: number, header: FrameHeader, isBare = false): void {
  const own = isBare ? at : at + OUTER_HEADER_LENGTH;
  const magic = bytes.readUInt16LE(own);
  if (magic !== MAGIC) throw malformed(`a frame begins with 0x${magic.toString(16)}`);
  const checksum = bytes.readUInt16LE(own + 22);
  if (checksum !== crc16(bytes, at, own + 22)) throw new OdpError('PACKET_CHECKSUM', { part: 'header' });
  const version = bytes.readUInt16LE(own + 2);
  if (version !== VERSION) throw malformed(`a frame of version ${version}`);
  header.connectionId = bytes.readUInt32LE(own + 4);
  header.requestId = bytes.readUIntLE(own + 8, 3);
  header.sequence = bytes[own + 11] ?? 0;
  header.payloadLength = bytes.readUInt32LE(own + 12);
  header.flags = bytes.readUInt32LE(own + 16);
  if (isBare) return;
  const announced = bytes.readUIntLE(at, 3);
  const length = FRAME_HEADER_LENGTH + header.payloadLength + FRAME_TAIL_LENGTH;
  if (announced !== length) throw malformed(`a frame of ${length} bytes in a packet of ${announced}`);
}

export function malformed(detail: string): OdpError {
  return new OdpError('MALFORMED_PACKET', { detail });
}
