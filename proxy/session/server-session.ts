/**
 * One connection of a client session to an OBServer: opens it, logs it in with the kept answer of the client (C2), and
 * hands the bytes of replies to its owner. What it is used for is the owner's business.
 */
import type { SecureContext } from 'node:tls';
import type { FailureKind } from '../congestion/types.ts';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { monotonicMs } from '../net/monotonic-clock.ts';
import type { TcpHandle } from '../net/raw-handles.ts';
import { TlsTransport } from '../net/tls-transport.ts';
import { type Channel, Transport } from '../net/transport.ts';
import { CAP } from '../wire/constants.ts';
import {
  buildSslRequest,
  type Greeting,
  type LoginPacket,
  parseGreeting,
  writeHandshakeResponse,
} from '../wire/handshake.ts';
import { findVariable } from '../wire/ob-variables.ts';
import { type OkPacket, parseOk } from '../wire/ok-packet.ts';
import type { ScannerMode } from '../wire/scanner-types.ts';
import { PacketSplitter } from '../wire/stream.ts';
import { framePackets } from '../wire/writer.ts';
import { EventGuard, type GuardedSession } from './event-guard.ts';
import { type LoginCredentials, loginResponse } from './login-credentials.ts';
import { agreedFeatures, agreedFraming, type OfferedFeatures, offeredFeatures } from './ob-capabilities.ts';
import { ServerFraming } from './server-framing.ts';
import type { ServerFailure } from './server-health.ts';
import type { SessionContext } from './session-context.ts';
import { noteMove, type ServerState, serverStates } from './session-states.ts';
import { SyncedState } from './session-variables.ts';
import { serverSocketOptions } from './socket-options.ts';

/** How a log-in at a server can go on. Payloads are without packet header. */
export type ServerLoginAnswer =
  | { readonly kind: 'ok'; readonly ok: OkPacket }
  | { readonly kind: 'error'; readonly payload: Buffer }
  /** The server wants another authentication method; the answer is sent by `answerAuth`. */
  | { readonly kind: 'auth-switch'; readonly payload: Buffer }
  /** The method goes on; `isLast`: nothing is to be answered. */
  | { readonly kind: 'auth-more'; readonly payload: Buffer; readonly isLast: boolean };

export interface ServerSessionOwner {
  onServerLogin(server: ServerSession, answer: ServerLoginAnswer): void;
  onServerData(server: ServerSession, chunk: Buffer, length: number): void;
  onServerDrain(server: ServerSession): void;
  /** The connection is gone. `reason` is in words; told once, not after `close`. */
  onServerClosed(server: ServerSession, reason: string): void;
  /** A fault of the proxy's own came up while one of the above was told. The connection is closed. */
  onServerBroken(server: ServerSession, error: unknown): void;
}

/** A host that answers nothing must not hold a request up for long: the next candidate is tried. */
const CONNECT_TIMEOUT_MS = 2000;
const LOGIN_TIMEOUT_MS = 5000;

let lastId = 0;

export class ServerSession implements GuardedSession, ScannerMode {
  readonly address: string;
  /** The proxy's number for it (`ss_id`), unique in this worker. */
  readonly id = ++lastId;
  readonly synced = new SyncedState();
  /** Current database there. */
  database = '';
  /** Version of the client session's that it had last. */
  databaseVersion = 0;
  /** Whether COM_SET_OPTION, or the log-in, allows several statements in a text there. */
  multiStatements = false;
  /** A request's reply is awaited. */
  busy = false;
  /** Requests sent, for SHOW PROXYSESSION ATTRIBUTE. */
  requestCount = 0;
  clientCapabilities: number;
  serverCapabilities = 0;
  extraOk = false;
  /** `OB_CAPABILITY` bits that both sides have. */
  agreed = 0n;
  /** The server's own connection id. */
  connectionId = 0;
  /** Protocol 2.0, when both sides have agreed on it at log-in. */
  framing: ServerFraming | null = null;

