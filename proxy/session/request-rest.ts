/** Passes on what a client is still sending behind the beginning of its request: the rest of a long one, or a file. */
import type { ClientRequest } from './request.ts';
import type { ForwarderParts, RequestRun } from './request-run.ts';
import type { ServerSession } from './server-session.ts';

export class RequestRest {
  readonly #run: RequestRun;
  readonly #parts: ForwarderParts;
  /** The client's last bytes have not left for the server: they still stand in its read buffer. */
  draining = false;

  constructor(run: RequestRun, parts: ForwarderParts) {
    this.#run = run;
    this.#parts = parts;
  }

  /** The client's next bytes belong to the request. */
  get expected(): boolean {
    return !this.#run.upload.done && this.#run.phase === 'replying';
  }

  /** The server has not taken what was written to it: the client is not read until it has. */
  waitForServer(): void {
    const { session, request } = this.#run;
    this.draining = true;
    session.pauseReading();
    session.limits.awaitReply(request?.info ?? null);
  }

  /** Takes bytes of the client while they are `expected`. @returns offset behind what belonged to the request */
  take(chunk: Buffer, length: number): number {
    const { upload, session, server, answerAfterUpload } = this.#run;
    const end = upload.follow(chunk, 0, length);
    session.recent.counters.requestBytes += end;
    if (answerAfterUpload !== null) {
      if (upload.done) this.#parts.failures.answer(answerAfterUpload);
      return end;
    }
    const isWritten = server === null || this.#pass(server, end === chunk.length ? chunk : chunk.subarray(0, end));
    if (!isWritten) this.waitForServer();
    if (upload.done) this.#uploaded();
    return end;
  }

  /** The server has asked the client for a file. */
  fileWanted(): void {
    this.#run.upload.begin(true);
    this.#run.session.resumeUpload();
  }

  #pass(server: ServerSession, bytes: Buffer): boolean {
    const isFile = this.#run.replyBegun && this.#parts.reply.scanner.waitsForFile;
    return isFile ? server.writeFile(bytes) : server.write(bytes, this.#run.upload.done);
  }

  /** The server has been given all: now it is its turn. */
  #uploaded(): void {
    const run = this.#run;
    const { request, server } = run;
    const { reply } = this.#parts;
    if (request === null || server === null) return;
    if (request.replyKind === null) return reply.finish();
    if (reply.scanner.waitsForFile && run.replyBegun) reply.scanner.fileSent(run.upload.lastSequence + 1);
    run.session.limits.awaitReply(request.info);
    const { early } = run;
    if (early === null) return;
    run.early = null;
    reply.take(server, request, early, early.length);
    if (!reply.hasPaused(server)) server.resume();
  }

  /** A server has taken all that was written to it, or is gone. */
  onServerDrain(server: ServerSession): void {
    const { session } = this.#run;
    if (!this.draining || (server !== this.#run.server && this.#run.server !== null)) return;
    this.draining = false;
    if (!this.expected) return session.next();
    session.replyWaitsForClient();
    session.resumeUpload();
  }

  /** Id of the first packet that answers the client's last one. */
  replySequence(request: ClientRequest): number {
    const { upload, replyBegun } = this.#run;
    const isUploaded = !request.complete || (replyBegun && this.#parts.reply.scanner.waitsForFile);
    return ((isUploaded ? upload.lastSequence : (request.bytes[3] ?? 0)) + 1) & 0xff;
  }
}
