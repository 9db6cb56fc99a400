/** Fields of OK and EOF packets read and changed in place, without building an object per packet: for the data path. */
import { OdpError } from '../errors/odp-error.ts';
import { HEADER_LENGTH, STATUS } from './constants.ts';
import { PacketWriter } from './writer.ts';

const SHORTEST_OK = 7;
const SHORTEST_EOF = 5;
/** OceanBase writes it where other servers write the message's length, to those that don't track state. */
const BLANK = 0x20;

/** A packet that is too short for what it should hold. */
export function malformed(detail: string): OdpError {
  return new OdpError('MALFORMED_PACKET', { detail });
}

/** Bytes that the length-encoded integer beginning with `first` takes. */
function lenencSize(first: number): number {
  if (first < 0xfc) return 1;
  if (first === 0xfc) return 3;
  if (first === 0xfd) return 4;
  if (first === 0xfe) return 9;
  throw malformed('length-encoded integer begins with 0xff');
}

/** Where the length-encoded integer at `at` ends. @throws OdpError MALFORMED_PACKET when that is beyond `end` */
function lenencEnd(buffer: Buffer, at: number, end: number): number {
  const next = at < end ? at + lenencSize(buffer[at] ?? 0) : end + 1;
  if (next > end) throw malformed(`packet ends in a length-encoded integer at offset ${at}`);
  return next;
}

/**
 * A length-encoded length; the NULL mark counts as 0.
 * @throws OdpError MALFORMED_PACKET when it does not end before `end`
 */
export function readLenenc(buffer: Buffer, at: number, end: number): number {
  lenencEnd(buffer, at, end);
  const first = buffer[at] ?? 0;
  if (first < 0xfb) return first;
  if (first === 0xfc) return buffer.readUInt16LE(at + 1);
  if (first === 0xfd) return buffer.readUIntLE(at + 1, 3);
  return first === 0xfe ? Number(buffer.readBigUInt64LE(at + 1)) : 0;
}

/** Whether the length-encoded integer at `at` tells exactly what is left up to `end`. */
function isLengthOfRest(buffer: Buffer, at: number, end: number): boolean {
  const first = buffer[at] ?? 0xff;
  if (first === 0xff || at + lenencSize(first) > end) return false;
  return at + lenencSize(first) + readLenenc(buffer, at, end) === end;
}

/** Where the parts of one OK or EOF packet stand. Made once and filled again and again. */
export class EndFields {
  /** 0xfe, warnings, status: nothing else. Otherwise an OK packet, under either header byte. */
  classic = false;
  status = 0;
  warnings = 0;
  /** Offset of the human-readable message, and of what follows it. Equal: there is none. */
  messageAt = 0;
  messageEnd = 0;
  /** Session-state entries, without their length. */
  stateAt = 0;
  stateEnd = 0;
  #statusAt = 0;
  #infoAt = 0;
  #packetEnd = 0;
  #hasStatePart = false;

