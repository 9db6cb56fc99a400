import { OdpError } from '../errors/odp-error.ts';

const EMPTY = Buffer.alloc(0);

/**
 * Reads the fields of one packet's payload in order. Views, not copies; strings are utf8.
 * Reading past the end throws MALFORMED_PACKET.
 */
export class PacketReader {
  readonly #buffer: Buffer;
  readonly #end: number;
  offset: number;

  constructor(buffer: Buffer, offset = 0, end = buffer.length) {
    this.#buffer = buffer;
    this.offset = offset;
    this.#end = end;
  }

  get remaining(): number {
    return this.#end - this.offset;
  }

  u8(): number {
    return this.#buffer.readUInt8(this.#take(1));
  }

  u16(): number {
    return this.#buffer.readUInt16LE(this.#take(2));
  }

  u24(): number {
    return this.#buffer.readUIntLE(this.#take(3), 3);
  }

  u32(): number {
    return this.#buffer.readUInt32LE(this.#take(4));
  }

  u64(): bigint {
    return this.#buffer.readBigUInt64LE(this.#take(8));
  }

  /** A length-encoded integer; null for the NULL mark (0xfb). Lengths above 2^53 do not occur. */
  lenenc(): number | null {
    const first = this.u8();
    if (first < 0xfb) return first;
    if (first === 0xfb) return null;
    if (first === 0xfc) return this.u16();
    if (first === 0xfd) return this.u24();
    if (first === 0xfe) return Number(this.u64());
    throw new OdpError('MALFORMED_PACKET', { detail: 'length-encoded integer begins with 0xff' });
  }

  /** As `lenenc`, exact to 64 bits: affected rows and insert ids pass 2^53. */
  lenencBig(): bigint {
    const at = this.offset;
    if (this.u8() === 0xfe) return this.u64();
    this.offset = at;
    return BigInt(this.lenenc() ?? 0);
  }

  bytes(length: number): Buffer {
    const at = this.#take(length);
    return this.#buffer.subarray(at, at + length);
  }

  lenencBytes(): Buffer {
    const length = this.lenenc();
    return length === null ? EMPTY : this.bytes(length);
  }

  lenencString(): string {
    return this.lenencBytes().toString('utf8');
  }

  /** Bytes up to a NUL, which is taken; without one, all that is left (some clients leave the last NUL out). */
  nullBytes(): Buffer {
    const at = this.#buffer.indexOf(0, this.offset);
    if (at < 0 || at >= this.#end) return this.rest();
    const bytes = this.#buffer.subarray(this.offset, at);
    this.offset = at + 1;
    return bytes;
  }

  nullString(): string {
    return this.nullBytes().toString('utf8');
  }

  rest(): Buffer {
    return this.bytes(this.remaining);
  }

  skip(length: number): void {
    this.#take(length);
  }

  #take(length: number): number {
    const at = this.offset;
    if (length < 0 || at + length > this.#end) {
      throw new OdpError('MALFORMED_PACKET', {
        detail: `${length} bytes wanted at offset ${at}, ${this.#end - at} left`,
      });
    }
    this.offset = at + length;
    return at;
  }
}
