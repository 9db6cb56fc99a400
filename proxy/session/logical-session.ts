/**
 * What a client session is, apart from its connection and the request that it is serving: who has logged in, the state
 * that its server sessions share (C1), and these. All of it that a client can notice is here.
 */
import type { ConfigView } from '../config/config-view.ts';
import type { ProxiedEnds } from '../net/proxy-header.ts';
import type { SqlDialect } from '../sql/classify.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import { CAP, LASTING_STATUS, OB_CAPABILITY, STATUS } from '../wire/constants.ts';
import type { LoginResult } from './client-login.ts';
import { HeldServers, isInTransaction } from './held-servers.ts';
import type { Identity } from './identity.ts';
import { noteInTransaction } from './internal-routing.ts';
import type { LoginCredentials } from './login-credentials.ts';
import { LossNotice } from './loss-notice.ts';
import { PreparedStatements } from './prepared-statements.ts';
import type { ClientRequest } from './request.ts';
import { WHOLE_REQUEST_BYTES } from './request-intake.ts';
import type { ServerSession, ServerSessionOwner } from './server-session.ts';
import type { SessionCluster, SessionContext } from './session-context.ts';
import { SessionDialect } from './session-dialect.ts';
import { SessionVariables } from './session-variables.ts';
import type { SharedState } from './sync-plan.ts';
import type { TenantPlace } from './tenant-limit.ts';
import type { TimeLimits } from './time-limits.ts';

/** A client session's number and the two ends of its connection. */
export interface SessionEnds {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  /** Where the client has connected to. */
  readonly vip: { readonly host: string; readonly port: number };
}

export abstract class LogicalSession implements SharedState, SessionEnds {
  readonly id: number;
  host: string;
  port: number;
  vip: SessionEnds['vip'];
  readonly context: SessionContext;
  /** The parameters as they count for this session. */
  config: ConfigView;
  readonly variables = new SessionVariables();
  readonly prepared = new PreparedStatements<ServerSession>();
  readonly servers = new HeldServers((address, change) => this.cluster?.countServerSession(address, change));
  identity: Identity = 'ordinary';
  user = '';
  tenant = '';
  clusterName = '';
  cluster: SessionCluster | null = null;
  /** Counts the changes of the current database. */
  databaseVersion = 0;
  /** Server status flags as the client was last told. */
  status: number = STATUS.AUTOCOMMIT;
  multiStatements = false;
  heldBegin: Buffer | null = null;
  readonly heldSets: Buffer[] = [];
  transactionCount = 0;
  /** `performance.now()` at the begin of the transaction that is open; means nothing when none is. */
  transactionBeganAtMs = 0;
  /** The server that the client logged in at is one, and knows that it talks to a proxy. */
  isOceanBase = false;
  /** Servers know clients' ids, whichever proxy has given them out (`client_session_id_version` 2). */
  sharesIds = false;
  readonly loss = new LossNotice();
  abstract readonly limits: TimeLimits;
  /** Who serves the requests, and so is told what happens on the server sessions. */
  abstract readonly forwarder: ServerSessionOwner;
  /** Of the log-in. The scramble of the connection's greeting is in it: COM_CHANGE_USER is answered with it as well. */
  credentials: LoginCredentials | null = null;
  #place: TenantPlace | null = null;
  readonly #dialect = new SessionDialect(this.variables);
  #database = '';

  constructor(context: SessionContext, { id, host, port, vip }: SessionEnds) {
    this.context = context;
    this.config = context.config;
    this.id = id;
    this.host = host;
    this.port = port;
    this.vip = vip;
  }

  /** Where the client is, and what it has connected to, as a load balancer in between tells it (case B12). */
  cameFrom({ source, destination }: ProxiedEnds): void {
    this.host = source.host;
    this.port = source.port;
    this.vip = destination;
  }

  /** The current one; empty: none. */
  get database(): string {
    return this.#database;
  }

  set database(name: string) {
    if (name !== this.#database) this.databaseVersion++;
    this.#database = name;
  }

  /** A server session has this current database. */
  databaseAt(server: ServerSession, name: string): void {
    server.database = name;
    if (name === this.#database) server.databaseVersion = this.databaseVersion;
  }

  /** After a change of what counts for parts of the sessions. */
  refreshConfig(): void {
    this.config = this.context.levels.view(this);
  }

  get inTransaction(): boolean {
    return this.heldBegin !== null || isInTransaction(this.status);
  }

  get clientCapabilities(): number {
    return this.credentials?.capabilities ?? 0;
  }

  get deprecateEof(): boolean {
    return (this.clientCapabilities & CAP.DEPRECATE_EOF) !== 0;
  }

  /** How the texts of this session are to be read. */
  get dialect(): SqlDialect {
    return this.#dialect.current;
  }

  /** A statement's classification, with this session's dialect. */
  classify(text: Buffer, incomplete: boolean): StatementInfo {
    return this.context.statements.classify(text, this.dialect, { maxBytes: WHOLE_REQUEST_BYTES, incomplete });
  }

  /** The session does not count for its tenant any more. */
  leaveTenant(): void {
    this.#place?.leave();
    this.#place = null;
  }

  /** It counts for its tenant, whatever the limit: it comes from another generation, or has stayed. */
  countForTenant(): void {
    if (this.cluster === null || this.credentials === null) return;
    this.#place ??= this.context.tenantLimit.enter(this.credentials.scope, true);
  }

  /** Becomes the user of a log-in: at the start, and by COM_CHANGE_USER. Nothing of before may be left (case B28 d). */
  takeIdentity(result: LoginResult): void {
    for (const server of this.servers.all()) this.dropServer(server);
    this.prepared.clear();
    this.heldBegin = null;
    this.heldSets.length = 0;
    this.servers.release();
    this.loss.clear();
    this.leaveTenant();
    this.#place = result.place;
    this.credentials = result.credentials;
    this.identity = result.identity;
    this.user = result.name.user;
    this.tenant = result.name.tenant;
    this.clusterName = result.name.cluster;
    this.cluster = result.cluster;
    this.refreshConfig();
    this.database = result.credentials.database;
    this.status = result.status & LASTING_STATUS;
    this.isOceanBase = result.server?.extraOk ?? false;
    this.sharesIds = ((result.server?.agreed ?? 0n) & OB_CAPABILITY.ENABLE_CLIENT_SESSION_ID_V2) !== 0n;
    this.multiStatements = (result.credentials.capabilities & CAP.MULTI_STATEMENTS) !== 0;
    this.variables.begin(result.state);
    this.limits.forgetVariables();
    this.#dialect.begin();
    this.servers.blocks.reset();
    const { server } = result;
    if (server !== null) {
      server.owner = this.forwarder;
      this.databaseAt(server, server.database);
      this.servers.add(server);
      this.servers.last = server;
    }
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
    if (loss !== null) this.loss.note(`${reason}; ${loss}`);
    this.dropServer(server);
  }

  // ---- what servers tell -----------------------------------------------------------------------------------------

  beginSent(): void {
    this.heldBegin = null;
  }

  /** COM_RESET_CONNECTION has succeeded on the one server session that is left (case B29). */
  stateReset(server: ServerSession): void {
    this.variables.reset();
    this.limits.forgetVariables();
    server.synced.reset();
    this.servers.lastInsertIdAt = null;
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
      if (request !== null) this.database = report.database;
      this.databaseAt(server, report.database);
    }
    if (request === null) return;
    if (report.tellsLastInsertId) this.servers.lastInsertIdAt = server;
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
}
