/**
 * One client connection (C1–C4): its log-in, its state, the server sessions that belong to it, and the order of its
 * requests. Forwarding a request is the forwarder's business; what the proxy answers itself is decided here.
 */
import type { SecureContext } from 'node:tls';
import type { ConfigView } from '../config/config-view.ts';
import { errorText, OdpError } from '../errors/odp-error.ts';
import type { TcpHandle } from '../net/raw-handles.ts';
import { TlsTransport } from '../net/tls-transport.ts';
import { type Channel, Transport } from '../net/transport.ts';
import type { SqlDialect } from '../sql/classify.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import { CAP, HEADER_LENGTH, LASTING_STATUS, STATUS } from '../wire/constants.ts';
import { errOf } from '../wire/err-packet.ts';
import { framePackets } from '../wire/writer.ts';
import { afterFailure, afterRequest } from './after-request.ts';
import { ClientLogin, type LoginPort, type LoginResult } from './client-login.ts';
import { dispatchCommand, refuseRequest } from './dispatch-command.ts';
import { EventGuard, type GuardedSession } from './event-guard.ts';
import { Forwarder } from './forwarder.ts';
import { HeldServers, isInTransaction } from './held-servers.ts';
import type { Identity } from './identity.ts';
import { noteInTransaction } from './internal-routing.ts';
import { limitPassed } from './limit-passed.ts';
import type { LoginCredentials } from './login-credentials.ts';
import { LoginInput, type LoginInputOwner } from './login-input.ts';
import { LossNotice } from './loss-notice.ts';
import type { ChunkReceiver } from './outgoing-chunks.ts';
import { okFrame } from './own-answers.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { RecentRequests } from './recent-requests.ts';
import type { ClientRequest } from './request.ts';
import { type IntakeOwner, RequestIntake, WHOLE_REQUEST_BYTES } from './request-intake.ts';
import type { ServerSession } from './server-session.ts';
import type { SessionCluster, SessionContext } from './session-context.ts';
import { SessionDialect } from './session-dialect.ts';
import { type ClientState, clientStates, noteMove } from './session-states.ts';
import { SessionVariables } from './session-variables.ts';
import type { SharedState } from './sync-plan.ts';
import { TimeLimits } from './time-limits.ts';

const READ_BYTES = 4 * 1024;

