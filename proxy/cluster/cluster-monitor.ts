/** Keeps one cluster's topology up to date (status refresh: the source of B1–B4, R5, R6). One per cluster, in the coordinator. */

import { printRsList } from '../config/rs-list.ts';
import type { ServerAddress } from '../config/server-address.ts';
import { firstFew } from '../errors/first-few.ts';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { realTimers, type Timers } from '../net/timers.ts';
import { ClusterViewReader, type ClusterViews } from './cluster-views.ts';
import { serversOfList } from './map-topology.ts';
import type { MetadataRow } from './metadata-connection.ts';
import { shuffleWithLast } from './shuffle.ts';
import type { ClusterTopology, IdcRegion } from './topology.ts';

/** What a monitor needs of its surroundings. */
export interface ClusterMonitorOptions {
  readonly clusterName: string;
  /** Seed (R2): in force until the cluster's own list is read, and tried again when all of that fails. */
  readonly rsList: readonly ServerAddress[];
  /** What the ConfigServer tells of IDCs, if there is one. */
  readonly idcRegions?: readonly IdcRegion[];
  /** Rows of one SELECT from one server, e.g. `MetadataClient.query`. */
  readonly query: (address: string, sql: string) => Promise<MetadataRow[]>;
  /** `server_state_refresh_interval` in milliseconds; read before each pause. */
  readonly intervalMs: () => number;
  /** Told once when the cluster has no server view, and of unusable rows when they change. For the log. */
  readonly onNotice?: (text: string) => void;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly timers?: Timers;
  /** Wall clock, milliseconds. */
  readonly now?: () => number;
}

/** Told of each change of content. */
export type TopologyListener = (topology: ClusterTopology) => void;

const NOT_READ_YET = "configured address; the cluster's own list has not been read yet";
const NO_VIEWS = 'configured address; this cluster has no server view, so that it counts as active';

/** The topology of one cluster, read again and again from `start` until `close`. */
export class ClusterMonitor {
  readonly #options: ClusterMonitorOptions;
  readonly #random: () => number;
  readonly #timers: Timers;
  readonly #reader = new ClusterViewReader();
  readonly #listeners = new Set<TopologyListener>();
  #topology: ClusterTopology;
  #rsList: readonly ServerAddress[];
  /** Did not answer when last asked. */
  readonly #failed = new Set<string>();
  #lastNotice = '';
  #timer: unknown = null;
  #running: Promise<void> | null = null;
  #queued: Promise<void> | null = null;
  #state: 'new' | 'started' | 'closed' = 'new';

