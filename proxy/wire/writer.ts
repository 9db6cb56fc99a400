import { HEADER_LENGTH, MAX_PAYLOAD } from './constants.ts';

/** UTF-8 takes at most so many bytes for what a string counts as one. */
const UTF8_BYTES = 3;
/** Lengths below it are one byte. */
const LONG_LENGTH = 0xfb;

/** Builds one packet's payload; grows by doubling. In front there is room for a header, so that it is not copied again. */
export class PacketWriter {
  #buffer: Buffer;
  #length = HEADER_LENGTH;

  constructor(sizeHint = 128) {
    this.#buffer = Buffer.allocUnsafe(HEADER_LENGTH + sizeHint);
  }

  /** Begins anew, in the same memory: what was finished before is overwritten. */
  clear(): this {
    this.#length = HEADER_LENGTH;
    return this;
  }

  u8(value: number): this {
    const at = this.#reserve(1);
    this.#buffer.writeUInt8(value, at);
    return this;
  }

  u16(value: number): this {
    const at = this.#reserve(2);
    this.#buffer.writeUInt16LE(value, at);
    return this;
  }

  u24(value: number): this {
    const at = this.#reserve(3);
    this.#buffer.writeUIntLE(value, at, 3);
    return this;
  }

  u32(value: number): this {
    const at = this.#reserve(4);
    this.#buffer.writeUInt32LE(value >>> 0, at);
    return this;
  }

  u64(value: bigint): this {
    const at = this.#reserve(8);
    this.#buffer.writeBigUInt64LE(BigInt.asUintN(64, value), at);
    return this;
  }

  lenenc(value: number | bigint): this {
    if (value < LONG_LENGTH) return this.u8(Number(value));
    if (value <= 0xffff) return this.u8(0xfc).u16(Number(value));
    if (value <= 0xffffff) return this.u8(0xfd).u24(Number(value));
    return this.u8(0xfe).u64(BigInt(value));
  }

  bytes(value: Uint8Array): this {
    const at = this.#reserve(value.length);
    this.#buffer.set(value, at);
    return this;
  }

  zeros(count: number): this {
    const at = this.#reserve(count);
    // Buffer's own `fill` costs more than the few bytes that there are.
    for (let index = 0; index < count; index++) this.#buffer[at + index] = 0;
    return this;
  }

  string(value: string): this {
    this.#roomFor(value.length * UTF8_BYTES);
    this.#length += this.#buffer.write(value, this.#length);
    return this;
  }

  nullString(value: string | Uint8Array): this {
    return (typeof value === 'string' ? this.string(value) : this.bytes(value)).u8(0);
  }

  lenencBytes(value: Uint8Array): this {
    return this.lenenc(value.length).bytes(value);
  }

  lenencString(value: string): this {
    if (value.length * UTF8_BYTES >= LONG_LENGTH) return this.lenencBytes(Buffer.from(value, 'utf8'));
    this.#roomFor(1 + value.length * UTF8_BYTES);
    const length = this.#buffer.write(value, this.#length + 1);
    this.#buffer[this.#length] = length;
    this.#length += 1 + length;
    return this;
  }

  /** The payload written so far. */
  finish(): Buffer {
    return this.#buffer.subarray(HEADER_LENGTH, this.#length);
  }

  /** The same with its packet header, as `framePackets` makes it. */
  frame(sequence: number): Buffer {
    const length = this.#length - HEADER_LENGTH;
    if (length >= MAX_PAYLOAD) return framePackets(this.finish(), sequence);
    writeHeader(this.#buffer, 0, length, sequence);
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(count: number): number {
    this.#roomFor(count);
    const at = this.#length;
    this.#length += count;
    return at;
  }

  #roomFor(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

function writeHeader(bytes: Buffer, at: number, length: number, sequence: number): void {
  bytes[at] = length & 0xff;
  bytes[at + 1] = (length >>> 8) & 0xff;
  bytes[at + 2] = length >>> 16;
  bytes[at + 3] = sequence & 0xff;
}

/**
 * Puts packet headers before a payload, cutting it at 16 MiB − 1 (an exact multiple ends in an empty packet).
 * @param sequence id of the first packet; it wraps at 256
 */
export function framePackets(payload: Uint8Array, sequence: number): Buffer {
  const packetCount = Math.floor(payload.length / MAX_PAYLOAD) + 1;
  const framed = Buffer.allocUnsafe(payload.length + packetCount * HEADER_LENGTH);
  let at = 0;
  for (let index = 0; index < packetCount; index++) {
    const start = index * MAX_PAYLOAD;
    const length = Math.min(MAX_PAYLOAD, payload.length - start);
    writeHeader(framed, at, length, sequence + index);
    framed.set(payload.subarray(start, start + length), at + HEADER_LENGTH);
    at += HEADER_LENGTH + length;
  }
  return framed;
}
