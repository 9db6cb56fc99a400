/** Takes a request to a server: asks the router, opens or takes a server session, brings it up to date, and sends. */
import { OdpError } from '../errors/odp-error.ts';
import { COM } from '../wire/constants.ts';
import { parseErr } from '../wire/err-packet.ts';
import { executeFrame, longDataFrames } from './execute-frame.ts';
import { lastInside, offerInternalRouting } from './internal-routing.ts';
import { holderLostError, liveHolder } from './may-retry.ts';
import { quickRoute, tiedServer } from './quick-route.ts';
import type { ClientRequest } from './request.ts';
import type { ForwarderParts, RequestRun } from './request-run.ts';
import { type Route, routeRequest } from './route-request.ts';
import { serverAt } from './server-at.ts';
import type { ServerLoginAnswer, ServerSession } from './server-session.ts';
import { openServer } from './session-servers.ts';
import { type SyncProgress, SyncRun } from './sync-run.ts';

/** OB_ERR_KILL_CLIENT_SESSION, seen at a genuine kernel: by its id and the time of its log-in. */
const CLIENT_SESSION_KILLED = 4401;

export class RequestSender {
  readonly #run: RequestRun;
  readonly #parts: ForwarderParts;
  readonly #sync: SyncRun;

  constructor(run: RequestRun, parts: ForwarderParts) {
    this.#run = run;
    this.#parts = parts;
    this.#sync = new SyncRun(run.session, run.context);
  }

  /** To the server that it is tied to, or wherever the router says. */
  route(request: ClientRequest): void {
    const { session } = this.#run;
    session.variables.imposed.update(session.config, session.variables);
    const { statement } = request;
    if (statement?.holder?.closed) return this.#parts.failures.fail(holderLostError(statement));
    const tied = liveHolder(statement) ?? lastInside(session, request) ?? tiedServer(session, request);
    const server = tied ?? quickRoute(session, request);
    if (server !== null) return this.#useServer(server);
    this.askRouter(request);
  }

  askRouter(request: ClientRequest): void {
    const run = this.#run;
    run.phase = 'routing';
    const route = routeRequest(run.session, request, run.context.random);
    if (!(route instanceof Promise)) return this.#start(route);
    route
      .then((found) => {
        if (run.request === request && run.phase === 'routing') this.#start(found);
      })
      .catch((error: unknown) => run.session.onBroken(error));
  }

  #start({ addresses, isForced, leads, refusal }: Route): void {
    const { session, walk } = this.#run;
    if (refusal !== null) return this.#parts.failures.fail(new OdpError('TARGET_NOT_ALLOWED', { detail: refusal }));
    const coordinator = session.servers.roamedFrom;
    // Whoever only follows does no better than the coordinator, which may be stopping, but not for its own (B4, C9).
    if (coordinator !== null && !leads) return this.takeToCoordinator(coordinator);
    walk.restart(addresses, isForced);
    this.tryNext();
  }

  /** The next of the router's choices. */
  tryNext(): void {
    const run = this.#run;
    const limit = run.context.config.int('connect_observer_max_retries');
    while (run.walk.attempts < limit) {
      const address = run.walk.take();
      if (address === undefined) break;
      const known = run.session.servers.find(address);
      if (known?.ready) return this.#useServer(known);
      const target = serverAt(run.session, address);
      if (target === null) continue;
      run.walk.attempts++;
      run.phase = 'connecting';
      run.server = openServer(run.session, target, this.#parts);
      return;
    }
    // Nobody takes part: the coordinator does it itself (C9).
    const coordinator = run.session.servers.roamedFrom;
    if (coordinator !== null) this.takeToCoordinator(coordinator);
    else this.#parts.failures.answer(run.walk.exhausted(run.session.cluster?.name ?? ''));
  }

  takeToCoordinator(coordinator: ServerSession): void {
    this.#run.session.servers.isRoaming = false;
    this.#useServer(coordinator);
  }

  /** The server that is being opened has answered the log-in. */
  onLogin(server: ServerSession, answer: ServerLoginAnswer): void {
    const { session, walk } = this.#run;
    if (answer.kind === 'ok') {
      session.servers.add(server);
      if (answer.ok.state !== null) session.variables.noteLogin(answer.ok.state, server.synced);
      this.#useServer(server);
      return;
    }
    if (answer.kind === 'error' && parseErr(answer.payload).errno === CLIENT_SESSION_KILLED) {
      return this.#endSession(server, answer.payload);
    }
    // Without the client's password a server that wants another method cannot be answered.
    walk.refused(server, answer.kind === 'error' ? answer.payload : null);
    session.dropServer(server);
    this.#run.server = null;
    this.tryNext();
  }

  /** KILL was told to another proxy: servers have ended what they had of the session, and let it in no more (C19). */
  #endSession(server: ServerSession, error: Buffer): void {
    const { session } = this.#run;
    session.dropServer(server);
    this.#run.server = null;
    this.#parts.failures.answer(error);
    session.closeWith('KILL at another proxy');
  }

  #useServer(server: ServerSession): void {
    const run = this.#run;
    const { request } = run;
    if (request === null) return;
    run.server = server;
    server.busy = true;
    run.phase = 'syncing';
    this.#synced(server, request, this.#sync.begin(server, request));
  }

  /** Takes bytes of a server that is being brought up to date. */
  onSyncData(server: ServerSession, request: ClientRequest, chunk: Buffer, length: number): void {
    this.#synced(server, request, this.#sync.onData(server, chunk, length));
  }

  #synced(server: ServerSession, request: ClientRequest, progress: SyncProgress): void {
    const { failures } = this.#parts;
    if (progress.kind === 'ready' && this.#run.interrupted) failures.fail(new OdpError('QUERY_INTERRUPTED'));
    else if (progress.kind === 'ready') this.#send(server, request);
    else if (progress.kind === 'lost') failures.serverLost(server, progress.reason);
    else if (progress.kind === 'refused') failures.answer(progress.error);
  }

  #send(server: ServerSession, request: ClientRequest): void {
    const { session } = this.#run;
    const { rest, reply, failures } = this.#parts;
    let frame = request.bytes;
    if (request.statement !== null && request.command !== COM.STMT_PREPARE) {
      const rewritten = executeFrame(request, request.statement, server);
      if (rewritten === null) return failures.fail(new OdpError('CANNOT_RETRY', { detail: 'its types would not fit' }));
      frame = rewritten;
    }
    request.sent = true;
    offerInternalRouting(session, server);
    session.recent.sentTo(server.address);
    server.requestCount++;
    for (const piece of longDataFrames(request, server)) server.write(piece);
    session.cluster?.countRequest(server.address);
    if (request.replyKind === null) {
      server.write(frame, request.complete);
      if (request.complete) return reply.finish();
      this.#run.phase = 'replying';
      return session.resumeUpload();
    }
    this.#run.phase = 'replying';
    if (request.complete) session.limits.awaitReply(request.info);
    else session.replyWaitsForClient();
    const written = server.write(frame, request.complete);
    if (request.complete) return;
    if (written) session.resumeUpload();
    else rest.waitForServer();
  }
}
