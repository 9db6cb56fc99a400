/**
 * Follows a request's packets while their bytes pass: a request of 16 MiB and more consists of several, and LOAD DATA
 * LOCAL's file of many, ended by an empty one.
 */
import { HEADER_LENGTH, MAX_PAYLOAD } from '../wire/constants.ts';

export class RequestFrames {
  #untilEmptyPacket = false;
  #bodyLeft = 0;
  #header = Buffer.alloc(HEADER_LENGTH);
  #headerLength = 0;
  #lastWasFull = false;
  #started = false;
  /** Packets begun so far; the reply's first sequence id follows from it. */
  packetCount = 0;
  /** Sequence id of the last packet begun. */
  lastSequence = 0;
  done = true;

  /** @param untilEmptyPacket true for a file: any number of packets, ended by an empty one */
  begin(untilEmptyPacket: boolean): void {
    this.#untilEmptyPacket = untilEmptyPacket;
    this.#bodyLeft = 0;
    this.#headerLength = 0;
    this.#lastWasFull = false;
    this.#started = false;
    this.packetCount = 0;
    this.done = false;
  }

  /** Walks over `chunk[start, end)`. @returns offset behind the last byte that belongs to the request */
  follow(chunk: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end && !this.done) {
      if (this.#bodyLeft > 0) {
        const count = Math.min(this.#bodyLeft, end - at);
        this.#bodyLeft -= count;
        at += count;
        this.#endIfLast();
        continue;
      }
      const count = Math.min(HEADER_LENGTH - this.#headerLength, end - at);
      chunk.copy(this.#header, this.#headerLength, at, at + count);
      this.#headerLength += count;
      at += count;
      if (this.#headerLength === HEADER_LENGTH) this.#onHeader();
    }
    return at;
  }

  #onHeader(): void {
    const length = this.#header.readUIntLE(0, 3);
    const continues = this.#lastWasFull;
    this.#headerLength = 0;
    this.packetCount++;
    this.lastSequence = this.#header[3] ?? 0;
    this.#bodyLeft = length;
    this.#lastWasFull = length === MAX_PAYLOAD;
    this.#started = true;
    if (length === 0 && this.#untilEmptyPacket && !continues) this.done = true;
    else this.#endIfLast();
  }

  #endIfLast(): void {
    if (this.#bodyLeft === 0 && this.#started && !this.#untilEmptyPacket && !this.#lastWasFull) this.done = true;
  }
}
