/**
 * MySQL's compressed packets: length (3), sequence (1), length before compression (3), then zlib data; a length before
 * compression of 0 says that the data are as they are. With OceanBase's compressed protocol 2.0 bare frames are inside.
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { CarryBuffer } from '../carry-buffer.ts';
import { MAX_PAYLOAD } from '../constants.ts';
import { malformed, OUTER_HEADER_LENGTH } from './frame-header.ts';

/** Node takes no smaller piece for what it inflates. */
const SMALLEST_ZLIB_CHUNK = 64;

/** Packets for `bytes`, as many as its length takes. @param level of zlib, 1 to 9 @param sequence of the first */
export function deflatePackets(bytes: Uint8Array, sequence: number, level: number): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += MAX_PAYLOAD) {
    const part = bytes.subarray(at, at + MAX_PAYLOAD);
    const deflated = deflateSync(part, { level });
    const isSmaller = deflated.length < part.length;
    const body = isSmaller ? deflated : part;
    const header = Buffer.allocUnsafe(OUTER_HEADER_LENGTH);
    header.writeUIntLE(body.length, 0, 3);
    header[3] = (sequence + packets.length / 2) & 0xff;
    header.writeUIntLE(isSmaller ? part.length : 0, 4, 3);
    packets.push(header, Buffer.from(body.buffer, body.byteOffset, body.length));
  }
  return packets;
}

/** Joins a stream of compressed packets and inflates each that is whole. */
export class Inflater {
  readonly #carry = new CarryBuffer();

  /** No packet has come in part. */
  get isIdle(): boolean {
    return this.#carry.length === 0;
  }

  /**
   * Takes `chunk[0, length)`.
   * @returns what was inflated; good for as long as the chunk is
   * @throws OdpError MALFORMED_PACKET
   */
  feed(chunk: Buffer, length: number): Buffer[] {
    let bytes = chunk;
    let end = length;
    if (this.#carry.length > 0) {
      this.#carry.append(chunk, 0, length);
      if (this.#carry.length < packetEnd(this.#carry.bytes, 0, this.#carry.length)) return [];
      bytes = this.#carry.take();
      end = bytes.length;
    }
    const inflated: Buffer[] = [];
    let at = 0;
    for (let next = packetEnd(bytes, at, end); next <= end; next = packetEnd(bytes, at, end)) {
      inflated.push(inflate(bytes, at, next));
      at = next;
    }
    if (at < end) this.#carry.append(bytes, at, end);
    return inflated;
  }
}

/** Where the packet at `at` ends; infinite while its header is not whole. */
function packetEnd(bytes: Buffer, at: number, end: number): number {
  if (end - at < OUTER_HEADER_LENGTH) return Number.POSITIVE_INFINITY;
  return at + OUTER_HEADER_LENGTH + bytes.readUIntLE(at, 3);
}

function inflate(bytes: Buffer, at: number, end: number): Buffer {
  const length = bytes.readUIntLE(at + 4, 3);
  const body = bytes.subarray(at + OUTER_HEADER_LENGTH, end);
  if (length === 0) return body;
  let inflated: Buffer;
  try {
    inflated = inflateSync(body, { maxOutputLength: length, chunkSize: Math.max(length, SMALLEST_ZLIB_CHUNK) });
  } catch (error) {
    // Whatever zlib says is a fault of the data.
    throw malformed(`zlib: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (inflated.length !== length) throw malformed(`a packet of ${inflated.length} bytes, ${length} were announced`);
  return inflated;
}
