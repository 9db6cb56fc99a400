import type { DeadlineTarget } from '../net/deadlines.ts';
import type { ConnectHandler } from '../net/transport.ts';

/** A session whose events are guarded. */
export interface GuardedSession extends ConnectHandler {
  onDeadline(): void;
  /** One of the events above threw what nobody expected: the session is to end, and the error to be logged. */
  onBroken(error: unknown): void;
}

/**
 * Stands between the event loop and one session. An error that nobody expected ends the session whose event it was:
 * thrown on into the event loop it would end the worker, and with it all its sessions. This is the last resort, not a
 * way to handle errors: whatever arrives here is a fault of the proxy's own and is logged as such.
 */
export class EventGuard implements ConnectHandler, DeadlineTarget {
  deadlineAtMs = Number.POSITIVE_INFINITY;
  readonly #session: GuardedSession;

  constructor(session: GuardedSession) {
    this.#session = session;
  }

  onData(chunk: Buffer, length: number): void {
    try {
      this.#session.onData(chunk, length);
    } catch (error) {
      this.#session.onBroken(error);
    }
  }

  onDrain(): void {
    try {
      this.#session.onDrain();
    } catch (error) {
      this.#session.onBroken(error);
    }
  }

  onConnect(): void {
    try {
      this.#session.onConnect();
    } catch (error) {
      this.#session.onBroken(error);
    }
  }

  onClose(reason: string): void {
    try {
      this.#session.onClose(reason);
    } catch (error) {
      this.#session.onBroken(error);
    }
  }

  onDeadline(): void {
    try {
      this.#session.onDeadline();
    } catch (error) {
      this.#session.onBroken(error);
    }
  }
}