  #owner: ServerSessionOwner;
  readonly #context: SessionContext;
  readonly #credentials: LoginCredentials;
  readonly #withDatabase: boolean;
  #splitter: PacketSplitter | null = new PacketSplitter();
  readonly #guard = new EventGuard(this);
  #transport: Channel;
  /**
   * Number of the server's last packet of the log-in. Counted apart from the client's: a request for TLS or a method that
   * the proxy has asked for shift them on one side only.
   */
  #loginSequence = 0;
  /** The log-in packet that waits for TLS to stand. */
  #afterTls: LoginPacket | null = null;
  #state: ServerState = serverStates.first;
  /** OceanBase features offered at log-in. */
  #offered: OfferedFeatures = { bits: 0n, level: 0 };
  readonly #openedAtMs = monotonicMs();
  /** Why the session has ended, when it was the server's or the network's doing. */
  failure: ServerFailure | null = null;

  /**
   * @param target address to connect to; `host` is an IP address
   * @param withDatabase send the credentials' database along (first log-in); later it is set as part of the sync
   * @param handle a connection that is logged in already, of another generation: nothing is read until `resume`
   */
  constructor(
    owner: ServerSessionOwner,
    context: SessionContext,
    target: { readonly address: string; readonly host: string; readonly port: number },
    credentials: LoginCredentials,
    withDatabase: boolean,
    handle: TcpHandle | null = null,
  ) {
    this.#owner = owner;
    this.#context = context;
    this.#credentials = credentials;
    this.#withDatabase = withDatabase;
    this.address = target.address;
    this.clientCapabilities = credentials.capabilities;
    context.deadlines.register(this.#guard);
    const options = serverSocketOptions(context.config);
    if (handle !== null) {
      this.#transport = Transport.accepted(handle, this.#guard, options, true);
      this.#splitter = null;
      this.#phase = 'ready';
      return;
    }
    this.#guard.deadlineAtMs = context.deadlines.nowMs + CONNECT_TIMEOUT_MS;
    this.#transport = Transport.connect(target.host, target.port, this.#guard, options);
  }

  /** Its connection, to be sent to another generation; null: it cannot go now. In TLS it never can. */
  lend(): TcpHandle | null {
    const isIdle = this.ready && !this.busy && (this.framing?.isIdle ?? true);
    return isIdle && this.#transport instanceof Transport ? this.#transport.lend() : null;
  }

  /** Hands the events to another owner (from log-in to forwarding). */
  set owner(owner: ServerSessionOwner) {
    this.#owner = owner;
  }

  get #phase(): ServerState {
    return this.#state;
  }

  set #phase(next: ServerState) {
    noteMove(serverStates, this.#state, next);
    this.#state = next;
  }

  get ready(): boolean {
    return this.#phase === 'ready';
  }

  get closed(): boolean {
    return this.#phase === 'closed';
  }

  get usesTls(): boolean {
    return this.#transport instanceof TlsTransport;
  }

  /**
   * Sends bytes of a request; false: wait for `onServerDrain` before the buffer is used again.
   * @param isLast the request ends with them
   */
  write(bytes: Uint8Array, isLast = true): boolean {
    if (this.framing === null) return this.#transport.write(bytes);
    return this.#writeFrames(this.framing.request(bytes, isLast));
  }

  /** Sends a whole request behind others that are not answered yet. */
  writeBehind(bytes: Uint8Array): void {
    if (this.framing === null) this.#transport.write(bytes);
    else this.#writeFrames(this.framing.requestBehind(bytes));
  }

  /** Sends bytes of a file that the server has asked for. Same answer as `write`. */
  writeFile(bytes: Uint8Array): boolean {
    if (this.framing === null) return this.#transport.write(bytes);
    return this.#writeFrames(this.framing.file(bytes));
  }

