import { OdpError } from '../errors/odp-error.ts';
import type { DeadlineTarget } from '../net/deadlines.ts';
import type { ClientSession } from '../session/client-session.ts';
import type { ClientRequest } from '../session/request.ts';
import { serverAt } from '../session/server-at.ts';
import { type ServerLoginAnswer, ServerSession, type ServerSessionOwner } from '../session/server-session.ts';
import type { SessionContext } from '../session/session-context.ts';
import { COM } from '../wire/constants.ts';
import { framePackets } from '../wire/writer.ts';

/** How long a server may take to answer KILL QUERY; one that is asked by connection and log-in has bounds for these. */
const ANSWER_TIMEOUT_MS = 5000;

/**
 * KILL QUERY: makes the server interrupt what a session's server session is running, on a connection of its own as the
 * same user (C19). A request that is at no server yet ends here. Resolves with false when the session is gone.
 */
export function killRunningQuery(session: ClientSession | undefined, context: SessionContext): Promise<boolean> {
  if (session === undefined) return Promise.resolve(false);
  const { currentServer: running, currentRequest: request } = session.forwarder;
  if (session.forwarder.interrupt() || running === null || request === null) return Promise.resolve(true);
  return new Promise((resolve, reject) => {
    new QueryKill(session, context, running, request).begin(() => resolve(true), reject);
  });
}

class QueryKill implements ServerSessionOwner, DeadlineTarget {
  deadlineAtMs = Number.POSITIVE_INFINITY;
  readonly #session: ClientSession;
  readonly #context: SessionContext;
  readonly #running: ServerSession;
  readonly #request: ClientRequest;
  #killer: ServerSession | null = null;
  #isSent = false;
  #done: (() => void) | null = null;
  #broken: ((error: unknown) => void) | null = null;

  constructor(session: ClientSession, context: SessionContext, running: ServerSession, request: ClientRequest) {
    this.#session = session;
    this.#context = context;
    this.#running = running;
    this.#request = request;
  }

  begin(done: () => void, broken: (error: unknown) => void): void {
    this.#done = done;
    this.#broken = broken;
    const target = serverAt(this.#session, this.#running.address);
    const { credentials } = this.#session;
    if (target === null || credentials === null) return this.#fail(`${this.#running.address} is not known any more`);
    this.#killer = new ServerSession(this, this.#context, target, credentials, false);
  }

  onServerLogin(server: ServerSession, answer: ServerLoginAnswer): void {
    if (answer.kind !== 'ok') return this.#fail(`${server.address} did not let it in`);
    // By the time the log-in is done another statement may run there, which must not be hit. From now till the answer
    // none may begin (case B81).
    if (!this.#stillRuns()) return this.#end();
    this.#isSent = true;
    this.#session.holdRequests();
    this.#context.deadlines.register(this);
    this.deadlineAtMs = this.#context.deadlines.nowMs + ANSWER_TIMEOUT_MS;
    const text = Buffer.concat([Buffer.from([COM.QUERY]), Buffer.from(`KILL QUERY ${this.#running.connectionId}`)]);
    server.write(framePackets(text, 0));
  }

  /** OK, or the server knows that session no more. */
  onServerData(): void {
    this.#end();
  }

  onServerDrain(): void {
    // The few bytes of a KILL are not waited for.
  }

  onServerClosed(_server: ServerSession, reason: string): void {
    this.#fail(reason);
  }

  onServerBroken(_server: ServerSession, error: unknown): void {
    this.#release();
    this.#broken?.(error);
  }

  onDeadline(): void {
    this.#fail(`it did not answer within ${ANSWER_TIMEOUT_MS} ms`);
  }

  #stillRuns(): boolean {
    const { currentServer, currentRequest } = this.#session.forwarder;
    return currentServer === this.#running && currentRequest === this.#request;
  }

  /**
   * The server does not take the KILL. Whoever wants a statement ended gets that: its server session is closed, which
   * ends it there as well; also when it has ended by itself, for the KILL may still arrive (case B81).
   */
  #fail(reason: string): void {
    const { forwarder } = this.#session;
    if (this.#stillRuns()) forwarder.endWithServer(this.#running, new OdpError('QUERY_INTERRUPTED'));
    else if (this.#isSent) this.#running.lose(`${this.#running.address}: KILL QUERY was not answered (${reason})`);
    this.#end();
  }

  #end(): void {
    this.#release();
    this.#done?.();
  }

  #release(): void {
    this.#killer?.close();
    this.#context.deadlines.unregister(this);
    if (!this.#isSent) return;
    this.#isSent = false;
    this.#session.letRequestsBegin();
  }
}
