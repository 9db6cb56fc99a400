/**
 * One client connection (C1–C4): its log-in, its state, the server sessions that belong to it, and the order of its
 * requests. Forwarding a request is the forwarder's business; what the proxy answers itself is decided here.
 */
import { OdpError } from '../errors/odp-error.ts';
import type { DeadlineTarget } from '../net/deadlines.ts';
import type { TcpHandle } from '../net/raw-handles.ts';
import { Transport, type TransportHandler } from '../net/transport.ts';
import type { SqlDialect } from '../sql/classify.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import { CarryBuffer } from '../wire/carry-buffer.ts';
import { CAP, COM, HEADER_LENGTH, MAX_PAYLOAD, STATUS } from '../wire/constants.ts';
import { errOf } from '../wire/err-packet.ts';
import { buildOk } from '../wire/ok-packet.ts';
import { PacketSplitter } from '../wire/stream.ts';
import { framePackets } from '../wire/writer.ts';
import { afterRequest } from './after-request.ts';
import { ClientLogin, type LoginPort, type LoginResult, MAX_LOGIN_BYTES } from './client-login.ts';
import { dispatchCommand } from './dispatch-command.ts';
import { Forwarder, isInTransaction } from './forwarder.ts';
import type { Identity } from './identity.ts';
import type { LoginCredentials } from './login-credentials.ts';
import type { ChunkReceiver } from './outgoing-chunks.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { replyTimeoutMs } from './reply-timeout.ts';
import type { ClientRequest } from './request.ts';
import { ServerSession, type ServerSessionOwner } from './server-session.ts';
import type { SessionCluster, SessionContext } from './session-context.ts';
import { dialectOf } from './session-dialect.ts';
import { SessionVariables } from './session-variables.ts';
import type { SharedState } from './sync-plan.ts';

const READ_BYTES = 4 * 1024;
/** Bytes of pipelined requests that are kept while one is being served; then the client has to wait. */
const MAX_PENDING_BYTES = 256 * 1024;
/** Requests up to this size are read whole before they are routed; of longer ones this much, and the rest streams. */
const WHOLE_REQUEST_BYTES = 64 * 1024;
const LOGIN_TIMEOUT_MS = 10_000;

/** Bits of `ob_proxy_user_privilege` (OceanBase's privilege set). */
const PRIVILEGE_BITS = { super: 1 << 14, process: 1 << 15 } as const;

type Phase = 'login' | 'ready' | 'closed';

export class ClientSession implements TransportHandler, DeadlineTarget, LoginPort, SharedState, ChunkReceiver {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly context: SessionContext;
  readonly variables = new SessionVariables();
  readonly prepared = new PreparedStatements<ServerSession>();
  readonly servers = new Map<string, ServerSession>();
  readonly connectedAtMs = Date.now();
  readonly forwarder: Forwarder;
  deadlineAtMs: number;
  identity: Identity = 'ordinary';
  user = '';
  tenant = '';
  clusterName = '';
  cluster: SessionCluster | null = null;
  database = '';
  /** Server status flags as the client was last told. */
  status: number = STATUS.AUTOCOMMIT;
  multiStatements = false;
  heldBegin: Buffer | null = null;
  /** Server session of the statement before. */
  lastServer: ServerSession | null = null;
  /** Server session of the open transaction (C5). */
  boundServer: ServerSession | null = null;
  /** Server session that holds something only it can have. */
  pinnedServer: ServerSession | null = null;
  /** What it holds: `lock`, `temporary table`, `statement name` of text prepared statements. */
  readonly pins = new Set<string>();
  /** The next request has to meet the server session of the statement before (SET TRANSACTION). */
  stayOnLastServer = false;
  transactionCount = 0;
  readonly #transport: Transport;
  readonly #pending = new CarryBuffer();
  readonly #splitter = new PacketSplitter(MAX_LOGIN_BYTES);
  #login: ClientLogin | null;
  #credentials: LoginCredentials | null = null;
  #phase: Phase = 'login';
  #answering = false;
  #processing = false;
  /** Why the open transaction is gone although the client has not been told yet (C6). */
  #transactionLost: string | null = null;
  #replyTimeoutMs = 0;
  #dialect: SqlDialect | null = null;
  #dialectVersion = -1;

  constructor(handle: TcpHandle, context: SessionContext) {
    this.context = context;
    this.id = context.registry.nextId();
    this.#transport = Transport.accepted(handle, this, READ_BYTES);
    const peer = this.#transport.peer();
    this.host = peer.host;
    this.port = peer.port;
    this.forwarder = new Forwarder(this, context);
    this.#login = new ClientLogin(this, context);
    this.deadlineAtMs = context.deadlines.nowMs + LOGIN_TIMEOUT_MS;
    context.deadlines.register(this);
    context.registry.add(this);
    context.countConnection(1);
    this.#login.sendGreeting();
  }

