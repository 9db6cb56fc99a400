/**
 * Takes one request of a client session to a server and its reply back: chooses the server, brings the server session
 * up to date, sends, scans the reply, and decides what happens when the server fails on the way.
 */
import { OdpError } from '../errors/odp-error.ts';
import { COM } from '../wire/constants.ts';
import { errOf } from '../wire/err-packet.ts';
import { ResponseScanner } from '../wire/response-scanner.ts';
import { framePackets } from '../wire/writer.ts';
import { CandidateWalk } from './candidate-walk.ts';
import type { ClientSession } from './client-session.ts';
import { executeFrame, longDataFrames } from './execute-frame.ts';
import { firstErrorIn } from './hidden-reply.ts';
import { canMove, isForCoordinator, lastInside, loseWith, offerInternalRouting } from './internal-routing.ts';
import { holderLostError, mayGoElsewhere, mayRetry } from './may-retry.ts';
import { ReplySink } from './reply-sink.ts';
import type { ClientRequest } from './request.ts';
import { RequestFrames } from './request-frames.ts';
import { takeFeedback } from './route-feedback.ts';
import { notesStaleReplica, quickRoute, type Route, routeRequest, tiedServer } from './route-request.ts';
import { serverAt } from './server-at.ts';
import { HealthReporter } from './server-health.ts';
import type { ServerLoginAnswer, ServerSession, ServerSessionOwner } from './server-session.ts';
import type { SessionContext } from './session-context.ts';
import { openServer } from './session-servers.ts';
import { noteMove, type RequestState, requestStates } from './session-states.ts';
import { noteLoginState } from './sync-plan.ts';
import { type SyncProgress, SyncRun } from './sync-run.ts';

export class Forwarder implements ServerSessionOwner {
  readonly #session: ClientSession;
  readonly #context: SessionContext;
  readonly #scanner: ResponseScanner;
  readonly #sink: ReplySink;
  readonly #sync: SyncRun;
  readonly #walk = new CandidateWalk();
  readonly #health: HealthReporter;
  readonly upload = new RequestFrames();
  #state: RequestState = requestStates.first;
  #request: ClientRequest | null = null;
  #server: ServerSession | null = null;
  /** The answer to a request whose rest is still coming from the client: it reads only after its last byte. */
  #answerAfterUpload: Buffer | null = null;
  /** What a server, paused since, has answered before it had the whole request. */
  #early: Buffer | null = null;
  /** The client's last bytes have not left for the server: they still stand in its read buffer. */
  #drainsUpload = false;
  #replyBegun = false;
  /** KILL QUERY came before a server had the request. */
  #interrupted = false;
  /** Server session whose bytes the client has not taken yet. */
  #paused: ServerSession | null = null;

  constructor(session: ClientSession, context: SessionContext) {
    this.#session = session;
    this.#context = context;
    this.#sync = new SyncRun(session, context);
    this.#health = new HealthReporter(session);
    this.#sink = new ReplySink(session, () => this.#fileWanted());
    this.#scanner = new ResponseScanner(this.#sink, { clientCapabilities: 0, serverCapabilities: 0, extraOk: false });
  }

