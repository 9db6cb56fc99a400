const USUAL_BYTES = 256;
const NONE = Buffer.alloc(0);
/** A collection longer than this is handed out itself, so that one long packet does not stay for good. */
const LONG_BYTES = 16 * 1024;

/** The beginning of something that came in pieces: on most connections nothing does. The buffer is kept for the next time. */
export class CarryBuffer {
  #bytes: Buffer = NONE;
  length = 0;

  /** Valid until the next call; only the first `length` bytes mean anything. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  append(chunk: Buffer, start: number, end: number): void {
    const needed = this.length + end - start;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, USUAL_BYTES, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, this.length);
      this.#bytes = grown;
    }
    chunk.copy(this.#bytes, this.length, start, end);
    this.length = needed;
  }

  /** What was collected, in a buffer of its own; the collection starts anew. */
  take(): Buffer {
    const collected = this.#bytes.subarray(0, this.length);
    this.length = 0;
    if (collected.length <= LONG_BYTES) return Buffer.from(collected);
    this.#bytes = NONE;
    return collected;
  }
}
