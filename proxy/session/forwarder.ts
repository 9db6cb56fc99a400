/**
 * Takes one request of a client session to a server and its reply back: chooses the server, brings the server session
 * up to date, sends, scans the reply, and decides what happens when the server fails on the way.
 */
import { OdpError } from '../errors/odp-error.ts';
import { COM, STATUS } from '../wire/constants.ts';
import { buildErr } from '../wire/err-packet.ts';
import { ResponseScanner } from '../wire/response-scanner.ts';
import type { ScannerSink } from '../wire/scanner-types.ts';
import { framePackets } from '../wire/writer.ts';
import type { ClientSession } from './client-session.ts';
import { executeFrame } from './execute-frame.ts';
import { HiddenReply } from './hidden-reply.ts';
import { OutgoingChunks } from './outgoing-chunks.ts';
import type { ClientRequest } from './request.ts';
import { RequestFrames } from './request-frames.ts';
import { quickRoute, routeRequest } from './route-request.ts';
import type { ServerLoginAnswer, ServerSession, ServerSessionOwner } from './server-session.ts';
import type { SessionContext } from './session-context.ts';
import { planSync, type SyncStep } from './sync-plan.ts';

type Phase = 'idle' | 'routing' | 'connecting' | 'syncing' | 'replying';

export class Forwarder implements ServerSessionOwner, ScannerSink {
  readonly #session: ClientSession;
  readonly #context: SessionContext;
  readonly #scanner: ResponseScanner;
  readonly #out = new OutgoingChunks();
  readonly #hidden: HiddenReply;
  readonly upload = new RequestFrames();
  #phase: Phase = 'idle';
  #request: ClientRequest | null = null;
  #server: ServerSession | null = null;
  #candidates: readonly string[] = [];
  #nextCandidate = 0;
  #attempts = 0;
  #failures: string[] = [];
  #steps: SyncStep[] = [];
  /** ERR payload of the last server that refused a log-in. */
  #refusal: Buffer | null = null;
  /** The answer to a request whose rest is still coming from the client. */
  #answerAfterUpload: Buffer | null = null;
  #replyBegun = false;

  constructor(session: ClientSession, context: SessionContext) {
    this.#session = session;
    this.#context = context;
    this.#hidden = new HiddenReply(session);
    this.#scanner = new ResponseScanner(this, { clientCapabilities: 0, serverCapabilities: 0, extraOk: false });
  }

  get busy(): boolean {
    return this.#phase !== 'idle';
  }

