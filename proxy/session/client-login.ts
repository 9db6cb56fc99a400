/**
 * Log-in of one client (C2): the proxy's own greeting, then the client's answer is relayed to a randomly chosen
 * OBServer and the server's verdict to the client. What the client sent is kept to log later server sessions in.
 */
import type { SecureContext } from 'node:tls';
import type { ConfigView } from '../config/config-view.ts';
import { firstFew } from '../errors/first-few.ts';
import { OdpError } from '../errors/odp-error.ts';
import { monotonicMs } from '../net/monotonic-clock.ts';
import { makeScramble } from '../wire/auth.ts';
import { CAP, COLLATION, NATIVE_PASSWORD, STATUS } from '../wire/constants.ts';
import { errOf, parseErr } from '../wire/err-packet.ts';
import {
  buildAuthSwitch,
  type HandshakeResponse,
  isSslRequest,
  parseHandshakeResponse,
  writeGreeting,
} from '../wire/handshake.ts';
import { type OkPacket, writeOk } from '../wire/ok-packet.ts';
import { framePackets } from '../wire/writer.ts';
import { ConnectionScope } from './connection-scope.ts';
import { identityOf } from './identity.ts';
import { isAdmitted, isAdmittedLocally } from './login-admission.ts';
import { CLIENT_CAPABILITIES, keptAttributes, keptBytes, type LoginCredentials } from './login-credentials.ts';
import { type LoginName, parseLoginName } from './login-name.ts';
import { namedRefusal } from './named-refusal.ts';
import { withoutListed } from './route-request.ts';
import { type ServerLoginAnswer, ServerSession, type ServerSessionOwner } from './server-session.ts';
import type { SessionCluster, SessionContext } from './session-context.ts';
import type { SessionCounters } from './session-counters.ts';
import { shuffledServers } from './shuffled-servers.ts';
import type { TenantPlace } from './tenant-limit.ts';

/** What the log-in needs of the connection it serves. */
export interface LoginPort {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly usesTls: boolean;
  /** Where the client has connected to. */
  readonly vip: { readonly host: string; readonly port: number };
  readonly recent: { readonly counters: SessionCounters };
  send(frame: Buffer): void;
  /** The client's next bytes begin a TLS handshake, and its log-in packet comes again. */
  startTls(context: SecureContext): void;
  /** Sends and closes. */
  refuse(frame: Buffer): void;
  loginDone(result: LoginResult): void;
  /** The log-in ran into a fault of the proxy's own. */
  onBroken(error: unknown): void;
}

export interface LoginResult {
  readonly name: LoginName;
  readonly identity: 'proxysys' | 'inspector' | 'rootsys' | 'ordinary';
  readonly credentials: LoginCredentials;
  /** Null for the proxysys tenant. */
  readonly cluster: SessionCluster | null;
  /** The server session that has proved the password; null for the proxysys tenant. */
  readonly server: ServerSession | null;
  /** Session state of the server's OK: all variables. */
  readonly state: Buffer | null;
  /** Status flags of the server's OK. */
  readonly status: number;
  /** Where the session is counted; null for the proxysys tenant. */
  readonly place: TenantPlace | null;
}

/**
 * Errors of a server that say nothing about the user: too many connections, shutting down, tenant not on this server,
 * starting, stopping (OceanBase's numbers). Another server may let the client in.
 */
const OTHER_SERVER_MAY_DO: ReadonlySet<number> = new Set([1040, 1053, 5150, 8001, 8002]);

/** What the next packet of the client is: its answer to the greeting, or to the proxy's or a server's auth switch. */
type Awaits = 'response' | 'own-switch' | 'server-switch' | null;

export class ClientLogin implements ServerSessionOwner {
  readonly #port: LoginPort;
  readonly #context: SessionContext;
  readonly #earlier: LoginCredentials | null;
  readonly #scramble: Buffer;
  /** What the client was offered. */
  readonly #offered: number;
  /** Layout of the session's id: its own, whatever becomes of the parameter. */
  readonly #idVersion: number;
  /** Null: TLS is not offered, or has begun. */
  #tls: SecureContext | null;
  #candidates: string[] = [];
  #failures: string[] = [];
  #name: LoginName | null = null;
  #credentials: LoginCredentials | null = null;
  #cluster: SessionCluster | null = null;
  #server: ServerSession | null = null;
  #awaits: Awaits = 'response';
  #response: HandshakeResponse | null = null;
  /** Nobody waits for a result any more. */
  #isOver = false;
  #refusal: Buffer | null = null;
  /** Sequence id of the next packet for the client. */
  #sequence = 2;

