/**
 * One client connection (C1–C4): its bytes, the order of its requests, and its end. Who has logged in and what the session
 * has of state is in LogicalSession, the log-in in SessionLogin; forwarding a request is the forwarder's business.
 */
import type { SecureContext } from 'node:tls';
import { errorText, OdpError } from '../errors/odp-error.ts';
import type { ConnectionHandle, TcpHandle } from '../net/raw-handles.ts';
import { TlsTransport } from '../net/tls-transport.ts';
import { type Channel, endsOf, Transport } from '../net/transport.ts';
import { HEADER_LENGTH } from '../wire/constants.ts';
import { errOf } from '../wire/err-packet.ts';
import { framePackets } from '../wire/writer.ts';
import { afterFailure, afterRequest } from './after-request.ts';
import type { ClientLogin, LoginResult } from './client-login.ts';
import { dispatchCommand, refuseRequest } from './dispatch-command.ts';
import { EventGuard, type GuardedSession } from './event-guard.ts';
import { Forwarder } from './forwarder.ts';
import { limitPassed } from './limit-passed.ts';
import { LogicalSession, type SessionEnds } from './logical-session.ts';
import type { ChunkReceiver } from './outgoing-chunks.ts';
import { okFrame } from './own-answers.ts';
import { RecentRequests } from './recent-requests.ts';
import type { ClientRequest } from './request.ts';
import { type IntakeOwner, RequestIntake } from './request-intake.ts';
import type { ServerSession } from './server-session.ts';
import type { SessionContext } from './session-context.ts';
import { SessionLogin } from './session-login.ts';
import { type ClientState, clientStates, noteMove } from './session-states.ts';
import { clientSocketOptions } from './socket-options.ts';
import { TimeLimits } from './time-limits.ts';

/** What a session keeps for all its life, wherever it is. */
interface SessionBefore extends SessionEnds {
  readonly connectedAtMs: number;
  readonly idleMs: number;
}

export class ClientSession extends LogicalSession implements GuardedSession, IntakeOwner, ChunkReceiver {
  readonly connectedAtMs: number;
  readonly recent = new RecentRequests();
  readonly forwarder: Forwarder;
  readonly limits: TimeLimits;
  readonly #guard = new EventGuard(this);
  #transport: Channel;
  readonly #intake = new RequestIntake(this);
  readonly #login = new SessionLogin(this);
  #state: ClientState = clientStates.first;
  #answering = false;
  /** Reasons for which no request may begin. */
  #holds = 0;
  /** It is among the worker's sessions. */
  #entered = false;
  #idleMs = 0;

