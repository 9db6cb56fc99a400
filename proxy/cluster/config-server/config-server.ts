/**
 * Production mode (R3): the clusters that a ConfigServer tells, asked again and again. What was good stays in force until
 * something good takes its place; what is wrong is told in words.
 */
import { errorText, OdpError } from '../../errors/odp-error.ts';
import { realTimers, type Timers } from '../../net/timers.ts';
import type { ClusterDirectory, ConfigServerStatus, ConfiguredCluster } from '../cluster-directory.ts';
import { type ClusterList, readClusterList, readIdcRegions, readServerLists, readVersion } from './documents.ts';
import { eachLimited } from './each-limited.ts';
import type { KeptCopy } from './kept-copy.ts';
import {
  applyIdcRegions,
  applyList,
  applyServerLists,
  configuredClusters,
  type KnownClusters,
  keyOf,
} from './known-clusters.ts';
import { idcListUrl, serverListUrl, versionUrl } from './urls.ts';

export interface ConfigServerOptions {
  /** `obproxy_config_server_url`. */
  readonly url: string;
  /** Text of one URL, within bounds. Rejects with an OdpError that says why not. */
  readonly fetchText: (url: string) => Promise<string>;
  readonly kept: KeptCopy;
  /** The kept copy counts at start until the ConfigServer has answered (`ignore_local_config` off). */
  readonly keptFirst: boolean;
  /** `config_server_refresh_interval` and `idc_list_refresh_interval`, read before each pause. */
  readonly intervalMs: () => number;
  readonly idcIntervalMs: () => number;
  /** `enable_get_rslist_remote`: a list is asked for anew whenever a cluster begins to be served. */
  readonly alwaysAsks: () => boolean;
  /** `rootservice_cluster_name`: stands for log-in names without a cluster, if it is among the clusters. */
  readonly defaultCluster: string;
  /** Names of clusters that cannot be read from any server now: their lists may be old. */
  readonly troubled: () => readonly string[];
  /** For the log. */
  readonly onNotice: (level: 'info' | 'warn', text: string) => void;
  readonly timers?: Timers;
  /** Wall clock, milliseconds. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
}

/** Questions at a time: so many clusters' lists are read together. */
const PARALLEL = 8;

export class ConfigServer implements ClusterDirectory {
  readonly #options: ConfigServerOptions;
  readonly #timers: Timers;
  readonly #listeners = new Set<() => void>();
  readonly #asking = new Map<string, Promise<void>>();
  #known: KnownClusters | null = null;
  #configured: ConfiguredCluster[] = [];
  #status: ConfigServerStatus;
  #running: Promise<void> | null = null;
  #queuedByForce: Promise<void> | null = null;
  #timer: unknown = null;
  #idcTimer: unknown = null;
  #saving: Promise<void> = Promise.resolve();
  /** As it is on disk. */
  #saved: KnownClusters | null = null;
  #tells = false;
  #closed = false;

  constructor(options: ConfigServerOptions) {
    this.#options = options;
    this.#timers = options.timers ?? realTimers;
    this.#status = { url: options.url, version: '', source: 'none', answeredAtMs: null, error: null };
  }

  // ---- what is known ---------------------------------------------------------------------------------------------

  get status(): ConfigServerStatus {
    return this.#status;
  }

  clusters(): readonly ConfiguredCluster[] {
    return this.#configured;
  }

  find(name: string, id: string): ConfiguredCluster | null {
    const key = this.#known === null ? null : keyOf(this.#known, name, id);
    return this.#configured.find((cluster) => cluster.key === key) ?? null;
  }

