/**
 * The blocklists from one generation to another: who begins to take clients asks the other one for its lists first, so that
 * no request goes to a listed server; and who has given its lists away records nothing more.
 */
import type { KeptServer } from '../congestion/server-entry.ts';
import { errorText } from '../errors/odp-error.ts';
import type { BlocklistLog } from '../history/blocklist-log.ts';
import type { NewTransition } from '../history/blocklist-row.ts';
import type { Logger } from '../log/logger.ts';
import type { UpgradeView } from '../upgrade/view.ts';

/** Grows with every change of the shapes below. */
const FORMAT = 1;
/** Clients must not wait long for a generation that hangs. */
const PATIENCE_MS = 2_000;

/** What is known of the servers of one cluster. */
export interface HandedCluster {
  readonly name: string;
  /** As in log-in names; empty: the primary. */
  readonly id: string;
  readonly servers: readonly KeptServer[];
}

export interface HandedLists {
  readonly format: number;
  readonly clusters: readonly HandedCluster[];
}

/** The clusters of this generation. */
interface Lists {
  handOut(): HandedCluster[];
  /** Resolves when all that can be served are. */
  openAll(clusters: readonly HandedCluster[]): Promise<void>;
  /** Goes on from there, with those that are served. */
  goOn(clusters: readonly HandedCluster[]): void;
  /** What is listed now. */
  listed(): NewTransition[];
  /** Compares what was taken over with what is known here. */
  look(): void;
}

export interface BlocklistHandoverOptions {
  /** Number of this generation. */
  readonly own: number;
  readonly lists: Lists;
  readonly records: Pick<BlocklistLog, 'takeOver' | 'giveAway'>;
  /** Asks the others for their lists; null from one that does not give them. Rejections are of those that have ended. */
  readonly ask: () => Promise<PromiseSettledResult<HandedLists | null>[]>;
  readonly phase: () => UpgradeView['phase'];
  readonly log: Logger;
  /** Left out: two seconds. */
  readonly patienceMs?: number;
}

export class BlocklistHandover {
  readonly #options: BlocklistHandoverOptions;

  constructor(options: BlocklistHandoverOptions) {
    this.#options = options;
  }

  /** Before this generation takes clients. Resolves when its lists are the other one's, or cannot be had. */
  async take(): Promise<void> {
    const { ask, lists, log } = this.#options;
    const answers = await this.#within(ask());
    const given = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    // The other one goes on serving: this one is about to be told to stop.
    if (given.includes(null)) return;
    const handed = given.find((one) => one !== null);
    if (handed?.format === FORMAT) {
      await this.#within(lists.openAll(handed.clusters).then(() => []));
      lists.goOn(handed.clusters);
    } else {
      const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [errorText(answer.reason)] : []));
      log.warn({ reasons, format: handed?.format }, 'the other generation gave no blocklists: those of this one count');
    }
    this.keep();
    lists.look();
  }

  /** This generation serves on with the lists that it has, whatever another one was given. */
  keep(): void {
    const { lists, records } = this.#options;
    // Nobody waits: the database may be busy, and clients are not to be held up by records.
    void records.takeOver(lists.listed());
  }

  /** @param asker number of the generation that asks @returns null: it is not its turn */
  async give(asker: number): Promise<HandedLists | null> {
    const { lists, own, phase, records } = this.#options;
    const isTurn = phase() === 'switch' ? asker > own : phase() === 'rollback' && asker < own;
    if (!isTurn) return null;
    const clusters = lists.handOut();
    await records.giveAway();
    return { format: FORMAT, clusters };
  }

  /** Nothing when it takes too long. */
  async #within<Answer>(answers: Promise<Answer[]>): Promise<Answer[]> {
    const { promise, resolve } = Promise.withResolvers<Answer[]>();
    const timer = setTimeout(() => resolve([]), this.#options.patienceMs ?? PATIENCE_MS);
    try {
      return await Promise.race([answers, promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
