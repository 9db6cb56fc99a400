/** Puts MySQL packets into frames of protocol 2.0: requests at a proxy, replies at a server. */
import { crc32c } from './checksums.ts';
import {
  FRAME_FLAG,
  FRAME_HEADER_LENGTH,
  FRAME_TAIL_LENGTH,
  type FrameHeader,
  MAX_FRAME_PAYLOAD,
  newFrameHeader,
  OUTER_HEADER_LENGTH,
  writeFrameHeader,
} from './frame-header.ts';
import { deflatePackets } from './zlib-packets.ts';

/** Up to this size a payload is copied between header and checksum: one buffer is cheaper to send than three. */
const COPIED_BYTES = 16 * 1024;
const EXTRA_LENGTH_BYTES = 4;
const NO_EXTRA = Buffer.alloc(0);

export class FrameWriter {
  readonly #header: FrameHeader = newFrameHeader();
  readonly #level: number;

  /** @param level of zlib for the compressed form; 0: the plain one */
  constructor(connectionId: number, level = 0) {
    this.#header.connectionId = connectionId;
    this.#level = level;
  }

  /** A new request, or the reply to one, begins. @param sequence of its first frame */
  begin(requestId: number, sequence: number): void {
    this.#header.requestId = requestId;
    this.#header.sequence = sequence;
  }

  /** Of the next frame. */
  get nextSequence(): number {
    return this.#header.sequence;
  }

  /**
   * Frames for the next bytes of a request or reply, to be sent one behind the other.
   * @param packets not copied when they are long: they must stay as they are until they are sent
   * @param flags `FRAME_FLAG` bits; EXTRA_INFO and LAST are set here
   * @param extra encoded extra information for the first frame
   */
  frames(packets: Uint8Array, isLast: boolean, flags = 0, extra: Buffer = NO_EXTRA): Uint8Array[] {
    const out: Uint8Array[] = [];
    let at = 0;
    let before = extra;
    do {
      const room = MAX_FRAME_PAYLOAD - (before.length > 0 ? before.length + EXTRA_LENGTH_BYTES : 0);
      const end = Math.min(packets.length, at + room);
      this.#frame(out, packets.subarray(at, end), isLast && end === packets.length, flags, before);
      before = NO_EXTRA;
      at = end;
    } while (at < packets.length);
    return out;
  }

  #frame(out: Uint8Array[], packets: Uint8Array, isLast: boolean, flags: number, extra: Buffer): void {
    const extraLength = extra.length > 0 ? EXTRA_LENGTH_BYTES + extra.length : 0;
    const header = this.#header;
    header.payloadLength = extraLength + packets.length;
    header.flags = flags | (isLast ? FRAME_FLAG.LAST : 0) | (extraLength > 0 ? FRAME_FLAG.EXTRA_INFO : 0);
    const isBare = this.#level > 0;
    const isCopied = isBare || packets.length <= COPIED_BYTES;
    const extraAt = FRAME_HEADER_LENGTH + (isBare ? 0 : OUTER_HEADER_LENGTH);
    const headLength = extraAt + extraLength;
    const head = Buffer.allocUnsafe(headLength + (isCopied ? packets.length + FRAME_TAIL_LENGTH : 0));
    writeFrameHeader(head, 0, header, isBare);
    if (extraLength > 0) {
      head.writeUInt32LE(extra.length, extraAt);
      head.set(extra, extraAt + EXTRA_LENGTH_BYTES);
    }
    const { sequence } = header;
    header.sequence = (sequence + 1) & 0xff;
    const checksum = crc32c(packets, 0, packets.length, crc32c(head, extraAt, headLength, 0));
    if (isCopied) {
      head.set(packets, headLength);
      head.writeInt32LE(checksum, headLength + packets.length);
      if (isBare) out.push(...deflatePackets(head, sequence, this.#level));
      else out.push(head);
      return;
    }
    out.push(head);
    const tail = Buffer.allocUnsafe(FRAME_TAIL_LENGTH);
    tail.writeInt32LE(checksum, 0);
    out.push(packets, tail);
  }
}
