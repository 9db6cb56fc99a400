import { HEADER_LENGTH } from './constants.ts';
import type { ScannerSink } from './scanner-types.ts';
import { framePackets } from './writer.ts';

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

  /** Leaves `[at, next)` out; what stands before it is passed on. */
  skip(at: number, next: number): void {
    this.flushTo(at);
    this.#passFrom = next;
  }

  /** Ends with this buffer at `at`, and lets go of it. */
  close(at: number): void {
    this.flushTo(at);
    this.chunk = EMPTY;
  }

  /** Puts in a classic EOF (0xfe, warnings, status), or the OK that stands in its place under CLIENT_DEPRECATE_EOF. */
  emitEndMark(classic: boolean, status: number, warnings: number): void {
    const payloadLength = classic ? 5 : 7;
    const frame = Buffer.allocUnsafe(HEADER_LENGTH + payloadLength);
    frame.writeUIntLE(payloadLength, 0, 3);
    frame[3] = this.#sequence;
    frame[HEADER_LENGTH] = 0xfe;
    if (!classic) frame.writeUInt16LE(0, HEADER_LENGTH + 1);
    frame.writeUInt16LE(classic ? warnings : status, frame.length - 4);
    frame.writeUInt16LE(classic ? status : warnings, frame.length - 2);
    this.#send(frame);
  }

  /** Puts in a packet of the proxy's own. */
  emit(payload: Buffer): void {
    this.#send(framePackets(payload, this.#sequence));
  }

  /** Gives the packet at `at` the client's next sequence id. */
  renumber(at: number): void {
    if (this.chunk[at + 3] !== this.#sequence) this.chunk[at + 3] = this.#sequence;
    this.#sequence = (this.#sequence + 1) & 0xff;
  }

  #send(frame: Buffer): void {
    this.passedAny = true;
    this.#sink.emit(frame);
    this.#sequence = (this.#sequence + 1) & 0xff;
  }
}
