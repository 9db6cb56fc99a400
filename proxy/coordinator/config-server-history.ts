/** What a ConfigServer changes, as rows of the history: clusters that come and go, and the lists of their servers. */
import type { ClusterDirectory, ConfiguredCluster } from '../cluster/cluster-directory.ts';
import { addressText } from '../config/server-address.ts';
import type { HistoryStore } from '../history/history-store.ts';

/** The parameter that a cluster's list stands for; with it the last row of each cluster outlives the retention rule. */
const parameter = 'rootservice_list';

/**
 * Compares what the ConfigServer tells now with what it told before, and writes the differences. At the start the history
 * knows what it told before: what changed while the proxy was down is found then.
 */
export class ConfigServerHistory {
  readonly #history: HistoryStore;
  readonly #origin: string;
  /** Servers by the cluster's scope, as the last row has them. */
  #known: Map<string, string>;
  #isInCharge = true;
  #tail: Promise<void> = Promise.resolve();
  #rounds = 0;

  private constructor(history: HistoryStore, url: string, known: Map<string, string>) {
    this.#history = history;
    this.#origin = URL.canParse(url) ? new URL(url).host : '';
    this.#known = known;
  }

  /** @param url of the ConfigServer: where its changes come from */
  static async open(history: HistoryStore, url: string): Promise<ConfigServerHistory> {
    return new ConfigServerHistory(history, url, await told(history));
  }

  /** Another generation serves, and writes what it sees: nothing is written here until `resume`. */
  pause(): void {
    this.#isInCharge = false;
  }

  /** This generation serves: what is new since the last row, whoever wrote it, is written. Rejects when the rows cannot be read. */
  async resume(directory: Pick<ClusterDirectory, 'status' | 'clusters'>): Promise<void> {
    this.#isInCharge = true;
    this.#known = await told(this.#history);
    await this.look(directory);
  }

  /** Takes what is known at this moment. Resolves when what is new is written, or the log says why not. */
  look(directory: Pick<ClusterDirectory, 'status' | 'clusters'>): Promise<void> {
    if (!this.#isInCharge) return this.#tail;
    // Nobody has told anything yet: that is not the end of every cluster.
    if (directory.status === null || directory.status.source === 'none') return this.#tail;
    const now = new Map(directory.clusters().map((cluster) => [`cluster=${cluster.key}`, serversOf(cluster)]));
    const changes = [...new Set([...this.#known.keys(), ...now.keys()])].flatMap((scope) => {
      const newValue = now.get(scope) ?? null;
      // Empty: its servers have not been told yet.
      return newValue === '' || (this.#known.get(scope) ?? null) === newValue ? [] : [{ scope, newValue }];
    });
    this.#rounds += changes.length === 0 ? 0 : 1;
    const requestId = `configserver-${process.pid}-${this.#rounds}`;
    const actor = { actor: 'ConfigServer', source: 'configserver', origin: this.#origin, requestId } as const;
    for (const { scope, newValue } of changes) {
      if (newValue === null) this.#known.delete(scope);
      else this.#known.set(scope, newValue);
      const entry = { action: 'configserver.change', parameter, scope, newValue } as const;
      // At the moment of a switch two generations may be in charge.
      this.#tail = this.#tail.then(() => this.#history.attempts.noteNews(actor, entry));
    }
    return this.#tail;
  }
}

/** What the history has of each cluster that is there. */
async function told(history: HistoryStore): Promise<Map<string, string>> {
  const rows = await history.log.lastOfEachScope('configserver.change', parameter);
  return new Map(rows.flatMap(({ scope, newValue }) => (newValue === null ? [] : [[scope, newValue] as const])));
}

/** In one order, whatever the ConfigServer's. */
function serversOf({ rootServers }: ConfiguredCluster): string {
  return rootServers
    .map(({ address }) => addressText(address.host, address.port))
    .sort()
    .join(';');
}
