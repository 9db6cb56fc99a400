/** Follows a server's reply to its end, and hands it on to the client; a refusal may be for another server to answer. */
import { OdpError } from '../errors/odp-error.ts';
import { ResponseScanner } from '../wire/response-scanner.ts';
import { firstErrorIn } from './hidden-reply.ts';
import { isForCoordinator } from './internal-routing.ts';
import { mayGoElsewhere } from './may-retry.ts';
import { ReplySink } from './reply-sink.ts';
import type { ClientRequest } from './request.ts';
import type { ForwarderParts, RequestRun } from './request-run.ts';
import { takeFeedback } from './route-feedback.ts';
import type { ServerSession } from './server-session.ts';
import { notesStaleReplica } from './stale-replica.ts';

export class ReplyFollower {
  readonly scanner: ResponseScanner;
  readonly #run: RequestRun;
  readonly #parts: ForwarderParts;
  readonly #sink: ReplySink;
  /** Server session whose bytes the client has not taken yet. */
  #paused: ServerSession | null = null;

  constructor(run: RequestRun, parts: ForwarderParts) {
    this.#run = run;
    this.#parts = parts;
    this.#sink = new ReplySink(run, () => parts.rest.fileWanted());
    this.scanner = new ResponseScanner(this.#sink, { clientCapabilities: 0, serverCapabilities: 0, extraOk: false });
  }

  /** Takes bytes of the server's reply. */
  take(server: ServerSession, request: ClientRequest, chunk: Buffer, length: number): void {
    const run = this.#run;
    const { session } = run;
    const { scanner } = this;
    const { failures } = this.#parts;
    if (!run.replyBegun) {
      const sequence = this.#parts.rest.replySequence(request);
      if (length > 3 && chunk[3] !== sequence) {
        return failures.serverLost(server, `${server.address} sent a notice in place of the reply`);
      }
      run.replyBegun = true;
      scanner.begin(request.replyKind ?? 'result', server, sequence);
    }
    let end: number;
    const isFirst = !scanner.passedAny;
    try {
      end = scanner.feed(chunk, 0, length);
    } catch (error) {
      if (!(error instanceof RangeError) && !(error instanceof OdpError)) throw error;
      this.#flush(server);
      server.failure = { kind: 'malformed-reply', tookMs: 0, detail: error.message };
      return failures.serverLost(server, `${server.address} sent a malformed reply: ${error.message}`);
    }
    if (isFirst && scanner.done && scanner.errno !== 0 && this.#isTakenElsewhere(server, request, chunk, length))
      return;
    const isTaken = this.#flush(server);
    if (!scanner.done) {
      // The server has answered the request for a file before the file is whole.
      if (end < length && scanner.waitsForFile)
        failures.serverLost(server, `${server.address} did not wait for the file`);
      else if (scanner.waitsForFile || !isTaken) session.replyWaitsForClient();
      else session.limits.awaitMoreOfReply();
      return;
    }
    const hasMore = end < length;
    this.finish();
    if (hasMore) session.serverGone(server, `${server.address} sent more than a reply`);
  }

  /** The reply is an error and nothing else: another server may do what this one does not. */
  #isTakenElsewhere(server: ServerSession, request: ClientRequest, chunk: Buffer, length: number): boolean {
    const { session } = this.#run;
    const { errno } = this.scanner;
    const forCoordinator = isForCoordinator(session, server, errno);
    const isStale = !forCoordinator && notesStaleReplica(session, request, server.address, errno);
    const isElsewhere = forCoordinator || isStale || mayGoElsewhere(session, request, errno);
    const error = isElsewhere ? firstErrorIn(chunk.subarray(0, length)) : null;
    if (error === null) return false;
    this.#goElsewhere(server, request, error, forCoordinator ? 'coordinator' : isStale ? 'router' : 'candidate');
    return true;
  }

  /** The server is of no use for the request now: another one may be; if none is, its error is the answer. */
  #goElsewhere(
    server: ServerSession,
    request: ClientRequest,
    error: Buffer,
    next: 'coordinator' | 'router' | 'candidate',
  ): void {
    const run = this.#run;
    const { sender } = this.#parts;
    const { cluster, servers } = run.session;
    this.#sink.out.clear();
    run.health.answered(server, request, this.scanner.errno);
    if (cluster !== null) takeFeedback(cluster, request, server.address, this.scanner.errno);
    run.walk.declined(server.address, error);
    server.busy = false;
    run.server = null;
    run.replyBegun = false;
    if (next === 'coordinator' && servers.bound !== null) sender.takeToCoordinator(servers.bound);
    else if (run.walk.started && next !== 'router') sender.tryNext();
    else sender.askRouter(request);
  }

  /** @returns false when the client has not taken everything yet; the server is paused till then */
  #flush(server: ServerSession): boolean {
    if (this.#sink.out.flush(this.#run.session)) return true;
    server.pause();
    this.#paused = server;
    return false;
  }

  /** Whether the server waits for the client to take what it has answered. */
  hasPaused(server: ServerSession): boolean {
    return this.#paused === server;
  }

  forgetPaused(): void {
    this.#paused = null;
  }

  /** The client has taken all that was written: its server may go on. */
  clientDrained(): void {
    const paused = this.#paused;
    if (paused === null) return;
    this.#paused = null;
    const { server, phase, session } = this.#run;
    if (paused === server && phase === 'replying') session.limits.awaitMoreOfReply();
    paused.resume();
  }

  /** The request is over: its reply has ended, or it has none. */
  finish(): void {
    const run = this.#run;
    const { request, server } = run;
    if (request === null || server === null) return;
    run.end();
    const { status, errno } = this.scanner;
    if (request.replyKind === null) return run.session.requestDone(request, server, -1, 0);
    run.health.answered(server, request, errno);
    if (errno === 0) server.framing?.versions.requestSucceeded();
    run.session.requestDone(request, server, status, errno);
  }
}
