/** The log-in of a client session, as long as one is under way: the first one, or that of COM_CHANGE_USER. */
import type { SecureContext } from 'node:tls';
import { OdpError } from '../errors/odp-error.ts';
import type { ProxiedEnds } from '../net/proxy-header.ts';
import { errOf } from '../wire/err-packet.ts';
import { framePackets } from '../wire/writer.ts';
import { ClientLogin, type LoginPort, type LoginResult } from './client-login.ts';
import type { SessionEnds } from './logical-session.ts';
import { LoginInput, type LoginInputOwner } from './login-input.ts';
import { ProxiedClient } from './proxied-client.ts';
import type { SessionContext } from './session-context.ts';

/** The session that logs in. */
interface LoggingSession extends SessionEnds {
  readonly closed: boolean;
  readonly usesTls: boolean;
  readonly recent: LoginPort['recent'];
  cameFrom(ends: ProxiedEnds): void;
  send(frame: Buffer): void;
  refuse(frame: Buffer): void;
  /** The client goes on in TLS. @param early what it has sent behind its request: the beginning of that */
  goOnInTls(context: SecureContext, early: Buffer): void;
  /** The session is the user's from now on. */
  loginAccepted(result: LoginResult): void;
  /** Bytes that came along with the log-in and belong to requests. */
  keepBytes(bytes: Buffer): void;
  /** The log-in is over, and its bytes are: requests may begin. */
  next(): void;
  onBroken(error: unknown): void;
}

export class SessionLogin implements LoginPort, LoginInputOwner {
  readonly #session: LoggingSession;
  readonly #input = new LoginInput(this);
  #login: ClientLogin | null = null;
  /** The first bytes may tell where the client is; null: they have come. */
  #proxied: ProxiedClient | null = null;

  constructor(session: LoggingSession) {
    this.#session = session;
  }

  /** The log-in under way, or null. */
  get login(): ClientLogin | null {
    return this.#login;
  }

  /** The first one: the greeting goes out. */
  greet(context: SessionContext): void {
    this.#proxied = new ProxiedClient(this.#session, context);
    this.#login = new ClientLogin(this, context);
    this.#login.sendGreeting();
  }

  /** COM_CHANGE_USER: packets go to this log-in until it is over. */
  begin(login: ClientLogin): void {
    this.#login = login;
  }

  /** Takes bytes of the client while a log-in is under way. */
  take(chunk: Buffer, length: number): void {
    try {
      const bytes = this.#proxied === null ? chunk.subarray(0, length) : this.#proxied.take(chunk, length);
      if (bytes === null) return;
      this.#proxied = null;
      this.#input.take(bytes, bytes.length);
    } catch (error) {
      if (!(error instanceof OdpError)) throw error;
      return this.refuse(framePackets(errOf(error), 2));
    }
    if (this.#login === null) this.#over();
  }

  abandon(): void {
    this.#login?.abandon();
  }

  #over(): void {
    this.#session.keepBytes(this.#input.takePending());
    this.#session.next();
  }

  // ---- for the log-in --------------------------------------------------------------------------------------------

  get id(): number {
    return this.#session.id;
  }

  get host(): string {
    return this.#session.host;
  }

  get port(): number {
    return this.#session.port;
  }

  get vip(): SessionEnds['vip'] {
    return this.#session.vip;
  }

  get recent(): LoginPort['recent'] {
    return this.#session.recent;
  }

  get usesTls(): boolean {
    return this.#session.usesTls;
  }

  send(frame: Buffer): void {
    this.#session.send(frame);
  }

  startTls(context: SecureContext): void {
    this.#session.goOnInTls(context, this.#input.takePending());
  }

  refuse(frame: Buffer): void {
    this.#session.refuse(frame);
  }

  loginDone(result: LoginResult): void {
    if (this.#session.closed) {
      result.server?.close();
      result.place?.leave();
      return;
    }
    this.#session.loginAccepted(result);
    this.#login = null;
    if (!this.#input.reading) this.#over();
  }

  onBroken(error: unknown): void {
    this.#session.onBroken(error);
  }

  // ---- for its bytes ---------------------------------------------------------------------------------------------

  get closed(): boolean {
    return this.#session.closed;
  }

  keepRequest(frame: Buffer): void {
    this.#session.keepBytes(frame);
  }
}
