/** The beginning of something that came in pieces. The buffer is kept for the next time. */
export class CarryBuffer {
  #bytes: Buffer = Buffer.allocUnsafeSlow(256);
  length = 0;

  /** Valid until the next call; only the first `length` bytes mean anything. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  append(chunk: Buffer, start: number, end: number): void {
    const needed = this.length + end - start;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, this.length);
      this.#bytes = grown;
    }
    chunk.copy(this.#bytes, this.length, start, end);
    this.length = needed;
  }

  /** A copy of what was collected; the collection starts anew. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }
}
