/** Moves the client sessions of one worker to the workers of another generation, as each comes to a stop. */
import { errorText } from '../../errors/odp-error.ts';
import { HandleChannel } from '../../net/handle-channel.ts';
import type { ClientSession } from '../client-session.ts';
import type { SessionContext, SessionTaker } from '../session-context.ts';
import { Departure, type DepartureOwner } from './departure.ts';
import { reasonToStay } from './reason-to-stay.ts';

/** A session whose move has come to nothing is left alone for so long. */
const TRY_AGAIN_AFTER_MS = 1000;

/** A session that is still here. */
export interface WaitingSession {
  readonly id: number;
  /** As the client logged in, `user@tenant#cluster`; empty while it is logging in. */
  readonly user: string;
  /** In words. */
  readonly reason: string;
  /** How long its request or transaction has been running, else how long it has been waited for. */
  readonly sinceMs: number;
}

export interface HandOverState {
  /** Sessions that are the other generation's now. */
  readonly moved: number;
  /** Sessions that the other generation could not take. */
  readonly refused: number;
  /** Workers of the other generation that can be reached. */
  readonly connected: number;
  readonly waiting: readonly WaitingSession[];
}

interface Stay {
  readonly untilMs: number;
  /** Null: it may go later. */
  readonly forGood: string | null;
}

export class HandOver implements SessionTaker, DepartureOwner {
  readonly #context: SessionContext;
  readonly #nowMs: () => number;
  readonly #departures = new Set<Departure>();
  #paths: readonly string[] = [];
  readonly #connecting = new Set<string>();
  /** Sessions whose move has come to nothing. */
  #stays = new WeakMap<ClientSession, Stay>();
  /** Those that have not been looked at in this round. */
  #queue: ClientSession[] = [];
  #beganAtMs = 0;
  #movedCount = 0;
  #refusedCount = 0;
  #pumping = false;
  #whenIdle: (() => void)[] = [];

  constructor(context: SessionContext, nowMs: () => number) {
    this.#context = context;
    this.#nowMs = nowMs;
  }

  /** Begins to move sessions. @param paths where the other generation's workers listen */
  begin(paths: readonly string[]): void {
    this.#paths = paths;
    this.#beganAtMs = this.#nowMs();
    this.#movedCount = 0;
    this.#refusedCount = 0;
    this.#stays = new WeakMap();
    this.#context.taker = this;
    this.#closeOthers();
    this.tick();
  }

  /** Whoever is not gone stays. Resolves when no session is on the way any more. */
  async stop(): Promise<void> {
    this.#paths = [];
    this.#queue = [];
    if (this.#context.taker === this) this.#context.taker = null;
    for (const departure of this.#departures) departure.withdraw();
    await new Promise<void>((resolve) => {
      this.#whenIdle.push(resolve);
      this.#closeIdle();
    });
  }

  state(): HandOverState {
    const nowMs = this.#nowMs();
    const waiting = [...this.#context.registry].map((session) => this.#waiting(session, nowMs));
    const connected = this.#departures.size;
    return { moved: this.#movedCount, refused: this.#refusedCount, connected, waiting };
  }

  /** To be called several times a second while it goes on. */
  tick(): void {
    const nowMs = this.#nowMs();
    for (const departure of this.#departures) departure.tick(nowMs);
    for (const path of this.#paths) this.#connect(path);
    if (this.#paths.length === 0) return;
    if (this.#queue.length === 0) this.#queue = [...this.#context.registry];
    this.#pump();
  }

  takes(session: ClientSession): boolean {
    return session.isAtRest && this.#offer(session);
  }

  // ---- channels --------------------------------------------------------------------------------------------------

  #connect(path: string): void {
    if (this.#connecting.has(path) || [...this.#departures].some((departure) => departure.path === path)) return;
    this.#connecting.add(path);
    const departure = new Departure(path, this);
    HandleChannel.connect(path, departure)
      .then((channel) => {
        this.#connecting.delete(path);
        if (channel.closed || !this.#paths.includes(path)) return channel.close();
        departure.channel = channel;
        this.#departures.add(departure);
        this.#pump();
      })
      .catch((error: unknown) => {
        // It is tried again with the next tick: a worker that has died is replaced.
        this.#connecting.delete(path);
        this.#context.log.debug({ reason: errorText(error) }, 'a worker of the other generation cannot be reached');
      });
  }

  departureBroken(departure: Departure, reason: string): void {
    this.#departures.delete(departure);
    this.#context.log.warn({ path: departure.path, reason }, 'a worker of the other generation takes no more sessions');
    this.#closeIdle();
  }

  /** Channels to where sessions go no more, unless one is on its way. */
  #closeOthers(): void {
    for (const departure of this.#departures) {
      if (!departure.isIdle || this.#paths.includes(departure.path)) continue;
      departure.close();
      this.#departures.delete(departure);
    }
  }

  #closeIdle(): void {
    this.#closeOthers();
    if (this.#paths.length > 0 || this.#departures.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  // ---- sessions --------------------------------------------------------------------------------------------------

  departureFree(): void {
    this.#closeIdle();
    this.#pump();
  }

  moved(): void {
    this.#movedCount++;
  }

  stays(session: ClientSession, forGood: string | null): void {
    if (forGood !== null) this.#refusedCount++;
    const untilMs = forGood === null ? this.#nowMs() + TRY_AGAIN_AFTER_MS : Number.POSITIVE_INFINITY;
    this.#stays.set(session, { untilMs, forGood });
  }

  /** Offers as many as there are channels that wait for one. */
  #pump(): void {
    // A session that goes on here may call from within.
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#queue.length > 0 && this.#free() !== null) {
        const session = this.#queue.pop();
        if (session !== undefined && !session.closed) this.#offer(session);
      }
    } finally {
      this.#pumping = false;
    }
  }

  #offer(session: ClientSession): boolean {
    const departure = this.#free();
    if (departure === null) return false;
    const nowMs = this.#nowMs();
    if ((this.#stays.get(session)?.untilMs ?? 0) > nowMs || reasonToStay(session) !== null) return false;
    return departure.offer(session, nowMs);
  }

  /** The channel that is free and has been given least. */
  #free(): Departure | null {
    let best: Departure | null = null;
    for (const departure of this.#departures) {
      if (!departure.isFree || !this.#paths.includes(departure.path)) continue;
      if (best === null || departure.movedCount < best.movedCount) best = departure;
    }
    return best;
  }

  #waiting(session: ClientSession, nowMs: number): WaitingSession {
    const { id, user, tenant, clusterName } = session;
    const refusal = this.#stays.get(session)?.forGood ?? null;
    const reason =
      refusal === null ? (reasonToStay(session) ?? 'its turn has not come') : `the other generation: ${refusal}`;
    const running = session.recent.running?.beganAtMs ?? (session.inTransaction ? session.transactionBeganAtMs : null);
    const sinceMs = running === null ? nowMs - this.#beganAtMs : performance.now() - running;
    const account = user === '' ? '' : `${user}@${tenant}${clusterName === '' ? '' : `#${clusterName}`}`;
    return { id, user: account, reason, sinceMs: Math.max(0, Math.round(sinceMs)) };
  }
}
