import { HEADER_LENGTH, MAX_PAYLOAD } from './constants.ts';

/** Builds one packet's payload; grows by doubling. */
export class PacketWriter {
  #buffer: Buffer;
  #length = 0;

  constructor(sizeHint = 128) {
    this.#buffer = Buffer.allocUnsafe(sizeHint);
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
    if (value < 0xfb) return this.u8(Number(value));
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
    this.#buffer.fill(0, at, at + count);
    return this;
  }

  string(value: string): this {
    return this.bytes(Buffer.from(value, 'utf8'));
  }

  nullString(value: string | Uint8Array): this {
    return (typeof value === 'string' ? this.string(value) : this.bytes(value)).u8(0);
  }

  lenencBytes(value: Uint8Array): this {
    return this.lenenc(value.length).bytes(value);
  }

  lenencString(value: string): this {
    return this.lenencBytes(Buffer.from(value, 'utf8'));
  }

  /** The payload written so far. */
  finish(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(count: number): number {
    const at = this.#length;
    const needed = at + count;
    if (needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
      this.#buffer.copy(grown, 0, 0, at);
      this.#buffer = grown;
    }
    this.#length = needed;
    return at;
  }
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
    framed.writeUIntLE(length, at, 3);
    framed[at + 3] = (sequence + index) & 0xff;
    framed.set(payload.subarray(start, start + length), at + HEADER_LENGTH);
    at += HEADER_LENGTH + length;
  }
  return framed;
}
