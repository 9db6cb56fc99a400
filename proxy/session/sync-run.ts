/** Brings a server session up to date before a request: its statements go out one by one, their replies stay here. */
import { parseErr } from '../wire/err-packet.ts';
import type { ClientSession } from './client-session.ts';
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
  readonly #hidden: HiddenReply;
  #request: ClientRequest | null = null;
  #steps: SyncStep[] = [];

  constructor(session: ClientSession, context: SessionContext) {
    this.#session = session;
    this.#context = context;
    this.#hidden = new HiddenReply(session);
  }

  /** Sends the first statement. */
  begin(server: ServerSession, request: ClientRequest): SyncProgress {
    this.#request = request;
    this.#steps = planSync(this.#session, server, request);
    return this.#sendStep(server);
  }

  /** Takes bytes of the server while 'waiting'. */
  onData(server: ServerSession, chunk: Buffer, length: number): SyncProgress {
    const end = this.#hidden.feed(chunk, length);
    if (this.#hidden.broken !== null) return { kind: 'lost', reason: `${server.address} ${this.#hidden.broken}` };
    if (!this.#hidden.done) return WAITING;
    const step = this.#steps.shift();
    if (step === undefined || end < length) {
      return { kind: 'lost', reason: `${server.address} sent more than a reply` };
    }
    const { error } = this.#hidden;
    const { bound } = this.#session.servers;
    // What another server than the coordinator says between statements does not end the transaction (C9).
    if (this.#hidden.status >= 0 && (bound === null || bound === server)) {
      this.#session.noteStatus(this.#hidden.status, server);
    }
    if (error === null) server.framing?.versions.requestSucceeded();
    if (error === null) step.onDone();
    else if (step.onError === 'answer') return { kind: 'refused', error };
    else this.#stepRefused(server, step, error);
    return this.#sendStep(server);
  }

  #sendStep(server: ServerSession): SyncProgress {
    const step = this.#steps[0];
    if (step === undefined) return READY;
    this.#hidden.begin(step.replyKind, server, step.statement);
    this.#session.armReplyDeadline(this.#request?.info ?? null);
    offerInternalRouting(this.#session, server);
    server.write(step.frame);
    return WAITING;
  }

  #stepRefused(server: ServerSession, step: SyncStep, error: Buffer): void {
    const { errno, message } = parseErr(error);
    const session = this.#session.id;
    this.#context.log.warn({ session, server: server.address, errno, message }, 'a server does not take session state');
    if (step.onError !== 'split') return;
    this.#steps.unshift(...step.parts);
    step.onDone();
  }
}
