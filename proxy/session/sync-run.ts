/**
 * Brings a server session up to date before a request: its statements go out together, so that one round trip does it,
 * and their replies stay here. A genuine kernel takes several requests at once in protocol 2.0 as well.
 */
import { parseErr } from '../wire/err-packet.ts';
import type { ClientSession } from './client-session.ts';
import { beginRefused } from './held-transaction.ts';
import { HiddenReply } from './hidden-reply.ts';
import { offerInternalRouting } from './internal-routing.ts';
import type { ClientRequest } from './request.ts';
import type { ServerSession } from './server-session.ts';
import type { SessionContext } from './session-context.ts';
import { planSync, type SyncStep } from './sync-plan.ts';

/** How far it is: replies are awaited, all is done, the request has to be answered with an error, or the server is lost. */
export type SyncProgress =
  | { readonly kind: 'waiting' | 'ready' }
  | { readonly kind: 'refused'; readonly error: Buffer }
  | { readonly kind: 'lost'; readonly reason: string };

const WAITING: SyncProgress = { kind: 'waiting' };
const READY: SyncProgress = { kind: 'ready' };

export class SyncRun {
  readonly #session: ClientSession;
  readonly #context: SessionContext;
  /** Made when it is needed: many sessions never have to be brought up to date. */
  #reply: HiddenReply | null = null;
  #request: ClientRequest | null = null;
  /** Those without a reply yet, in the order of their replies. */
  #steps: SyncStep[] = [];
  /** So many of them have been sent. */
  #sentCount = 0;
  /** The one that took the servers' session state along (protocol 2.0). */
  #carrier: SyncStep | null = null;
  /** The request's answer, once the replies that are under way have come. */
  #refusal: Buffer | null = null;

  constructor(session: ClientSession, context: SessionContext) {
    this.#session = session;
    this.#context = context;
  }

  get #hidden(): HiddenReply {
    this.#reply ??= new HiddenReply(this.#session);
    return this.#reply;
  }

  /** Sends what is missing. */
  begin(server: ServerSession, request: ClientRequest): SyncProgress {
    this.#request = request;
    this.#steps = planSync(this.#session, server, request);
    this.#sentCount = 0;
    this.#refusal = null;
    return this.#goOn(server);
  }

  /** Takes bytes of the server while 'waiting'. */
  onData(server: ServerSession, chunk: Buffer, length: number): SyncProgress {
    let at = 0;
    for (;;) {
      at = this.#hidden.feed(chunk, at, length);
      if (this.#hidden.broken !== null) return { kind: 'lost', reason: `${server.address} ${this.#hidden.broken}` };
      if (!this.#hidden.done) return WAITING;
      this.#stepAnswered(server);
      if (this.#sentCount === 0 && at < length) {
        return { kind: 'lost', reason: `${server.address} sent more than a reply` };
      }
      const progress = this.#goOn(server);
      if (progress !== WAITING || at === length) return progress;
    }
  }

  #stepAnswered(server: ServerSession): void {
    const step = this.#steps.shift();
    if (step === undefined) return;
    this.#sentCount--;
    const { error, status } = this.#hidden;
    const { bound } = this.#session.servers;
    // What another server than the coordinator says between statements does not end the transaction (C9).
    if (status >= 0 && (bound === null || bound === server)) this.#session.noteStatus(status, server);
    if (error === null) {
      if (step === this.#carrier) server.framing?.versions.requestSucceeded();
      step.onDone();
    } else if (step.onError === 'answer') {
      if (step.statement === null) beginRefused(this.#session, this.#request);
      this.#refusal ??= error;
      this.#steps.length = this.#sentCount;
    } else this.#stepRefused(server, step, error);
  }

  /** Sends what may be sent now, and awaits the next reply. */
  #goOn(server: ServerSession): SyncProgress {
    const step = this.#steps[0];
    if (step === undefined) {
      this.#request = null;
      return this.#refusal === null ? READY : { kind: 'refused', error: this.#refusal };
    }
    if (this.#sentCount === 0) this.#send(server);
    this.#hidden.begin(step.replyKind, server, step.statement);
    this.#session.limits.awaitReply(this.#request?.info ?? null);
    return WAITING;
  }

  #send(server: ServerSession): void {
    this.#carrier = this.#steps[0] ?? null;
    for (const step of this.#steps) {
      offerInternalRouting(this.#session, server);
      this.#session.recent.counters.synced(step.kind);
      if (step === this.#carrier) server.write(step.frame);
      else server.writeBehind(step.frame);
    }
    this.#sentCount = this.#steps.length;
  }

  #stepRefused(server: ServerSession, step: SyncStep, error: Buffer): void {
    const { errno, message } = parseErr(error);
    const session = this.#session.id;
    this.#context.log.warn({ session, server: server.address, errno, message }, 'a server does not take session state');
    if (step.onError !== 'split' || this.#refusal !== null) return;
    // What was sent behind it – a PREPARE, a BEGIN – has to be done again with the values in place.
    const again = this.#steps.slice(0, this.#sentCount).filter(({ onError }) => onError === 'answer');
    this.#steps.splice(this.#sentCount, 0, ...step.parts, ...again);
    step.onDone();
  }
}
