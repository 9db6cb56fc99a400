/**
 * Takes one request of a client session to a server and its reply back. Four parts do it, each in a file of its own: one
 * finds a server, brings it up to date and sends; one passes on what is still to come from the client; one follows the
 * reply; one decides what happens when something fails on the way. Here is what others, and server sessions, may ask.
 */
import { OdpError } from '../errors/odp-error.ts';
import type { ClientSession } from './client-session.ts';
import { ReplyFollower } from './reply-follower.ts';
import type { ClientRequest } from './request.ts';
import { RequestFailures } from './request-failures.ts';
import type { RequestFrames } from './request-frames.ts';
import { RequestRest } from './request-rest.ts';
import { type ForwarderParts, RequestRun } from './request-run.ts';
import { RequestSender } from './request-sender.ts';
import type { ServerLoginAnswer, ServerSession } from './server-session.ts';
import type { SessionContext } from './session-context.ts';

export class Forwarder implements ForwarderParts {
  readonly sender: RequestSender;
  readonly rest: RequestRest;
  readonly reply: ReplyFollower;
  readonly failures: RequestFailures;
  readonly #run: RequestRun;

  constructor(session: ClientSession, context: SessionContext) {
    this.#run = new RequestRun(session, context);
    this.sender = new RequestSender(this.#run, this);
    this.rest = new RequestRest(this.#run, this);
    this.reply = new ReplyFollower(this.#run, this);
    this.failures = new RequestFailures(this.#run, this);
  }

  get busy(): boolean {
    return this.#run.phase !== 'idle';
  }

  /** The client's next bytes go to the server as they are: rest of a request, or a file. */
  get uploading(): boolean {
    return this.rest.expected;
  }

  /** Follows what the client is sending. */
  get upload(): RequestFrames {
    return this.#run.upload;
  }

  /** The client must not be read: its read buffer is still in use. */
  get drainingUpload(): boolean {
    return this.rest.draining;
  }

  /** Server that works on the request now, for KILL QUERY and SHOW. */
  get currentServer(): ServerSession | null {
    return this.#run.server;
  }

  get currentRequest(): ClientRequest | null {
    return this.#run.request;
  }

  // ---- for the client session ------------------------------------------------------------------------------------

  /** Begins a request. Its end is told by `ClientSession.requestDone` or `requestFailed`. */
  forward(request: ClientRequest): void {
    this.#run.begin(request);
    this.sender.route(request);
  }

  /** Answers a request with an error; what is still to come of it is swallowed first. */
  refuse(request: ClientRequest, error: OdpError): void {
    this.#run.begin(request);
    this.failures.fail(error);
  }

  /** KILL QUERY of what is at no server yet. @returns false: it is at one, which has to be told */
  interrupt(): boolean {
    const run = this.#run;
    if (run.phase === 'replying') return run.server === null;
    run.interrupted = true;
    if (run.phase !== 'routing' && run.phase !== 'connecting') return true;
    run.server?.close();
    run.server = null;
    this.failures.fail(new OdpError('QUERY_INTERRUPTED'));
    return true;
  }

  /** Takes bytes of the client while `uploading`. @returns offset behind what belonged to the request */
  takeUpload(chunk: Buffer, length: number): number {
    return this.rest.take(chunk, length);
  }

  /** The client has taken all that was written: its server may go on. */
  clientDrained(): void {
    this.reply.clientDrained();
  }

  /** The reply did not come in time. */
  replyTimedOut(waitedMs: number): void {
    this.failures.timedOut(waitedMs);
  }

  /** Ends the request with an error, and the server session that it is at. */
  endWithServer(server: ServerSession, error: OdpError): void {
    this.failures.endWithServer(server, error);
  }

  /** The client is gone, or all its server sessions are to go. */
  abandon(): void {
    const { server } = this.#run;
    this.#run.end();
    this.reply.forgetPaused();
    this.rest.draining = false;
    server?.abandon();
    if (server?.failure) this.#run.health.failed(server, server.failure, null);
  }

  // ---- for server sessions ---------------------------------------------------------------------------------------

  onServerLogin(server: ServerSession, answer: ServerLoginAnswer): void {
    if (server === this.#run.server) this.sender.onLogin(server, answer);
  }

  onServerData(server: ServerSession, chunk: Buffer, length: number): void {
    const run = this.#run;
    run.session.recent.counters.responseBytes += length;
    if (server !== run.server || run.phase === 'idle') {
      // Nothing was asked: a notice that the server is about to close (case B16). Its session is of no more use.
      run.session.serverGone(server, `${server.address} sent data that nobody asked for`);
      return;
    }
    const { request } = run;
    if (run.phase === 'syncing' && request !== null) return this.sender.onSyncData(server, request, chunk, length);
    if (run.phase !== 'replying' || request === null || request.replyKind === null) {
      return this.failures.serverLost(server, `${server.address} sent data out of turn`);
    }
    if (run.upload.done) return this.reply.take(server, request, chunk, length);
    // An answer before the request is whole, as to one that is too large: the client cannot take it yet.
    server.pause();
    run.early = Buffer.from(chunk.subarray(0, length));
  }

  onServerDrain(server: ServerSession): void {
    this.rest.onServerDrain(server);
  }

  onServerClosed(server: ServerSession, reason: string): void {
    if (server !== this.#run.server || this.#run.phase === 'idle') this.#run.session.serverGone(server, reason);
    else this.failures.serverLost(server, reason);
    // Whatever of the client's was under way to it is not any more.
    this.rest.onServerDrain(server);
  }

  onServerBroken(server: ServerSession, error: unknown): void {
    this.#run.session.dropServer(server);
    this.#run.session.onBroken(error);
  }
}
