/** What becomes of a server's reply while it is scanned: bytes for the client are gathered, the session is told the rest. */
import type { ScannerSink } from '../wire/scanner-types.ts';
import { OutgoingChunks } from './outgoing-chunks.ts';
import { notePrepared } from './prepared-statements.ts';
import type { RequestRun } from './request-run.ts';

export class ReplySink implements ScannerSink {
  /** Knows the request and its server for as long as they are there: a session that idles keeps neither. */
  readonly #run: RequestRun;
  readonly #onInfileRequest: () => void;
  readonly out = new OutgoingChunks();

  /** @param onInfileRequest called when the server asks the client for a file */
  constructor(run: RequestRun, onInfileRequest: () => void) {
    this.#run = run;
    this.#onInfileRequest = onInfileRequest;
  }

  pass(chunk: Buffer, start: number, end: number): void {
    this.out.addRange(chunk, start, end);
  }

  emit(frame: Buffer): void {
    this.out.add(frame);
  }

  onState(chunk: Buffer, start: number, end: number): void {
    const { session, server, request } = this.#run;
    if (server !== null) session.applyState(chunk, start, end, server, request);
  }

  onPrepared(serverStatementId: number, _columnCount: number, parameterCount: number): number {
    const { server, request } = this.#run;
    const statement = request?.statement;
    if (!statement || server === null) return serverStatementId;
    notePrepared(statement, server, serverStatementId, parameterCount);
    return statement.id;
  }

  onError(): void {
    // The error number is noted by the scanner; the text is the client's.
  }

  onInfileRequest(): void {
    this.#onInfileRequest();
  }
}
