/** The request that a client session has under way: what the parts of the forwarder have to know of it. */
import { CandidateWalk } from './candidate-walk.ts';
import type { ClientSession } from './client-session.ts';
import type { ReplyFollower } from './reply-follower.ts';
import type { ClientRequest } from './request.ts';
import type { RequestFailures } from './request-failures.ts';
import { RequestFrames } from './request-frames.ts';
import type { RequestRest } from './request-rest.ts';
import type { RequestSender } from './request-sender.ts';
import { HealthReporter } from './server-health.ts';
import type { ServerSession, ServerSessionOwner } from './server-session.ts';
import type { SessionContext } from './session-context.ts';
import { noteMove, type RequestState, requestStates } from './session-states.ts';

/** The parts of the forwarder, for one another. */
export interface ForwarderParts extends ServerSessionOwner {
  readonly sender: RequestSender;
  readonly rest: RequestRest;
  readonly reply: ReplyFollower;
  readonly failures: RequestFailures;
}

/** One per client session, used again for each of its requests. */
export class RequestRun {
  readonly session: ClientSession;
  readonly context: SessionContext;
  readonly walk = new CandidateWalk();
  readonly health: HealthReporter;
  /** What the client is still sending: the rest of the request, or a file. */
  readonly upload = new RequestFrames();
  request: ClientRequest | null = null;
  /** The one that works on it, or is being opened for it. */
  server: ServerSession | null = null;
  /** The first bytes of its reply have come. */
  replyBegun = false;
  /** KILL QUERY came before a server had it. */
  interrupted = false;
  /** The answer to a request whose rest is still coming from the client: it reads only after its last byte. */
  answerAfterUpload: Buffer | null = null;
  /** What a server, paused since, has answered before it had the whole request. */
  early: Buffer | null = null;
  #state: RequestState = requestStates.first;

  constructor(session: ClientSession, context: SessionContext) {
    this.session = session;
    this.context = context;
    this.health = new HealthReporter(session);
  }

  get phase(): RequestState {
    return this.#state;
  }

  set phase(next: RequestState) {
    noteMove(requestStates, this.#state, next);
    this.#state = next;
  }

  begin(request: ClientRequest): void {
    this.request = request;
    this.walk.reset();
    this.health.requestBegins();
    this.session.recent.begin(request, this.session.database);
    this.answerAfterUpload = null;
    this.early = null;
    this.replyBegun = false;
    this.interrupted = false;
    if (request.complete) return;
    this.upload.begin(false);
    this.upload.follow(request.bytes, 0, request.bytes.length);
  }

  end(): void {
    if (this.server !== null) this.server.busy = false;
    this.upload.done = true;
    this.phase = 'idle';
    this.request = null;
    this.server = null;
    this.answerAfterUpload = null;
    this.early = null;
  }
}