  constructor(options: ClusterMonitorOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#timers = options.timers ?? realTimers;
    this.#rsList = options.rsList;
    this.#topology = {
      clusterName: options.clusterName,
      revision: 0,
      source: 'rslist',
      zones: [],
      servers: serversOfList(options.rsList, NOT_READ_YET),
      refreshedAtMs: null,
      error: null,
      ...(options.idcRegions === undefined ? {} : { idcRegions: options.idcRegions }),
    };
  }

  /** Never null: from the first moment it holds the configured list, so that clients can log in. */
  get topology(): ClusterTopology {
    return this.#topology;
  }

  /** Begins the first round at once, and goes on until `close`. */
  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'started';
    void this.refreshNow();
  }

  /**
   * Resolves when a round that began after this call has ended (so that it sees what the caller has just changed in the
   * cluster). Never rejects: `topology.error` tells why a round failed.
   */
  refreshNow(): Promise<void> {
    if (this.#state === 'closed') return Promise.resolve();
    if (this.#running === null) return this.#beginRound();
    this.#queued ??= this.#running.then(() => {
      this.#queued = null;
      return this.#state === 'closed' ? undefined : this.#beginRound();
    });
    return this.#queued;
  }

  /**
   * The ConfigServer tells of other servers (R3): asked from now on besides those that the cluster itself lists, which
   * stay in force once they are known.
   */
  setRsList(rsList: readonly ServerAddress[]): void {
    if (printRsList(rsList) === printRsList(this.#rsList)) return;
    this.#rsList = rsList;
    if (this.#topology.source === 'views') {
      // Nobody answered: one of the new addresses may.
      if (this.#topology.error !== null) void this.refreshNow();
      return;
    }
    this.#publish({ ...this.#topology, servers: serversOfList(rsList, NOT_READ_YET) });
    if (this.#state === 'started') void this.refreshNow();
  }

  setIdcRegions(idcRegions: readonly IdcRegion[]): void {
    this.#publish({ ...this.#topology, idcRegions });
  }

  /** Draws the pause again: for when `server_state_refresh_interval` has been altered. */
  reschedule(): void {
    if (this.#running === null) this.#scheduleNext();
  }

  /** Called with every topology that differs in more than its time. Returns how to stop it. */
  onChange(listener: TopologyListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** No listener is called after this; a round under way is left to end unheard (close its client to end it at once). */
  close(): void {
    this.#state = 'closed';
    this.#listeners.clear();
    this.#cancelNext();
  }

  #beginRound(): Promise<void> {
    this.#cancelNext();
    this.#running = this.#round().finally(() => {
      this.#running = null;
      this.#scheduleNext();
    });
    return this.#running;
  }

  async #round(): Promise<void> {
    const failures = new Map<string, unknown>();
    for (const address of this.#candidates()) {
      const next = await this.#ask(address).catch((error: unknown) => void failures.set(address, error));
      if (this.#state === 'closed') return;
      if (next === undefined) {
        this.#failed.add(address);
        continue;
      }
      this.#failed.delete(address);
      this.#publish(next);
      return;
    }
    this.#publish({ ...this.#topology, error: describeFailures(this.#options.clusterName, failures) });
  }

  async #ask(address: string): Promise<ClusterTopology> {
    const views = await this.#reader.read(address, (sql) => this.#options.query(address, sql));
    return views === null ? this.#withoutViews(address) : this.#fromViews(views);
  }

  /** Every known server, then the configured ones that the cluster no longer lists (case B26). */
  #candidates(): string[] {
    const known = this.#topology.servers.map((server) => server.address);
    const seeds = this.#rsList.map((server) => server.text).filter((address) => !known.includes(address));
    for (const address of this.#failed) if (![...known, ...seeds].includes(address)) this.#failed.delete(address);
    return [known, seeds].flatMap((addresses) => shuffleWithLast(addresses, this.#failed, this.#random));
  }

  #fromViews(views: ClusterViews): ClusterTopology {
    const { zones, servers, tenants, problems } = views;
    if (problems.length > 0) this.#notice(`Cluster ${this.#options.clusterName}: ${problems.join('; ')}`);
    return {
      ...this.#topology,
      source: 'views',
      zones: zones ?? this.#topology.zones,
      servers,
      ...(tenants ?? { primaryZones: this.#topology.primaryZones ?? {} }),
      refreshedAtMs: this.#nowMs(),
      error: problems.length === 0 ? null : problems.join('; '),
    };
  }

  #withoutViews(address: string): ClusterTopology {
    if (this.#topology.source === 'views') {
      const detail = 'it has no server view any more; the list known before is kept';
      throw new OdpError('CLUSTER_VIEW_INVALID', { server: address, detail });
    }
    const { clusterName } = this.#options;
    const rsList = this.#rsList;
    this.#notice(
      `Cluster ${clusterName} has no server view: its ${rsList.length} configured server(s) count as active`,
    );
    return { ...this.#topology, servers: serversOfList(rsList, NO_VIEWS), refreshedAtMs: this.#nowMs(), error: null };
  }

  #publish(next: ClusterTopology): void {
    if (this.#state === 'closed') return;
    const before = this.#topology;
    const changed = contentOf(next) !== contentOf(before);
    this.#topology = { ...next, revision: before.revision + (changed ? 1 : 0) };
    if (!changed && next.error === before.error) return;
    for (const listener of this.#listeners) listener(this.#topology);
  }

  #notice(text: string): void {
    if (text === this.#lastNotice) return;
    this.#lastNotice = text;
    this.#options.onNotice?.(text);
  }

  #scheduleNext(): void {
    this.#cancelNext();
    if (this.#state !== 'started') return;
    // Random in [half, full], as the reference does: many proxies must not ask at the same moment.
    const delayMs = this.#options.intervalMs() * (0.5 + this.#random() / 2);
    this.#timer = this.#timers.set(() => void this.refreshNow(), delayMs);
  }

  #cancelNext(): void {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#timer = null;
  }

  #nowMs(): number {
    return (this.#options.now ?? Date.now)();
  }
}

function contentOf({ refreshedAtMs: _at, error: _error, revision: _revision, ...content }: ClusterTopology): string {
  return JSON.stringify(content);
}

/** A refused internal account is refused everywhere: then one server's words, which say what to do, are enough. */
function describeFailures(cluster: string, failures: ReadonlyMap<string, unknown>): string {
  const errors = [...failures.values()];
  const [first] = errors;
  if (errors.every((error) => error instanceof OdpError && error.code === 'METADATA_LOGIN_REFUSED')) {
    if (first !== undefined) return errorText(first);
  }
  const texts = [...failures].map(([address, error]) => {
    const text = errorText(error);
    return text.includes(address) ? text : `${address}: ${text}`;
  });
  return new OdpError('NO_SERVER_CONNECTION', { cluster, detail: firstFew(texts) || 'no server is configured' })
    .message;
}
