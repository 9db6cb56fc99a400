/** What the supervisor orders of a generation that has started, one after the other. */
import { errorText } from '../errors/odp-error.ts';
import { SerialQueue } from '../history/serial-queue.ts';
import type { Logger } from '../log/logger.ts';
import type { GenerationDoor } from './generation-door.ts';
import type { PeerLink } from './peer-link.ts';
import type { SessionMoves } from './session-moves.ts';
import type { ToGeneration, ToSupervisor } from './supervisor-link.ts';
import type { UpgradeSide } from './upgrade-side.ts';

export interface GenerationOrdersOptions {
  readonly door: GenerationDoor;
  readonly moves: SessionMoves;
  readonly upgrades: UpgradeSide;
  readonly peers: PeerLink;
  readonly tell: (message: ToSupervisor) => void;
  /** The next report is due at once. */
  readonly hurry: () => void;
  readonly log: Logger;
}

export class GenerationOrders {
  readonly #options: GenerationOrdersOptions;
  readonly #doorQueue = new SerialQueue();
  /** Apart, since a move may wait for a generation that hangs, and clients must not. */
  readonly #moveQueue = new SerialQueue();

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
      case 'accept':
      case 'stop-accepting':
        this.#run(this.#doorQueue, message.type, () => this.#turnDoor(message.type === 'accept'));
        break;
      case 'hand-over':
        this.#run(this.#moveQueue, message.type, () => this.#options.moves.begin(message.paths));
        break;
      case 'stop-hand-over':
        this.#run(this.#moveQueue, message.type, () => this.#options.moves.stop());
        break;
      case 'close-rest':
        this.#run(this.#moveQueue, message.type, () => this.#options.moves.closeRest(message.reason));
        break;
      default:
        break;
    }
  }

  #run(queue: SerialQueue, type: ToGeneration['type'], work: () => Promise<void>): void {
    queue
      .run(work)
      .then(() => this.#options.hurry())
      .catch((error: unknown) => this.#failed(type, error));
  }

  async #turnDoor(open: boolean): Promise<void> {
    const { door, moves, tell } = this.#options;
    if (open) {
      await door.open();
      tell({ type: 'accepting', paths: await moves.receive() });
    } else {
      await door.close();
      tell({ type: 'stopped' });
    }
  }

  /** The supervisor notices by what does not happen: the run has its time limits. */
  #failed(type: ToGeneration['type'], error: unknown): void {
    this.#options.log.error({ err: error }, `the generation could not carry out '${type}': ${errorText(error)}`);
  }
}
