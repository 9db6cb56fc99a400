import { HEADER_LENGTH, MAX_PAYLOAD } from './constants.ts';

/** One whole logical packet: the joined payload, and the sequence id of its last frame. */
export interface SplitPacket {
  readonly payload: Buffer;
  readonly sequence: number;
}

/**
 * Cuts a byte stream into whole packets and joins those of 16 MiB and more. For the log-in phase, servers and tests;
 * replies on the data path are never joined.
 */
export class PacketSplitter {
  #pending: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #partBytes = 0;
  readonly #maxBytes: number;

  /** @param maxBytes longest joined payload; a longer one makes `push` throw a RangeError */
  constructor(maxBytes = 64 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of a packet that is not whole yet. */
  get pendingBytes(): number {
    return this.#pending.length + this.#partBytes;
  }

  /** Adds a chunk (copied) and returns the packets that are whole now. */
  push(chunk: Uint8Array): SplitPacket[] {
    this.#pending = this.#pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#pending, chunk]);
    const packets: SplitPacket[] = [];
    let at = 0;
    while (this.#pending.length - at >= HEADER_LENGTH) {
      const length = this.#pending.readUIntLE(at, 3);
      if (this.#partBytes + length > this.#maxBytes)
        throw new RangeError(`packet of more than ${this.#maxBytes} bytes`);
      if (this.#pending.length - at < HEADER_LENGTH + length) break;
      const sequence = this.#pending[at + 3] ?? 0;
      const payload = this.#pending.subarray(at + HEADER_LENGTH, at + HEADER_LENGTH + length);
      at += HEADER_LENGTH + length;
      if (length === MAX_PAYLOAD) {
        this.#parts.push(payload);
        this.#partBytes += length;
        continue;
      }
      packets.push({ payload: this.#joined(payload), sequence });
    }
    if (at > 0) this.#pending = this.#pending.subarray(at);
    return packets;
  }

  /** Takes the bytes of a packet that is not whole yet (to hand a connection over to another reader). */
  takePending(): Buffer {
    const pending = this.#pending;
    this.#pending = Buffer.alloc(0);
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
