/** What becomes of a request when its server is lost or too slow, or when no server is to answer it. */
import { OdpError } from '../errors/odp-error.ts';
import { errOf } from '../wire/err-packet.ts';
import { framePackets } from '../wire/writer.ts';
import { firstErrorIn } from './hidden-reply.ts';
import { canMove, loseWith } from './internal-routing.ts';
import { mayRetry } from './may-retry.ts';
import type { ForwarderParts, RequestRun } from './request-run.ts';
import type { ServerSession } from './server-session.ts';

export class RequestFailures {
  readonly #run: RequestRun;
  readonly #parts: ForwarderParts;

  constructor(run: RequestRun, parts: ForwarderParts) {
    this.#run = run;
    this.#parts = parts;
  }

  /** The reply did not come in time. */
  timedOut(waitedMs: number): void {
    const run = this.#run;
    const { server } = run;
    if (server === null) return;
    const reason = `${server.address} did not answer within ${Math.round(waitedMs)} ms`;
    run.health.failed(server, { kind: 'query-timeout', tookMs: Math.round(waitedMs), detail: reason }, run.request);
    // Nothing of the request itself has been sent yet: another server may do it.
    if (run.phase === 'syncing') return this.serverLost(server, reason);
    this.endWithServer(server, new OdpError('SERVER_TIMEOUT', { detail: loseWith(run.session, server, reason) }));
  }

  /** The server session is of no more use: the request is repeated if nothing can happen twice. */
  serverLost(server: ServerSession, reason: string): void {
    const run = this.#run;
    const { request, session } = run;
    const { sender, reply } = this.#parts;
    run.walk.fail(reason);
    if (server.failure !== null) run.health.failed(server, server.failure, request);
    if (run.phase === 'connecting') {
      session.dropServer(server);
      run.server = null;
      return sender.tryNext();
    }
    session.recent.counters.lostServers++;
    const seen = run.replyBegun && reply.scanner.passedAny;
    run.walk.lose(server.address);
    const mayTry = run.walk.losses <= run.context.config.int('connect_observer_max_retries');
    if (request !== null && mayTry && canMove(session, server, request) && mayRetry(request, seen)) {
      session.dropServer(server);
      run.server = null;
      run.replyBegun = false;
      run.phase = 'routing';
      if (run.walk.started) sender.tryNext();
      else sender.route(request);
      return;
    }
    const error = new OdpError('SERVER_CLOSED', { detail: loseWith(session, server, reason) });
    // A server that refuses a request in its middle says why, and hangs up.
    const said = run.early === null ? null : firstErrorIn(run.early);
    run.early = null;
    this.endWithServer(server, error, said);
  }

  /** Ends the request with an error, and the server session that it is at. @param said in place of the error */
  endWithServer(server: ServerSession, error: OdpError, said: Buffer | null = null): void {
    const run = this.#run;
    const { scanner } = this.#parts.reply;
    const begun = run.replyBegun && scanner.passedAny && !scanner.waitsForFile;
    const sequence = begun ? scanner.nextSequence : null;
    const fits = !begun || scanner.errorFits;
    run.session.dropServer(server);
    run.server = null;
    if (!fits) return run.session.closeWith(error.message);
    this.answer(said ?? errOf(error), sequence);
  }

  /** Ends the request with an error of the proxy's own. */
  fail(error: OdpError): void {
    this.answer(errOf(error));
  }

  /**
   * Ends the request with an ERR packet that no server passes on.
   * @param sequence its id; null: it is the first of the reply
   */
  answer(payload: Buffer, sequence: number | null = null): void {
    const run = this.#run;
    const { request, session } = run;
    const { rest } = this.#parts;
    if (request === null) return;
    if (!run.upload.done) {
      run.answerAfterUpload = payload;
      run.phase = 'replying';
      session.replyWaitsForClient();
      if (run.server === null) rest.draining = false;
      if (!rest.draining) session.resumeUpload();
      return;
    }
    const frame = framePackets(payload, sequence ?? rest.replySequence(request));
    run.end();
    if (request.replyKind !== null) session.send(frame);
    session.requestFailed(request, payload.readUInt16LE(1));
  }
}
