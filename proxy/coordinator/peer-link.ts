/**
 * Other generations, over the supervisor: what is asked of sessions reaches those that another one holds, and a change of
 * the configuration reaches whoever serves beside the one that made it.
 */
import type { MessagePort } from 'node:worker_threads';
import type { UpgradeView } from '../upgrade/view.ts';
import type { CoordinatorCalls, WorkerCalls } from '../worker/calls.ts';
import { Rpc } from '../worker/rpc.ts';
import type { HandedLists } from './blocklist-handover.ts';
import type { ToSupervisor } from './supervisor-link.ts';

/** A worker, of this generation or of another one. */
export type WorkerDoor = Pick<Rpc<WorkerCalls, CoordinatorCalls>, 'call'>;

interface WorkerQuestion {
  readonly worker: number;
  readonly name: string;
  readonly argument: unknown;
}

/** What generations ask of each other. */
export type PeerCalls = {
  askWorker: (question: WorkerQuestion) => unknown;
  /** Somebody has changed the configuration: it is to be read anew. */
  configChanged: (none: null) => unknown;
  /** The generation of that number takes over, and wants the blocklists; see `BlocklistHandover`. */
  giveLists: (asker: number) => Promise<HandedLists | null>;
};

export interface PeerLinkOptions {
  /** Number of this generation. */
  readonly own: number;
  readonly tell: (message: ToSupervisor) => void;
  readonly answers: PeerCalls;
  readonly warn: (fields: object, text: string) => void;
}

type AskAll = (ask: (worker: WorkerDoor) => Promise<readonly number[]>) => Promise<(readonly number[])[]>;

interface Peer {
  readonly rpc: Rpc<PeerCalls, PeerCalls>;
  readonly receive: (message: unknown) => void;
}

export class PeerLink {
  readonly #options: PeerLinkOptions;
  readonly #peers = new Map<number, Peer>();
  #generations: UpgradeView['generations'] = [];

  constructor(options: PeerLinkOptions) {
    this.#options = options;
  }

  /** Which generations there are now. */
  onState({ generations }: UpgradeView): void {
    this.#generations = generations.filter(({ id }) => id !== this.#options.own);
    for (const [id, { rpc }] of this.#peers) {
      if (this.#generations.some((generation) => generation.id === id)) continue;
      rpc.end(`generation ${id} has ended`);
      this.#peers.delete(id);
    }
  }

  receive(from: number, message: unknown): void {
    this.#peer(from).receive(message);
  }

  /** Workers of generations that may hold sessions. */
  workers(): WorkerDoor[] {
    const serving = this.#generations.filter(({ role }) => role !== 'starting');
    return serving.flatMap(({ id, workers }) => Array.from({ length: workers }, (_, worker) => this.#door(id, worker)));
  }

  /**
   * Connection ids in use, here and at other generations: ids move with their sessions.
   * @param told resolves when the other generations are known; null: there are none
   */
  async heldIds(told: Promise<void> | null, own: { all: AskAll } | null): Promise<number[]> {
    await told;
    const elsewhere = await Promise.allSettled(this.workers().map((worker) => worker.call('sessionIds', null)));
    const here = own === null ? [] : await own.all((worker) => worker.call('sessionIds', null));
    return [...here, ...elsewhere.flatMap((ids) => (ids.status === 'fulfilled' ? [ids.value] : []))].flat();
  }

  /** Has every other generation read the configuration anew. */
  tellChanged(): void {
    for (const { id } of this.#generations) {
      this.#peer(id)
        .rpc.call('configChanged', null)
        .catch((error: unknown) => this.#options.warn({ err: error }, `generation ${id} did not follow a change`));
    }
  }

  /** Asks every other generation that has served for its blocklists. */
  askLists(): Promise<PromiseSettledResult<HandedLists | null>[]> {
    const serving = this.#generations.filter(({ role }) => role !== 'starting');
    return Promise.allSettled(serving.map(({ id }) => this.#peer(id).rpc.call('giveLists', this.#options.own)));
  }

  #door(id: number, worker: number): WorkerDoor {
    return {
      call: (name, argument) => this.#peer(id).rpc.call('askWorker', { worker, name, argument }) as never,
    };
  }

  #peer(id: number): Peer {
    const known = this.#peers.get(id);
    if (known !== undefined) return known;
    let receive: (message: unknown) => void = () => undefined;
    const port = {
      postMessage: (message: unknown) => this.#options.tell({ type: 'peer', to: id, message }),
      on: (_event: 'message', listener: (message: never) => void) => {
        receive = listener as (message: unknown) => void;
      },
    };
    // Of a port no more than this is used.
    const rpc = new Rpc<PeerCalls, PeerCalls>(port as unknown as MessagePort, this.#options.answers);
    const peer: Peer = { rpc, receive: (message) => receive(message) };
    this.#peers.set(id, peer);
    return peer;
  }
}