  get loggedIn(): boolean {
    return this.#phase === 'ready' && this.user !== '';
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

  /** Whether the server has reported this privilege for the session's user. */
  hasPrivilege(privilege: keyof typeof PRIVILEGE_BITS): boolean {
    const mask = Number(this.variables.value('ob_proxy_user_privilege') ?? 0);
    return (mask & PRIVILEGE_BITS[privilege]) !== 0;
  }

  /** The scramble of this connection's greeting: COM_CHANGE_USER is answered with it as well. */
  get credentials(): LoginCredentials | null {
    return this.#credentials;
  }

  // ---- bytes from the client -------------------------------------------------------------------------------------

  onData(chunk: Buffer, length: number): void {
    if (this.#phase === 'login') return this.#onLoginData(chunk, length);
    if (this.#phase === 'closed') return;
    let start = 0;
    if (this.forwarder.uploading) {
      start = this.forwarder.takeUpload(chunk, length);
      if (start === length) return;
    }
    if (this.active || this.#processing || this.#pending.length > 0) this.#keep(chunk, start, length);
    else this.#process(chunk, start, length);
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    this.#pending.append(chunk, start, end);
    if (this.active || this.#answering) {
      if (this.#pending.length > MAX_PENDING_BYTES) this.#transport.pause();
      return;
    }
    this.#processPending();
  }

  #processPending(): void {
    if (this.#processing || this.active || this.#pending.length === 0) return;
    const bytes = this.#pending.take();
    this.#process(bytes, 0, bytes.length);
  }

  /** Begins the requests that the bytes hold, one after the other; what cannot be begun now is kept. */
  #process(chunk: Buffer, start: number, end: number): void {
    this.#processing = true;
    let at = start;
    while (at < end && !this.active && this.#phase === 'ready') {
      const available = end - at;
      if (available < HEADER_LENGTH + 1) break;
      const length = chunk.readUIntLE(at, 3);
      const whole = length < MAX_PAYLOAD && available >= HEADER_LENGTH + length;
      if (!whole && available < WHOLE_REQUEST_BYTES) break;
      const requestEnd = whole ? at + HEADER_LENGTH + length : end;
      if (length === 0) {
        this.closeWith('a request without a command byte');
        break;
      }
      if (!whole) this.#transport.pause();
      this.#begin(chunk, at, requestEnd, whole);
      at = requestEnd;
    }
    this.#processing = false;
    if (this.#phase !== 'ready') return;
    if (at < end) this.#pending.append(chunk, at, end);
    if (!this.active && this.#pending.length > HEADER_LENGTH) this.#maybeContinue();
    else if (this.#pending.length > MAX_PENDING_BYTES) this.#transport.pause();
  }

  /** After a request was answered at once there may be a whole one left among the kept bytes. */
  #maybeContinue(): void {
    const length = this.#pending.bytes.readUIntLE(0, 3);
    if (this.#pending.length >= HEADER_LENGTH + length || this.#pending.length >= WHOLE_REQUEST_BYTES) {
      this.#processPending();
    }
  }

  #begin(chunk: Buffer, start: number, end: number, whole: boolean): void {
    const lost = this.#transactionLost;
    if (lost !== null) {
      this.#transactionLost = null;
      if (whole && chunk[start + HEADER_LENGTH] !== COM.QUIT) {
        return this.sendError(new OdpError('SERVER_CLOSED', { detail: `${lost}; the transaction has ended` }));
      }
    }
    dispatchCommand(this, chunk, start, end, whole);
  }

  #onLoginData(chunk: Buffer, length: number): void {
    let packets: ReturnType<PacketSplitter['push']>;
    try {
      packets = this.#splitter.push(chunk.subarray(0, length));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const tooLarge = new OdpError('BAD_HANDSHAKE', {
        detail: `a log-in packet of more than ${MAX_LOGIN_BYTES} bytes`,
      });
      return this.refuse(framePackets(errOf(tooLarge), 2));
    }
    for (const [index, packet] of packets.entries()) {
      if (this.#phase !== 'login') return;
      if (this.#login === null || index > 0) {
        // A request sent along with the log-in: it waits for the verdict (case B06 b).
        this.#pending.append(framePackets(packet.payload, packet.sequence), 0, packet.payload.length + HEADER_LENGTH);
        continue;
      }
      this.#login.onPacket(packet.payload, packet.sequence);
    }
  }

  // ---- log-in ----------------------------------------------------------------------------------------------------

  loginDone(result: LoginResult): void {
    this.#login = null;
    this.#phase = 'ready';
    this.deadlineAtMs = Number.POSITIVE_INFINITY;
    const rest = this.#splitter.takePending();
    this.#pending.append(rest, 0, rest.length);
    this.takeIdentity(result);
    this.#processPending();
  }

  /** Becomes the user of a log-in: at the start, and by COM_CHANGE_USER. All state begins anew. */
  takeIdentity(result: LoginResult): void {
    this.#credentials = result.credentials;
    this.identity = result.identity;
    this.user = result.name.user;
    this.tenant = result.name.tenant;
    this.clusterName = result.name.cluster;
    this.cluster = result.cluster;
    this.database = result.credentials.database;
    this.status = result.status;
    this.multiStatements = (result.credentials.capabilities & CAP.MULTI_STATEMENTS) !== 0;
    this.variables.reset();
    if (result.state !== null) this.variables.applyLogin(result.state);
    this.#dialectVersion = -1;
    const { server } = result;
    if (server !== null) {
      server.owner = this.forwarder;
      this.serverOpened(server);
      this.lastServer = server;
    }
  }

  /** COM_CHANGE_USER has succeeded: nothing of the old user's may be left (case B28 d). */
  becomeUser(result: LoginResult): void {
    if (this.#phase === 'closed') {
      result.server?.close();
      return;
    }
    for (const server of [...this.servers.values()]) this.dropServer(server);
    this.prepared.clear();
    this.heldBegin = null;
    this.stayOnLastServer = false;
    this.takeIdentity(result);
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

  openServer(
    target: { readonly address: string; readonly host: string; readonly port: number },
    owner: ServerSessionOwner,
  ): ServerSession {
    if (this.#credentials === null) throw new Error('a server session was opened before log-in');
    return new ServerSession(owner, this.context, target, this.#credentials, false);
  }

  serverOpened(server: ServerSession): void {
    this.servers.set(server.address, server);
    this.cluster?.countServerSession(server.address, 1);
  }

  /** Closes one server session and forgets it. */
  dropServer(server: ServerSession): void {
    server.close();
    if (this.servers.get(server.address) === server) {
      this.servers.delete(server.address);
      this.cluster?.countServerSession(server.address, -1);
    }
    this.prepared.forgetServer(server);
    if (this.lastServer === server) this.lastServer = null;
    if (this.pinnedServer === server) {
      this.pinnedServer = null;
      this.pins.clear();
    }
    if (this.boundServer === server) {
      this.boundServer = null;
      this.status &= ~STATUS.IN_TRANS;
    }
  }

  /** A server session is gone while nobody waits for it: the client notices only if a transaction was open (C14). */
  serverGone(server: ServerSession, reason: string): void {
    if (this.boundServer === server || this.pinnedServer === server) this.#transactionLost = reason;
    this.dropServer(server);
  }

  /** KILL PROXYSESSION: one server session is closed as if its server had done it. */
  killServer(server: ServerSession): void {
    server.kill();
  }

  /** The server session that a request must use whatever the router says, or null. */
  tiedServer(request: ClientRequest): ServerSession | null {
    const holder = request.statement?.holder ?? null;
    if (holder !== null) return holder;
    if (this.boundServer !== null) return this.boundServer;
    if (this.pinnedServer !== null) return this.pinnedServer;
    return this.stayOnLastServer && this.lastServer?.ready ? this.lastServer : null;
  }

  /** Whether losing a server session loses something of the client's. */
  isTied(server: ServerSession): boolean {
    return this.boundServer === server || this.pinnedServer === server;
  }

  // ---- state -----------------------------------------------------------------------------------------------------

  /** How the texts of this session are to be read. */
  get dialect(): SqlDialect {
    if (this.#dialect === null || this.#dialectVersion !== this.variables.version) {
      this.#dialect = dialectOf(this.variables, this.#dialect);
      this.#dialectVersion = this.variables.version;
    }
    return this.#dialect;
  }

  beginSent(): void {
    this.heldBegin = null;
  }

  /** Takes what a server reported about its session's state. */
  applyState(chunk: Buffer, start: number, end: number, server: ServerSession, request: ClientRequest | null): void {
    const report = this.variables.apply(chunk, start, end, server.synced);
    if (report.database !== null) {
      server.database = report.database;
      if (request !== null) this.database = report.database;
    }
    const table = request?.info?.table;
    if (report.partitionHit === false && table) {
      this.cluster?.markDirty(this.tenant, table.database ?? this.database, table.name);
    }
  }

  /** Status flags told by a server: they say whether its transaction goes on (C10). */
  noteStatus(status: number, server: ServerSession): void {
    const wasInTransaction = isInTransaction(this.status);
    this.status = status & ~(STATUS.MORE_RESULTS | STATUS.CURSOR_EXISTS | STATUS.LAST_ROW_SENT);
    if (isInTransaction(status)) this.boundServer = server;
    else {
      this.boundServer = null;
      if (wasInTransaction) this.transactionCount++;
    }
  }

  // ---- requests --------------------------------------------------------------------------------------------------

  /** A statement's classification, with this session's dialect. */
  classify(text: Buffer, incomplete: boolean): StatementInfo {
    return this.context.statements.classify(text, this.dialect, { maxBytes: WHOLE_REQUEST_BYTES, incomplete });
  }

  /** Called by the forwarder when a server has answered. @param errno 0 for success */
  requestDone(request: ClientRequest, server: ServerSession, status: number, errno: number): void {
    this.deadlineAtMs = Number.POSITIVE_INFINITY;
    this.lastServer = server;
    if (status >= 0) this.noteStatus(status, server);
    afterRequest(this, request, server, status, errno);
    this.#next();
  }

  /** Called by the forwarder when it has answered with an error itself. */
  requestFailed(request: ClientRequest, errno: number): void {
    this.deadlineAtMs = Number.POSITIVE_INFINITY;
    if (request.command === COM.STMT_PREPARE && request.statement !== null) this.prepared.delete(request.statement.id);
    this.context.log.debug({ session: this.id, errno }, 'request failed');
    this.#next();
  }

  #next(): void {
    if (this.#phase !== 'ready') return;
    if (!this.#processing) this.#processPending();
    if (!this.active) this.#transport.resume();
  }

  /** Runs an answer of the proxy's own that takes time; requests behind it wait. */
  answerLater(work: Promise<void>): void {
    this.#answering = true;
    const done = (): void => {
      this.#answering = false;
      this.#next();
    };
    work.then(done, (error: unknown) => {
      this.context.log.error({ session: this.id, err: error }, 'an internal command failed');
      if (this.#phase === 'ready') this.sendError(new OdpError('INTERNAL', { detail: String(error) }));
      done();
    });
  }

  sendOk(status = this.status): void {
    this.send(framePackets(buildOk({ status }), 1));
  }

  sendError(error: OdpError, sequence = 1): void {
    this.send(framePackets(errOf(error), sequence));
  }

  /** Sets until when the reply has to be there. @param info its hint may say so; 'never': the client is at work */
  armReplyDeadline(info: StatementInfo | null | 'never'): void {
    if (info === 'never') {
      this.deadlineAtMs = Number.POSITIVE_INFINITY;
      return;
    }
    this.#replyTimeoutMs = replyTimeoutMs(this.context.config, this.variables, info);
    this.deadlineAtMs = this.context.deadlines.nowMs + this.#replyTimeoutMs;
  }

  onDeadline(): void {
    if (this.#phase === 'login') {
      return this.refuse(framePackets(errOf(new OdpError('BAD_HANDSHAKE', { detail: 'log-in took too long' })), 2));
    }
    this.forwarder.replyTimedOut(this.#replyTimeoutMs);
  }

  // ---- bytes to the client ---------------------------------------------------------------------------------------

  writeClient(bytes: Uint8Array): boolean {
    return this.#transport.write(bytes);
  }

  writeClientAll(chunks: readonly Uint8Array[]): boolean {
    return this.#transport.writeAll(chunks);
  }

  pauseClient(): void {
    this.#transport.pause();
  }

  resumeClient(): void {
    this.#transport.resume();
    if (this.forwarder.uploading && this.#pending.length > 0) {
      const bytes = this.#pending.take();
      this.onData(bytes, bytes.length);
    }
  }

  onDrain(): void {
    this.forwarder.clientDrained();
  }

  // ---- end -------------------------------------------------------------------------------------------------------

  onClose(reason: string): void {
    this.context.log.debug({ session: this.id, reason }, 'client connection closed');
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

  #shutDown(flush: boolean): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.context.deadlines.unregister(this);
    this.context.registry.delete(this);
    this.context.countConnection(-1);
    this.#login?.abandon();
    this.forwarder.abandon();
    for (const server of [...this.servers.values()]) this.dropServer(server);
    if (flush) this.#transport.end();
    else this.#transport.destroy();
  }
}
