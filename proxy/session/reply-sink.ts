/** What becomes of a server's reply while it is scanned: bytes for the client are gathered, the session is told the rest. */
import type { ScannerSink } from '../wire/scanner-types.ts';
import type { ClientSession } from './client-session.ts';
import { OutgoingChunks } from './outgoing-chunks.ts';
import { notePrepared } from './prepared-statements.ts';
import type { ClientRequest } from './request.ts';
import type { ServerSession } from './server-session.ts';

export class ReplySink implements ScannerSink {
  readonly #session: ClientSession;
  readonly #onInfileRequest: () => void;
  readonly out = new OutgoingChunks();
  #server: ServerSession | null = null;
  #request: ClientRequest | null = null;

  /** @param onInfileRequest called when the server asks the client for a file */
  constructor(session: ClientSession, onInfileRequest: () => void) {
    this.#session = session;
    this.#onInfileRequest = onInfileRequest;
  }

  /** The reply to a request begins. */
  begin(server: ServerSession, request: ClientRequest): void {
    this.#server = server;
    this.#request = request;
  }

  pass(chunk: Buffer, start: number, end: number): void {
    this.out.addRange(chunk, start, end);
  }

  emit(frame: Buffer): void {
    this.out.add(frame);
  }

  onState(chunk: Buffer, start: number, end: number): void {
    if (this.#server !== null) this.#session.applyState(chunk, start, end, this.#server, this.#request);
  }

  onPrepared(serverStatementId: number, _columnCount: number, parameterCount: number): number {
    const statement = this.#request?.statement;
    if (!statement || this.#server === null) return serverStatementId;
    notePrepared(statement, this.#server, serverStatementId, parameterCount);
    return statement.id;
  }

  onError(): void {
    // The error number is noted by the scanner; the text is the client's.
  }

  onInfileRequest(): void {
    this.#onInfileRequest();
  }
}
