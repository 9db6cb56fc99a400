/** What the supervisor orders of a generation that has started, one after the other. */
import { errorText } from '../errors/odp-error.ts';
import { SerialQueue } from '../history/serial-queue.ts';
import type { Logger } from '../log/logger.ts';
import type { GenerationDoor } from './generation-door.ts';
import type { PeerLink } from './peer-link.ts';
import type { ToGeneration, ToSupervisor } from './supervisor-link.ts';
import type { UpgradeSide } from './upgrade-side.ts';

export interface GenerationOrdersOptions {
  readonly door: GenerationDoor;
  readonly upgrades: UpgradeSide;
  readonly peers: PeerLink;
  readonly tell: (message: ToSupervisor) => void;
  /** The next report is due at once. */
  readonly hurry: () => void;
  readonly log: Logger;
}

export class GenerationOrders {
  readonly #options: GenerationOrdersOptions;
  readonly #queue = new SerialQueue();

  constructor(options: GenerationOrdersOptions) {
    this.#options = options;
  }

  take(message: ToGeneration): void {
    const { peers, upgrades } = this.#options;
    switch (message.type) {
      case 'upgrade-state':
        peers.onState(message.view);
        upgrades.onState(message.view);
        break;
      case 'order-answer':
        upgrades.onAnswer(message.id, message.refusal);
        break;
      case 'peer':
        peers.receive(message.from, message.message);
        break;
      case 'record':
        void upgrades.onRecord(message.record);
        break;
      default:
        this.#queue.run(() => this.#carryOut(message)).catch((error: unknown) => this.#failed(message.type, error));
    }
  }

  async #carryOut(message: ToGeneration): Promise<void> {
    const { door, hurry, tell } = this.#options;
    switch (message.type) {
      case 'accept':
        await door.open();
        tell({ type: 'accepting', paths: [] });
        hurry();
        break;
      case 'stop-accepting':
        await door.close();
        tell({ type: 'stopped' });
        hurry();
        break;
      default:
        break;
    }
  }

  /** The supervisor notices by what does not happen: the run has its time limits. */
  #failed(type: ToGeneration['type'], error: unknown): void {
    this.#options.log.error({ err: error }, `the generation could not carry out '${type}': ${errorText(error)}`);
  }
}