  /** @param before of a session that is taken over from another generation: it is 'between' until `settle` */
  constructor(handle: ConnectionHandle, context: SessionContext, before: SessionBefore | null = null) {
    super(context, before ?? { id: context.registry.nextId(), ...endsOf(handle) });
    this.connectedAtMs = before?.connectedAtMs ?? Date.now();
    this.limits = new TimeLimits(this, this.#guard, context.deadlines);
    const options = clientSocketOptions(context.config);
    this.#transport = Transport.accepted(handle, this.#guard, options, before !== null);
    this.forwarder = new Forwarder(this, context);
    context.deadlines.register(this.#guard);
    if (before !== null) {
      this.#phase = 'between';
      this.#idleMs = before.idleMs;
      return;
    }
    this.limits.awaitLogin();
    this.#enter();
    this.#login.greet(context);
  }

  get loggedIn(): boolean {
    return (this.#phase === 'ready' || this.#phase === 'between') && this.user !== '';
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

  // ---- bytes from the client -------------------------------------------------------------------------------------

  onConnect(): void {
    // TLS stands; the client has the next word.
  }

  onData(chunk: Buffer, length: number): void {
    if (this.#phase === 'closed') return;
    if (this.#login.login !== null) return this.#login.take(chunk, length);
    const start = this.forwarder.uploading ? this.forwarder.takeUpload(chunk, length) : 0;
    if (start < length) this.#intake.take(chunk, start, length);
    if (this.limits.awaited === 'rest-of-request' && this.forwarder.uploading) this.limits.awaitRest();
    this.#rest();
  }

  get mayBegin(): boolean {
    return (
      this.#phase === 'ready' &&
      this.#login.login === null &&
      !this.active &&
      this.#holds === 0 &&
      !this.#transport.draining &&
      !this.forwarder.drainingUpload
    );
  }

  begin(chunk: Buffer, start: number, end: number, whole: boolean): void {
    this.limits.awaitNothing();
    const error = this.loss.answerTo(chunk[start + HEADER_LENGTH] ?? 0);
    if (error !== null) return refuseRequest(this, { chunk, start, end, whole }, error);
    dispatchCommand(this, { chunk, start, end, whole });
  }

  keepBytes(bytes: Buffer): void {
    this.#intake.keep(bytes, 0, bytes.length);
  }

  // ---- log-in ----------------------------------------------------------------------------------------------------

  get login(): ClientLogin | null {
    return this.#login.login;
  }

  get usesTls(): boolean {
    return this.#transport instanceof TlsTransport;
  }

  goOnInTls(context: SecureContext, early: Buffer): void {
    const plain = this.#transport;
    const tls = plain instanceof Transport ? TlsTransport.accept(plain, early, context, this.#guard) : null;
    if (tls === null) return this.closeWith('TLS could not begin: the client has not read the greeting');
    this.#transport = tls;
  }

  /** COM_CHANGE_USER: packets go to this log-in until it is over. */
  beginLogin(login: ClientLogin): void {
    this.#login.begin(login);
    this.limits.awaitLogin();
  }

  /** What `beginLogin` has begun has succeeded. */
  loginDone(result: LoginResult): void {
    this.#login.loginDone(result);
  }

  loginAccepted(result: LoginResult): void {
    this.#phase = 'ready';
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

  // ---- requests --------------------------------------------------------------------------------------------------

  /** Begins the next request if there is one, else waits for it. */
  next(): void {
    if (this.context.taker?.takes(this)) return;
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
    this.context.registry.failedRequests++;
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

  // ---- between two generations -----------------------------------------------------------------------------------

  /** Nothing is under way, so that it could move or end now. */
  get isAtRest(): boolean {
    return this.mayBegin && !this.#intake.processing;
  }

  /** Bytes of the client that have been read, and belong to requests that have not begun. */
  unserved(): Buffer {
    return this.#intake.kept();
  }

  /**
   * Stops all reading, so that another generation can be offered what is here.
   * @returns the client's connection; null: it cannot go now. In TLS it never can.
   */
  freeze(): TcpHandle | null {
    const handle = this.isAtRest && this.#transport instanceof Transport ? this.#transport.lend() : null;
    if (handle === null) return null;
    this.#phase = 'between';
    this.#transport.pause();
    for (const server of this.servers.all()) server.pause();
    this.#idleMs = this.limits.awaited === 'next-request' ? this.limits.waitedMs : 0;
    this.limits.awaitNothing();
    return handle;
  }

  /** While it is frozen: how long its client had been idle. */
  get idleMs(): number {
    return this.#idleMs;
  }

  /** It is this generation's, or stays so: goes on where it was. */
  settle(): void {
    if (this.#phase !== 'between') return;
    this.#phase = 'ready';
    this.#enter();
    this.countForTenant();
    this.refreshConfig();
    for (const server of this.servers.all()) server.resume();
    this.#transport.resume();
    this.next();
    if (this.limits.awaited === 'next-request') this.limits.hasWaited(this.#idleMs);
  }

  /** Nobody finds it here any more: it is about to become another generation's. */
  giveAway(): void {
    this.#leave();
    this.context.registry.reserve([this.id]);
  }

  /** It is another generation's, or stays there: this side forgets it, and neither client nor servers notice. */
  forget(): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#leave();
    for (const server of this.servers.all()) this.dropServer(server);
    this.#transport.destroy();
    this.context.deadlines.unregister(this.#guard);
  }

  #enter(): void {
    if (this.#entered) return;
    this.#entered = true;
    this.context.registry.add(this);
    this.context.countConnection(1);
  }

  #leave(): void {
    if (!this.#entered) return;
    this.#entered = false;
    this.context.registry.delete(this);
    this.context.countConnection(-1);
    this.leaveTenant();
  }

  // ---- deadlines -------------------------------------------------------------------------------------------------

  /** It is the client's turn: to take what was written, or else to send more. */
  replyWaitsForClient(): void {
    if (this.#transport.draining) this.limits.awaitReader();
    else this.limits.awaitRest();
  }

  /** Nothing is being served: it is the client's turn, to read, to send the rest of something, or anything. */
  #rest(): void {
    if (this.#phase !== 'ready' || this.#login.login !== null || this.active || this.#holds > 0) return;
    if (this.#transport.draining) this.limits.awaitReader();
    else if (this.#intake.holdsBeginning && !this.forwarder.drainingUpload) this.limits.awaitRest();
    else this.limits.awaitRequest();
  }

  onDeadline(): void {
    limitPassed(this);
  }

  // ---- bytes to the client ---------------------------------------------------------------------------------------

  writeClientRange(chunk: Buffer, start: number, end: number): boolean {
    return this.#transport.writeRange(chunk, start, end);
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
    this.#leave();
    this.#login.abandon();
    this.forwarder.abandon();
    for (const server of this.servers.all()) this.dropServer(server);
    if (flush) this.#transport.end();
    else this.#transport.destroy();
    // One that does not read its last answer must not stay for good.
    if (this.#transport.closed) this.context.deadlines.unregister(this.#guard);
    else this.limits.awaitFarewell();
  }
}
