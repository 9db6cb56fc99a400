/**
 * Walks a server's reply as its chunks arrive and says which bytes belong to the client. Rows are never decoded: a
 * packet's length and first byte are enough. Only packets that must change are touched, most of them in place:
 * OK packets lose their session state, statement ids are replaced, end marks change between the two EOF styles,
 * OceanBase's extra OK is taken off, and sequence ids are kept contiguous.
 */
import { CarryBuffer } from './carry-buffer.ts';
import { CAP, HEADER_LENGTH, MAX_PAYLOAD, STATUS } from './constants.ts';
import { EndFields, malformed, readLenenc } from './ok-fields.ts';
import { ReplyOutput } from './reply-output.ts';
import { FIRST_STATE, SCANNER_STATE as S } from './scanner-states.ts';
import type { ReplyKind, ScannerMode, ScannerSink } from './scanner-types.ts';

/** The first bytes of a packet that decide what it is: header and first payload byte. */
const LOOK_BYTES = HEADER_LENGTH + 1;
/** A classic EOF is shorter; a row or a column count may begin with the same byte but is not. */
const CLASSIC_EOF_MAX = 9;
const SHORTEST_ERR = 3;
const SHORTEST_PREPARE_OK = 9;

/** Finds the end of one reply after another in the chunks given to it. */
export class ResponseScanner {
  readonly #sink: ScannerSink;
  readonly #output: ReplyOutput;
  /** Of the reply: the server ends it with an extra OK. */
  #extraOk: boolean;
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
  readonly #end = new EndFields();
  /** Status flags of the last OK or EOF packet of this reply, -1 before the first. Behind an ERR those of the extra OK. */
  status = -1;
  /** MySQL error number of the reply's ERR packet, 0 when there was none. */
  errno = 0;

  constructor(sink: ScannerSink, mode: ScannerMode) {
    this.#sink = sink;
    this.#output = new ReplyOutput(sink);
    this.#extraOk = mode.extraOk;
  }

  /** The reply, with the extra OK behind it, has come to its end. */
  get done(): boolean {
    return this.#state === S.DONE && this.#skip === 0;
  }

  /** The server waits for the client's file. */
  get waitsForFile(): boolean {
    return this.#state === S.INFILE;
  }

  /** Whether anything has been given to the client. */
  get passedAny(): boolean {
    return this.#output.passedAny;
  }

