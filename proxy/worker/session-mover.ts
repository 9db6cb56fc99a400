/** What a worker does in an upgrade (C8, C17): takes sessions of another generation, gives its own, ends the rest. */
import { Arrival } from '../session/handover/arrival.ts';
import { HandOver, type HandOverState } from '../session/handover/hand-over.ts';
import { RestCloser } from '../session/handover/rest-closer.ts';
import type { SessionContext } from '../session/session-context.ts';

const TICK_MS = 100;

/** How far the hand-over of a worker's sessions is. */
export interface WorkerHandOver extends HandOverState {
  /** Sessions of other generations that this worker has got. */
  readonly received: number;
}

export class SessionMover {
  readonly #context: SessionContext;
  readonly #handOver: HandOver;
  readonly #closer: RestCloser;
  readonly #arrivals = new Set<Arrival>();
  #receivedCount = 0;

  constructor(context: SessionContext) {
    this.#context = context;
    const nowMs = (): number => performance.now();
    this.#handOver = new HandOver(context, nowMs);
    this.#closer = new RestCloser(context, nowMs);
    setInterval(() => {
      this.#handOver.tick();
      this.#closer.tick();
    }, TICK_MS).unref();
  }

  /** Another generation's worker has connected. @param fd of the channel, this worker's from now on */
  take(fd: number): void {
    const owner = {
      context: this.#context,
      received: () => {
        this.#receivedCount++;
      },
      arrivalClosed: (arrival: Arrival) => this.#arrivals.delete(arrival),
    };
    this.#arrivals.add(new Arrival(fd, owner));
  }

  /** See `WorkerCalls`. */
  handOver(paths: readonly string[]): void {
    this.#closer.stop();
    this.#handOver.begin(paths);
  }

  stop(): Promise<void> {
    return this.#handOver.stop();
  }

  state(): WorkerHandOver {
    return { ...this.#handOver.state(), received: this.#receivedCount };
  }

  /** Sessions that are on their way meanwhile still go. */
  closeRest(reason: string, withinMs: number): void {
    this.#closer.begin(reason, withinMs);
  }

  /** The worker goes on after all. */
  stay(): void {
    this.#closer.stop();
  }
}
