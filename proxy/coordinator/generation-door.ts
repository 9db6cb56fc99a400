/** When this generation takes clients: at the start, or when it is told to after it has tested itself. */
import type { ConfigView } from '../config/config-view.ts';
import type { ControlServer } from '../control/control-server.ts';
import type { BlocklistLog } from '../history/blocklist-log.ts';
import { type BoundSocket, bindSocket } from '../net/listener.ts';
import type { BlocklistHandover } from './blocklist-handover.ts';
import type { RevertScheduler } from './revert-scheduler.ts';
import { selfTest } from './self-test.ts';
import type { WorkerPool } from './worker-pool.ts';

export interface GenerationDoorOptions {
  readonly trial: boolean;
  readonly version: string;
  readonly config: ConfigView;
  readonly workers: () => WorkerPool;
  readonly control: () => ControlServer;
  readonly blocklist: BlocklistLog;
  readonly lists: BlocklistHandover;
  /** Takes over what another generation has changed of the configuration. */
  readonly follow: () => Promise<void>;
  readonly reverts: RevertScheduler;
  /** Told when it begins to serve after another one, and when another one does. */
  readonly onTurn: (serves: boolean) => void;
  /** A bound descriptor of the MySQL port, a new one with each call. */
  readonly listen: () => Promise<number>;
}

export class GenerationDoor {
  readonly #options: GenerationDoorOptions;
  /** Ports that only this process knows. Never closed: the threads close their descriptors. */
  readonly #trialSockets: BoundSocket[] = [];
  #state: 'trial' | 'open' | 'closed';

  constructor(options: GenerationDoorOptions) {
    this.#options = options;
    this.#state = options.trial ? 'trial' : 'open';
  }

  /** What a worker that starts now listens on. */
  async descriptor(): Promise<number | null> {
    if (this.#state === 'closed') return null;
    if (this.#state === 'open') return await this.#options.listen();
    const socket = bindSocket('127.0.0.1', 0);
    this.#trialSockets.push(socket);
    return socket.fd;
  }

  /** Resolves when every worker has shown that it serves; then it takes nobody until it is told to. */
  async test(): Promise<void> {
    const { config, version, workers } = this.#options;
    for (const { port } of this.#trialSockets) await selfTest(port, config, version);
    this.#state = 'closed';
    await workers().stopAccepting();
  }

  /** Resolves when every worker takes clients, and the control API answers at its usual path. */
  async open(): Promise<void> {
    const { control, follow, listen, lists, onTurn, reverts, workers } = this.#options;
    if (this.#state === 'open') {
      // A generation that was about to take over, and may have been given the lists, does not.
      lists.keep();
      return;
    }
    await follow();
    await lists.take();
    this.#state = 'open';
    onTurn(true);
    await workers().accept(listen);
    await control().publish();
    reverts.resume();
  }

  /** Resolves when no worker takes clients any more. */
  async close(): Promise<void> {
    if (this.#state !== 'open') return;
    const { blocklist, control, onTurn, reverts, workers } = this.#options;
    this.#state = 'closed';
    blocklist.record(false);
    onTurn(false);
    await reverts.pause();
    await workers().stopAccepting();
    await control().withdraw();
  }
}
