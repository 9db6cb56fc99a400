/**
 * OceanBase's protocol 2.0 on one server session: puts requests into frames, takes replies out of them, and carries the
 * session state that comes and goes beside them.
 */
import type { OdpError } from '../errors/odp-error.ts';
import { HEADER_LENGTH } from '../wire/constants.ts';
import { EXTRA_INFO, encodeExtraInfo } from '../wire/ob20/extra-info.ts';
import { FRAME_FLAG, REQUEST_ID_MASK } from '../wire/ob20/frame-header.ts';
import { FrameReader } from '../wire/ob20/frame-reader.ts';
import { FrameWriter } from '../wire/ob20/frame-writer.ts';
import { Inflater } from '../wire/ob20/zlib-packets.ts';
import { BlockVersions, type SharedBlocks } from './shared-blocks.ts';

export interface FramingOptions {
  /** The server's connection id. */
  readonly connectionId: number;
  /** Both sides know extra information in its new form. */
  readonly isNewExtraInfo: boolean;
  /** Level of zlib when both sides have agreed on compressed frames; 0: not compressed. */
  readonly level: number;
}

interface FramingState extends Omit<FramingOptions, 'connectionId'> {
  /** Of the last request. */
  readonly requestId: number;
  readonly versions: ReturnType<BlockVersions['save']>;
}

const NONE = Buffer.alloc(0);

export class ServerFraming {
  readonly #writer: FrameWriter;
  readonly #reader: FrameReader;
  readonly #inflater: Inflater | null;
  readonly #flags: number;
  readonly #level: number;
  readonly #isNewExtraInfo: boolean;
  readonly versions = new BlockVersions();
  /** State of the client session that it belongs to; null before it belongs to one. */
  shared: SharedBlocks | null = null;
  /** Statements of the transaction that a request begins or goes on with may go to several servers. */
  offersInternalRouting = false;
  #requestId = 0;
  /** More of the request is to come. */
  #isOpen = false;
  /** First request of those that a file is sent in, -1 when none is. */
  #fileFrom = -1;
  /** Of the file's present packet: bytes of its header that have come, and bytes of its body that have not. */
  readonly #header = Buffer.alloc(HEADER_LENGTH);
  #headerLength = 0;
  #bodyLeft = 0;

  constructor(options: FramingOptions) {
    this.#writer = new FrameWriter(options.connectionId, options.level);
    this.#reader = new FrameReader(options.connectionId, options.level > 0);
    this.#inflater = options.level > 0 ? new Inflater() : null;
    this.#isNewExtraInfo = options.isNewExtraInfo;
    this.#level = options.level;
    this.#flags = options.isNewExtraInfo ? FRAME_FLAG.NEW_EXTRA_INFO : 0;
  }

  /** What is wrong with the server's frames; the connection is of no more use then. */
  get error(): OdpError | null {
    return this.#reader.error;
  }