  #writeFrames(frames: readonly Uint8Array[]): boolean {
    const [only] = frames;
    return only !== undefined && frames.length === 1 ? this.#transport.write(only) : this.#transport.writeAll(frames);
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  /** Sends the client's answer to a switched authentication method. */
  answerAuth(answer: Buffer): void {
    this.#transport.write(framePackets(answer, (this.#loginSequence + 1) & 0xff));
  }

  /** KILL: ends as if the server had closed it. */
  kill(): void {
    this.lose(`${this.address}: server session killed`);
  }

  /** Ends as if the server had closed it: the owner is told the reason. */
  lose(reason: string): void {
    this.#fail(reason, null);
  }

  /** The client has gone while this was still being opened: a server that keeps clients waiting has failed (B21). */
  abandon(): void {
    if (this.#phase === 'connecting') {
      this.#note('connect-timeout', `${this.address}: the client did not wait for the connection`);
    }
    this.close();
  }

  /** Closes without telling the owner. */
  close(): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#context.deadlines.unregister(this.#guard);
    this.#transport.destroy();
  }

  // ---- events ----------------------------------------------------------------------------------------------------

  onConnect(): void {
    if (this.#afterTls !== null) return this.#sendLogin(this.#afterTls, 2);
    this.#phase = 'greeting';
    this.#guard.deadlineAtMs = this.#context.deadlines.nowMs + LOGIN_TIMEOUT_MS;
  }

  onData(chunk: Buffer, length: number): void {
    if (this.#phase === 'ready') {
      if (this.framing === null) this.#owner.onServerData(this, chunk, length);
      else this.#onFrames(this.framing, chunk, length);
      return;
    }
    try {
      for (const packet of this.#splitter?.push(chunk, length) ?? []) {
        if (this.ready) throw new OdpError('MALFORMED_PACKET', { detail: 'more than an answer to the log-in' });
        this.#onLoginPacket(packet.payload, packet.sequence);
        if (this.#phase === 'closed') return;
      }
      if (this.ready) this.#splitter = null;
    } catch (error) {
      if (!(error instanceof OdpError) && !(error instanceof RangeError)) throw error;
      this.#fail(`${this.address} does not speak the protocol: ${errorText(error)}`, 'malformed-reply');
    }
  }

  #onFrames(framing: ServerFraming, chunk: Buffer, length: number): void {
    let fault: OdpError | null;
    try {
      const packets = framing.unframe(chunk, length);
      fault = framing.error;
      if (packets.length > 0) this.#owner.onServerData(this, packets, packets.length);
    } catch (error) {
      if (!(error instanceof OdpError)) throw error;
      fault = error;
    }
    if (fault === null) return;
    const name = fault.code === 'PACKET_CHECKSUM' ? 'OB_PACKET_CHECKSUM_ERROR: ' : '';
    // What comes while nothing was asked says nothing of a statement.
    this.#fail(`${this.address}: ${name}${fault.message}`, this.busy ? 'malformed-reply' : null);
  }

  onDrain(): void {
    this.#owner.onServerDrain(this);
  }

  onClose(reason: string): void {
    // An idle connection that a server closes is no failure of a statement.
    if (this.ready) this.#fail(`${this.address}: connection lost (${reason})`, this.busy ? 'transfer-failure' : null);
    // Certificates are a matter of configuration: they say nothing of the server's health.
    else if (this.#phase === 'tls') this.#fail(`${this.address}: ${reason}`, null);
    else this.#fail(`${this.address}: not reachable while ${this.#phase} (${reason})`, 'connect-failure');
  }

  onDeadline(): void {
    if (this.ready) return;
    const missing =
      this.#phase === 'connecting' ? `connection within ${CONNECT_TIMEOUT_MS}` : `log-in within ${LOGIN_TIMEOUT_MS}`;
    this.#fail(`${this.address}: no ${missing} ms`, 'connect-timeout');
  }

  onBroken(error: unknown): void {
    this.close();
    this.#owner.onServerBroken(this, error);
  }

  #note(kind: FailureKind, detail: string): void {
    this.failure = { kind, detail, tookMs: Math.round(monotonicMs() - this.#openedAtMs) };
  }

  #fail(reason: string, kind: FailureKind | null): void {
    if (this.#phase === 'closed') return;
    if (kind !== null) this.#note(kind, reason);
    this.close();
    this.#owner.onServerClosed(this, reason);
  }

  // ---- log-in ----------------------------------------------------------------------------------------------------

  #onLoginPacket(payload: Buffer, sequence: number): void {
    const first = payload[0];
    this.#loginSequence = sequence;
    if (first === 0xff) {
      // An ERR in the greeting's place, too: "too many connections", "host is blocked" …
      this.#guard.deadlineAtMs = Number.POSITIVE_INFINITY;
      this.#owner.onServerLogin(this, { kind: 'error', payload });
      this.close();
      return;
    }
    if (this.#phase === 'greeting') {
      this.#answerGreeting(parseGreeting(payload));
      return;
    }
    if (first === 0xfe) {
      this.#owner.onServerLogin(this, { kind: 'auth-switch', payload });
      return;
    }
    if (first === 0x01) {
      // caching_sha2_password: 3 says that its fast way has worked, and an OK follows.
      const isLast = payload.length === 2 && payload[1] === 3;
      this.#owner.onServerLogin(this, { kind: 'auth-more', payload, isLast });
      return;
    }
    this.#finishLogin(payload);
  }

  #answerGreeting(greeting: Greeting): void {
    this.#context.serverCapabilities = greeting.capabilities;
    this.connectionId = greeting.connectionId;
    this.#offered = offeredFeatures(this.#context.config, this.#credentials.idVersion);
    const response = loginResponse(this.#credentials, greeting, this.#withDatabase, this.#context, this.#offered.bits);
    this.serverCapabilities = response.capabilities;
    this.multiStatements = (response.capabilities & CAP.MULTI_STATEMENTS) !== 0;
    if (this.#withDatabase) this.database = this.#credentials.database;
    const tls = this.#context.tls.forServers;
    // From this server's greeting only, whatever the client has (case B10): one without TLS is spoken to as it is.
    if (tls !== null && greeting.capabilities & CAP.SSL) this.#startTls(tls, response);
    else this.#sendLogin(response, 1);
  }

  #startTls(context: SecureContext, response: LoginPacket): void {
    this.#afterTls = { ...response, capabilities: (response.capabilities | CAP.SSL) >>> 0 };
    this.#phase = 'tls';
    const plain = this.#transport;
    plain.write(framePackets(buildSslRequest(this.#afterTls), 1));
    const tls = plain instanceof Transport ? TlsTransport.connect(plain, context, this.#guard) : null;
    if (tls === null) return this.#fail(`${this.address}: the request for TLS could not be sent`, 'connect-failure');
    this.#transport = tls;
  }

  #sendLogin(response: LoginPacket, sequence: number): void {
    this.#afterTls = null;
    this.#phase = 'login';
    this.#transport.write(writeHandshakeResponse(response).frame(sequence));
  }

  #finishLogin(payload: Buffer): void {
    const ok = parseOk(payload, (this.serverCapabilities & CAP.SESSION_TRACK) !== 0);
    // Only an OceanBase server that knows it talks to a proxy lists all its variables here.
    const capabilities = ok.state === null ? null : findVariable(ok.state, 'ob_capability_flag');
    this.extraOk = capabilities !== null;
    if (capabilities !== null) {
      this.agreed = agreedFeatures(this.#offered, capabilities.toString('latin1'));
      const framing = agreedFraming(this.agreed, this.#offered.level, this.connectionId);
      if (framing !== null) this.framing = new ServerFraming(framing);
    }
    this.#phase = 'ready';
    this.#guard.deadlineAtMs = Number.POSITIVE_INFINITY;
    this.#owner.onServerLogin(this, { kind: 'ok', ok });
  }
}