  /** @param earlier the connection's first log-in, for COM_CHANGE_USER: its scramble and capabilities stay in force */
  constructor(port: LoginPort, context: SessionContext, earlier: LoginCredentials | null = null) {
    this.#port = port;
    this.#earlier = earlier;
    this.#context = context;
    this.#scramble = earlier?.scramble ?? makeScramble();
    this.#idVersion = earlier?.idVersion ?? context.config.int('client_session_id_version');
    this.#tls = earlier === null ? context.tls.forClients : null;
    const offered = CLIENT_CAPABILITIES | (context.serverCapabilities & CAP.DEPRECATE_EOF);
    this.#offered = earlier?.capabilities ?? (this.#tls === null ? offered : offered | CAP.SSL);
  }

  /** The client's next packet belongs to the log-in. */
  get awaitsPacket(): boolean {
    return this.#awaits !== null;
  }

  /** The client's next packet may ask for TLS. */
  get mayStartTls(): boolean {
    return this.#tls !== null && this.#awaits === 'response';
  }

  /** The server that the log-in waits for. */
  get server(): ServerSession | null {
    return this.#server;
  }

  /** What counts before it is known who logs in. */
  get #config(): ConfigView {
    return this.#context.levels.view(new ConnectionScope(this.#port, '', ''));
  }

  sendGreeting(): void {
    const greeting = writeGreeting({
      serverVersion: this.#config.text('mysql_version'),
      connectionId: this.#port.id,
      scramble: this.#scramble,
      capabilities: this.#offered,
      collation: COLLATION.UTF8MB4_GENERAL_CI,
      status: STATUS.AUTOCOMMIT,
      authPlugin: NATIVE_PASSWORD,
    });
    this.#port.send(greeting.frame(0));
  }

  /** Takes one of the client's packets while `awaitsPacket`. @param sequence of the packet */
  onPacket(payload: Buffer, sequence: number): void {
    const awaited = this.#awaits;
    const next = (sequence + 1) & 0xff;
    this.#awaits = null;
    if (awaited === 'server-switch') {
      this.#sequence = next;
      this.#server?.answerAuth(Buffer.from(payload));
    } else if (awaited === 'own-switch' && this.#response !== null) {
      this.begin({ ...this.#response, authAnswer: Buffer.from(payload), authPlugin: NATIVE_PASSWORD }, next);
    } else {
      this.#readResponse(payload, next);
    }
  }

  #readResponse(payload: Buffer, sequence: number): void {
    this.#sequence = sequence;
    try {
      if (isSslRequest(payload)) return this.#startTls();
      this.begin(parseHandshakeResponse(payload), sequence);
    } catch (error) {
      if (!(error instanceof OdpError)) throw error;
      this.#refuse(error);
    }
  }

  /** @throws OdpError BAD_HANDSHAKE */
  #startTls(): void {
    const context = this.#tls;
    if (context === null) {
      throw new OdpError('BAD_HANDSHAKE', {
        detail: this.#port.usesTls ? 'TLS has begun already' : 'TLS is not offered here',
      });
    }
    this.#tls = null;
    this.#awaits = 'response';
    this.#port.startTls(context);
  }

  /** Logs in with a parsed answer: from the log-in packet, or from COM_CHANGE_USER. */
  begin(response: HandshakeResponse, sequence: number): void {
    this.#sequence = sequence;
    this.#awaits = null;
    // Only one method works by relay. Whoever begins with another one is asked to change, as a server does (case B27).
    if (response.authPlugin !== '' && response.authPlugin !== NATIVE_PASSWORD) {
      this.#response = response;
      this.#awaits = 'own-switch';
      return this.#port.send(framePackets(buildAuthSwitch(NATIVE_PASSWORD, this.#scramble), sequence));
    }
    try {
      this.#start(response);
    } catch (error) {
      if (!(error instanceof OdpError)) throw error;
      this.#refuse(error);
    }
  }

  /** @throws OdpError to be sent */
  #start(response: HandshakeResponse): void {
    const config = this.#config;
    const name = parseLoginName(response.user, {
      separators: config.list('username_separator'),
      defaultTenant: config.text('proxy_tenant_name'),
      defaultCluster: this.#defaultCluster(config),
    });
    const identity = identityOf(name.user, name.tenant);
    this.#name = name;
    this.#credentials = this.#credentialsOf(response, name);
    if (identity === null) throw this.#denied(response);
    if (identity === 'proxysys' || identity === 'inspector') {
      this.#loginLocally(identity, response, name, this.#credentials);
      return;
    }
    const { host, usesTls } = this.#port;
    const isCounted = this.#isCounted(this.#credentials);
    const applicant = { name, credentials: this.#credentials, host, usesTls, isCounted };
    if (!isAdmitted(applicant, config, this.#context)) throw this.#denied(response);
    const found = this.#context.findCluster(name.cluster, name.clusterId);
    if (!(found instanceof Promise)) return this.#enter(found);
    found
      .then((cluster) => {
        if (!this.#isOver) this.#enter(cluster);
      })
      .catch((error: unknown) => {
        if (!(error instanceof OdpError)) this.#port.onBroken(error);
        else if (!this.#isOver) this.#refuse(error);
      });
  }

  #enter(cluster: SessionCluster): void {
    this.#cluster = cluster;
    const servers = shuffledServers(cluster.topology, this.#context.random);
    this.#candidates = [...withoutListed(cluster, servers)];
    this.#tryNext();
  }

  /** Cluster of a name that gives none: that of the address the client has connected to, if it has one. */
  #defaultCluster(config: ConfigView): string {
    const named = config.text('rootservice_cluster_name');
    const isOwn = named !== this.#context.config.text('rootservice_cluster_name');
    return isOwn ? named : this.#context.defaultCluster();
  }

  /** It has taken too long: the client's fault, or that of a server that does not answer. */
  timedOut(): void {
    const server = this.#server;
    if (server === null && !this.awaitsPacket && this.#name !== null) {
      const detail = `its servers could not be found out in time`;
      return this.#refuse(new OdpError('NO_SERVER_CONNECTION', { cluster: this.#name.cluster, detail }));
    }
    if (this.awaitsPacket || server === null) {
      return this.#refuse(new OdpError('BAD_HANDSHAKE', { detail: 'log-in took too long' }));
    }
    this.#candidates = [];
    this.#failures.push(`${server.address} does not answer`);
    server.close();
    this.#tryNext();
  }

  /** Nobody waits for the result any more. */
  abandon(): void {
    this.#isOver = true;
    this.#server?.abandon();
    this.#reportFailure(this.#server);
    this.#server = null;
    this.#candidates = [];
  }

  // ---- server side -----------------------------------------------------------------------------------------------

  onServerLogin(server: ServerSession, answer: ServerLoginAnswer): void {
    if (answer.kind === 'error') {
      this.#server = null;
      const refusal = this.#name === null ? answer.payload : namedRefusal(answer.payload, this.#name);
      this.#refusal = refusal;
      if (OTHER_SERVER_MAY_DO.has(parseErr(answer.payload).errno)) this.#tryNext();
      else this.#port.refuse(framePackets(refusal, this.#sequence));
      return;
    }
    if (answer.kind === 'auth-switch') {
      this.#awaits = 'server-switch';
      this.#port.send(framePackets(answer.payload, this.#sequence));
      return;
    }
    if (answer.kind === 'auth-more') return this.#relayMore(server, answer.payload, answer.isLast);
    this.#finish(server, answer.ok);
  }

  /** What a method says behind the switch: between client and server, as it is. */
  #relayMore(server: ServerSession, payload: Buffer, isLast: boolean): void {
    // Asked so, a client sends its password as it is when it sees TLS on its own side.
    const wantsPassword = payload.length === 2 && payload[1] === 4;
    if (wantsPassword && this.#port.usesTls && !server.usesTls) {
      server.close();
      const detail = `the server ${server.address} wants the password itself, and the way to it is not in TLS`;
      return this.#refuse(new OdpError('AUTH_METHOD_NOT_SUPPORTED', { detail }));
    }
    if (!isLast) this.#awaits = 'server-switch';
    this.#port.send(framePackets(payload, this.#sequence));
    if (isLast) this.#sequence = (this.#sequence + 1) & 0xff;
  }

  onServerClosed(server: ServerSession, reason: string): void {
    this.#reportFailure(server);
    this.#failures.push(reason);
    this.#server = null;
    // The client is about to answer a server that is gone: nothing can be made of that answer.
    if (this.#awaits !== null) this.#candidates = [];
    this.#tryNext();
  }

  /** Nothing is sent to a server between its OK and the hand-over, so nothing can come. */
  onServerData(server: ServerSession): void {
    server.close();
    this.onServerClosed(server, `${server.address} sent data that nobody asked for`);
  }

  onServerDrain(): void {
    // The log-in packet is small and nothing waits for it to have left.
  }

  onServerBroken(_server: ServerSession, error: unknown): void {
    this.#port.onBroken(error);
  }

  #reportFailure(server: ServerSession | null): void {
    if (server === null || server.failure === null) return;
    const { address, failure } = server;
    const at = { atMs: monotonicMs(), wallAtMs: Date.now() };
    this.#cluster?.countError(address);
    this.#cluster?.health.failed({ address, ...failure, ...at, errno: 0, sessionId: this.#port.id, digest: '' });
  }

  #tryNext(): void {
    const address = this.#candidates.shift();
    const { cluster, credentials } = { cluster: this.#cluster, credentials: this.#credentials };
    if (cluster === null || credentials === null) return;
    const target = cluster.topology.servers.find((server) => server.address === address);
    if (target === undefined) {
      if (address !== undefined) return this.#tryNext();
      if (this.#refusal !== null) return this.#port.refuse(framePackets(this.#refusal, this.#sequence));
      const detail = firstFew(this.#failures) || 'none is known';
      return this.#refuse(new OdpError('NO_SERVER_CONNECTION', { cluster: cluster.name, detail }));
    }
    this.#port.recent.counters.connects++;
    this.#server = new ServerSession(this, this.#context, target, credentials, true);
  }

  #finish(server: ServerSession, ok: OkPacket): void {
    const { name, credentials, cluster } = { name: this.#name, credentials: this.#credentials, cluster: this.#cluster };
    if (name === null || credentials === null || cluster === null) return;
    const status = ok.status & ~STATUS.SESSION_STATE_CHANGED;
    const place = this.#placeFor(credentials, server);
    if (place === null) return;
    this.#port.send(writeOk({ status, warnings: ok.warnings }).frame(this.#sequence));
    const identity = identityOf(name.user, name.tenant) ?? 'ordinary';
    this.#port.loginDone({ name, identity, credentials, cluster, server, state: ok.state, status, place });
  }

  /** Null: the tenant has all the sessions that it may have, and the client has been told. */
  #placeFor(credentials: LoginCredentials, server: ServerSession): TenantPlace | null {
    try {
      return this.#context.tenantLimit.enter(credentials.scope, this.#isCounted(credentials));
    } catch (error) {
      if (!(error instanceof OdpError)) throw error;
      this.#server = null;
      server.close();
      this.#refuse(error);
      return null;
    }
  }

  /** The session is counted in the same tenant already, which COM_CHANGE_USER keeps it in. */
  #isCounted({ scope }: LoginCredentials): boolean {
    const earlier = this.#earlier?.scope;
    return earlier?.clusterName === scope.clusterName && earlier.tenant === scope.tenant;
  }

  // ---- local -----------------------------------------------------------------------------------------------------

  #loginLocally(
    identity: 'proxysys' | 'inspector',
    response: HandshakeResponse,
    name: LoginName,
    credentials: LoginCredentials,
  ): void {
    const { host } = this.#port;
    if (!isAdmittedLocally(identity, host, response.authAnswer, this.#scramble, this.#context.config)) {
      throw this.#denied(response);
    }
    this.#port.send(writeOk().frame(this.#sequence));
    this.#port.loginDone({
      name,
      identity,
      credentials,
      cluster: null,
      server: null,
      state: null,
      status: STATUS.AUTOCOMMIT,
      place: null,
    });
  }

  #credentialsOf(response: HandshakeResponse, name: LoginName): LoginCredentials {
    return {
      serverUser: `${name.user}@${name.tenant}`,
      scope: new ConnectionScope(this.#port, name.cluster, name.tenant),
      authAnswer: keptBytes(response.authAnswer),
      authPlugin: response.authPlugin,
      scramble: this.#scramble,
      capabilities: response.capabilities & this.#offered,
      maxPacketBytes: response.maxPacketBytes,
      collation: response.collation,
      database: response.database,
      clientAttributes: keptAttributes(response.attributes),
      clientHost: this.#port.host,
      clientPort: this.#port.port,
      sessionId: this.#port.id,
      idVersion: this.#idVersion,
      cluster: name.cluster,
      connectedAtMs: Date.now(),
    };
  }

  #denied(response: HandshakeResponse): OdpError {
    return new OdpError('ACCESS_DENIED', {
      user: response.user,
      host: this.#port.host,
      usingPassword: response.authAnswer.length > 0 ? 'YES' : 'NO',
    });
  }

  #refuse(error: OdpError): void {
    this.#isOver = true;
    this.#port.refuse(framePackets(errOf(error), this.#sequence));
  }
}
