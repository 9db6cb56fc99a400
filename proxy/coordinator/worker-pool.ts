/** The worker threads of a generation: starts them, tells them of changes, asks them, and replaces those that die. */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ClusterTopology } from '../cluster/topology.ts';
import type { ConfigOverride } from '../config/config-level.ts';
import type { PartOutcome } from '../config/part-outcome.ts';
import type { ServerVerdict } from '../congestion/types.ts';
import { errorText, OdpError } from '../errors/odp-error.ts';
import type { Logger } from '../log/logger.ts';
import { listenForChannels } from '../net/handle-channel.ts';
import type { CoordinatorCalls, WorkerCalls, WorkerClusterStart, WorkerReport, WorkerStart } from '../worker/calls.ts';
import { Rpc } from '../worker/rpc.ts';
import type { WorkerDoor } from './peer-link.ts';
import { makeRoomInNewHeaps } from './worker-heaps.ts';

/** What the pool itself answers. */
export type PoolCall = 'started' | 'report' | 'listenForSessions';

export interface WorkerPoolOptions {
  readonly count: number;
  readonly log: Logger;
  /** What a worker that starts now has to know. */
  readonly startData: (index: number) => Promise<Omit<WorkerStart, 'clusters' | 'defaultCluster'>>;
  /** The clusters that are served at this moment: from then on it is told of every change. */
  readonly clusters: () => Pick<WorkerStart, 'clusters' | 'defaultCluster'>;
  readonly calls: Omit<CoordinatorCalls, PoolCall>;
  /** @param before the last report; of a worker that has just started: one without counts */
  readonly onReport: (worker: number, before: WorkerReport, report: WorkerReport) => void;
  /** A worker has died, and with it its sessions; a new one is started. */
  readonly onDied: (worker: number, reason: string) => void;
  /** A worker runs in the place of one that died. */
  readonly onRestarted: (worker: WorkerDoor, index: number) => Promise<void>;
  /** Workers of other generations, that hold sessions as well. */
  readonly elsewhere: () => readonly WorkerDoor[];
}

interface PoolWorker {
  readonly thread: Worker;
  readonly rpc: Rpc<WorkerCalls, CoordinatorCalls>;
  report: WorkerReport;
}

