/** Replies that the client must not see: those to the statements that bring a server session up to date. */
import { ResponseScanner } from '../wire/response-scanner.ts';
import type { ReplyKind, ScannerSink } from '../wire/scanner-types.ts';
import type { ClientSession } from './client-session.ts';
import type { SessionStatement } from './request.ts';
import type { ServerSession } from './server-session.ts';

export class HiddenReply implements ScannerSink {
  readonly #session: ClientSession;
  readonly #scanner: ResponseScanner;
  #server: ServerSession | null = null;
  #statement: SessionStatement | null = null;
  /** ERR payload, or null when the server has done what it was told. */
  error: Buffer | null = null;

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
    this.#scanner.begin(kind, server);
  }

  /** @returns offset of the first byte that does not belong to the reply */
  feed(chunk: Buffer, length: number): number {
    return this.#scanner.feed(chunk, 0, length);
  }

  onState(chunk: Buffer, start: number, end: number): void {
    if (this.#server !== null) this.#session.applyState(chunk, start, end, this.#server, null);
  }

  onPrepared(serverStatementId: number, _columnCount: number, parameterCount: number): number {
    if (this.#statement !== null && this.#server !== null) {
      this.#statement.serverIds.set(this.#server, serverStatementId);
      this.#statement.parameterCount = parameterCount;
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