  async ready(name: string, id: string): Promise<ConfiguredCluster> {
    const before = this.#known === null ? null : keyOf(this.#known, name, id);
    if (before === null) throw this.#unknown(name, id);
    if (this.find(name, id)?.rootServers.length === 0 || this.#options.alwaysAsks()) await this.#askServers(name);
    const cluster = this.find(name, id);
    if (cluster === null) throw this.#unknown(name, id);
    if (cluster.rootServers.length > 0) return cluster;
    const detail = `its servers are not known: ${cluster.error ?? 'the ConfigServer has not told them'}`;
    throw new OdpError('NO_SERVER_CONNECTION', { cluster: name, detail });
  }

  /** The configured name, else the first of the list, as in the reference. */
  defaultName(): string {
    const { defaultCluster } = this.#options;
    const names = this.#known?.clusters.map(({ name }) => name) ?? [];
    return names.includes(defaultCluster) ? defaultCluster : (names[0] ?? '');
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #unknown(name: string, id: string): OdpError {
    if (this.#known !== null) return new OdpError('CLUSTER_NOT_EXIST', { cluster: id === '' ? name : `${name}:${id}` });
    return new OdpError('CLUSTERS_NOT_KNOWN', {
      cluster: name,
      detail: this.#status.error ?? 'it has not answered yet',
    });
  }

  // ---- asking ----------------------------------------------------------------------------------------------------

  /** Resolves when it is known which clusters there are, or that nobody tells. */
  async start(): Promise<void> {
    await this.#load();
    const asked = this.refresh(true);
    if (this.#known === null || !this.#options.keptFirst) await asked;
    this.#scheduleIdcs();
  }

  /** @param force the whole document, whatever its version. Resolves when the question is settled; never rejects. */
  refresh(force: boolean): Promise<void> {
    if (this.#closed) return Promise.resolve();
    if (this.#running === null) {
      this.#timers.clear(this.#timer);
      this.#running = this.#round(force).finally(() => {
        this.#running = null;
        this.#schedule();
      });
      return this.#running;
    }
    if (!force) return this.#running;
    // The round under way may have asked for the version only.
    this.#queuedByForce ??= this.#running.then(() => {
      this.#queuedByForce = null;
      return this.refresh(true);
    });
    return this.#queuedByForce;
  }

  /** Asks for the servers of every cluster anew. Never rejects. */
  refreshServerLists(): Promise<void> {
    return this.#askAll(this.#names());
  }

  /** Asks for the IDCs of every cluster whose servers are known. Never rejects. */
  async refreshIdcLists(): Promise<void> {
    await eachLimited(this.#names(), PARALLEL, (name) => this.#askIdcs(name));
    this.#save();
  }

  /** Draws the pauses again: for when an interval has been altered. */
  reschedule(): void {
    if (this.#running === null) this.#schedule();
    this.#scheduleIdcs();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    this.#timers.clear(this.#timer);
    this.#timers.clear(this.#idcTimer);
    this.#save();
    await this.#saving;
  }

  async #round(force: boolean): Promise<void> {
    const list = await this.#askList(force);
    if (this.#closed) return;
    if (list !== null) {
      this.#set(applyList(this.#known, list));
      this.#save();
      void this.#askAll(this.#names());
      return;
    }
    const troubled = this.#options.troubled();
    const open = this.#known?.clusters.filter(({ name, error, members }) => {
      return error !== null || members.length === 0 || troubled.includes(name);
    });
    if (open !== undefined && open.length > 0) void this.#askAll(open.map(({ name }) => name));
  }

  /** The document when it is a new one; null: it is the known one, or has not been got. */
  async #askList(force: boolean): Promise<ClusterList | null> {
    const { url, fetchText } = this.#options;
    try {
      if (!force && this.#status.source === 'server') {
        const short = versionUrl(url);
        const version = readVersion(await fetchText(short), short);
        if (version === this.#status.version) {
          this.#answered(version);
          return null;
        }
      }
      const list = readClusterList(await fetchText(url), url);
      this.#answered(list.version);
      return list;
    } catch (error) {
      this.#failed(errorText(error));
      return null;
    }
  }

  #answered(version: string): void {
    if (this.#closed) return;
    const { error } = this.#status;
    if (error !== null) this.#options.onNotice('info', 'the ConfigServer answers again');
    const answeredAtMs = this.#nowMs();
    this.#status = { ...this.#status, version, source: 'server', answeredAtMs, error: null };
    this.#tell();
  }

  #failed(error: string): void {
    if (this.#closed) return;
    const kept =
      this.#known === null ? 'no cluster is known' : `${this.#known.clusters.length} clusters stay as they are`;
    if (error !== this.#status.error) this.#options.onNotice('warn', `${error}; ${kept}`);
    this.#status = { ...this.#status, error };
    this.#tell();
  }

  async #askAll(names: readonly string[]): Promise<void> {
    await eachLimited(names, PARALLEL, async (name) => {
      await this.#askServers(name);
      await this.#askIdcs(name);
    });
    this.#save();
  }

