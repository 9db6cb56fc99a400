/**
 * Walks a server's reply as its chunks arrive and says which bytes belong to the client. Rows are never decoded: a
 * packet's length and first byte are enough. Only packets that must change are touched, most of them in place:
 * OK packets lose their session state, statement ids are replaced, end marks change between the two EOF styles,
 * OceanBase's extra OK is taken off, and sequence ids are kept contiguous.
 */
import { CarryBuffer } from './carry-buffer.ts';
import { CAP, HEADER_LENGTH, MAX_PAYLOAD, STATUS } from './constants.ts';
import { buildEof } from './eof-packet.ts';
import { lenencSize, okStatusOffset, readLenenc, readOkStatus } from './ok-fields.ts';
import { buildOk } from './ok-packet.ts';
import { SCANNER_STATE as S } from './scanner-states.ts';
import type { ReplyKind, ScannerMode, ScannerSink } from './scanner-types.ts';
import { framePackets, PacketWriter } from './writer.ts';

/** The first bytes of a packet that decide what it is: header and first payload byte. */
const LOOK_BYTES = HEADER_LENGTH + 1;
const CLASSIC_EOF_MAX = 9;
const EMPTY = Buffer.alloc(0);

export class ResponseScanner {
  readonly #sink: ScannerSink;
  #mode: ScannerMode;
  #state: number = S.DONE;
  #clientDeprecateEof = false;
  #serverDeprecateEof = false;
  #clientTracksState = false;
  #serverTracksState = false;
  /** Definitions still to come. */
  #definitionsLeft = 0;
  #columnsAfterParameters = 0;
  /** Payload bytes of the present packet that only have to be passed on. */
  #skip = 0;
  /** The packet before was full-length: the next one goes on with it. */
  #continuation = false;
  /** A packet whose first bytes, or all bytes, have to be seen together but came in pieces. */
  readonly #carry = new CarryBuffer();
  /** What is being fed, and where in it the bytes begin that are not yet passed on. */
  #chunk: Buffer = EMPTY;
  #passFrom = 0;
  #sequence = 1;
  /** Status flags of the last OK or EOF packet of this reply, -1 before the first. */
  status = -1;
  /** MySQL error number of the reply's ERR packet, 0 when there was none. */
  errno = 0;
  /** Whether anything has been given to the client. */
  passedAny = false;

  constructor(sink: ScannerSink, mode: ScannerMode) {
    this.#sink = sink;
    this.#mode = mode;
  }

  get done(): boolean {
    return this.#state === S.DONE;
  }

  /** The server waits for the client's file. */
  get waitsForFile(): boolean {
    return this.#state === S.INFILE;
  }

