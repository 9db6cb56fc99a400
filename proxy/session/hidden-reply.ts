/** Replies that the client must not see: those to the statements that bring a server session up to date. */
import { OdpError } from '../errors/odp-error.ts';
import { HEADER_LENGTH } from '../wire/constants.ts';
import { ResponseScanner } from '../wire/response-scanner.ts';
import type { ReplyKind, ScannerSink } from '../wire/scanner-types.ts';
import type { ClientSession } from './client-session.ts';
import { notePrepared } from './prepared-statements.ts';
import type { SessionStatement } from './request.ts';
import type { ServerSession } from './server-session.ts';

export class HiddenReply implements ScannerSink {
  readonly #session: ClientSession;
  readonly #scanner: ResponseScanner;
  #server: ServerSession | null = null;
  #statement: SessionStatement | null = null;
  #begun = false;
  /** ERR payload, or null when the server has done what it was told. */
  error: Buffer | null = null;
  /** What is wrong with the reply itself, in words behind the server's name; its connection is of no more use. */
  broken: string | null = null;

  constructor(session: ClientSession) {
    this.#session = session;
    this.#scanner = new ResponseScanner(this, { clientCapabilities: 0, serverCapabilities: 0, extraOk: false });
  }

  get done(): boolean {
    return this.#scanner.done;
  }

  get status(): number {
    return this.#scanner.status;
  }

  begin(kind: ReplyKind, server: ServerSession, statement: SessionStatement | null): void {
    this.#server = server;
    this.#statement = statement;
    this.error = null;
    this.broken = null;
    this.#begun = false;
    this.#scanner.begin(kind, server);
  }

  /** Takes `chunk[start, end)`. @returns offset of the first byte that does not belong to the reply */
  feed(chunk: Buffer, start: number, end: number): number {
    // A notice of before the request (case B16) has another sequence id.
    if (!this.#begun && end - start > 3 && chunk[start + 3] !== 1) {
      this.broken = 'sent a notice in place of the reply';
      return start;
    }
    this.#begun = true;
    try {
      return this.#scanner.feed(chunk, start, end);
    } catch (error) {
      if (!(error instanceof RangeError) && !(error instanceof OdpError)) throw error;
      this.broken = `sent a malformed reply: ${error.message}`;
      return start;
    }
  }

  onState(chunk: Buffer, start: number, end: number): void {
    if (this.#server !== null) this.#session.applyState(chunk, start, end, this.#server, null);
  }

  onPrepared(serverStatementId: number, _columnCount: number, parameterCount: number): number {
    if (this.#statement !== null && this.#server !== null) {
      notePrepared(this.#statement, this.#server, serverStatementId, parameterCount);
    }
    return serverStatementId;
  }

  onError(chunk: Buffer, start: number, end: number): void {
    this.error = Buffer.from(chunk.subarray(start, end));
  }

  pass(): void {
    // Nobody is to see it.
  }

  emit(): void {
    // Nobody is to see it.
  }

  onInfileRequest(): void {
    // No synchronising statement loads a file.
  }
}

/** Payload of the ERR packet that `bytes` begin with, or null. */
export function firstErrorIn(bytes: Buffer): Buffer | null {
  const length = bytes.length > HEADER_LENGTH ? bytes.readUIntLE(0, 3) : 0;
  if (bytes[HEADER_LENGTH] !== 0xff || bytes.length < HEADER_LENGTH + length || length < 3) return null;
  return Buffer.from(bytes.subarray(HEADER_LENGTH, HEADER_LENGTH + length));
}
