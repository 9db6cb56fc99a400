import { HEADER_LENGTH, MAX_PAYLOAD } from '../../wire/constants.ts';
import type { SplitPacket } from '../../wire/stream.ts';

/**
 * Joins a connection's chunks into whole packets. Chunks of a long packet are put together once, when it is complete,
 * so that a request of many megabytes costs no more than its own size.
 */
export class PacketInput {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Parts of a payload of 16 MiB and more. */
  #parts: Buffer[] = [];
  #partBytes = 0;

  /** @param maxBytes longest payload; a longer one makes `push` throw a RangeError */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk, which must not be reused, and returns the packets that are whole now. */
  push(chunk: Buffer): SplitPacket[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const packets: SplitPacket[] = [];
    for (;;) {
      const header = this.#peekHeader();
      if (!header || this.#bytes < HEADER_LENGTH + header.length) return packets;
      const payload = this.#take(HEADER_LENGTH + header.length).subarray(HEADER_LENGTH);
      this.#partBytes += payload.length;
      this.#parts.push(payload);
      if (header.length === MAX_PAYLOAD) continue;
      packets.push({
        payload: this.#parts.length === 1 ? payload : Buffer.concat(this.#parts),
        sequence: header.sequence,
      });
      this.#parts = [];
      this.#partBytes = 0;
    }
  }

  /** Takes what is no whole packet: the stream goes on in another way. */
  takePending(): Buffer {
    return this.#take(this.#bytes);
  }

  #peekHeader(): { length: number; sequence: number } | null {
    if (this.#bytes < HEADER_LENGTH) return null;
    let [first] = this.#chunks;
    if (first && first.length < HEADER_LENGTH) {
      first = Buffer.concat(this.#chunks);
      this.#chunks = [first];
    }
    if (!first) return null;
    const length = first.readUIntLE(0, 3);
    if (this.#partBytes + length > this.#maxBytes) throw new RangeError(`packet of more than ${this.#maxBytes} bytes`);
    return { length, sequence: first[3] ?? 0 };
  }

  #take(count: number): Buffer {
    this.#bytes -= count;
    const [first] = this.#chunks;
    if (first && first.length >= count) {
      if (first.length === count) this.#chunks.shift();
      else this.#chunks[0] = first.subarray(count);
      return first.subarray(0, count);
    }
    const taken: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      const chunk = this.#chunks.shift();
      if (!chunk) break;
      taken.push(chunk.subarray(0, missing));
      if (chunk.length > missing) this.#chunks.unshift(chunk.subarray(missing));
      missing -= Math.min(missing, chunk.length);
    }
    return Buffer.concat(taken, count);
  }
}
