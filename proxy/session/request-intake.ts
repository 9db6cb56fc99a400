/** Cuts a client's bytes into requests and begins them one after the other; what has to wait is kept, within a bound. */
import { CarryBuffer } from '../wire/carry-buffer.ts';
import { HEADER_LENGTH, MAX_PAYLOAD } from '../wire/constants.ts';

/** Bytes of pipelined requests that are kept while one is being served; then the client has to wait. */
const MAX_PENDING_BYTES = 256 * 1024;
/** Requests up to this size are read whole before they are routed; of longer ones this much, and the rest streams. */
export const WHOLE_REQUEST_BYTES = 64 * 1024;

export interface IntakeOwner {
  /** Nothing is being served, and the client has taken all answers: the next request may begin. */
  readonly mayBegin: boolean;
  /**
   * Begins the request at `chunk[start, end)`, packet header first. It may be over when this returns.
   * @param whole false: only its beginning is there; the client is paused until its rest is wanted
   */
  begin(chunk: Buffer, start: number, end: number, whole: boolean): void;
  pauseReading(): void;
  resumeReading(): void;
  closeWith(reason: string): void;
}

export class RequestIntake {
  readonly #owner: IntakeOwner;
  readonly #pending = new CarryBuffer();
  #processing = false;

  constructor(owner: IntakeOwner) {
    this.#owner = owner;
  }

  /** Takes `chunk[start, end)` and begins what it can. */
  take(chunk: Buffer, start: number, end: number): void {
    if (this.#pending.length === 0 && !this.#processing && this.#owner.mayBegin) this.#process(chunk, start, end);
    else this.keep(chunk, start, end);
    this.next();
  }

  /** Keeps bytes for later. A client that sends on and on is not read meanwhile. */
  keep(chunk: Buffer, start: number, end: number): void {
    if (end > start) this.#pending.append(chunk, start, end);
    if (this.#pending.length > MAX_PENDING_BYTES) this.#owner.pauseReading();
  }

  /** Begins a request that was kept, if it may; else, or when none is whole, more is read. */
  next(): void {
    if (this.#processing || !this.#owner.mayBegin) return;
    if (this.#canBegin(this.#pending.bytes, 0, this.#pending.length)) {
      const bytes = this.#pending.take();
      this.#process(bytes, 0, bytes.length);
    }
    if (this.#owner.mayBegin) this.#owner.resumeReading();
  }

  /** Part of a request has come, the rest of which is awaited. */
  get holdsBeginning(): boolean {
    return this.#pending.length > 0;
  }

  /** Bytes are being cut into requests just now: what is kept is not all there is. */
  get processing(): boolean {
    return this.#processing;
  }

  /** A copy of all that is kept. */
  kept(): Buffer {
    return Buffer.from(this.#pending.bytes.subarray(0, this.#pending.length));
  }

  /** Gives away all that is kept: bytes that belong to a request under way. */
  takeKept(): Buffer {
    return this.#pending.take();
  }

  #process(chunk: Buffer, start: number, end: number): void {
    this.#processing = true;
    let at = start;
    try {
      while (this.#owner.mayBegin && this.#canBegin(chunk, at, end)) {
        const length = chunk.readUIntLE(at, 3);
        if (length === 0) return this.#owner.closeWith('a request without a command byte');
        const whole = length < MAX_PAYLOAD && end - at >= HEADER_LENGTH + length;
        const requestEnd = whole ? at + HEADER_LENGTH + length : end;
        if (!whole) this.#owner.pauseReading();
        const from = at;
        at = requestEnd;
        this.#owner.begin(chunk, from, requestEnd, whole);
      }
    } finally {
      this.#processing = false;
    }
    this.keep(chunk, at, end);
  }

  /** Whether enough of a request is there: all of it, or what is looked at of a long one. */
  #canBegin(bytes: Buffer, at: number, end: number): boolean {
    if (end - at < HEADER_LENGTH) return false;
    const length = bytes.readUIntLE(at, 3);
    return (
      length === 0 || end - at >= WHOLE_REQUEST_BYTES || (length < MAX_PAYLOAD && end - at >= HEADER_LENGTH + length)
    );
  }
}
