/**
 * Takes frames of protocol 2.0 apart as their chunks arrive: gives back the MySQL packets in them and checks both
 * checksums. Packets of a frame that is whole in its chunk are given back only when its checksum is right; those of a
 * longer frame pass on at once, but never its end.
 */
import { OdpError } from '../../errors/odp-error.ts';
import { crc32c } from './checksums.ts';
import { decodeExtraInfo, type ExtraItem } from './extra-info.ts';
import {
  FRAME_FLAG,
  FRAME_HEADER_LENGTH,
  FRAME_TAIL_LENGTH,
  malformed,
  newFrameHeader,
  OUTER_HEADER_LENGTH,
  REQUEST_ID_MASK,
  readFrameHeader,
} from './frame-header.ts';

const EXTRA_LENGTH_BYTES = 4;
const EMPTY = Buffer.alloc(0);

/** What of a frame comes next. */
const PART = { HEADER: 0, EXTRA_LENGTH: 1, EXTRA: 2, PACKETS: 3, TAIL: 4 } as const;

export class FrameReader {
  readonly #connectionId: number;
  readonly #isBare: boolean;
  readonly #headerLength: number;
  readonly #header = newFrameHeader();
  #part: number = PART.HEADER;
  /** A header, a length, extra information or a tail that came in pieces. */
  #pieces: Buffer;
  #piecesLength = 0;
  /** Payload bytes of the present frame that are still to come. */
  #payloadLeft = 0;
  #checksum = 0;
  #chunk: Buffer = EMPTY;
  /** Where the packets of the present frame begin in the present chunk, and where they end so far. */
  #runStart = 0;
  #runEnd = 0;
  /** Packets of a frame whose tail is in the next chunk. */
  #held: Buffer = EMPTY;
  /** The same, once the tail has come. */
  #released: Buffer = EMPTY;
  /** Packets of the present chunk that may go. */
  #outStart = 0;
  #outEnd = 0;
  #frameExtra: Buffer = EMPTY;
  #extras: ExtraItem[] = [];
  #expectsFrames = false;
  #requestId = 0;
  #earliestId = 0;
  #nextSequence = 0;
  /** Replies that are to come behind the present one: request id and sequence of the first frame, in turns. */
  readonly #behind: number[] = [];
  /** What is wrong with the stream; it is of no more use then. */
  error: OdpError | null = null;

  /** @param isBare frames stand without an outer header: they come out of zlib's packets */
  constructor(connectionId: number, isBare = false) {
    this.#connectionId = connectionId;
    this.#isBare = isBare;
    this.#headerLength = FRAME_HEADER_LENGTH + (isBare ? 0 : OUTER_HEADER_LENGTH);
    this.#pieces = Buffer.allocUnsafe(this.#headerLength);
  }

  /**
   * A reply, or a request, is to come.
   * @param firstSequence of its first frame; -1: any, as long as the other side may answer before it has everything
   * @param earliestId the reply may belong to any request from this one on: those that a file is sent in
   */
  expect(requestId: number, firstSequence: number, earliestId = requestId): void {
    this.#requestId = requestId;
    this.#earliestId = earliestId;
    this.#nextSequence = firstSequence < 0 ? -1 : firstSequence & 0xff;
    this.#expectsFrames = true;
    this.#behind.length = 0;
  }

  /** The same behind what is to come already: a request that was sent before the one before it was answered. */
  expectBehind(requestId: number, firstSequence: number): void {
    this.#behind.push(requestId, firstSequence);
  }

  /** Flags of the last frame begun. */
  get flags(): number {
    return this.#header.flags;
  }

  /** Request id of the last frame begun. */
  get requestId(): number {
    return this.#header.requestId;
  }

  /** Sequence of the last frame begun. */
  get sequence(): number {
    return this.#header.sequence;
  }

  /** The last frame of what was expected is there as a whole. */
  get done(): boolean {
    return !this.#expectsFrames && this.#behind.length === 0 && this.#part === PART.HEADER && this.#piecesLength === 0;
  }

