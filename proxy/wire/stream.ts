import { HEADER_LENGTH, MAX_PAYLOAD } from './constants.ts';

/** One whole logical packet: the joined payload, and the sequence id of its last frame. */
export interface SplitPacket {
  readonly payload: Buffer;
  readonly sequence: number;
}

const NONE: readonly SplitPacket[] = [];

/**
 * Cuts a byte stream into whole packets and joins those of 16 MiB and more. For the log-in phase, servers and tests;
 * replies on the data path are never joined.
 */
export class PacketSplitter {
  /** Chunks that are joined only when a packet is whole, so that a long packet is not copied again with every chunk. */
  #chunks: Buffer[] = [];
  #chunkBytes = 0;
  /** Bytes without which nothing more can be read. */
  #wantedBytes = HEADER_LENGTH;
  #parts: Buffer[] = [];
  #partBytes = 0;
  readonly #maxBytes: number;

  /** @param maxBytes longest joined payload; a longer one makes `push` throw a RangeError */
  constructor(maxBytes = 64 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of a packet that is not whole yet. */
  get pendingBytes(): number {
    return this.#chunkBytes + this.#partBytes;
  }

  /**
   * Adds `chunk[0, length)` (copied) and returns the packets that are whole now.
   * @param limit packets at most; the rest is kept
   */
  push(chunk: Uint8Array, length = chunk.length, limit = Number.POSITIVE_INFINITY): readonly SplitPacket[] {
    const copy = Buffer.from(length === chunk.length ? chunk : chunk.subarray(0, length));
    const isFirst = this.#chunks.length === 0;
    if (!isFirst || length < this.#wantedBytes) {
      this.#chunks.push(copy);
      this.#chunkBytes += length;
      if (this.#chunkBytes < this.#wantedBytes) return NONE;
    }
    return this.#split(isFirst && this.#chunks.length === 0 ? copy : this.takePending(), limit);
  }

  #split(bytes: Buffer, limit: number): readonly SplitPacket[] {
    const packets: SplitPacket[] = [];
    let at = 0;
    while (packets.length < limit && bytes.length - at >= HEADER_LENGTH) {
      const length = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
      if (this.#partBytes + length > this.#maxBytes) {
        throw new RangeError(`packet of more than ${this.#maxBytes} bytes`);
      }
      this.#wantedBytes = HEADER_LENGTH + length;
      if (bytes.length - at < this.#wantedBytes) break;
      const sequence = bytes[at + 3] ?? 0;
      const payload = bytes.subarray(at + HEADER_LENGTH, at + HEADER_LENGTH + length);
      at += HEADER_LENGTH + length;
      this.#wantedBytes = HEADER_LENGTH;
      if (length === MAX_PAYLOAD) {
        this.#parts.push(payload);
        this.#partBytes += length;
        continue;
      }
      packets.push({ payload: this.#joined(payload), sequence });
    }
    if (at < bytes.length) {
      this.#chunks.push(bytes.subarray(at));
      this.#chunkBytes = bytes.length - at;
    }
    return packets;
  }

  /** Takes the bytes behind the last whole frame (to hand a connection over to another reader). */
  takePending(): Buffer {
    const only = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    const pending = only ?? Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#chunkBytes = 0;
    this.#wantedBytes = HEADER_LENGTH;
    return pending;
  }

  #joined(last: Buffer): Buffer {
    if (this.#parts.length === 0) return last;
    const joined = Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#partBytes = 0;
    return joined;
  }
}