  /**
   * An ERR packet may stand here without breaking the client's reading: before anything, or where it waits for a row
   * or for the next result. A packet of which the client has seen nothing does not matter.
   */
  get errorFits(): boolean {
    if (!this.#output.passedAny) return true;
    if (this.#skip > 0 || this.#continuation) return false;
    if (this.#state === S.COLUMNS_END) return this.#clientDeprecateEof;
    return this.#state === S.ROWS || this.#state === S.FIRST;
  }

  /** Sequence id of the next packet for the client. */
  get nextSequence(): number {
    return this.#output.nextSequence;
  }

  /** Prepares for the reply to a request. @param firstSequence id of the first packet for the client */
  begin(kind: ReplyKind, mode: ScannerMode, firstSequence = 1): void {
    this.#extraOk = mode.extraOk;
    this.#clientDeprecateEof = (mode.clientCapabilities & CAP.DEPRECATE_EOF) !== 0;
    this.#serverDeprecateEof = (mode.serverCapabilities & CAP.DEPRECATE_EOF) !== 0;
    this.#clientTracksState = (mode.clientCapabilities & CAP.SESSION_TRACK) !== 0;
    this.#serverTracksState = (mode.serverCapabilities & CAP.SESSION_TRACK) !== 0;
    this.#state = FIRST_STATE[kind];
    this.#skip = 0;
    this.#carry.length = 0;
    this.#continuation = false;
    this.#output.nextSequence = firstSequence;
    this.#output.passedAny = false;
    this.status = -1;
    this.errno = 0;
  }

  /** The client's file has been sent up; the server's answer to it comes next. */
  fileSent(firstSequence: number): void {
    this.#state = S.FIRST;
    this.#output.nextSequence = firstSequence;
  }

  /**
   * Takes the next bytes of the reply. They may be changed in place.
   * @returns offset of the first byte that does not belong to it: `end`, unless the server sent more than a reply
   * @throws OdpError MALFORMED_PACKET when the server breaks the protocol: its connection is then of no more use
   */
  feed(chunk: Buffer, start: number, end: number): number {
    let at = this.#carry.length > 0 ? this.#feedCarry(chunk, start, end) : start;
    this.#output.open(chunk, at);
    try {
      while (at < end) {
        if (this.#skip > 0) {
          const count = Math.min(this.#skip, end - at);
          this.#skip -= count;
          at += count;
          continue;
        }
        if (this.#state === S.DONE || this.#state === S.INFILE) break;
        const length = end - at >= HEADER_LENGTH ? readLength(chunk, at) : -1;
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
    } finally {
      // Also when a packet is refused: what stands before it is good, and an ERR may have to follow it.
      this.#output.close(at);
    }
    return at;
  }

  // ---- pieces ----------------------------------------------------------------------------------------------------

  #keepForLater(at: number, end: number): number {
    this.#carry.append(this.#output.chunk, at, end);
    return end;
  }

  /** Completes the packet that is being carried, as far as the chunk goes. */
  #feedCarry(chunk: Buffer, start: number, end: number): number {
    let at = start;
    for (;;) {
      const length = this.#carry.length >= HEADER_LENGTH ? readLength(this.#carry.bytes, 0) : -1;
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
    // A buffer of its own, since what is passed on may still be in use when the carry is needed again.
    const packet = this.#carry.take();
    this.#output.open(packet, 0);
    if (whole) {
      this.#wholePacket(0, packet.length, first);
    } else {
      this.#passHeader(0, length);
      this.#skip -= packet.length - HEADER_LENGTH;
    }
    this.#output.close(packet.length);
  }

  // ---- packets that only pass ------------------------------------------------------------------------------------

  /** Whether a packet has to be seen as a whole: end marks, OK, ERR and the like. All of them are small. */
  #needsWhole(length: number, first: number): boolean {
    if (this.#continuation || !this.#matters(length, first)) return false;
    if (length === MAX_PAYLOAD) throw malformed('a row or a definition was expected, not 16 MiB of something else');
    return true;
  }

  #matters(length: number, first: number): boolean {
    switch (this.#state) {
      case S.ROWS:
        if (first === 0xff) return true;
        return first === 0xfe && (this.#serverDeprecateEof ? length < MAX_PAYLOAD : length < CLASSIC_EOF_MAX);
      case S.COLUMNS_END:
        if (!this.#serverDeprecateEof) return true;
        return first === 0xff || (first === 0xfe && length < MAX_PAYLOAD);
      case S.COLUMNS:
      case S.SINGLE:
        return first === 0xff;
      case S.PREPARE_PARAMETERS:
      case S.PREPARE_COLUMNS:
        // No end mark comes from a new-style server: behind the last definition one may have to be put in.
        return first === 0xff || (this.#serverDeprecateEof && this.#definitionsLeft === 1);
      case S.FIELDS:
        return first === 0xff || first === 0xfe;
      default:
        return true;
    }
  }

  #passHeader(at: number, length: number): void {
    if (this.#state === S.COLUMNS_END) this.#rowsOfNewStyle(at);
    this.#output.renumber(at);
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
  #rowsOfNewStyle(at: number): void {
    if (!this.#clientDeprecateEof) {
      this.#output.flushTo(at);
      this.#output.emitEndMark(true, STATUS.AUTOCOMMIT, 0);
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
        if (first !== 0x00 && first !== 0xfe) throw malformed(`extra OK packet begins with ${first}`);
        this.#readEnd(at, packetEnd);
        // An ERR has no status flags, but whether the error has ended the transaction must be known.
        if (this.errno !== 0 || this.status < 0) this.status = this.#end.status;
        this.#reportState(true);
        this.#output.skip(at, packetEnd);
        this.#state = S.DONE;
        return;
      case S.PREPARE_FIRST:
        return this.#prepareFirst(at, packetEnd, first);
      case S.PREPARE_PARAMETERS:
      case S.PREPARE_COLUMNS:
        return this.#lastDefinitionOfNewStyle(at, packetEnd);
      default:
        return this.#prepareEndMark(at, packetEnd, first);
    }
  }

  #firstPacket(at: number, packetEnd: number, first: number): void {
    if (first === 0x00) return this.#okPacket(at, packetEnd);
    // COM_SET_OPTION and COM_DEBUG answer with a bare end mark. No column count is large enough to begin like it.
    if (first === 0xfe) return this.#endMark(at, packetEnd);
    if (first === 0xfb) {
      this.#output.renumber(at);
      this.#state = S.INFILE;
      this.#output.flushTo(packetEnd);
      return this.#sink.onInfileRequest();
    }
    this.#definitionsLeft = readLenenc(this.#output.chunk, at + HEADER_LENGTH, packetEnd);
    this.#output.renumber(at);
    this.#state = S.COLUMNS;
  }

  #okPacket(at: number, packetEnd: number): void {
    this.#readEnd(at, packetEnd);
    this.status = this.#end.status;
    this.#reportState(false);
    this.#passOk(at, packetEnd);
    this.#state = this.status & STATUS.MORE_RESULTS ? S.FIRST : S.DONE;
  }

  #errorPacket(at: number, packetEnd: number): void {
    const payloadAt = at + HEADER_LENGTH;
    if (packetEnd - payloadAt < SHORTEST_ERR) throw malformed(`ERR packet of ${packetEnd - payloadAt} bytes`);
    if (this.#state === S.COLUMNS_END && this.#serverDeprecateEof) this.#rowsOfNewStyle(at);
    this.errno = this.#output.chunk.readUInt16LE(payloadAt + 1);
    this.#sink.onError(this.#output.chunk, payloadAt, packetEnd);
    this.#output.renumber(at);
    this.#endReply();
  }

  /** The end mark behind the column definitions; of a new-style server only that of an empty result or a cursor. */
  #columnsEnd(at: number, packetEnd: number): void {
    this.#readEnd(at, packetEnd);
    if (!this.#serverDeprecateEof && !this.#end.classic) throw malformed('column definitions without an end mark');
    // With a cursor no rows follow: this end mark ends the reply (case B04).
    if (this.#end.status & STATUS.CURSOR_EXISTS) return this.#endMark(at, packetEnd);
    if (this.#serverDeprecateEof) {
      this.#rowsOfNewStyle(at);
      return this.#endMark(at, packetEnd);
    }
    this.#state = S.ROWS;
    this.#classicMark(at, packetEnd);
  }

  /** An end mark of a classic server in the middle of a reply: new-style clients do not expect it. */
  #classicMark(at: number, packetEnd: number): void {
    if (this.#clientDeprecateEof) this.#output.skip(at, packetEnd);
    else this.#output.renumber(at);
  }

  #endMark(at: number, packetEnd: number): void {
    this.#readEnd(at, packetEnd);
    const { classic, warnings } = this.#end;
    this.status = this.#end.status;
    this.#reportState(false);
    if (classic !== this.#clientDeprecateEof) {
      if (classic) this.#output.renumber(at);
      else this.#passOk(at, packetEnd);
    } else if (classic) {
      this.#output.skip(at, packetEnd);
      this.#output.emitEndMark(false, this.status & ~STATUS.SESSION_STATE_CHANGED, warnings);
    } else {
      const keptEnd = this.#end.toClassic(this.#output.chunk, at);
      this.#output.renumber(at);
      this.#output.skip(keptEnd, packetEnd);
    }
    if (this.status & STATUS.MORE_RESULTS) this.#state = S.FIRST;
    else this.#endReply();
  }

  #prepareFirst(at: number, packetEnd: number, first: number): void {
    const payloadAt = at + HEADER_LENGTH;
    const { chunk } = this.#output;
    if (first !== 0x00 || packetEnd - payloadAt < SHORTEST_PREPARE_OK) throw malformed('no reply to a PREPARE');
    const columnCount = chunk.readUInt16LE(payloadAt + 5);
    const parameterCount = chunk.readUInt16LE(payloadAt + 7);
    const serverId = chunk.readUInt32LE(payloadAt + 1);
    chunk.writeUInt32LE(this.#sink.onPrepared(serverId, columnCount, parameterCount), payloadAt + 1);
    this.#output.renumber(at);
    this.#columnsAfterParameters = columnCount;
    if (parameterCount > 0) this.#startDefinitions(S.PREPARE_PARAMETERS, parameterCount);
    else this.#prepareColumns();
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

  #prepareEndMark(at: number, packetEnd: number, first: number): void {
    if (first !== 0xfe) throw malformed('definitions of a prepared statement without an end mark');
    this.#classicMark(at, packetEnd);
    this.#definitionsDone();
  }

  #lastDefinitionOfNewStyle(at: number, packetEnd: number): void {
    this.#output.renumber(at);
    this.#output.flushTo(packetEnd);
    if (!this.#clientDeprecateEof) this.#output.emitEndMark(true, STATUS.AUTOCOMMIT, 0);
    this.#definitionsDone();
  }

  /** One block of definitions is whole: columns follow parameters, and then the reply ends. */
  #definitionsDone(): void {
    if (this.#state === S.PREPARE_PARAMETERS_END || this.#state === S.PREPARE_PARAMETERS) this.#prepareColumns();
    else this.#endReply();
  }

  #endReply(): void {
    this.#state = this.#extraOk ? S.EXTRA_OK : S.DONE;
  }

  // ---- session state ---------------------------------------------------------------------------------------------

  #readEnd(at: number, packetEnd: number): void {
    this.#end.read(this.#output.chunk, at + HEADER_LENGTH, packetEnd, this.#serverTracksState);
  }

  #reportState(extra: boolean): void {
    const { stateAt, stateEnd } = this.#end;
    if (stateEnd > stateAt) this.#sink.onState(this.#output.chunk, stateAt, stateEnd, extra);
  }

  /** Passes the OK packet just read on without what its receiver did not ask for. */
  #passOk(at: number, packetEnd: number): void {
    const { chunk } = this.#output;
    if (this.#clientTracksState && !this.#serverTracksState && this.#end.messageAt < packetEnd) {
      const withLength = this.#end.withMessageLength(chunk, at);
      if (withLength !== null) {
        this.#output.skip(at, packetEnd);
        return this.#output.emit(withLength);
      }
    }
    let keptEnd = packetEnd;
    // A server that tracks state for everybody may tell a client that asked for it; OceanBase's block is for proxies.
    if (this.#clientTracksState && !this.#extraOk) this.#end.keepState(chunk);
    else keptEnd = this.#end.dropState(chunk, at, this.#extraOk, this.#clientTracksState);
    this.#output.renumber(at);
    this.#output.skip(keptEnd, packetEnd);
  }
}

/** Payload length in a packet's header. */
function readLength(buffer: Buffer, at: number): number {
  return (buffer[at] ?? 0) | ((buffer[at + 1] ?? 0) << 8) | ((buffer[at + 2] ?? 0) << 16);
}
