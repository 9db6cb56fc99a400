/** One cluster while it is served: its servers are asked for their states, its blocklists are kept, the workers are told. */
import type { ConfiguredCluster } from '../cluster/cluster-directory.ts';
import { ClusterMonitor } from '../cluster/cluster-monitor.ts';
import { internalPasswords } from '../cluster/internal-passwords.ts';
import { MetadataClient } from '../cluster/metadata-client.ts';
import type { ClusterTopology } from '../cluster/topology.ts';
import type { ConfigView } from '../config/config-view.ts';
import type { LeveledConfig } from '../config/leveled-config.ts';
import type { ServerVerdict } from '../congestion/types.ts';
import type { BlocklistLog } from '../history/blocklist-log.ts';
import type { Logger } from '../log/logger.ts';
import type { WorkerClusterStart, WorkerReport } from '../worker/calls.ts';
import { ServedBlocklist } from './cluster-blocklist.ts';

/** What the workers are told; before they have started nobody has to be. */
interface ClusterListeners {
  addCluster(cluster: WorkerClusterStart): void;
  removeCluster(cluster: string, reason: string): void;
  applyDefaultCluster(name: string): void;
  applyTopology(topology: WorkerClusterStart['topology']): void;
  applyVerdicts(cluster: string, verdicts: readonly ServerVerdict[]): void;
  closeServerSessions(cluster: string, address: string, reason: string): void;
  reports(): readonly WorkerReport[];
}

export interface ServedClusterOptions {
  readonly config: ConfigView;
  readonly levels: LeveledConfig;
  readonly history: BlocklistLog;
  readonly log: Logger;
  readonly workers: () => ClusterListeners | null;
  readonly onTopology: () => void;
  /** What is known of a cluster has changed. */
  readonly onClusterChanged: (before: ClusterTopology, after: ClusterTopology) => void;
  readonly onBlocklist: () => void;
}

export class ServedCluster {
  readonly key: string;
  readonly blocklist: ServedBlocklist;
  readonly servedSinceMs = Date.now();
  configured: ConfiguredCluster;
  /** Wall-clock milliseconds of the last sign that a client wants it. */
  lastUsedAtMs = Date.now();
  readonly #monitor: ClusterMonitor;
  readonly #client: MetadataClient;
  readonly #passwords: () => readonly string[];
  #passwordsSeen: string;
  #loginsSeen = 0;
  /** By server address. */
  #zones: ReadonlyMap<string, string> = new Map();

  constructor(configured: ConfiguredCluster, options: ServedClusterOptions) {
    const { config, levels, log, workers, history } = options;
    const { key } = configured;
    this.key = key;
    this.configured = configured;
    const passwords = () => internalPasswords(levels, key);
    this.#passwords = passwords;
    this.#passwordsSeen = passwords().join();
    const timeoutMs = () => config.timeMs('short_async_task_timeout');
    // Of its own: which of the passwords is right differs between clusters (case B99).
    this.#client = new MetadataClient({ passwords, connectTimeoutMs: timeoutMs, queryTimeoutMs: timeoutMs });
    this.#monitor = new ClusterMonitor({
      clusterName: key,
      rsList: configured.rootServers.map(({ address }) => address),
      ...(configured.rsUrl === '' ? {} : { idcRegions: configured.idcRegions }),
      query: (address, sql) => this.#client.query(address, sql),
      intervalMs: () => config.timeMs('server_state_refresh_interval'),
      onNotice: (text) => log.warn({ cluster: key }, text),
    });
    this.blocklist = new ServedBlocklist(this.topology, {
      config,
      log,
      history,
      passwords,
      traffic: (address) => this.#trafficOf(workers()?.reports() ?? [], address),
      publish: (verdicts) => workers()?.applyVerdicts(key, verdicts),
      closeServerSessions: (address, reason) => workers()?.closeServerSessions(key, address, reason),
      onChanged: options.onBlocklist,
    });
    let before = this.topology;
    this.#monitor.onChange((topology) => {
      options.onClusterChanged(before, topology);
      before = topology;
      this.#zones = new Map(topology.servers.map(({ address, zone }) => [address, zone]));
      if (topology.error !== null) log.warn({ cluster: key, reason: topology.error }, 'cluster refresh failed');
      this.#client.retainOnly(topology.servers.map((server) => server.address));
      workers()?.applyTopology(topology);
      this.blocklist.setTopology(topology);
      options.onTopology();
    });
  }

  get topology() {
    return this.#monitor.topology;
  }

  /** Undefined: the cluster does not list the server. */
  zoneOf(address: string): string | undefined {
    return this.#zones.get(address);
  }

  start(): void {
    this.#monitor.start();
  }

  /** What a worker has to know of it now. */
  startData(): WorkerClusterStart {
    return { topology: this.topology, verdicts: this.blocklist.verdicts() };
  }

  /** The ConfigServer tells of other servers or IDCs. */
  configure(configured: ConfiguredCluster): void {
    this.configured = configured;
    this.#monitor.setRsList(configured.rootServers.map(({ address }) => address));
    if (configured.rsUrl !== '') this.#monitor.setIdcRegions(configured.idcRegions);
  }

  parametersChanged(names: readonly string[]): void {
    this.blocklist.parametersChanged(names);
    if (names.includes('server_state_refresh_interval')) this.#monitor.reschedule();
    this.overridesChanged();
  }

  /** What counts for this cluster alone may have changed. A corrected password shows at once whether it is right (case B99). */
  overridesChanged(): void {
    const passwords = this.#passwords().join();
    if (passwords === this.#passwordsSeen) return;
    this.#passwordsSeen = passwords;
    void this.#monitor.refreshNow();
  }

  /** Looks into what the workers report. @returns client sessions now */
  noteUse(reports: readonly WorkerReport[], nowMs: number): number {
    const own = reports.map(({ clusters }) => clusters[this.key]);
    const sessions = own.reduce((sum, report) => sum + (report?.clientSessions ?? 0), 0);
    const logins = own.reduce((sum, report) => sum + (report?.logins ?? 0), 0);
    if (sessions > 0 || logins !== this.#loginsSeen) this.lastUsedAtMs = nowMs;
    this.#loginsSeen = logins;
    return sessions;
  }

  async close(): Promise<void> {
    this.#monitor.close();
    await this.blocklist.close();
    await this.#client.close();
  }

  #trafficOf(reports: readonly WorkerReport[], address: string) {
    const counters = reports.map(({ clusters }) => clusters[this.key]?.servers[address]);
    return {
      serverSessions: counters.reduce((sum, counter) => sum + (counter?.serverSessions ?? 0), 0),
      requests: counters.reduce((sum, counter) => sum + (counter?.requests ?? 0), 0),
    };
  }
}
