/** Ends the client sessions of a worker that is to end itself, spread over a time (C8, C17; reference: graceful exit). */
import { OdpError } from '../../errors/odp-error.ts';
import { errOf } from '../../wire/err-packet.ts';
import { framePackets } from '../../wire/writer.ts';
import type { ClientSession } from '../client-session.ts';
import type { SessionContext, SessionTaker } from '../session-context.ts';

interface Closing {
  readonly reason: string;
  readonly beganAtMs: number;
  readonly withinMs: number;
  /** Sessions at the beginning. */
  readonly count: number;
}

/**
 * The number of sessions is held to a line that falls from what it was at first to none: whichever session above it
 * comes to a stop between two transactions is ended with SHUTTING_DOWN. What is left when the time is over ends at once,
 * in whatever it is.
 */
export class RestCloser implements SessionTaker {
  readonly #context: SessionContext;
  readonly #nowMs: () => number;
  #closing: Closing | null = null;

  constructor(context: SessionContext, nowMs: () => number) {
    this.#context = context;
    this.#nowMs = nowMs;
  }

  /** @param reason told to the clients @param withinMs 0: all at once */
  begin(reason: string, withinMs: number): void {
    this.#closing = { reason, withinMs, beganAtMs: this.#nowMs(), count: this.#context.registry.size };
    this.#context.taker = this;
    this.tick();
  }

  /** Those that are left stay. */
  stop(): void {
    this.#closing = null;
    if (this.#context.taker === this) this.#context.taker = null;
  }

  /** To be called several times a second while it goes on. */
  tick(): void {
    const closing = this.#closing;
    if (closing === null) return;
    const isOver = this.#nowMs() - closing.beganAtMs >= closing.withinMs;
    for (const session of [...this.#context.registry]) {
      if (isOver) endAtOnce(session, closing.reason);
      else if (this.#isAboveLine(closing) && isBetweenTransactions(session)) end(session, closing.reason);
    }
  }

  takes(session: ClientSession): boolean {
    const closing = this.#closing;
    if (closing === null || !this.#isAboveLine(closing) || !isBetweenTransactions(session)) return false;
    end(session, closing.reason);
    return true;
  }

  #isAboveLine({ beganAtMs, withinMs, count }: Closing): boolean {
    const leftMs = Math.max(0, beganAtMs + withinMs - this.#nowMs());
    return this.#context.registry.size > Math.ceil((leftMs * count) / Math.max(1, withinMs));
  }
}

const isBetweenTransactions = (session: ClientSession): boolean =>
  session.loggedIn && session.isAtRest && !session.inTransaction;

function end(session: ClientSession, reason: string): void {
  session.refuse(framePackets(errOf(new OdpError('SHUTTING_DOWN', { detail: reason })), 0));
}

function endAtOnce(session: ClientSession, reason: string): void {
  if (session.loggedIn && session.isAtRest) end(session, reason);
  else session.closeWith(reason);
}