  /** One question for each cluster at a time, however many wait for it. Never rejects. */
  #askServers(name: string): Promise<void> {
    const asking = this.#asking.get(name) ?? this.#askServersOnce(name).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asking);
    return asking;
  }

  async #askServersOnce(name: string): Promise<void> {
    const cluster = this.#cluster(name);
    if (cluster === undefined) return;
    const url = serverListUrl(cluster.rsUrl);
    const answer = await this.#options
      .fetchText(url)
      .then((text) => ({ members: readServerLists(text, url, name), atMs: this.#nowMs() }))
      .catch((error: unknown) => ({ error: errorText(error) }));
    if (this.#closed || this.#known === null) return;
    if ('error' in answer && answer.error !== cluster.error) {
      const kept = cluster.members.length === 0 ? 'its servers are not known' : 'its servers known so far stay';
      this.#options.onNotice('warn', `servers of cluster ${name}: ${answer.error}; ${kept}`);
    }
    this.#set(applyServerLists(this.#known, name, answer));
  }

  /** Not every ConfigServer knows of IDCs: without an answer there is no region to go by, and nothing more. */
  async #askIdcs(name: string): Promise<void> {
    for (const { id } of this.#cluster(name)?.members ?? []) {
      const url = idcListUrl(this.#cluster(name)?.rsUrl ?? '', id);
      const answer = await this.#options
        .fetchText(url)
        .then((text) => ({ idcRegions: readIdcRegions(text, url), atMs: this.#nowMs() }))
        .catch((error: unknown) => {
          if (this.#cluster(name)?.members.some((member) => member.idcsAtMs !== null)) {
            this.#options.onNotice('warn', `IDCs of cluster ${name}: ${errorText(error)}; those known stay`);
          }
          return null;
        });
      if (this.#closed || this.#known === null) return;
      this.#set(applyIdcRegions(this.#known, name, id, answer));
    }
  }

  // ---- keeping ---------------------------------------------------------------------------------------------------

  async #load(): Promise<void> {
    try {
      const kept = await this.#options.kept.load(this.#options.url);
      if (kept === null) return;
      this.#saved = kept.clusters;
      this.#set(kept.clusters);
      const { version } = kept.clusters;
      this.#status = { ...this.#status, version, source: 'copy', answeredAtMs: kept.savedAtMs };
    } catch (error) {
      this.#options.onNotice('warn', errorText(error));
    }
  }

  /** Written one after the other; what has changed meanwhile is written with the next. */
  #save(): void {
    const { kept, url, onNotice } = this.#options;
    this.#saving = this.#saving
      .then(async () => {
        const known = this.#known;
        if (known === null || known === this.#saved) return;
        await kept.save(url, known, this.#nowMs());
        this.#saved = known;
      })
      .catch((error: unknown) => onNotice('warn', `the ConfigServer's answers could not be kept: ${errorText(error)}`));
  }

  #set(known: KnownClusters): void {
    this.#known = known;
    this.#configured = configuredClusters(known);
    this.#tell();
  }

  /** Many answers come together: who listens is told once. */
  #tell(): void {
    if (this.#tells) return;
    this.#tells = true;
    setImmediate(() => {
      this.#tells = false;
      for (const listener of this.#listeners) listener();
    });
  }

  #names(): string[] {
    return this.#known?.clusters.map(({ name }) => name) ?? [];
  }

  #cluster(name: string) {
    return this.#known?.clusters.find((cluster) => cluster.name === name);
  }

  // ---- time ------------------------------------------------------------------------------------------------------

  #schedule(): void {
    this.#timers.clear(this.#timer);
    if (this.#closed) return;
    this.#timer = this.#timers.set(() => void this.refresh(false), this.#spread(this.#options.intervalMs()));
  }

  #scheduleIdcs(): void {
    this.#timers.clear(this.#idcTimer);
    if (this.#closed) return;
    this.#idcTimer = this.#timers.set(() => {
      void this.refreshIdcLists().then(() => this.#scheduleIdcs());
    }, this.#spread(this.#options.idcIntervalMs()));
  }

  /** In [half, full]: many proxies must not ask at the same moment. */
  #spread(ms: number): number {
    return ms * (0.5 + (this.#options.random ?? Math.random)() / 2);
  }

  #nowMs(): number {
    return (this.#options.now ?? Date.now)();
  }
}
