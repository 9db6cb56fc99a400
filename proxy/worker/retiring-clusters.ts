/** Sessions of clusters that are served no more: they end, each with a word to its client. */
import { OdpError } from '../errors/odp-error.ts';
import type { ClientSession } from '../session/client-session.ts';
import { errOf } from '../wire/err-packet.ts';
import { framePackets } from '../wire/writer.ts';
import type { WorkerCluster } from './worker-cluster.ts';

/** A statement or transaction that is running has so long to end. */
const GRACE_MS = 30_000;

interface Retiring {
  readonly cluster: WorkerCluster;
  readonly reason: string;
  readonly untilMs: number;
}

/**
 * Idle sessions of such a cluster end at once with SHUTTING_DOWN and the reason; those at work when they have come to a
 * stop between two transactions, or when the time of grace is over.
 */
export class RetiringClusters {
  readonly #sessions: Iterable<ClientSession>;
  readonly #nowMs: () => number;
  readonly #retiring = new Set<Retiring>();

  constructor(sessions: Iterable<ClientSession>, nowMs: () => number) {
    this.#sessions = sessions;
    this.#nowMs = nowMs;
  }

  add(cluster: WorkerCluster, reason: string): void {
    this.#retiring.add({ cluster, reason, untilMs: this.#nowMs() + GRACE_MS });
    this.sweep();
  }

  /** To be called now and then. A log-in that was under way has its session ended as well, once it is there. */
  sweep(): void {
    for (const entry of this.#retiring) this.#sweep(entry);
  }

  #sweep(entry: Retiring): void {
    const { cluster, reason, untilMs } = entry;
    const isOver = this.#nowMs() >= untilMs;
    for (const session of [...this.#sessions]) {
      if (session.cluster !== cluster) continue;
      const isIdle = session.loggedIn && !session.active && !session.inTransaction;
      if (isIdle) session.refuse(framePackets(errOf(new OdpError('SHUTTING_DOWN', { detail: reason })), 0));
      else if (isOver) session.closeWith(reason);
    }
    if (!isOver) return;
    this.#retiring.delete(entry);
    void cluster.close();
  }
}
