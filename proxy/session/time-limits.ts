/**
 * What a client session waits for, and how long it may (C15, C16). It waits for one thing at a time; every change of
 * what that is goes through here. All sessions of a thread share one clock: to wait costs no timer.
 *
 *     login ──> next-request ──> (nothing: the proxy's own turn) ──> reply ──┬──> next-request
 *                  │    ▲                                            ▲  │     │
 *                  ▼    │                                            │  ▼     ▼
 *              rest-of-request ──────────────────────────────────────┘  client-reads      any ──> farewell
 */
import type { ConfigView } from '../config/config-view.ts';
import type { Deadlines, DeadlineTarget } from '../net/deadlines.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import { CAP } from '../wire/constants.ts';
import { replyTimeoutMs } from './reply-timeout.ts';
import type { SessionVariables } from './session-variables.ts';

/** A client has so long to log in, be it its fault or a server's. */
const LOGIN_TIMEOUT_MS = 10_000;
/** How long a client that is being sent away has to read its last answer. */
const FAREWELL_TIMEOUT_MS = 5000;
/** `net_read_timeout` and `net_write_timeout` of a session whose server has not told others (OceanBase's defaults). */
const DEFAULT_READ_TIMEOUT_MS = 30_000;
const DEFAULT_WRITE_TIMEOUT_MS = 60_000;

/** `nothing`: it is the proxy's turn, whose steps have bounds of their own. */
export type Awaited =
  | 'nothing'
  | 'login'
  | 'next-request'
  | 'rest-of-request'
  | 'reply'
  | 'client-reads'
  /** The session is over; the client has not taken its last answer yet. */
  | 'farewell';

/** The session whose limits these are. */
interface LimitedSession {
  readonly config: ConfigView;
  readonly variables: SessionVariables;
  readonly clientCapabilities: number;
}

export class TimeLimits {
  readonly #session: LimitedSession;
  readonly #target: DeadlineTarget;
  readonly #deadlines: Deadlines;
  #awaited: Awaited = 'nothing';
  #limitMs = Number.POSITIVE_INFINITY;
  #sinceMs = 0;
  #replyMs = 0;
  /** Version of the variables that the next three were read from; -1: of none. */
  #version = -1;
  #idleMs = 0;
  #readMs = 0;
  #writeMs = 0;

  /** @param target registered with `deadlines`; told when a limit has passed */
  constructor(session: LimitedSession, target: DeadlineTarget, deadlines: Deadlines) {
    this.#session = session;
    this.#target = target;
    this.#deadlines = deadlines;
  }

  get awaited(): Awaited {
    return this.#awaited;
  }

  /** Of what is awaited, milliseconds. */
  get limitMs(): number {
    return this.#limitMs;
  }

  /** When it began to be awaited, on the clock of the deadlines. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** How long it has been awaited. */
  get waitedMs(): number {
    return this.#deadlines.nowMs - this.#sinceMs;
  }

  /** What is awaited has been for so long already, somewhere else. */
  hasWaited(ms: number): void {
    this.#sinceMs -= ms;
    this.#target.deadlineAtMs -= ms;
  }

  /** It is the proxy's turn. */
  awaitNothing(): void {
    this.#await('nothing', Number.POSITIVE_INFINITY);
  }

  awaitLogin(): void {
    this.#await('login', LOGIN_TIMEOUT_MS);
  }

  /** The client idles: `wait_timeout`, or `interactive_timeout` of clients that say so, as OceanBase takes them. */
  awaitRequest(): void {
    this.#readVariables();
    this.#await('next-request', this.#idleMs);
  }

  /** The client has begun to send: `net_read_timeout` until it sends more. */
  awaitRest(): void {
    this.#readVariables();
    this.#await('rest-of-request', this.#readMs);
  }

  /** The client has not taken what was written: `net_write_timeout` until it takes more. */
  awaitReader(): void {
    this.#readVariables();
    this.#await('client-reads', this.#writeMs);
  }

  /** A server has the request. @param info its hint may say how long it may take */
  awaitReply(info: StatementInfo | null): void {
    this.#replyMs = replyTimeoutMs(this.#session.config, this.#session.variables, info);
    this.#await('reply', this.#replyMs);
  }

  /** The reply goes on: the server has the full time again. */
  awaitMoreOfReply(): void {
    this.#await('reply', this.#replyMs);
  }

  awaitFarewell(): void {
    this.#await('farewell', FAREWELL_TIMEOUT_MS);
  }

  /** The session is another user's, or its variables are those of the log-in again. */
  forgetVariables(): void {
    this.#version = -1;
  }

  #await(awaited: Awaited, limitMs: number): void {
    const { nowMs } = this.#deadlines;
    this.#awaited = awaited;
    this.#limitMs = limitMs;
    this.#sinceMs = nowMs;
    this.#target.deadlineAtMs = nowMs + limitMs;
  }

  /** Once for each change of a variable: waits begin with every request. */
  #readVariables(): void {
    const { variables, config, clientCapabilities } = this.#session;
    if (this.#version === variables.version) return;
    this.#version = variables.version;
    const idle = clientCapabilities & CAP.INTERACTIVE ? 'interactive_timeout' : 'wait_timeout';
    this.#idleMs = secondsOf(variables, idle) ?? config.timeMs('default_inactivity_timeout');
    this.#readMs = secondsOf(variables, 'net_read_timeout') ?? DEFAULT_READ_TIMEOUT_MS;
    this.#writeMs = secondsOf(variables, 'net_write_timeout') ?? DEFAULT_WRITE_TIMEOUT_MS;
  }
}

/** A variable that counts seconds, in milliseconds; null: not known, or no time. */
function secondsOf(variables: SessionVariables, name: string): number | null {
  const seconds = Number(variables.value(name));
  return seconds > 0 ? seconds * 1000 : null;
}