  /** Extra information of all whole frames since the last call. */
  takeExtra(): readonly ExtraItem[] {
    if (this.#extras.length === 0) return this.#extras;
    const extras = this.#extras;
    this.#extras = [];
    return extras;
  }

  /**
   * Takes `chunk[0, length)`, which is changed in place when several frames are in it.
   * @returns the packets in it, empty when there are none; good for as long as the chunk is. With `error` set what
   * stands before the fault.
   */
  feed(chunk: Buffer, length: number): Buffer {
    if (this.error !== null) return EMPTY;
    this.#chunk = chunk;
    this.#released = EMPTY;
    this.#outStart = 0;
    this.#outEnd = 0;
    this.#runStart = 0;
    this.#runEnd = 0;
    try {
      for (let at = 0; at < length; ) at = this.#step(chunk, at, length);
      // The end of a frame waits for its checksum.
      if (this.#part === PART.TAIL) this.#holdRun();
      else this.#releaseRun();
    } catch (error) {
      if (!(error instanceof OdpError)) throw error;
      this.error = error;
    }
    this.#chunk = EMPTY;
    const packets = chunk.subarray(this.#outStart, this.#outEnd);
    if (this.#released.length === 0) return packets;
    return packets.length === 0 ? this.#released : Buffer.concat([this.#released, packets]);
  }

  #holdRun(): void {
    if (this.#runEnd > this.#runStart) this.#held = Buffer.from(this.#chunk.subarray(this.#runStart, this.#runEnd));
  }

  /** Adds the present frame's packets to those that may go: right behind them, over what stands between. */
  #releaseRun(): void {
    const length = this.#runEnd - this.#runStart;
    if (length === 0) return;
    if (this.#outEnd === 0) this.#outStart = this.#runStart;
    else this.#chunk.copyWithin(this.#outEnd, this.#runStart, this.#runEnd);
    this.#outEnd = (this.#outEnd === 0 ? this.#runStart : this.#outEnd) + length;
    this.#runStart = this.#runEnd;
  }

  /** @returns offset behind what it has taken */
  #step(chunk: Buffer, at: number, end: number): number {
    switch (this.#part) {
      case PART.HEADER:
        return this.#takePiece(chunk, at, end, this.#headerLength);
      case PART.EXTRA_LENGTH:
        return this.#takePiece(chunk, at, end, EXTRA_LENGTH_BYTES);
      case PART.EXTRA:
        return this.#takeExtra(chunk, at, end);
      case PART.PACKETS:
        return this.#takePackets(chunk, at, end);
      default:
        return this.#takePiece(chunk, at, end, FRAME_TAIL_LENGTH);
    }
  }

  #takePiece(chunk: Buffer, at: number, end: number, wanted: number): number {
    if (this.#piecesLength === 0 && end - at >= wanted) {
      this.#onPiece(chunk, at);
      return at + wanted;
    }
    const count = Math.min(wanted - this.#piecesLength, end - at);
    chunk.copy(this.#pieces, this.#piecesLength, at, at + count);
    this.#piecesLength += count;
    if (this.#piecesLength === wanted) {
      this.#piecesLength = 0;
      this.#onPiece(this.#pieces, 0);
    }
    return at + count;
  }

  #onPiece(bytes: Buffer, at: number): void {
    if (this.#part === PART.HEADER) this.#onHeader(bytes, at);
    else if (this.#part === PART.EXTRA_LENGTH) this.#onExtraLength(bytes, at);
    else this.#onTail(bytes, at);
  }

  #onHeader(bytes: Buffer, at: number): void {
    const header = this.#header;
    readFrameHeader(bytes, at, header, this.#isBare);
    if (!this.#expectsFrames) this.#expectNext();
    this.#expect('connection', header.connectionId, this.#connectionId);
    if (header.requestId !== this.#requestId) this.#acceptEarlier(header.requestId);
    if (this.#nextSequence >= 0) this.#expect('sequence', header.sequence, this.#nextSequence);
    this.#nextSequence = (header.sequence + 1) & 0xff;
    if (header.flags & FRAME_FLAG.LAST) this.#expectsFrames = false;
    this.#payloadLeft = header.payloadLength;
    this.#checksum = 0;
    this.#frameExtra = EMPTY;
    if (!(header.flags & FRAME_FLAG.EXTRA_INFO)) return this.#startPackets();
    if (header.payloadLength < EXTRA_LENGTH_BYTES) throw malformed('a frame too short for its extra information');
    this.#part = PART.EXTRA_LENGTH;
  }

  #expectNext(): void {
    const [requestId, firstSequence] = this.#behind.splice(0, 2);
    if (requestId === undefined || firstSequence === undefined) throw malformed('a frame that nobody asked for');
    this.#requestId = requestId;
    this.#earliestId = requestId;
    this.#nextSequence = firstSequence & 0xff;
    this.#expectsFrames = true;
  }

  #acceptEarlier(requestId: number): void {
    const age = (this.#requestId - requestId) & REQUEST_ID_MASK;
    if (age > ((this.#requestId - this.#earliestId) & REQUEST_ID_MASK)) {
      this.#expect('request', requestId, this.#requestId);
    }
    this.#requestId = requestId;
    this.#earliestId = requestId;
    this.#nextSequence = -1;
  }

  #expect(what: string, found: number, wanted: number): void {
    if (found !== wanted) throw malformed(`a frame of ${what} ${found}, ${wanted} expected`);
  }

  #onExtraLength(bytes: Buffer, at: number): void {
    this.#checksum = crc32c(bytes, at, at + EXTRA_LENGTH_BYTES, this.#checksum);
    this.#payloadLeft -= EXTRA_LENGTH_BYTES;
    const length = bytes.readUInt32LE(at);
    if (length > this.#payloadLeft) throw malformed('extra information goes beyond its frame');
    if (length === 0) return this.#startPackets();
    this.#frameExtra = Buffer.allocUnsafe(length);
    this.#part = PART.EXTRA;
  }

  #takeExtra(chunk: Buffer, at: number, end: number): number {
    const count = Math.min(this.#frameExtra.length - this.#piecesLength, end - at);
    chunk.copy(this.#frameExtra, this.#piecesLength, at, at + count);
    this.#piecesLength += count;
    this.#checksum = crc32c(chunk, at, at + count, this.#checksum);
    this.#payloadLeft -= count;
    if (this.#piecesLength === this.#frameExtra.length) {
      this.#piecesLength = 0;
      this.#startPackets();
    }
    return at + count;
  }

  #startPackets(): void {
    this.#part = this.#payloadLeft > 0 ? PART.PACKETS : PART.TAIL;
  }

  #takePackets(chunk: Buffer, at: number, end: number): number {
    const count = Math.min(this.#payloadLeft, end - at);
    this.#checksum = crc32c(chunk, at, at + count, this.#checksum);
    this.#runStart = at;
    this.#runEnd = at + count;
    this.#payloadLeft -= count;
    if (this.#payloadLeft === 0) this.#part = PART.TAIL;
    return at + count;
  }

  #onTail(bytes: Buffer, at: number): void {
    const wanted = bytes.readInt32LE(at);
    // 0: the sender has not calculated one.
    if (wanted !== 0 && wanted !== this.#checksum) throw new OdpError('PACKET_CHECKSUM', { part: 'payload' });
    this.#part = PART.HEADER;
    if (this.#frameExtra.length > 0) {
      const isNew = (this.#header.flags & FRAME_FLAG.NEW_EXTRA_INFO) !== 0;
      this.#extras.push(...decodeExtraInfo(this.#frameExtra, isNew));
      this.#frameExtra = EMPTY;
    }
    if (this.#held.length > 0) {
      this.#released = this.#held;
      this.#held = EMPTY;
    }
    this.#releaseRun();
  }
}