export class ClientSession
  implements GuardedSession, LoginPort, LoginInputOwner, IntakeOwner, SharedState, ChunkReceiver
{
  readonly id: number;
  readonly host: string;
  readonly port: number;
  /** Where the client has connected to. */
  readonly vip: { readonly host: string; readonly port: number };
  readonly context: SessionContext;
  /** The parameters as they count for this session. */
  config: ConfigView;
  readonly variables = new SessionVariables();
  readonly prepared = new PreparedStatements<ServerSession>();
  readonly servers = new HeldServers((address, change) => this.cluster?.countServerSession(address, change));
  readonly connectedAtMs = Date.now();
  readonly recent = new RecentRequests();
  readonly forwarder: Forwarder;
  identity: Identity = 'ordinary';
  user = '';
  tenant = '';
  clusterName = '';
  cluster: SessionCluster | null = null;
  database = '';
  /** Server status flags as the client was last told. */
  status: number = STATUS.AUTOCOMMIT;
  multiStatements = false;
  readonly limits: TimeLimits;
  heldBegin: Buffer | null = null;
  readonly heldSets: Buffer[] = [];
  transactionCount = 0;
  /** `performance.now()` at the begin of the transaction that is open; means nothing when none is. */
  transactionBeganAtMs = 0;
  /** The server that the client logged in at is one, and knows that it talks to a proxy. */
  isOceanBase = false;
  readonly #guard = new EventGuard(this);
  #transport: Channel;
  readonly #intake = new RequestIntake(this);
  readonly #loginInput = new LoginInput(this);
  /** The log-in under way: the first one, or that of COM_CHANGE_USER. */
  #login: ClientLogin | null;
  #credentials: LoginCredentials | null = null;
  #state: ClientState = clientStates.first;
  #answering = false;
  /** Reasons for which no request may begin. */
  #holds = 0;
  readonly #loss = new LossNotice();
  readonly #dialect = new SessionDialect(this.variables);

  constructor(handle: TcpHandle, context: SessionContext) {
    this.context = context;
    this.id = context.registry.nextId();
    this.config = context.config;
    this.limits = new TimeLimits(this, this.#guard, context.deadlines);
    const transport = Transport.accepted(handle, this.#guard, READ_BYTES);
    this.#transport = transport;
    ({ host: this.host, port: this.port } = transport.peer());
    this.vip = transport.local();
    this.forwarder = new Forwarder(this, context);
    this.#login = new ClientLogin(this, context);
    context.deadlines.register(this.#guard);
    this.limits.awaitLogin();
    context.registry.add(this);
    context.countConnection(1);
    this.#login.sendGreeting();
  }

  /** After a change of what counts for parts of the sessions. */
  refreshConfig(): void {
    this.config = this.context.levels.view(this);
  }

  get loggedIn(): boolean {
    return this.#phase === 'ready' && this.user !== '';
  }

  get #phase(): ClientState {
    return this.#state;
  }

  set #phase(next: ClientState) {
    noteMove(clientStates, this.#state, next);
    this.#state = next;
  }

  get closed(): boolean {
    return this.#phase === 'closed';
  }

  /** A request is being served. */
  get active(): boolean {
    return this.#answering || this.forwarder.busy;
  }

  get inTransaction(): boolean {
    return this.heldBegin !== null || isInTransaction(this.status);
  }

  get clientCapabilities(): number {
    return this.#credentials?.capabilities ?? 0;
  }

  get deprecateEof(): boolean {
    return (this.clientCapabilities & CAP.DEPRECATE_EOF) !== 0;
  }

  /** The scramble of this connection's greeting: COM_CHANGE_USER is answered with it as well. */
  get credentials(): LoginCredentials | null {
    return this.#credentials;
  }

  // ---- bytes from the client -------------------------------------------------------------------------------------

  onConnect(): void {
    // TLS stands; the client has the next word.
  }

  onData(chunk: Buffer, length: number): void {
    if (this.#phase === 'closed') return;
    if (this.#login !== null) return this.#onLoginData(chunk, length);
    const start = this.forwarder.uploading ? this.forwarder.takeUpload(chunk, length) : 0;
    if (start < length) this.#intake.take(chunk, start, length);
    if (this.limits.awaited === 'rest-of-request' && this.forwarder.uploading) this.limits.awaitRest();
    this.#rest();
  }

  get mayBegin(): boolean {
    return (
      this.#phase === 'ready' &&
      this.#login === null &&
      !this.active &&
      this.#holds === 0 &&
      !this.#transport.draining &&
      !this.forwarder.drainingUpload
    );
  }

  begin(chunk: Buffer, start: number, end: number, whole: boolean): void {
    this.limits.awaitNothing();
    const error = this.#loss.answerTo(chunk[start + HEADER_LENGTH] ?? 0);
    if (error !== null) return refuseRequest(this, { chunk, start, end, whole }, error);
    dispatchCommand(this, { chunk, start, end, whole });
  }

  #onLoginData(chunk: Buffer, length: number): void {
    try {
      this.#loginInput.take(chunk, length);
    } catch (error) {
      if (!(error instanceof OdpError)) throw error;
      return this.refuse(framePackets(errOf(error), 2));
    }
    if (this.#login === null) this.#loginOver();
  }

  keepRequest(frame: Buffer): void {
    this.#intake.keep(frame, 0, frame.length);
  }

  // ---- log-in ----------------------------------------------------------------------------------------------------

  get login(): ClientLogin | null {
    return this.#login;
  }

  get usesTls(): boolean {
    return this.#transport instanceof TlsTransport;
  }

  /** The client goes on in TLS; what it has sent behind its request is the beginning of that. */
  startTls(context: SecureContext): void {
    const plain = this.#transport;
    const early = this.#loginInput.takePending();
    const tls = plain instanceof Transport ? TlsTransport.accept(plain, early, context, this.#guard) : null;
    if (tls === null) return this.closeWith('TLS could not begin: the client has not read the greeting');
    this.#transport = tls;
  }

  /** COM_CHANGE_USER: packets go to this log-in until it is over. */
  beginLogin(login: ClientLogin): void {
    this.#login = login;
    this.limits.awaitLogin();
  }

  loginDone(result: LoginResult): void {
    if (this.#phase === 'closed') {
      result.server?.close();
      return;
    }
    this.#phase = 'ready';
    this.takeIdentity(result);
    this.#login = null;
    if (!this.#loginInput.reading) this.#loginOver();
  }

  #loginOver(): void {
    const rest = this.#loginInput.takePending();
    this.#intake.keep(rest, 0, rest.length);
    this.next();
  }

  /** Becomes the user of a log-in: at the start, and by COM_CHANGE_USER. Nothing of before may be left (case B28 d). */
  takeIdentity(result: LoginResult): void {
    for (const server of this.servers.all()) this.dropServer(server);
    this.prepared.clear();
    this.heldBegin = null;
    this.heldSets.length = 0;
    this.servers.release();
    this.#loss.clear();
    this.#credentials = result.credentials;
    this.identity = result.identity;
    this.user = result.name.user;
    this.tenant = result.name.tenant;
    this.clusterName = result.name.cluster;
    this.cluster = result.cluster;
    this.refreshConfig();
    this.database = result.credentials.database;
    this.status = result.status & LASTING_STATUS;
    this.isOceanBase = result.server?.extraOk ?? false;
    this.multiStatements = (result.credentials.capabilities & CAP.MULTI_STATEMENTS) !== 0;
    this.variables.begin(result.state);
    this.limits.forgetVariables();
    this.#dialect.begin();
    this.servers.blocks.reset();
    const { server } = result;
    if (server !== null) {
      server.owner = this.forwarder;
      this.servers.add(server);
      this.servers.last = server;
    }
  }

  send(frame: Buffer): void {
    this.#transport.write(frame);
  }

  refuse(frame: Buffer): void {
    if (this.#phase === 'closed') return;
    this.#transport.write(frame);
    this.#shutDown(true);
  }

  // ---- server sessions -------------------------------------------------------------------------------------------

  /** Closes one server session and forgets it. */
  dropServer(server: ServerSession): void {
    server.close();
    if (this.servers.bound === server) this.status &= ~STATUS.IN_TRANS;
    this.servers.remove(server);
    this.prepared.forgetServer(server);
  }

  /** A server session is gone while nobody waits for it: the client notices only if it lost something (C14). */
  serverGone(server: ServerSession, reason: string): void {
    const loss = this.servers.lossOf(server);
    if (loss !== null) this.#loss.note(`${reason}; ${loss}`);
    this.dropServer(server);
  }

  // ---- state -----------------------------------------------------------------------------------------------------

  /** How the texts of this session are to be read. */
  get dialect(): SqlDialect {
    return this.#dialect.current;
  }

  beginSent(): void {
    this.heldBegin = null;
  }

  /** COM_RESET_CONNECTION has succeeded on the one server session that is left (case B29). */
  stateReset(server: ServerSession): void {
    this.variables.reset();
    this.limits.forgetVariables();
    server.synced.reset();
    this.servers.blocks.reset();
    server.framing?.versions.reset();
    this.prepared.clear();
    this.servers.unpin();
    this.servers.stayOnLast = false;
    this.#dialect.begin();
  }

  /** Takes what a server reported about its session's state. */
  applyState(chunk: Buffer, start: number, end: number, server: ServerSession, request: ClientRequest | null): void {
    const report = this.variables.apply(chunk, start, end, server.synced);
    if (report.database !== null) {
      server.database = report.database;
      if (request !== null) this.database = report.database;
    }
    if (request === null) return;
    // The first one speaks of the first DML.
    request.partitionHit ??= report.partitionHit;
    request.weakReadFeedback ??= report.weakReadFeedback;
  }

  /** Status flags told by a server: they say whether its transaction goes on (C10). */
  noteStatus(status: number, server: ServerSession): void {
    const wasInTransaction = isInTransaction(this.status);
    if (!wasInTransaction && isInTransaction(status)) this.transactionBeganAtMs = performance.now();
    this.status = status & LASTING_STATUS;
    if (isInTransaction(status)) noteInTransaction(this, server);
    else {
      this.servers.unbind();
      if (wasInTransaction) this.transactionCount++;
    }
  }

  // ---- requests --------------------------------------------------------------------------------------------------

  /** A statement's classification, with this session's dialect. */
  classify(text: Buffer, incomplete: boolean): StatementInfo {
    return this.context.statements.classify(text, this.dialect, { maxBytes: WHOLE_REQUEST_BYTES, incomplete });
  }

  /** Begins the next request if there is one, else waits for it. */
  next(): void {
    this.#intake.next();
    this.#rest();
  }

  /** No request begins until as many `letRequestsBegin` (case B81). */
  holdRequests(): void {
    this.#holds++;
  }

  letRequestsBegin(): void {
    this.#holds--;
    if (this.#holds === 0) this.next();
  }

  /** Called by the forwarder when a server has answered. @param errno 0 for success */
  requestDone(request: ClientRequest, server: ServerSession, status: number, errno: number): void {
    this.recent.end(errno);
    this.servers.answered(server);
    if (status >= 0) this.noteStatus(status, server);
    this.servers.isRoaming = false;
    afterRequest(this, request, server, status, errno);
    this.next();
  }

  /** Called by the forwarder when it has answered with an error itself. */
  requestFailed(request: ClientRequest, errno: number): void {
    this.recent.end(errno);
    this.servers.routeAddress = null;
    this.servers.isRoaming = false;
    afterFailure(this, request);
    this.context.log.debug({ session: this.id, errno }, 'request failed');
    this.next();
  }

  /** Runs an answer of the proxy's own that takes time; requests behind it wait. */
  answerLater(work: Promise<void>): void {
    this.#answering = true;
    work
      .catch((error: unknown) => {
        this.context.log.error({ session: this.id, err: error }, 'an internal command failed');
        if (this.#phase === 'ready') this.sendError(new OdpError('INTERNAL', { detail: errorText(error) }));
      })
      .then(() => {
        this.#answering = false;
        this.next();
      })
      .catch((error: unknown) => this.onBroken(error));
  }

  sendOk(status = this.status, affectedRows = 0): void {
    this.send(okFrame(this, status, affectedRows));
  }

  sendError(error: OdpError, sequence = 1): void {
    this.send(framePackets(errOf(error), sequence));
  }

  // ---- deadlines -------------------------------------------------------------------------------------------------

  /** It is the client's turn: to take what was written, or else to send more. */
  replyWaitsForClient(): void {
    if (this.#transport.draining) this.limits.awaitReader();
    else this.limits.awaitRest();
  }

  /** Nothing is being served: it is the client's turn, to read, to send the rest of something, or anything. */
  #rest(): void {
    if (this.#phase !== 'ready' || this.#login !== null || this.active || this.#holds > 0) return;
    if (this.#transport.draining) this.limits.awaitReader();
    else if (this.#intake.holdsBeginning && !this.forwarder.drainingUpload) this.limits.awaitRest();
    else this.limits.awaitRequest();
  }

  onDeadline(): void {
    limitPassed(this);
  }

  // ---- bytes to the client ---------------------------------------------------------------------------------------

  writeClient(bytes: Uint8Array): boolean {
    return this.#transport.write(bytes);
  }

  writeClientAll(chunks: readonly Uint8Array[]): boolean {
    return this.#transport.writeAll(chunks);
  }

  pauseReading(): void {
    this.#transport.pause();
  }

  resumeReading(): void {
    this.#transport.resume();
  }

  /** The forwarder wants the client's next bytes: those that were kept come first. */
  resumeUpload(): void {
    this.#transport.resume();
    if (!this.forwarder.uploading) return;
    const kept = this.#intake.takeKept();
    if (kept.length > 0) this.onData(kept, kept.length);
  }

  onDrain(): void {
    this.forwarder.clientDrained();
    this.next();
  }

  // ---- end -------------------------------------------------------------------------------------------------------

  onClose(reason: string): void {
    this.context.log.debug({ session: this.id, reason }, 'client connection closed');
    this.#shutDown(false);
  }

  onBroken(error: unknown): void {
    this.context.log.error({ session: this.id, user: this.user, err: error }, 'a fault of the proxy ends this session');
    this.#shutDown(false);
  }

  /** Ends the connection because its client can no longer be answered; the reason is for the log. */
  closeWith(reason: string): void {
    this.context.log.info({ session: this.id, user: this.user, reason }, 'client connection ended by the proxy');
    this.#shutDown(true);
  }

  /** Ends the connection (COM_QUIT, KILL): what was written still reaches the client. */
  close(): void {
    this.#shutDown(true);
  }

  /** Ends a connection that is closed but for what its client does not read, or that it does not read from at all. */
  endAtOnce(): void {
    this.context.deadlines.unregister(this.#guard);
    this.#transport.destroy();
  }

  #shutDown(flush: boolean): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.context.registry.delete(this);
    this.context.countConnection(-1);
    this.#login?.abandon();
    this.forwarder.abandon();
    for (const server of this.servers.all()) this.dropServer(server);
    if (flush) this.#transport.end();
    else this.#transport.destroy();
    // One that does not read its last answer must not stay for good.
    if (this.#transport.closed) this.context.deadlines.unregister(this.#guard);
    else this.limits.awaitFarewell();
  }
}