  /** The last reply has granted that the transaction's statements go to several servers. */
  get grantsInternalRouting(): boolean {
    return (this.#reader.flags & FRAME_FLAG.INTERNAL_ROUTING) !== 0;
  }

  /** No frame is under way in either direction. */
  get isIdle(): boolean {
    return !this.#isOpen && this.#reader.done && (this.#inflater?.isIdle ?? true);
  }

  /** While it is idle this is all that there is, besides the connection's id. */
  save(): FramingState {
    const versions = this.versions.save();
    return { isNewExtraInfo: this.#isNewExtraInfo, level: this.#level, requestId: this.#requestId, versions };
  }

  static restore(connectionId: number, state: FramingState): ServerFraming {
    const framing = new ServerFraming({ connectionId, isNewExtraInfo: state.isNewExtraInfo, level: state.level });
    framing.#requestId = state.requestId;
    framing.versions.restore(state.versions);
    return framing;
  }

  // ---- to the server ---------------------------------------------------------------------------------------------

  /** Frames for the next bytes of a request; the first ones begin it. @param isLast it ends with them */
  request(bytes: Uint8Array, isLast: boolean): Uint8Array[] {
    this.#fileFrom = -1;
    const extra = this.#isOpen ? NONE : this.#begin(isLast);
    this.#isOpen = !isLast;
    return this.#frames(bytes, isLast, extra);
  }

  /**
   * Frames for a whole request behind others that are not answered yet. Session state went along with the first of them:
   * by now that may have changed it at the server.
   */
  requestBehind(bytes: Uint8Array): Uint8Array[] {
    this.#requestId = (this.#requestId + 1) & REQUEST_ID_MASK;
    this.#writer.begin(this.#requestId, 0);
    const frames = this.#writer.frames(bytes, true, this.#requestFlags);
    this.#reader.expectBehind(this.#requestId, this.#writer.nextSequence);
    return frames;
  }

  get #requestFlags(): number {
    return this.#flags | (this.offersInternalRouting ? FRAME_FLAG.INTERNAL_ROUTING : 0);
  }

  /**
   * Frames for the next bytes of a file that the server has asked for. Each packet of it is a request of its own: a
   * genuine kernel refuses two in one frame.
   */
  file(bytes: Uint8Array): Uint8Array[] {
    const frames: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = this.#endOfFilePacket(bytes, at);
      const isLast = this.#headerLength === 0;
      if (!this.#isOpen) {
        this.#begin(false);
        if (this.#fileFrom < 0) this.#fileFrom = this.#requestId;
        this.#reader.expect(this.#requestId, -1, this.#fileFrom);
      }
      this.#isOpen = !isLast;
      frames.push(...this.#frames(bytes.subarray(at, end), isLast, NONE));
      at = end;
    }
    return frames;
  }

  /** @returns extra information for the first frame */
  #begin(isWhole: boolean): Buffer {
    this.#requestId = (this.#requestId + 1) & REQUEST_ID_MASK;
    this.#writer.begin(this.#requestId, 0);
    // The server may answer a long request before it has all of it.
    if (!isWhole) this.#reader.expect(this.#requestId, -1);
    const blocks = this.shared?.missing(this.versions) ?? null;
    if (blocks === null) return NONE;
    return encodeExtraInfo([{ type: EXTRA_INFO.SESSION_STATE, value: blocks }], this.#isNewExtraInfo);
  }

  #frames(bytes: Uint8Array, isLast: boolean, extra: Buffer): Uint8Array[] {
    const isWhole = isLast && this.#writer.nextSequence === 0;
    const frames = this.#writer.frames(bytes, isLast, this.#requestFlags, extra);
    if (isWhole && this.#fileFrom < 0) this.#reader.expect(this.#requestId, this.#writer.nextSequence);
    return frames;
  }

  /** Where the packet that goes on at `at` ends in `bytes`; no header is under way behind its end. */
  #endOfFilePacket(bytes: Uint8Array, at: number): number {
    let end = at;
    while (this.#headerLength < HEADER_LENGTH && end < bytes.length) {
      this.#header[this.#headerLength++] = bytes[end++] ?? 0;
      if (this.#headerLength === HEADER_LENGTH) this.#bodyLeft = this.#header.readUIntLE(0, 3);
    }
    if (this.#headerLength < HEADER_LENGTH) return end;
    const count = Math.min(this.#bodyLeft, bytes.length - end);
    this.#bodyLeft -= count;
    if (this.#bodyLeft === 0) this.#headerLength = 0;
    return end + count;
  }

  // ---- from the server -------------------------------------------------------------------------------------------

  /**
   * Takes `chunk[0, length)`, which may be changed in place.
   * @returns the packets in it, empty when there are none; good for as long as the chunk is. With `error` set, those
   * before the fault.
   */
  unframe(chunk: Buffer, length: number): Buffer {
    const packets = this.#inflater === null ? this.#reader.feed(chunk, length) : this.#inflate(chunk, length);
    const extras = this.#reader.takeExtra();
    if (extras.length === 0) return packets;
    for (const { type, value } of extras) {
      if (type === EXTRA_INFO.SESSION_STATE) this.shared?.take(value, this.versions);
    }
    return packets;
  }

  #inflate(chunk: Buffer, length: number): Buffer {
    const parts = this.#inflater?.feed(chunk, length) ?? [];
    return Buffer.concat(parts.map((part) => this.#reader.feed(part, part.length)));
  }
}