  /**
   * Reads the packet whose payload is `chunk[payloadAt, packetEnd)`.
   * @param tracksState whether its sender has agreed on CLIENT_SESSION_TRACK: state may then follow the message
   */
  read(chunk: Buffer, payloadAt: number, packetEnd: number, tracksState: boolean): void {
    const length = packetEnd - payloadAt;
    this.classic = chunk[payloadAt] === 0xfe && length < SHORTEST_OK;
    if (this.classic) return this.#readClassic(chunk, payloadAt, length);
    this.#statusAt = lenencEnd(chunk, lenencEnd(chunk, payloadAt + 1, packetEnd), packetEnd);
    this.#infoAt = this.#statusAt + 4;
    if (this.#infoAt > packetEnd) throw malformed(`OK packet of ${length} bytes`);
    this.status = chunk.readUInt16LE(this.#statusAt);
    this.warnings = chunk.readUInt16LE(this.#statusAt + 2);
    this.#packetEnd = packetEnd;
    this.messageAt = this.#infoAt;
    this.messageEnd = packetEnd;
    this.stateAt = packetEnd;
    this.stateEnd = packetEnd;
    this.#hasStatePart = false;
    if (tracksState && this.#infoAt < packetEnd) this.#readTrackedInfo(chunk, packetEnd);
  }

  /** Takes SESSION_STATE_CHANGED back unless state data comes with it: some clients look for it blindly (case B40). */
  keepState(chunk: Buffer): void {
    if (!this.#hasStatePart) this.#clearStateFlag(chunk);
  }

  /**
   * Takes the state off. The message keeps the length before it, which MySQL and MariaDB write in any case. OceanBase
   * does so only for who tracks state; others, and proxies behind the length, get a blank before the message.
   * @returns where the shortened packet ends
   */
  dropState(chunk: Buffer, at: number, fromOceanBase: boolean, toTracking: boolean): number {
    this.#clearStateFlag(chunk);
    let end = this.messageEnd === this.messageAt ? this.#infoAt : this.messageEnd;
    // Without a length before it the message was written for who doesn't track state.
    const hasLength = this.messageAt > this.#infoAt;
    if (fromOceanBase && hasLength && end !== this.#infoAt) end = this.#moveMessage(chunk, toTracking);
    if (end !== this.#packetEnd) chunk.writeUIntLE(end - at - HEADER_LENGTH, at, 3);
    return end;
  }

  /** @returns where the message ends */
  #moveMessage(chunk: Buffer, toTracking: boolean): number {
    const from = chunk[this.messageAt] === BLANK ? this.messageAt + 1 : this.messageAt;
    const length = this.messageEnd - from;
    // Never more bytes than the length that stands there: the message only moves towards the packet's head.
    const head = toTracking ? new PacketWriter(4).lenenc(length).finish() : Buffer.of(BLANK);
    chunk.copyWithin(this.#infoAt + head.length, from, this.messageEnd);
    chunk.set(head, this.#infoAt);
    return this.#infoAt + head.length + length;
  }

  /** Makes a classic EOF of the OK packet that stands in its place. @returns where the shortened packet ends */
  toClassic(chunk: Buffer, at: number): number {
    chunk.writeUIntLE(SHORTEST_EOF, at, 3);
    chunk.writeUInt16LE(this.warnings, at + HEADER_LENGTH + 1);
    chunk.writeUInt16LE(this.status & ~STATUS.SESSION_STATE_CHANGED, at + HEADER_LENGTH + 3);
    return at + HEADER_LENGTH + SHORTEST_EOF;
  }

  /**
   * The payload again, with a length before its message, for a receiver that tracks state while the sender does not.
   * Null: the length is there already.
   */
  withMessageLength(chunk: Buffer, at: number): Buffer | null {
    this.#clearStateFlag(chunk);
    if (isLengthOfRest(chunk, this.#infoAt, this.#packetEnd)) return null;
    const from = chunk[this.#infoAt] === BLANK ? this.#infoAt + 1 : this.#infoAt;
    const message = chunk.subarray(from, this.#packetEnd);
    const head = chunk.subarray(at + HEADER_LENGTH, this.#infoAt);
    return new PacketWriter(head.length + message.length + 4).bytes(head).lenencBytes(message).finish();
  }

  #readClassic(chunk: Buffer, payloadAt: number, length: number): void {
    if (length < SHORTEST_EOF) throw malformed(`EOF packet of ${length} bytes`);
    this.warnings = chunk.readUInt16LE(payloadAt + 1);
    this.status = chunk.readUInt16LE(payloadAt + 3);
    this.stateAt = 0;
    this.stateEnd = 0;
  }

  #readTrackedInfo(chunk: Buffer, packetEnd: number): void {
    this.messageAt = lenencEnd(chunk, this.#infoAt, packetEnd);
    this.messageEnd = this.messageAt + readLenenc(chunk, this.#infoAt, packetEnd);
    if (this.messageEnd > packetEnd) throw malformed('the message of an OK packet goes beyond its end');
    if (!(this.status & STATUS.SESSION_STATE_CHANGED) || this.messageEnd === packetEnd) return;
    this.#hasStatePart = true;
    this.stateAt = lenencEnd(chunk, this.messageEnd, packetEnd);
    this.stateEnd = this.stateAt + readLenenc(chunk, this.messageEnd, packetEnd);
    if (this.stateEnd > packetEnd) throw malformed('the session state of an OK packet goes beyond its end');
  }

  #clearStateFlag(chunk: Buffer): void {
    if (this.status & STATUS.SESSION_STATE_CHANGED) {
      chunk.writeUInt16LE(this.status & ~STATUS.SESSION_STATE_CHANGED, this.#statusAt);
    }
  }
}