  /** An ERR packet may stand here without breaking the client's reading: before anything, or between two rows. */
  get errorFits(): boolean {
    const betweenPackets = this.#skip === 0 && this.#carry.length === 0 && !this.#continuation;
    return !this.passedAny || (betweenPackets && (this.#state === S.ROWS || this.#state === S.FIRST));
  }

  /** Sequence id of the next packet for the client. */
  get nextSequence(): number {
    return this.#sequence;
  }

  /** Prepares for the reply to a request. @param firstSequence id of the first packet for the client */
  begin(kind: ReplyKind, mode: ScannerMode, firstSequence = 1): void {
    this.#mode = mode;
    this.#clientDeprecateEof = (mode.clientCapabilities & CAP.DEPRECATE_EOF) !== 0;
    this.#serverDeprecateEof = (mode.serverCapabilities & CAP.DEPRECATE_EOF) !== 0;
    this.#clientTracksState = (mode.clientCapabilities & CAP.SESSION_TRACK) !== 0;
    this.#serverTracksState = (mode.serverCapabilities & CAP.SESSION_TRACK) !== 0;
    this.#state =
      kind === 'result'
        ? S.FIRST
        : kind === 'prepare'
          ? S.PREPARE_FIRST
          : kind === 'rows'
            ? S.ROWS
            : kind === 'fields'
              ? S.FIELDS
              : S.SINGLE;
    this.#skip = 0;
    this.#carry.length = 0;
    this.#continuation = false;
    this.#sequence = firstSequence;
    this.status = -1;
    this.errno = 0;
    this.passedAny = false;
  }

  /** The client's file has been sent up; the server's answer to it comes next. */
  fileSent(firstSequence: number): void {
    this.#state = S.FIRST;
    this.#sequence = firstSequence & 0xff;
  }

  /**
   * Takes the next bytes of the reply.
   * @returns offset of the first byte that does not belong to it: `end`, unless the server sent more than a reply
   */
  feed(chunk: Buffer, start: number, end: number): number {
    let at = this.#carry.length > 0 ? this.#feedCarry(chunk, start, end) : start;
    this.#chunk = chunk;
    this.#passFrom = at;
    while (at < end) {
      if (this.#skip > 0) {
        const count = Math.min(this.#skip, end - at);
        this.#skip -= count;
        at += count;
        continue;
      }
      if (this.#state === S.DONE || this.#state === S.INFILE) break;
      const length = end - at >= HEADER_LENGTH ? chunk.readUIntLE(at, 3) : -1;
      if (length < 0 || (length > 0 && end - at < LOOK_BYTES)) return this.#keepForLater(at, end);
      const first = length > 0 ? (chunk[at + HEADER_LENGTH] ?? 0) : -1;
      if (!this.#needsWhole(length, first)) {
        this.#passHeader(at, length);
        at += HEADER_LENGTH;
        continue;
      }
      const packetEnd = at + HEADER_LENGTH + length;
      if (packetEnd > end) return this.#keepForLater(at, end);
      this.#wholePacket(at, packetEnd, first);
      at = packetEnd;
    }
    this.#flushTo(at);
    return at;
  }

  // ---- pieces ----------------------------------------------------------------------------------------------------

  #keepForLater(at: number, end: number): number {
    this.#flushTo(at);
    this.#carry.append(this.#chunk, at, end);
    return end;
  }

  /** Completes the packet that is being carried, as far as the chunk goes. */
  #feedCarry(chunk: Buffer, start: number, end: number): number {
    let at = start;
    for (;;) {
      const length = this.#carry.length >= HEADER_LENGTH ? this.#carry.bytes.readUIntLE(0, 3) : -1;
      let wanted: number;
      if (length < 0) wanted = HEADER_LENGTH;
      else if (length > 0 && this.#carry.length < LOOK_BYTES) wanted = LOOK_BYTES;
      else {
        const first = length > 0 ? (this.#carry.bytes[HEADER_LENGTH] ?? 0) : -1;
        const whole = this.#needsWhole(length, first);
        wanted = whole ? HEADER_LENGTH + length : this.#carry.length;
        if (this.#carry.length >= wanted) {
          this.#finishCarry(length, first, whole);
          return at;
        }
      }
      if (at === end) return at;
      const count = Math.min(wanted - this.#carry.length, end - at);
      this.#carry.append(chunk, at, at + count);
      at += count;
    }
  }

  #finishCarry(length: number, first: number, whole: boolean): void {
    // A copy, since what is passed on may still be in use when the carry is needed again.
    const packet = this.#carry.take();
    this.#chunk = packet;
    this.#passFrom = 0;
    if (whole) {
      this.#wholePacket(0, packet.length, first);
    } else {
      this.#passHeader(0, length);
      this.#skip -= packet.length - HEADER_LENGTH;
    }
    if (this.#passFrom < packet.length) {
      this.passedAny = true;
      this.#sink.emit(packet.subarray(this.#passFrom));
      this.#passFrom = packet.length;
    }
  }

  /** Passes on all that is kept up to `at`. */
  #flushTo(at: number): void {
    if (at > this.#passFrom) {
      this.passedAny = true;
      this.#sink.pass(this.#chunk, this.#passFrom, at);
    }
    this.#passFrom = at;
  }

  #emit(payload: Buffer): void {
    this.passedAny = true;
    this.#sink.emit(framePackets(payload, this.#sequence));
    this.#sequence = (this.#sequence + 1) & 0xff;
  }

  /** Puts an own packet in the place of `[at, packetEnd)`; null only takes it off. */
  #replace(at: number, packetEnd: number, payload: Buffer | null): void {
    this.#flushTo(at);
    if (payload !== null) this.#emit(payload);
    this.#passFrom = packetEnd;
  }

  #renumber(at: number): void {
    if (this.#chunk[at + 3] !== this.#sequence) this.#chunk[at + 3] = this.#sequence;
    this.#sequence = (this.#sequence + 1) & 0xff;
  }

  // ---- packets that only pass ------------------------------------------------------------------------------------

  /** Whether a packet has to be seen as a whole: end marks, OK, ERR and the like. All of them are small. */
  #needsWhole(length: number, first: number): boolean {
    if (this.#continuation) return false;
    switch (this.#state) {
      case S.ROWS:
        if (first === 0xff) return true;
        return first === 0xfe && (this.#serverDeprecateEof ? length < MAX_PAYLOAD : length < CLASSIC_EOF_MAX);
      case S.COLUMNS_END:
        if (!this.#serverDeprecateEof) return true;
        return first === 0xff || (first === 0xfe && length < MAX_PAYLOAD);
      case S.COLUMNS:
        return false;
      case S.PREPARE_PARAMETERS:
      case S.PREPARE_COLUMNS:
        // No end mark comes from a new-style server: behind the last definition one may have to be put in.
        return this.#serverDeprecateEof && this.#definitionsLeft === 1;
      case S.SINGLE:
        return first === 0xff;
      case S.FIELDS:
        return first === 0xff || first === 0xfe;
      default:
        return true;
    }
  }

  #passHeader(at: number, length: number): void {
    if (this.#state === S.COLUMNS_END) this.#firstRowOfNewStyle(at);
    this.#renumber(at);
    this.#skip = length;
    this.#continuation = length === MAX_PAYLOAD;
    if (this.#continuation) return;
    switch (this.#state) {
      case S.COLUMNS:
        if (--this.#definitionsLeft === 0) this.#state = S.COLUMNS_END;
        break;
      case S.PREPARE_PARAMETERS:
        if (--this.#definitionsLeft === 0) this.#state = S.PREPARE_PARAMETERS_END;
        break;
      case S.PREPARE_COLUMNS:
        if (--this.#definitionsLeft === 0) this.#state = S.PREPARE_COLUMNS_END;
        break;
      case S.SINGLE:
        this.#state = S.DONE;
        break;
      default:
        break;
    }
  }

  /** A new-style server sends rows right behind the definitions; an old-style client waits for an end mark (case B03). */
  #firstRowOfNewStyle(at: number): void {
    if (!this.#clientDeprecateEof) {
      this.#flushTo(at);
      this.#emit(buildEof(STATUS.AUTOCOMMIT));
    }
    this.#state = S.ROWS;
  }

  // ---- packets that matter ---------------------------------------------------------------------------------------

  #wholePacket(at: number, packetEnd: number, first: number): void {
    if (first === 0xff && this.#state !== S.EXTRA_OK) return this.#errorPacket(at, packetEnd);
    switch (this.#state) {
      case S.FIRST:
        return this.#firstPacket(at, packetEnd, first);
      case S.COLUMNS_END:
        return this.#columnsEnd(at, packetEnd);
      case S.ROWS:
      case S.FIELDS:
        return this.#endMark(at, packetEnd);
      case S.EXTRA_OK:
        this.#readState(at + HEADER_LENGTH, packetEnd, true);
        this.#replace(at, packetEnd, null);
        this.#state = S.DONE;
        return;
      case S.PREPARE_FIRST:
        return this.#prepareFirst(at, packetEnd);
      case S.PREPARE_PARAMETERS:
      case S.PREPARE_COLUMNS:
        return this.#lastDefinitionOfNewStyle(at, packetEnd);
      case S.PREPARE_PARAMETERS_END:
      case S.PREPARE_COLUMNS_END:
        return this.#prepareEndMark(at, packetEnd);
      default:
        return;
    }
  }

  #firstPacket(at: number, packetEnd: number, first: number): void {
    const payloadAt = at + HEADER_LENGTH;
    const length = packetEnd - payloadAt;
    if (first === 0x00) return this.#okPacket(at, packetEnd);
    if (first === 0xfe && length < CLASSIC_EOF_MAX) {
      // COM_SET_OPTION and COM_DEBUG answer with a bare end mark.
      return this.#endMark(at, packetEnd);
    }
    this.#renumber(at);
    if (first === 0xfb) {
      this.#state = S.INFILE;
      this.#flushTo(packetEnd);
      this.#sink.onInfileRequest();
      return;
    }
    this.#definitionsLeft = readLenenc(this.#chunk, payloadAt);
    this.#state = this.#definitionsLeft > 0 ? S.COLUMNS : S.COLUMNS_END;
  }

  #okPacket(at: number, packetEnd: number): void {
    this.#passTrimmed(at, packetEnd);
    this.#state = this.status & STATUS.MORE_RESULTS ? S.FIRST : S.DONE;
  }

  #errorPacket(at: number, packetEnd: number): void {
    const payloadAt = at + HEADER_LENGTH;
    this.errno = this.#chunk.readUInt16LE(payloadAt + 1);
    this.#sink.onError(this.#chunk, payloadAt, packetEnd);
    this.#renumber(at);
    this.#endReply();
  }

  /** The end mark behind the column definitions; of a new-style server only that of an empty result or a cursor. */
  #columnsEnd(at: number, packetEnd: number): void {
    const payloadAt = at + HEADER_LENGTH;
    const status = this.#serverDeprecateEof
      ? readOkStatus(this.#chunk, payloadAt)
      : this.#chunk.readUInt16LE(payloadAt + 3);
    this.#state = S.ROWS;
    // With a cursor no rows follow: this end mark ends the reply (case B04).
    if (status & STATUS.CURSOR_EXISTS) return this.#endMark(at, packetEnd);
    if (this.#serverDeprecateEof) {
      this.#firstRowOfNewStyle(at);
      return this.#endMark(at, packetEnd);
    }
    if (this.#clientDeprecateEof) this.#replace(at, packetEnd, null);
    else this.#renumber(at);
  }

  #endMark(at: number, packetEnd: number): void {
    const payloadAt = at + HEADER_LENGTH;
    const classic = packetEnd - payloadAt < 7;
    let warnings = 0;
    if (classic) {
      warnings = this.#chunk.readUInt16LE(payloadAt + 1);
      this.status = this.#chunk.readUInt16LE(payloadAt + 3);
    } else {
      const statusAt = okStatusOffset(this.#chunk, payloadAt);
      this.status = this.#chunk.readUInt16LE(statusAt);
      warnings = this.#chunk.readUInt16LE(statusAt + 2);
    }
    if (classic === !this.#clientDeprecateEof) {
      if (classic) this.#renumber(at);
      else this.#passTrimmed(at, packetEnd);
    } else {
      if (!classic) this.#readState(payloadAt, packetEnd, false);
      const status = this.status & ~STATUS.SESSION_STATE_CHANGED;
      this.#replace(at, packetEnd, classic ? buildOk({ header: 0xfe, status, warnings }) : buildEof(status, warnings));
    }
    if (this.status & STATUS.MORE_RESULTS) this.#state = S.FIRST;
    else this.#endReply();
  }

  #prepareFirst(at: number, packetEnd: number): void {
    const payloadAt = at + HEADER_LENGTH;
    const columnCount = this.#chunk.readUInt16LE(payloadAt + 5);
    const parameterCount = this.#chunk.readUInt16LE(payloadAt + 7);
    const serverId = this.#chunk.readUInt32LE(payloadAt + 1);
    this.#chunk.writeUInt32LE(this.#sink.onPrepared(serverId, columnCount, parameterCount), payloadAt + 1);
    this.#renumber(at);
    this.#columnsAfterParameters = columnCount;
    if (parameterCount > 0) this.#startDefinitions(S.PREPARE_PARAMETERS, parameterCount);
    else this.#prepareColumns();
    if (this.#state === S.DONE) this.#flushTo(packetEnd);
  }

  #startDefinitions(state: number, count: number): void {
    this.#state = state;
    this.#definitionsLeft = count;
  }

  #prepareColumns(): void {
    if (this.#columnsAfterParameters > 0) this.#startDefinitions(S.PREPARE_COLUMNS, this.#columnsAfterParameters);
    else this.#endReply();
    this.#columnsAfterParameters = 0;
  }

  #prepareEndMark(at: number, packetEnd: number): void {
    if (this.#clientDeprecateEof) this.#replace(at, packetEnd, null);
    else this.#renumber(at);
    this.#definitionsDone();
  }

  #lastDefinitionOfNewStyle(at: number, packetEnd: number): void {
    this.#renumber(at);
    this.#flushTo(packetEnd);
    if (!this.#clientDeprecateEof) this.#emit(buildEof(STATUS.AUTOCOMMIT));
    this.#definitionsDone();
  }

  /** One block of definitions is whole: columns follow parameters, and then the reply ends. */
  #definitionsDone(): void {
    if (this.#state === S.PREPARE_PARAMETERS_END || this.#state === S.PREPARE_PARAMETERS) this.#prepareColumns();
    else this.#endReply();
  }

  #endReply(): void {
    this.#state = this.#mode.extraOk ? S.EXTRA_OK : S.DONE;
  }

  // ---- session state ---------------------------------------------------------------------------------------------

  /** Passes an OK packet on without what its receiver did not ask for. */
  #passTrimmed(at: number, packetEnd: number): void {
    const infoAt = okStatusOffset(this.#chunk, at + HEADER_LENGTH) + 4;
    if (this.#clientTracksState && !this.#serverTracksState && infoAt < packetEnd) {
      // Only one end writes messages with a length: the packet has to grow, so it is built anew.
      this.status = readOkStatus(this.#chunk, at + HEADER_LENGTH);
      const message = this.#chunk.subarray(infoAt, packetEnd);
      const head = this.#chunk.subarray(at + HEADER_LENGTH, infoAt);
      const payload = new PacketWriter(message.length + 16).bytes(head).lenencBytes(message).finish();
      return this.#replace(at, packetEnd, payload);
    }
    const shortenedEnd = this.#trimOk(at, packetEnd);
    this.#renumber(at);
    this.#flushTo(shortenedEnd);
    this.#passFrom = packetEnd;
  }

  /**
   * Notes an OK packet's status and takes off its session state, in place.
   * @returns where the shortened packet ends
   */
  #trimOk(at: number, packetEnd: number): number {
    const chunk = this.#chunk;
    const payloadAt = at + HEADER_LENGTH;
    const statusAt = okStatusOffset(chunk, payloadAt);
    this.status = chunk.readUInt16LE(statusAt);
    const infoAt = statusAt + 4;
    if (!this.#serverTracksState || infoAt >= packetEnd) return packetEnd;
    const messageLength = readLenenc(chunk, infoAt);
    const messageAt = infoAt + lenencSize(chunk, infoAt);
    const messageEnd = messageAt + messageLength;
    const hasState = (this.status & STATUS.SESSION_STATE_CHANGED) !== 0 && messageEnd < packetEnd;
    if (hasState) this.#reportState(messageEnd, packetEnd, false);
    // A server that tracks state for everybody may tell a client that asked for it; OceanBase's block is for proxies.
    if (this.#clientTracksState && !this.#mode.extraOk) return packetEnd;
    chunk.writeUInt16LE(this.status & ~STATUS.SESSION_STATE_CHANGED, statusAt);
    let newEnd = infoAt;
    if (messageLength > 0) {
      if (this.#clientTracksState) newEnd = messageEnd;
      else {
        chunk.copyWithin(infoAt, messageAt, messageEnd);
        newEnd = infoAt + messageLength;
      }
    }
    chunk.writeUIntLE(newEnd - payloadAt, at, 3);
    return newEnd;
  }

  /** Reports the session state of an OK packet that is taken off as a whole. */
  #readState(payloadAt: number, packetEnd: number, extra: boolean): void {
    const statusAt = okStatusOffset(this.#chunk, payloadAt);
    const status = this.#chunk.readUInt16LE(statusAt);
    const infoAt = statusAt + 4;
    if (!(status & STATUS.SESSION_STATE_CHANGED) || !this.#serverTracksState || infoAt >= packetEnd) return;
    const messageEnd = infoAt + lenencSize(this.#chunk, infoAt) + readLenenc(this.#chunk, infoAt);
    if (messageEnd < packetEnd) this.#reportState(messageEnd, packetEnd, extra);
  }

  #reportState(stateAt: number, packetEnd: number, extra: boolean): void {
    const from = stateAt + lenencSize(this.#chunk, stateAt);
    const to = Math.min(packetEnd, from + readLenenc(this.#chunk, stateAt));
    if (to > from) this.#sink.onState(this.#chunk, from, to, extra);
  }
}