const NO_REPORT: WorkerReport = {
  clientSessions: 0,
  serverSessions: 0,
  requests: 0,
  errors: 0,
  clusters: {},
  locations: {},
};
/** A worker that dies at once must not be restarted in a loop that eats the machine. */
const RESTART_PAUSE_MS = 500;

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Map<number, PoolWorker>();
  #closed = false;

  private constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Resolves when all workers accept clients. */
  static async start(options: WorkerPoolOptions): Promise<WorkerPool> {
    const pool = new WorkerPool(options);
    await Promise.all(Array.from({ length: options.count }, (_, index) => pool.#startWorker(index)));
    return pool;
  }

  /** The last report of each worker, by its number. */
  reports(): WorkerReport[] {
    return Array.from({ length: this.#options.count }, (_, index) => this.#workers.get(index)?.report ?? NO_REPORT);
  }

  /**
   * Resolves when every worker has answered: those without a failure serve no request with the old values after that. One
   * that has died meanwhile begins again with the new ones.
   */
  applyConfig(changes: readonly { readonly name: string; readonly text: string }[]): Promise<PartOutcome[]> {
    return this.#outcomes((rpc) => rpc.call('applyConfig', changes));
  }

  /** As `applyConfig`, for parts of the sessions. */
  applyOverrides(overrides: readonly ConfigOverride[]): Promise<PartOutcome[]> {
    return this.#outcomes((rpc) => rpc.call('applyOverrides', overrides));
  }

  addCluster(cluster: WorkerClusterStart): void {
    this.#tell('a new cluster', (rpc) => rpc.call('addCluster', cluster));
  }

  removeCluster(cluster: string, reason: string): void {
    this.#tell('the end of a cluster', (rpc) => rpc.call('removeCluster', { cluster, reason }));
  }

  applyDefaultCluster(name: string): void {
    this.#tell('the default cluster', (rpc) => rpc.call('applyDefaultCluster', name));
  }

  applyTopology(topology: ClusterTopology): void {
    this.#tell('the new topology', (rpc) => rpc.call('applyTopology', topology));
  }

  applyVerdicts(cluster: string, verdicts: readonly ServerVerdict[]): void {
    this.#tell('the blocklists', (rpc) => rpc.call('applyVerdicts', { cluster, verdicts }));
  }

  /** B9: has every worker close its server sessions to a server. */
  closeServerSessions(cluster: string, address: string, reason: string): void {
    this.#tell('the loss of a server', (rpc) => rpc.call('closeServerSessions', { cluster, address, reason }));
  }

  /** Asks every worker. */
  all<Result>(ask: (worker: WorkerDoor, index: number) => Promise<Result>): Promise<Result[]> {
    return Promise.all([...this.#workers].map(([index, { rpc }]) => ask(rpc, index)));
  }

  get count(): number {
    return this.#options.count;
  }

  /** Asks every worker, and those of other generations; what one of those cannot tell is left out. */
  async everywhere<Result>(ask: (worker: WorkerDoor) => Promise<Result>): Promise<Result[]> {
    const elsewhere = this.#options.elsewhere().map((worker) => ask(worker));
    const [own, others] = await Promise.all([this.all((worker) => ask(worker)), Promise.allSettled(elsewhere)]);
    return [...own, ...others.flatMap((other) => (other.status === 'fulfilled' ? [other.value] : []))];
  }

  /** The worker that holds a client session; undefined: none does. Ids of other layouts may be in use yet: all are asked. */
  async holderOf(session: number): Promise<WorkerDoor | undefined> {
    const answers = await this.everywhere(async (worker) =>
      (await worker.call('holdsSession', session)) ? worker : undefined,
    );
    return answers.find((worker) => worker !== undefined);
  }

  /** One of them. @throws OdpError SHUTTING_DOWN when it does not run just now */
  worker(index: number): WorkerDoor {
    const rpc = this.#workers.get(index)?.rpc;
    if (rpc === undefined) throw new OdpError('SHUTTING_DOWN', { detail: `worker ${index} does not run just now` });
    return rpc;
  }

  /** One that runs. @throws OdpError SHUTTING_DOWN when there is none just now */
  anyWorker(): Rpc<WorkerCalls, CoordinatorCalls> {
    const [first] = this.#workers.values();
    if (first === undefined) throw new OdpError('SHUTTING_DOWN', { detail: 'no worker runs just now' });
    return first.rpc;
  }

  /** Resolves when no worker takes new clients any more. */
  async stopAccepting(): Promise<void> {
    await this.all((rpc) => rpc.call('stopAccepting', null));
  }

  /** Resolves when every worker takes new clients. @param listen gives a bound descriptor, a new one with each call */
  async accept(listen: () => Promise<number>): Promise<void> {
    await this.all(async (rpc) => rpc.call('acceptAgain', { listenFd: await listen() }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#workers.values()].map(({ thread }) => thread.terminate()));
    this.#workers.clear();
  }

  #outcomes(call: (rpc: Rpc<WorkerCalls, CoordinatorCalls>) => Promise<void>): Promise<PartOutcome[]> {
    const outcome = async ([worker, { rpc }]: [number, PoolWorker]): Promise<PartOutcome> => {
      try {
        await call(rpc);
        return { worker, failure: null };
      } catch (error) {
        this.#options.log.warn({ worker, err: error }, 'a worker has not taken a change of the configuration');
        return { worker, failure: errorText(error) };
      }
    };
    return Promise.all([...this.#workers].map(outcome));
  }

  /** Tells every worker without waiting. */
  #tell(what: string, call: (rpc: Rpc<WorkerCalls, CoordinatorCalls>) => Promise<void>): void {
    for (const { rpc } of this.#workers.values()) {
      call(rpc).catch((error: unknown) => this.#options.log.warn({ err: error }, `a worker could not take ${what}`));
    }
  }

  async #startWorker(index: number): Promise<void> {
    const { calls, log, onReport, startData } = this.#options;
    const data = await startData(index);
    const workerData: WorkerStart = { ...data, ...this.#options.clusters() };
    makeRoomInNewHeaps();
    const thread = new Worker(new URL('../worker/main.ts', import.meta.url), { workerData });
    const listening = new Map<string, { close(): void }>();
    await new Promise<void>((resolve, reject) => {
      const rpc = new Rpc<WorkerCalls, CoordinatorCalls>(thread, {
        ...calls,
        started: () => resolve(),
        report: (report) => {
          const before = worker.report;
          worker.report = report;
          onReport(index, before, report);
        },
        listenForSessions: ({ path }) => {
          if (listening.has(path)) return;
          // The home is this proxy's alone: what stands at the path was left by a process that was killed.
          mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
          rmSync(path, { force: true });
          const take = (fd: number): void => {
            rpc
              .call('takeChannel', { fd })
              .catch((error: unknown) => log.warn({ err: error }, 'a channel was not taken'));
          };
          listening.set(path, listenForChannels(path, take));
        },
      });
      const worker: PoolWorker = { thread, rpc, report: NO_REPORT };
      this.#workers.set(index, worker);
      let failure: unknown = null;
      thread.once('error', (error) => {
        failure = error;
      });
      thread.once('exit', (code) => {
        for (const listener of listening.values()) listener.close();
        rpc.end(`worker ${index} has ended`);
        if (this.#closed) return;
        reject(failure ?? new Error(`worker ${index} ended with code ${code}`));
        log.error({ worker: index, code, err: failure }, 'a worker has died; a new one is started');
        this.#options.onDied(index, failure === null ? `ended with code ${code}` : errorText(failure));
        this.#workers.delete(index);
        setTimeout(() => this.#restart(index), RESTART_PAUSE_MS);
      });
    });
  }

  #restart(index: number): void {
    if (this.#closed) return;
    const started = this.#startWorker(index).then(() => this.#options.onRestarted(this.worker(index), index));
    started.catch((error: unknown) => {
      this.#options.log.error({ worker: index, err: error }, 'the new worker did not start either');
    });
  }
}