  get #phase(): RequestState {
    return this.#state;
  }
  set #phase(next: RequestState) {
    noteMove(requestStates, this.#state, next);
    this.#state = next;
  }

  get busy(): boolean {
    return this.#phase !== 'idle';
  }

  /** The client's next bytes go to the server as they are: rest of a request, or a file. */
  get uploading(): boolean {
    return !this.upload.done && this.#phase === 'replying';
  }

  /** The client must not be read: its read buffer is still in use. */
  get drainingUpload(): boolean {
    return this.#drainsUpload;
  }

  /** Server that works on the request now, for KILL QUERY and SHOW. */
  get currentServer(): ServerSession | null {
    return this.#server;
  }

  get currentRequest(): ClientRequest | null {
    return this.#request;
  }

  /** KILL QUERY of what is at no server yet. @returns false: it is at one, which has to be told */
  interrupt(): boolean {
    if (this.#phase === 'replying') return this.#server === null;
    this.#interrupted = true;
    if (this.#phase !== 'routing' && this.#phase !== 'connecting') return true;
    this.#server?.close();
    this.#server = null;
    this.fail(new OdpError('QUERY_INTERRUPTED'));
    return true;
  }

  // ---- choosing and sending -----------------------------------------------------------------------------------------

  /** Begins a request. Its end is told by `ClientSession.requestDone` or `requestFailed`. */
  forward(request: ClientRequest): void {
    this.#prepare(request);
    this.#route(request);
  }

  /** Answers a request with an error; what is still to come of it is swallowed first. */
  refuse(request: ClientRequest, error: OdpError): void {
    this.#prepare(request);
    this.fail(error);
  }

  #prepare(request: ClientRequest): void {
    this.#request = request;
    this.#walk.reset();
    this.#health.requestBegins();
    this.#session.recent.begin(request, this.#session.database);
    this.#answerAfterUpload = null;
    this.#early = null;
    this.#replyBegun = false;
    this.#interrupted = false;
    if (request.complete) return;
    this.upload.begin(false);
    this.upload.follow(request.bytes, 0, request.bytes.length);
  }

  #route(request: ClientRequest): void {
    this.#session.variables.imposed.update(this.#session.config, this.#session.variables);
    const { statement } = request;
    if (statement?.holder?.closed) return this.fail(holderLostError(statement));
    const tied = statement?.holder ?? lastInside(this.#session, request) ?? tiedServer(this.#session, request);
    const server = tied ?? quickRoute(this.#session, request);
    if (server !== null) return this.#useServer(server);
    this.#askRouter(request);
  }

  #askRouter(request: ClientRequest): void {
    this.#phase = 'routing';
    const route = routeRequest(this.#session, request, this.#context.random);
    if (!(route instanceof Promise)) return this.#start(route);
    route
      .then((found) => {
        if (this.#request === request && this.#phase === 'routing') this.#start(found);
      })
      .catch((error: unknown) => this.#session.onBroken(error));
  }

  #start({ addresses, isForced, leads, refusal }: Route): void {
    if (refusal !== null) return this.fail(new OdpError('TARGET_NOT_ALLOWED', { detail: refusal }));
    const coordinator = this.#session.servers.roamedFrom;
    // Whoever only follows does no better than the coordinator, which may be stopping, but not for its own (B4, C9).
    if (coordinator !== null && !leads) return this.#takeToCoordinator(coordinator);
    this.#walk.restart(addresses, isForced);
    this.#tryNext();
  }

  #tryNext(): void {
    const limit = this.#context.config.int('connect_observer_max_retries');
    while (this.#walk.attempts < limit) {
      const address = this.#walk.take();
      if (address === undefined) break;
      const known = this.#session.servers.find(address);
      if (known?.ready) return this.#useServer(known);
      const target = serverAt(this.#session, address);
      if (target === null) continue;
      this.#walk.attempts++;
      this.#phase = 'connecting';
      this.#server = openServer(this.#session, target, this);
      return;
    }
    // Nobody takes part: the coordinator does it itself (C9).
    const coordinator = this.#session.servers.roamedFrom;
    if (coordinator !== null) this.#takeToCoordinator(coordinator);
    else this.#answer(this.#walk.exhausted(this.#session.cluster?.name ?? ''));
  }

  #takeToCoordinator(coordinator: ServerSession): void {
    this.#session.servers.isRoaming = false;
    this.#useServer(coordinator);
  }

  #useServer(server: ServerSession): void {
    const request = this.#request;
    if (request === null) return;
    this.#server = server;
    server.busy = true;
    this.#phase = 'syncing';
    this.#synced(server, request, this.#sync.begin(server, request));
  }

  #synced(server: ServerSession, request: ClientRequest, progress: SyncProgress): void {
    if (progress.kind === 'ready' && this.#interrupted) this.fail(new OdpError('QUERY_INTERRUPTED'));
    else if (progress.kind === 'ready') this.#sendRequest(server, request);
    else if (progress.kind === 'lost') this.#serverLost(server, progress.reason);
    else if (progress.kind === 'refused') this.#answer(progress.error);
  }

  #sendRequest(server: ServerSession, request: ClientRequest): void {
    let frame = request.bytes;
    if (request.statement !== null && request.command !== COM.STMT_PREPARE) {
      const rewritten = executeFrame(request, request.statement, server);
      if (rewritten === null) return this.fail(new OdpError('CANNOT_RETRY', { detail: 'its types would not fit' }));
      frame = rewritten;
    }
    request.sent = true;
    offerInternalRouting(this.#session, server);
    this.#session.recent.sentTo(server.address);
    server.requestCount++;
    for (const piece of longDataFrames(request, server)) server.write(piece);
    this.#session.cluster?.countRequest(server.address);
    if (request.replyKind === null) {
      server.write(frame, request.complete);
      if (request.complete) return this.#finish();
      this.#phase = 'replying';
      return this.#session.resumeUpload();
    }
    this.#phase = 'replying';
    if (request.complete) this.#session.limits.awaitReply(request.info);
    else this.#session.replyWaitsForClient();
    const written = server.write(frame, request.complete);
    if (request.complete) return;
    if (written) this.#session.resumeUpload();
    else this.#waitForServer();
  }

  // ---- the rest of a long request, or a file ---------------------------------------------------------------------

  #waitForServer(): void {
    this.#drainsUpload = true;
    this.#session.pauseReading();
    this.#session.limits.awaitReply(this.#request?.info ?? null);
  }

  /** Takes bytes of the client while `uploading`. @returns offset behind what belonged to the request */
  takeUpload(chunk: Buffer, length: number): number {
    const end = this.upload.follow(chunk, 0, length);
    this.#session.recent.counters.requestBytes += end;
    const server = this.#server;
    if (this.#answerAfterUpload !== null) {
      if (this.upload.done) this.#answer(this.#answerAfterUpload);
      return end;
    }
    const isWritten = server === null || this.#pass(server, end === chunk.length ? chunk : chunk.subarray(0, end));
    if (!isWritten) this.#waitForServer();
    if (this.upload.done) this.#uploaded();
    return end;
  }

  #fileWanted(): void {
    this.upload.begin(true);
    this.#session.resumeUpload();
  }

  #pass(server: ServerSession, bytes: Buffer): boolean {
    const isFile = this.#replyBegun && this.#scanner.waitsForFile;
    return isFile ? server.writeFile(bytes) : server.write(bytes, this.upload.done);
  }

  /** The server has been given all: now it is its turn. */
  #uploaded(): void {
    const request = this.#request;
    const server = this.#server;
    if (request === null || server === null) return;
    if (request.replyKind === null) return this.#finish();
    if (this.#scanner.waitsForFile && this.#replyBegun) this.#scanner.fileSent(this.upload.lastSequence + 1);
    this.#session.limits.awaitReply(request.info);
    const early = this.#early;
    if (early === null) return;
    this.#early = null;
    this.#onReply(server, request, early, early.length);
    if (this.#paused !== server) server.resume();
  }

  onServerDrain(server: ServerSession): void {
    if (!this.#drainsUpload || (server !== this.#server && this.#server !== null)) return;
    this.#drainsUpload = false;
    if (!this.uploading) return this.#session.next();
    this.#session.replyWaitsForClient();
    this.#session.resumeUpload();
  }

  // ---- replies ---------------------------------------------------------------------------------------------------

  onServerLogin(server: ServerSession, answer: ServerLoginAnswer): void {
    if (server !== this.#server) return;
    if (answer.kind === 'ok') {
      this.#session.servers.add(server);
      noteLoginState(this.#session, server, answer.payload);
      this.#useServer(server);
      return;
    }
    // Without the client's password a server that wants another method cannot be answered.
    this.#walk.refused(server, answer.kind === 'error' ? answer.payload : null);
    this.#session.dropServer(server);
    this.#server = null;
    this.#tryNext();
  }

  onServerData(server: ServerSession, chunk: Buffer, length: number): void {
    this.#session.recent.counters.responseBytes += length;
    if (server !== this.#server || this.#phase === 'idle') {
      // Nothing was asked: a notice that the server is about to close (case B16). Its session is of no more use.
      this.#session.serverGone(server, `${server.address} sent data that nobody asked for`);
      return;
    }
    const request = this.#request;
    if (this.#phase === 'syncing' && request !== null) {
      return this.#synced(server, request, this.#sync.onData(server, chunk, length));
    }
    if (this.#phase !== 'replying' || request === null || request.replyKind === null) {
      return this.#serverLost(server, `${server.address} sent data out of turn`);
    }
    if (this.upload.done) return this.#onReply(server, request, chunk, length);
    // An answer before the request is whole, as to one that is too large: the client cannot take it yet.
    server.pause();
    this.#early = chunk.subarray(0, length);
  }

  #onReply(server: ServerSession, request: ClientRequest, chunk: Buffer, length: number): void {
    if (!this.#replyBegun) {
      const sequence = this.#replySequence(request);
      if (length > 3 && chunk[3] !== sequence) {
        return this.#serverLost(server, `${server.address} sent a notice in place of the reply`);
      }
      this.#replyBegun = true;
      this.#sink.begin(server, request);
      this.#scanner.begin(request.replyKind ?? 'result', server, sequence);
    }
    let end: number;
    const isFirst = !this.#scanner.passedAny;
    try {
      end = this.#scanner.feed(chunk, 0, length);
    } catch (error) {
      if (!(error instanceof RangeError) && !(error instanceof OdpError)) throw error;
      this.#flush(server);
      server.failure = { kind: 'malformed-reply', tookMs: 0, detail: error.message };
      return this.#serverLost(server, `${server.address} sent a malformed reply: ${error.message}`);
    }
    if (isFirst && this.#scanner.done && this.#scanner.errno !== 0) {
      const { errno } = this.#scanner;
      const forCoordinator = isForCoordinator(this.#session, server, errno);
      const isStale = !forCoordinator && notesStaleReplica(this.#session, request, server.address, errno);
      const isElsewhere = forCoordinator || isStale || mayGoElsewhere(this.#session, request, errno);
      const error = isElsewhere ? firstErrorIn(chunk.subarray(0, length)) : null;
      const next = forCoordinator ? 'coordinator' : isStale ? 'router' : 'candidate';
      if (error !== null) return this.#goElsewhere(server, request, error, next);
    }
    const isTaken = this.#flush(server);
    if (!this.#scanner.done) {
      // The server has answered the request for a file before the file is whole.
      if (end < length && this.#scanner.waitsForFile)
        this.#serverLost(server, `${server.address} did not wait for the file`);
      else if (this.#scanner.waitsForFile || !isTaken) this.#session.replyWaitsForClient();
      else this.#session.limits.awaitMoreOfReply();
      return;
    }
    const hasMore = end < length;
    this.#finish();
    if (hasMore) this.#session.serverGone(server, `${server.address} sent more than a reply`);
  }

  /** The server is of no use for the request now: another one may be; if none is, its error is the answer. */
  #goElsewhere(
    server: ServerSession,
    request: ClientRequest,
    error: Buffer,
    next: 'coordinator' | 'router' | 'candidate',
  ): void {
    const { cluster } = this.#session;
    this.#sink.out.clear();
    this.#health.answered(server, request, this.#scanner.errno);
    if (cluster !== null) takeFeedback(cluster, request, server.address, this.#scanner.errno);
    this.#walk.declined(server.address, error);
    server.busy = false;
    this.#server = null;
    this.#replyBegun = false;
    const { bound } = this.#session.servers;
    if (next === 'coordinator' && bound !== null) this.#takeToCoordinator(bound);
    else if (this.#walk.started && next !== 'router') this.#tryNext();
    else this.#askRouter(request);
  }

  /** @returns false when the client has not taken everything yet; the server is paused till then */
  #flush(server: ServerSession): boolean {
    if (this.#sink.out.flush(this.#session)) return true;
    server.pause();
    this.#paused = server;
    return false;
  }

  /** The client has taken all that was written: its server may go on. */
  clientDrained(): void {
    const paused = this.#paused;
    if (paused === null) return;
    this.#paused = null;
    if (paused === this.#server && this.#phase === 'replying') this.#session.limits.awaitMoreOfReply();
    paused.resume();
  }

  #finish(): void {
    const request = this.#request;
    const server = this.#server;
    if (request === null || server === null) return;
    this.#end(server);
    const { status, errno } = this.#scanner;
    if (request.replyKind === null) return this.#session.requestDone(request, server, -1, 0);
    this.#health.answered(server, request, errno);
    if (errno === 0) server.framing?.versions.requestSucceeded();
    this.#session.requestDone(request, server, status, errno);
  }

  #end(server: ServerSession | null): void {
    if (server !== null) server.busy = false;
    this.upload.done = true;
    this.#phase = 'idle';
    this.#request = null;
    this.#server = null;
    this.#answerAfterUpload = null;
    this.#early = null;
  }

  // ---- failures --------------------------------------------------------------------------------------------------

  onServerClosed(server: ServerSession, reason: string): void {
    if (server !== this.#server || this.#phase === 'idle') this.#session.serverGone(server, reason);
    else this.#serverLost(server, reason);
    // Whatever of the client's was under way to it is not any more.
    if (this.#drainsUpload) this.onServerDrain(server);
  }

  onServerBroken(server: ServerSession, error: unknown): void {
    this.#session.dropServer(server);
    this.#session.onBroken(error);
  }

  /** The reply did not come in time. */
  replyTimedOut(waitedMs: number): void {
    const server = this.#server;
    if (server === null) return;
    const reason = `${server.address} did not answer within ${Math.round(waitedMs)} ms`;
    this.#health.failed(server, { kind: 'query-timeout', tookMs: Math.round(waitedMs), detail: reason }, this.#request);
    // Nothing of the request itself has been sent yet: another server may do it.
    if (this.#phase === 'syncing') return this.#serverLost(server, reason);
    this.endWithServer(server, new OdpError('SERVER_TIMEOUT', { detail: loseWith(this.#session, server, reason) }));
  }

  #serverLost(server: ServerSession, reason: string): void {
    this.#walk.fail(reason);
    const request = this.#request;
    if (server.failure !== null) this.#health.failed(server, server.failure, request);
    if (this.#phase === 'connecting') {
      this.#session.dropServer(server);
      this.#server = null;
      return this.#tryNext();
    }
    this.#session.recent.counters.lostServers++;
    const seen = this.#replyBegun && this.#scanner.passedAny;
    this.#walk.lose(server.address);
    const mayTry = this.#walk.losses <= this.#context.config.int('connect_observer_max_retries');
    if (request !== null && mayTry && canMove(this.#session, server, request) && mayRetry(request, seen)) {
      this.#session.dropServer(server);
      this.#server = null;
      this.#replyBegun = false;
      this.#phase = 'routing';
      if (this.#walk.started) this.#tryNext();
      else this.#route(request);
      return;
    }
    const error = new OdpError('SERVER_CLOSED', { detail: loseWith(this.#session, server, reason) });
    // A server that refuses a request in its middle says why, and hangs up.
    const said = this.#early === null ? null : firstErrorIn(this.#early);
    this.#early = null;
    this.endWithServer(server, error, said);
  }

  /** Ends the request with an error, and the server session that it is at. @param said in place of the error */
  endWithServer(server: ServerSession, error: OdpError, said: Buffer | null = null): void {
    const begun = this.#replyBegun && this.#scanner.passedAny && !this.#scanner.waitsForFile;
    const sequence = begun ? this.#scanner.nextSequence : null;
    const fits = !begun || this.#scanner.errorFits;
    this.#session.dropServer(server);
    this.#server = null;
    if (!fits) return this.#session.closeWith(error.message);
    this.#answer(said ?? errOf(error), sequence);
  }

  /** Ends the request with an error of the proxy's own. */
  fail(error: OdpError): void {
    this.#answer(errOf(error));
  }

  /**
   * Ends the request with an ERR packet that no server passes on.
   * @param sequence its id; null: it is the first of the reply
   */
  #answer(payload: Buffer, sequence: number | null = null): void {
    const request = this.#request;
    if (request === null) return;
    if (!this.upload.done) {
      this.#answerAfterUpload = payload;
      this.#phase = 'replying';
      this.#session.replyWaitsForClient();
      if (this.#server === null) this.#drainsUpload = false;
      if (!this.#drainsUpload) this.#session.resumeUpload();
      return;
    }
    const frame = framePackets(payload, sequence ?? this.#replySequence(request));
    this.#end(this.#server);
    if (request.replyKind !== null) this.#session.send(frame);
    this.#session.requestFailed(request, payload.readUInt16LE(1));
  }

  /** Id of the first packet that answers the client's last one. */
  #replySequence(request: ClientRequest): number {
    const isUploaded = !request.complete || (this.#replyBegun && this.#scanner.waitsForFile);
    return ((isUploaded ? this.upload.lastSequence : (request.bytes[3] ?? 0)) + 1) & 0xff;
  }

  /** The client is gone, or all its server sessions are to go. */
  abandon(): void {
    const server = this.#server;
    this.#end(server);
    this.#paused = null;
    this.#drainsUpload = false;
    server?.abandon();
    if (server?.failure) this.#health.failed(server, server.failure, null);
  }
}
