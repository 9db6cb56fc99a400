import { framePackets } from './writer.ts';
import type { ScannerSink } from './scanner-types.ts';

const EMPTY = Buffer.alloc(0);

/**
 * What of a reply goes to the client: runs of the server's bytes as they are, and packets built anew between them.
 * Keeps the client's sequence ids contiguous.
 */
export class ReplyOutput {
  readonly #sink: ScannerSink;
  /** What is being scanned, and where in it the bytes begin that are not yet passed on. */
  chunk: Buffer = EMPTY;
  #passFrom = 0;
  #sequence = 1;
  /** Whether anything has been given to the client. */
  passedAny = false;

  constructor(sink: ScannerSink) {
    this.#sink = sink;
  }

  /** Sequence id of the next packet for the client. */
  get nextSequence(): number {
    return this.#sequence;
  }

  set nextSequence(sequence: number) {
    this.#sequence = sequence & 0xff;
  }

  /** Starts with another buffer. */
  open(chunk: Buffer, passFrom: number): void {
    this.chunk = chunk;
    this.#passFrom = passFrom;
  }

  /** Passes on all that is kept up to `at`. */
  flushTo(at: number): void {
    if (at > this.#passFrom) {
      this.passedAny = true;
      this.#sink.pass(this.chunk, this.#passFrom, at);
    }
    this.#passFrom = at;
  }

  /** Bytes up to `at` that are not passed on yet are left out. */
  dropTo(at: number): void {
    this.#passFrom = at;
  }

  /** Ends with this buffer at `at`, and lets go of it. */
  close(at: number): void {
    this.flushTo(at);
    this.chunk = EMPTY;
  }

  /** Puts in a packet of the proxy's own. */
  emit(payload: Buffer): void {
    this.passedAny = true;
    this.#sink.emit(framePackets(payload, this.#sequence));
    this.#sequence = (this.#sequence + 1) & 0xff;
  }

  /** Puts an own packet in the place of `[at, packetEnd)`; null only takes it off. */
  replace(at: number, packetEnd: number, payload: Buffer | null): void {
    this.flushTo(at);
    if (payload !== null) this.emit(payload);
    this.#passFrom = packetEnd;
  }

  /** Gives the packet at `at` the client's next sequence id. */
  renumber(at: number): void {
    if (this.chunk[at + 3] !== this.#sequence) this.chunk[at + 3] = this.#sequence;
    this.#sequence = (this.#sequence + 1) & 0xff;
  }
}