  /** The client's next bytes go to the server as they are: rest of a request, or a file. */
  get uploading(): boolean {
    return !this.upload.done && (this.#phase === 'replying' || this.#answerAfterUpload !== null);
  }

  /** Server that works on the request now, for KILL QUERY and SHOW. */
  get currentServer(): ServerSession | null {
    return this.#server;
  }

  // ---- choosing --------------------------------------------------------------------------------------------------

  /** Begins a request. Its end is told by `ClientSession.requestDone`. */
  forward(request: ClientRequest): void {
    this.#request = request;
    this.#attempts = 0;
    this.#nextCandidate = 0;
    this.#candidates = [];
    if (this.#failures.length > 0) this.#failures = [];
    this.#refusal = null;
    this.#answerAfterUpload = null;
    this.#replyBegun = false;
    if (!request.complete) {
      this.upload.begin(false);
      this.upload.follow(request.bytes, 0, request.bytes.length);
    }
    const server = this.#session.tiedServer(request) ?? quickRoute(this.#session, request);
    if (server !== null) {
      this.#useServer(server);
      return;
    }
    this.#phase = 'routing';
    const route = routeRequest(this.#session, request, this.#context.random);
    if (route instanceof Promise) {
      void route.then((candidates) => {
        if (this.#request === request && this.#phase === 'routing') this.#start(candidates);
      });
      return;
    }
    this.#start(route);
  }

  #start(candidates: readonly string[]): void {
    this.#candidates = candidates;
    this.#tryNext();
  }

  #tryNext(): void {
    const cluster = this.#session.cluster;
    const limit = this.#context.config.int('connect_observer_max_retries');
    while (this.#nextCandidate < this.#candidates.length && this.#attempts < limit) {
      const address = this.#candidates[this.#nextCandidate++];
      const known = address === undefined ? undefined : this.#session.servers.get(address);
      if (known?.ready) return this.#useServer(known);
      const target = cluster?.topology.servers.find((server) => server.address === address);
      if (target === undefined) continue;
      this.#attempts++;
      this.#phase = 'connecting';
      this.#server = this.#session.openServer(target, this);
      return;
    }
    const detail = this.#failures.join('; ') || 'none is known';
    if (this.#refusal !== null) this.#answer(this.#refusal);
    else this.fail(new OdpError('NO_SERVER_CONNECTION', { cluster: cluster?.name ?? '', detail }));
  }

  // ---- sending ---------------------------------------------------------------------------------------------------

  #useServer(server: ServerSession): void {
    const request = this.#request;
    if (request === null) return;
    this.#server = server;
    server.busy = true;
    this.#steps = planSync(this.#session, server, request);
    if (this.#steps.length > 0) this.#sendStep(server);
    else this.#sendRequest(server, request);
  }

  #sendStep(server: ServerSession): void {
    const step = this.#steps[0];
    if (step === undefined) {
      if (this.#request !== null) this.#sendRequest(server, this.#request);
      return;
    }
    this.#phase = 'syncing';
    this.#hidden.begin(step.replyKind, server, step.statement);
    this.#session.armReplyDeadline(null);
    server.write(step.frame);
  }

  #onStepData(server: ServerSession, chunk: Buffer, length: number): void {
    const end = this.#hidden.feed(chunk, length);
    if (!this.#hidden.done) return;
    const step = this.#steps.shift();
    if (step === undefined || end < length) {
      return this.#serverLost(server, `${server.address} sent more than a reply`);
    }
    const error = this.#hidden.error;
    if (this.#hidden.status >= 0) this.#session.noteStatus(this.#hidden.status, server);
    if (error === null) step.onDone();
    else if (step.onError !== 'ignore') {
      if (step.onError === 'drop') this.#session.dropServer(server);
      return this.#answer(error);
    }
    this.#sendStep(server);
  }

  #sendRequest(server: ServerSession, request: ClientRequest): void {
    let frame = request.bytes;
    if (request.statement !== null && request.command !== COM.STMT_PREPARE) {
      const rewritten = executeFrame(request, request.statement, server);
      if (rewritten === null) return this.fail(new OdpError('CANNOT_RETRY', { detail: 'its types would not fit' }));
      frame = rewritten;
    }
    request.sent = true;
    server.requestCount++;
    this.#session.cluster?.countRequest(server.address);
    if (request.replyKind === null) {
      server.write(frame === request.bytes ? Buffer.from(frame) : frame);
      if (request.complete) this.#finish();
      else this.#startUpload(server, true);
      return;
    }
    this.#phase = 'replying';
    this.#session.armReplyDeadline(request.info);
    const written = server.write(frame);
    if (!request.complete) this.#startUpload(server, written);
  }

  // ---- the rest of a long request, or a file ---------------------------------------------------------------------

  #startUpload(_server: ServerSession, written: boolean): void {
    this.#phase = 'replying';
    if (written) this.#session.resumeClient();
    else this.#session.pauseClient();
  }

  /** Takes bytes of the client while `uploading`. @returns offset behind what belonged to the request */
  takeUpload(chunk: Buffer, length: number): number {
    const end = this.upload.follow(chunk, 0, length);
    if (this.#answerAfterUpload !== null) {
      if (this.upload.done) this.#answer(this.#answerAfterUpload);
      return end;
    }
    const server = this.#server;
    if (server !== null && !server.write(end === chunk.length ? chunk : chunk.subarray(0, end))) {
      this.#session.pauseClient();
    }
    if (this.upload.done) {
      if (this.#request?.replyKind === null) this.#finish();
      else if (this.#scanner.waitsForFile) {
        this.#scanner.fileSent(this.upload.lastSequence + 1);
        this.#session.armReplyDeadline(null);
      } else if (this.#replyBegun && this.#scanner.done) this.#finish();
    }
    return end;
  }

  // ---- replies ---------------------------------------------------------------------------------------------------

  onServerLogin(server: ServerSession, answer: ServerLoginAnswer): void {
    if (server !== this.#server) return;
    if (answer.kind === 'ok') {
      this.#session.serverOpened(server);
      this.#useServer(server);
      return;
    }
    // Without the client's password a server that wants another method cannot be answered.
    if (answer.kind === 'error') this.#refusal = answer.payload;
    this.#failures.push(
      answer.kind === 'error'
        ? `${server.address} refused the log-in`
        : `${server.address} wants another authentication method`,
    );
    this.#session.dropServer(server);
    this.#server = null;
    this.#tryNext();
  }

  onServerData(server: ServerSession, chunk: Buffer, length: number): void {
    if (server !== this.#server || this.#phase === 'idle') {
      // Nothing was asked: a notice that the server is about to close (case B16). Its session is of no more use.
      this.#session.serverGone(server, `${server.address} sent data that nobody asked for`);
      return;
    }
    if (this.#phase === 'syncing') return this.#onStepData(server, chunk, length);
    const request = this.#request;
    if (this.#phase !== 'replying' || request === null || request.replyKind === null) {
      return this.#serverLost(server, `${server.address} sent data out of turn`);
    }
    if (!this.#replyBegun) {
      this.#replyBegun = true;
      const firstSequence = request.complete ? 1 : this.upload.packetCount;
      this.#scanner.begin(request.replyKind, server, firstSequence);
    }
    let end: number;
    try {
      end = this.#scanner.feed(chunk, 0, length);
    } catch (error) {
      if (!(error instanceof RangeError) && !(error instanceof OdpError)) throw error;
      return this.#serverLost(server, `${server.address} sent a malformed reply: ${error.message}`);
    }
    if (!this.#out.flush(this.#session) && !server.closed) server.pause();
    if (!this.#scanner.done) return;
    if (end < length) return this.#session.serverGone(server, `${server.address} sent more than a reply`);
    if (this.upload.done) this.#finish();
  }

  onServerDrain(): void {
    if (this.uploading) this.#session.resumeClient();
  }

  /** The client has taken all that was written: its server may go on. */
  clientDrained(): void {
    this.#server?.resume();
  }

  #finish(): void {
    const request = this.#request;
    const server = this.#server;
    if (request === null || server === null) return;
    server.busy = false;
    this.#phase = 'idle';
    this.#request = null;
    this.#server = null;
    const { status, errno } = this.#scanner;
    if (request.replyKind === null) this.#session.requestDone(request, server, -1, 0);
    else this.#session.requestDone(request, server, status, errno);
  }

  // ---- ScannerSink -----------------------------------------------------------------------------------------------

  pass(chunk: Buffer, start: number, end: number): void {
    this.#out.addRange(chunk, start, end);
  }

  emit(frame: Buffer): void {
    this.#out.add(frame);
  }

  onState(chunk: Buffer, start: number, end: number): void {
    if (this.#server !== null) this.#session.applyState(chunk, start, end, this.#server, this.#request);
  }

  onPrepared(serverStatementId: number, _columnCount: number, parameterCount: number): number {
    const statement = this.#request?.statement;
    if (!statement || this.#server === null) return serverStatementId;
    statement.parameterCount = parameterCount;
    statement.serverIds.set(this.#server, serverStatementId);
    return statement.id;
  }

  onError(): void {
    // The error number is noted by the scanner; the text is the client's.
  }

  onInfileRequest(): void {
    this.upload.begin(true);
    this.#session.armReplyDeadline('never');
    this.#session.resumeClient();
  }

  // ---- failures --------------------------------------------------------------------------------------------------

  onServerClosed(server: ServerSession, reason: string): void {
    if (server !== this.#server || this.#phase === 'idle') {
      this.#session.serverGone(server, reason);
      return;
    }
    this.#serverLost(server, reason);
  }

  /** The reply did not come in time. */
  replyTimedOut(waitedMs: number): void {
    const server = this.#server;
    if (server === null) return;
    const detail = `${server.address} did not answer within ${Math.round(waitedMs)} ms`;
    this.#endWithServer(server, new OdpError('SERVER_TIMEOUT', { detail: this.#withTransaction(server, detail) }));
  }

  #serverLost(server: ServerSession, reason: string): void {
    this.#failures.push(reason);
    const request = this.#request;
    if (this.#phase === 'connecting') {
      this.#session.dropServer(server);
      this.#server = null;
      this.#tryNext();
      return;
    }
    const inTransaction = this.#session.isTied(server);
    if (request !== null && !inTransaction && this.#mayRetry(request)) {
      this.#session.dropServer(server);
      this.#server = null;
      this.#replyBegun = false;
      this.#attempts++;
      this.#phase = 'routing';
      if (this.#candidates.length === 0) return this.forwardAgain(request);
      this.#tryNext();
      return;
    }
    this.#endWithServer(server, new OdpError('SERVER_CLOSED', { detail: this.#withTransaction(server, reason) }));
  }

  /** A request that was tied to a server session which is gone looks for another server. */
  forwardAgain(request: ClientRequest): void {
    const failures = this.#failures;
    this.forward(request);
    this.#failures = failures;
  }

  /**
   * Whether sending the request once more cannot do anything twice: none of it was sent, or it is a plain read of which
   * the client has not seen a byte (C14, case B67).
   */
  #mayRetry(request: ClientRequest): boolean {
    if (this.#phase === 'syncing' || !request.sent) return request.complete;
    const unseen = !this.#replyBegun || !this.#scanner.passedAny;
    return unseen && request.complete && request.command === COM.QUERY && request.info?.isRead === true;
  }

  #withTransaction(server: ServerSession, text: string): string {
    return this.#session.isTied(server) ? `${text}; the transaction has ended` : text;
  }

  #endWithServer(server: ServerSession, error: OdpError): void {
    const replyBegun = this.#replyBegun && this.#scanner.passedAny;
    const fits = !replyBegun || this.#scanner.errorFits;
    const sequence = replyBegun ? this.#scanner.nextSequence : null;
    this.#session.dropServer(server);
    if (!fits) return this.#session.closeWith(error.message);
    this.fail(error, sequence);
  }

  /** Ends the request with an error of the proxy's own. */
  fail(error: OdpError, sequence: number | null = null): void {
    const { errno, sqlState } = error.spec;
    this.#answer(buildErr({ errno, sqlState, message: error.message }), sequence);
  }

  /** Ends the request with a packet that no server passes on. */
  #answer(payload: Buffer, sequence: number | null = null): void {
    const request = this.#request;
    if (request === null) return;
    if (!this.upload.done && !request.complete) {
      // The client is still sending: it reads only after its last byte.
      this.#answerAfterUpload = payload;
      this.#phase = 'replying';
      this.#session.resumeClient();
      return;
    }
    const server = this.#server;
    if (server !== null) server.busy = false;
    this.upload.done = true;
    this.#phase = 'idle';
    this.#request = null;
    this.#server = null;
    this.#answerAfterUpload = null;
    const first = request.complete ? 1 : this.upload.packetCount;
    if (request.replyKind !== null) this.#session.send(framePackets(payload, sequence ?? first));
    this.#session.requestFailed(request, payload.readUInt16LE(1));
  }

  /** The client is gone, or all its server sessions are to go. */
  abandon(): void {
    this.#phase = 'idle';
    this.#request = null;
    this.#server?.close();
    this.#server = null;
  }
}

/** Whether status flags say that a transaction is open. */
export const isInTransaction = (status: number): boolean => (status & STATUS.IN_TRANS) !== 0;
