/** The moves of client sessions between this generation's workers and another one's, also over the death of a worker. */
import { join } from 'node:path';
import type { GenerationReport } from '../upgrade/types.ts';
import type { WorkerDoor } from './peer-link.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Sessions that the report names. */
const TOLD = 100;
/** Numbers in the sockets' names begin anew: they must not grow longer than those of other sockets. */
const NAMES = 1_000;

export interface SessionMovesOptions {
  /** ODP_HOME. */
  readonly home: string;
  /** Number of this generation. */
  readonly generation: number;
  readonly workers: () => WorkerPool;
}

export class SessionMoves {
  readonly #options: SessionMovesOptions;
  #isReceiving = false;
  /** Where the sessions of this generation go; null: they stay. */
  #to: readonly string[] | null = null;

  constructor(options: SessionMovesOptions) {
    this.#options = options;
  }

  /** Resolves when every worker takes sessions. @returns where */
  async receive(): Promise<readonly string[]> {
    this.#isReceiving = true;
    const paths = Array.from({ length: this.#options.workers().count }, (_, worker) => this.#pathOf(worker));
    await this.#options.workers().all(async (worker, index) => this.#listen(worker, index));
    return paths;
  }

  /** Sessions go to the workers that listen there, each as soon as it can. */
  async begin(paths: readonly string[]): Promise<void> {
    this.#to = paths;
    await this.#options.workers().all((worker) => worker.call('handOver', { paths }));
  }

  /** Those that are here stay. Resolves when none is on its way. */
  async stop(): Promise<void> {
    if (this.#to === null) return;
    this.#to = null;
    await this.#options.workers().all((worker) => worker.call('stopHandOver', null));
  }

  /** Ends what is left, at once. @param reason told to the clients */
  async closeRest(reason: string): Promise<void> {
    await this.#options.workers().all((worker) => worker.call('closeRest', { reason, withinMs: 0 }));
  }

  /** A worker has taken the place of one that died: it does what the others do. */
  async workerStarted(worker: WorkerDoor, index: number): Promise<void> {
    if (this.#isReceiving) await this.#listen(worker, index);
    if (this.#to !== null) await worker.call('handOver', { paths: this.#to });
  }

  async report(): Promise<Pick<GenerationReport, 'moved' | 'refused' | 'waiting' | 'waitingTotal'>> {
    if (this.#to === null) return { moved: 0, refused: 0, waiting: [], waitingTotal: 0 };
    const states = await this.#options.workers().all((worker) => worker.call('handOverState', null));
    const waiting = states.flatMap((state) => state.waiting);
    return {
      moved: states.reduce((total, { moved }) => total + moved, 0),
      refused: states.reduce((total, { refused }) => total + refused, 0),
      waiting: waiting
        .sort((a, b) => b.sinceMs - a.sinceMs)
        .slice(0, TOLD)
        .map(({ id, user, reason, sinceMs }) => ({ id, user, reason, waitedMs: sinceMs })),
      waitingTotal: waiting.length,
    };
  }

  async #listen(worker: WorkerDoor, index: number): Promise<void> {
    await worker.call('receiveSessions', { path: this.#pathOf(index) });
  }

  #pathOf(worker: number): string {
    const { generation, home } = this.#options;
    return join(home, 'run', `h${generation % NAMES}-${worker}.sock`);
  }
}
