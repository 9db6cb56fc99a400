import type { StoredTransition } from '../history/blocklist-row.ts';
import type { BlocklistService } from './blocklist-service.ts';
import { clusterView, eventView, isoTime } from './blocklist-views.ts';
import type { BlocklistServer, LiveEvent } from './contract.ts';

/** Sent at most this often: a storm of failures changes the counts all the time. */
const sendEveryMs = 250;

/** Counts also change because failures leave the window, of which nobody tells. */
const lookEveryMs = 2_000;

/** More servers or listings than this in one event: whoever listens reads everything anew instead. */
const maxServers = 300;
const maxEvents = 200;

export interface BlocklistFeedOptions {
  readonly service: BlocklistService;
  /** Registers a listener for listings and releases that have been stored. @returns the function that ends it. */
  readonly onTransition: (listener: (row: StoredTransition) => void) => () => void;
  readonly send: (event: Extract<LiveEvent, { type: 'blocklist' }>) => void;
  /** False while nobody would get an event. */
  readonly isWatched: () => boolean;
}

/** Turns whatever happens on the blocklists into few events with only what has changed. */
export class BlocklistFeed {
  readonly #options: BlocklistFeedOptions;
  readonly #subscriptions: (() => void)[];
  readonly #looks: NodeJS.Timeout;
  /** What was sent last: cluster, address, text. */
  #sent = new Map<string, Map<string, string>>();
  #transitions: StoredTransition[] = [];
  #tooMany = false;
  #timer: NodeJS.Timeout | undefined;
  #sentAtMs = 0;

  constructor(options: BlocklistFeedOptions) {
    this.#options = options;
    this.#looks = setInterval(() => this.#schedule(), lookEveryMs).unref();
    this.#subscriptions = [
      options.service.onChanged(() => this.#schedule()),
      options.onTransition((row) => this.#addTransition(row)),
    ];
  }

  close(): void {
    for (const end of this.#subscriptions) end();
    clearInterval(this.#looks);
    clearTimeout(this.#timer);
  }

  #addTransition(row: StoredTransition): void {
    if (!this.#options.isWatched()) return;
    if (this.#transitions.length < maxEvents) this.#transitions.push(row);
    else this.#tooMany = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer !== undefined || !this.#options.isWatched()) return;
    const waitMs = Math.max(0, this.#sentAtMs + sendEveryMs - performance.now());
    this.#timer = setTimeout(() => this.#flush(), waitMs).unref();
  }

  #flush(): void {
    this.#timer = undefined;
    const events = this.#transitions.map(eventView);
    const clusters = this.#changes();
    const servers = clusters.reduce((sum, cluster) => sum + cluster.servers.length, 0);
    const reload = this.#tooMany || servers > maxServers;
    this.#transitions = [];
    this.#tooMany = false;
    if (clusters.length === 0 && events.length === 0 && !reload) return;
    this.#sentAtMs = performance.now();
    const at = isoTime(this.#options.service.now().wallAtMs);
    this.#options.send({
      type: 'blocklist',
      at,
      reload,
      ...(reload ? { clusters: [], events: [] } : { clusters, events }),
    });
  }

  #changes() {
    const now = this.#options.service.now();
    const before = this.#sent;
    this.#sent = new Map();
    const changes = [];
    for (const source of this.#options.service.clusters()) {
      const { name, parameters, servers } = clusterView(source, now);
      const texts = new Map(servers.map((server) => [server.address, textToCompare(server)]));
      // The parameters are kept beside the servers, under a name that no server has.
      texts.set('', JSON.stringify(parameters));
      const known = before.get(name) ?? new Map<string, string>();
      this.#sent.set(name, texts);
      const changed = servers.filter(({ address }) => texts.get(address) !== known.get(address));
      const removed = [...known.keys()].filter((address) => !texts.has(address));
      if (changed.length > 0 || removed.length > 0 || texts.get('') !== known.get('')) {
        changes.push({ name, parameters, servers: changed, removed });
      }
    }
    return changes;
  }
}

/** Probes that were answered come every second from every server: by themselves they are no news. */
function textToCompare(server: BlocklistServer): string {
  return JSON.stringify({ ...server, probes: server.probes.filter(({ ok }) => !ok) });
}
