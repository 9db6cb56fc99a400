/** Protocol 2.0 as a server speaks it: frames of requests in, frames of answers out. */
import { EXTRA_INFO, encodeExtraInfo } from '../../wire/ob20/extra-info.ts';
import {
  FRAME_FLAG,
  FRAME_HEADER_LENGTH,
  FRAME_TAIL_LENGTH,
  OUTER_HEADER_LENGTH,
  REQUEST_ID_MASK,
} from '../../wire/ob20/frame-header.ts';
import { FrameReader } from '../../wire/ob20/frame-reader.ts';
import { FrameWriter } from '../../wire/ob20/frame-writer.ts';
import { type SessionBlock, splitBlocks } from '../../wire/ob20/session-blocks.ts';
import { Inflater } from '../../wire/ob20/zlib-packets.ts';
import type { ServerFaults } from './server-faults.ts';

/** One request as it came in frames. */
export interface FramedRequest {
  /** MySQL packets. */
  readonly packets: Buffer;
  readonly requestId: number;
  /** Of its last frame: the answer goes on from there. */
  readonly sequence: number;
  readonly blocks: readonly SessionBlock[];
  /** The proxy would send the statements of a transaction to several servers. */
  readonly offersInternalRouting: boolean;
}

export class DemoFraming {
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;
  readonly #inflater: Inflater | null;
  readonly #faults: ServerFaults;
  #pending: Buffer = Buffer.alloc(0);
  #packets: Buffer[] = [];
  #requestId = 0;

  /** @param level of zlib for the compressed form; 0: the plain one */
  constructor(connectionId: number, level: number, faults: ServerFaults) {
    this.#faults = faults;
    this.#reader = new FrameReader(connectionId, level > 0);
    this.#writer = new FrameWriter(connectionId, level);
    this.#inflater = level > 0 ? new Inflater() : null;
    this.#expectNext();
  }

  /** Adds a chunk and gives the requests that are whole now. @throws OdpError for frames that are wrong */
  push(chunk: Buffer): FramedRequest[] {
    const bytes = this.#inflater === null ? [chunk] : this.#inflater.feed(chunk, chunk.length);
    this.#pending = Buffer.concat([this.#pending, ...bytes]);
    const requests: FramedRequest[] = [];
    for (let length = this.#frameLength(); length > 0; length = this.#frameLength()) {
      const frame = this.#pending.subarray(0, length);
      this.#pending = this.#pending.subarray(length);
      this.#packets.push(this.#reader.feed(frame, length));
      if (this.#reader.error !== null) throw this.#reader.error;
      if (this.#reader.done) requests.push(this.#whole());
    }
    return requests;
  }

  /** Length of the next frame, 0 while it is not whole. */
  #frameLength(): number {
    const outer = this.#inflater === null ? OUTER_HEADER_LENGTH : 0;
    if (this.#pending.length < outer + FRAME_HEADER_LENGTH) return 0;
    const length = outer + FRAME_HEADER_LENGTH + this.#pending.readUInt32LE(outer + 12) + FRAME_TAIL_LENGTH;
    return length <= this.#pending.length ? length : 0;
  }

  #whole(): FramedRequest {
    const { flags, requestId, sequence } = this.#reader;
    const blocks = this.#reader
      .takeExtra()
      .filter(({ type }) => type === EXTRA_INFO.SESSION_STATE)
      .flatMap(({ value }) => splitBlocks(value));
    const packets = Buffer.concat(this.#packets);
    this.#packets = [];
    this.#expectNext();
    const offersInternalRouting = (flags & FRAME_FLAG.INTERNAL_ROUTING) !== 0;
    return { packets, requestId, sequence, blocks, offersInternalRouting };
  }

  #expectNext(): void {
    this.#requestId = (this.#requestId + 1) & REQUEST_ID_MASK;
    this.#reader.expect(this.#requestId, 0);
  }

  /** What is answered from now on belongs to this request. */
  answerTo(request: { readonly requestId: number; readonly sequence: number }): void {
    this.#writer.begin(request.requestId, (request.sequence + 1) & 0xff);
  }

  /** Frames for the next packets of an answer. @param grantsRouting in the last one: statements may go to several servers */
  frames(packets: Buffer, isLast: boolean, blocks: readonly SessionBlock[] = [], grantsRouting = false): Buffer {
    const value = Buffer.concat(blocks.map(({ bytes }) => bytes));
    const extra = value.length > 0 ? encodeExtraInfo([{ type: EXTRA_INFO.SESSION_STATE, value }], true) : undefined;
    const flags = FRAME_FLAG.NEW_EXTRA_INFO | (grantsRouting ? FRAME_FLAG.INTERNAL_ROUTING : 0);
    const frames = Buffer.concat(this.#writer.frames(packets, isLast, flags, extra));
    if (!isLast || this.#faults.wrongChecksums === 0) return frames;
    this.#faults.wrongChecksums--;
    frames[frames.length - 1] = (frames.at(-1) ?? 0) ^ 0xff;
    return frames;
  }
}
