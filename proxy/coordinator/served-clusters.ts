/**
 * The clusters that are served: those that clients have asked for among the configured ones. Each is watched from its
 * first log-in on, until it leaves the configuration or nobody has used it for long.
 */
import type { ClusterDirectory } from '../cluster/cluster-directory.ts';
import type { ClusterDetail, CongestionRow } from '../command/services.ts';
import type { FailureEvent, Instant } from '../congestion/types.ts';
import type { BlocklistService, ReleaseCall } from '../control/blocklist-service.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { BlocklistLog } from '../history/blocklist-log.ts';
import type { NewTransition } from '../history/blocklist-row.ts';
import type { WorkerStart } from '../worker/calls.ts';
import type { HandedCluster } from './blocklist-handover.ts';
import { instantNow } from './cluster-blocklist.ts';
import { clustersToDrop } from './clusters-to-drop.ts';
import { ServedCluster, type ServedClusterOptions } from './served-cluster.ts';
import type { ClusterSource, CongestionSource } from './worker-calls.ts';

export interface ServedClustersOptions extends Omit<ServedClusterOptions, 'onBlocklist'> {
  readonly directory: ClusterDirectory;
}

export class ServedClusters implements BlocklistService, CongestionSource, ClusterSource {
  readonly history: BlocklistLog;
  readonly #options: ServedClustersOptions;
  readonly #served = new Map<string, ServedCluster>();
  readonly #listeners = new Set<() => void>();
  #defaultName: string;
  #closed = false;

  constructor(options: ServedClustersOptions) {
    this.#options = options;
    this.history = options.history;
    this.#defaultName = options.directory.defaultName();
  }

  // ---- coming and going ------------------------------------------------------------------------------------------

  async open(name: string, id: string): Promise<string> {
    const { directory, workers, log, onTopology } = this.#options;
    const configured = await directory.ready(name, id);
    const { key } = configured;
    if (this.#served.has(key) || this.#closed) return key;
    const cluster = new ServedCluster(configured, { ...this.#options, onBlocklist: () => this.#changed() });
    this.#served.set(key, cluster);
    workers()?.addCluster(cluster.startData());
    cluster.start();
    log.info({ cluster: key, servers: configured.rootServers.map(({ address }) => address.text) }, 'cluster is served');
    this.dropUnused(Date.now());
    onTopology();
    this.#changed();
    return key;
  }

  /** The configuration has changed: clusters that have left it are served no more, the others are told. */
  configurationChanged(): void {
    const { directory, workers, onTopology } = this.#options;
    const configured = new Map(directory.clusters().map((cluster) => [cluster.key, cluster]));
    for (const cluster of [...this.#served.values()]) {
      const now = configured.get(cluster.key);
      const before = cluster.configured;
      if (now === undefined) {
        this.#drop(cluster, `cluster '${cluster.key}' has left the ConfigServer's list`);
      } else if (now.id !== before.id && before.id !== 0) {
        this.#drop(
          cluster,
          `the primary of cluster '${cluster.key}' was ${before.id} and is ${now.id} now; log in again`,
        );
      } else if (now !== before) cluster.configure(now);
    }
    const defaultName = directory.defaultName();
    if (defaultName !== this.#defaultName) {
      this.#defaultName = defaultName;
      workers()?.applyDefaultCluster(defaultName);
    }
    onTopology();
  }

  /** Clusters that nobody uses are given up: beyond `cluster_count_high_water_mark`, and after `cluster_expire_time`. */
  dropUnused(nowMs: number): void {
    const { config, directory, workers } = this.#options;
    // The one cluster of test mode stays.
    if (directory.clusters().every(({ rsUrl }) => rsUrl === '')) return;
    const reports = workers()?.reports() ?? [];
    const use = [...this.#served.values()].map((cluster) => ({
      key: cluster.key,
      clientSessions: cluster.noteUse(reports, nowMs),
      lastUsedAtMs: cluster.lastUsedAtMs,
    }));
    const limits = {
      highWaterMark: config.int('cluster_count_high_water_mark'),
      expireMs: config.timeMs('cluster_expire_time'),
    };
    for (const key of clustersToDrop(use, limits, nowMs)) {
      const cluster = this.#served.get(key);
      if (cluster !== undefined) this.#drop(cluster, `cluster '${key}' has not been used for long`);
    }
  }

  delete(key: string): void {
    const cluster = this.#served.get(key);
    if (cluster === undefined) throw new OdpError('CLUSTER_NOT_EXIST', { cluster: key });
    this.#drop(cluster, `ALTER PROXYRESOURCE DELETE '${key}'`);
  }

  parametersChanged(names: readonly string[]): void {
    for (const cluster of this.#served.values()) cluster.parametersChanged(names);
  }

  overridesChanged(): void {
    for (const cluster of this.#served.values()) cluster.overridesChanged();
  }

  /** For a worker that starts. */
  workerStart(): Pick<WorkerStart, 'clusters' | 'defaultCluster'> {
    return {
      clusters: [...this.#served.values()].map((cluster) => cluster.startData()),
      defaultCluster: this.#defaultName,
    };
  }

  /** The workers have started: what was learnt of the clusters meanwhile nobody could be told. */
  workersStarted(): void {
    const workers = this.#options.workers();
    for (const cluster of this.#served.values()) {
      workers?.applyTopology(cluster.topology);
      workers?.applyVerdicts(cluster.key, cluster.blocklist.verdicts());
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    await Promise.all([...this.#served.values()].map((cluster) => cluster.close()));
  }

  #drop(cluster: ServedCluster, reason: string): void {
    const { log, workers, onTopology } = this.#options;
    this.#served.delete(cluster.key);
    log.info({ cluster: cluster.key, reason }, 'cluster is served no more');
    workers()?.removeCluster(cluster.key, reason);
    cluster.blocklist.forgetServers();
    cluster.close().catch((error: unknown) => log.warn({ cluster: cluster.key, err: error }, 'a cluster did not end'));
    onTopology();
    this.#changed();
  }

  // ---- what is told of all clusters ------------------------------------------------------------------------------

  configServer() {
    return this.#options.directory.status;
  }

  /** Names of the clusters of which no server answers: their lists may be old. */
  troubled(): readonly string[] {
    return [...this.#served.values()]
      .filter(({ topology }) => topology.error !== null)
      .map(({ configured }) => configured.name);
  }

  /** Empty: the server's zone is not known. */
  zoneOf(cluster: string, address: string): string {
    return this.#served.get(cluster)?.zoneOf(address) ?? '';
  }

  details(): readonly ClusterDetail[] {
    return this.#options.directory.clusters().map((configured) => {
      const served = this.#served.get(configured.key) ?? null;
      return {
        configured,
        topology: served?.topology ?? null,
        servedSinceMs: served?.servedSinceMs ?? null,
        lastUsedAtMs: served?.lastUsedAtMs ?? null,
      };
    });
  }

  // ---- blocklists ------------------------------------------------------------------------------------------------

  clusters() {
    return [...this.#served.values()].map((cluster) => cluster.blocklist);
  }

  now(): Instant {
    return instantNow();
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  release(call: ReleaseCall) {
    return this.#served.get(call.cluster)?.blocklist.release(call) ?? [];
  }

  rows(): readonly CongestionRow[] {
    return [...this.#served.values()].flatMap((cluster) => cluster.blocklist.rows());
  }

  failure(cluster: string, event: FailureEvent): void {
    this.#served.get(cluster)?.blocklist.failure(event);
  }

  retryStarted(cluster: string, address: string): void {
    this.#served.get(cluster)?.blocklist.retryStarted(address);
  }

  succeeded(cluster: string, address: string, sessionId: number): void {
    this.#served.get(cluster)?.blocklist.succeeded(address, sessionId);
  }

  // ---- from generation to generation -----------------------------------------------------------------------------

  handOut(): HandedCluster[] {
    return [...this.#served.values()].map(({ blocklist, configured: { key, name, id } }) => ({
      name,
      id: key === name ? '' : String(id),
      servers: blocklist.kept(),
    }));
  }

  /** One that cannot be served is left out, and the log says why. */
  async openAll(clusters: readonly HandedCluster[]): Promise<void> {
    const open = ({ name, id }: HandedCluster): Promise<unknown> =>
      this.open(name, id).catch((error: unknown) =>
        this.#options.log.warn({ cluster: name, err: error }, 'its blocklists are not taken over'),
      );
    await Promise.all(clusters.map(open));
  }

  goOn(clusters: readonly HandedCluster[]): void {
    for (const { name, id, servers } of clusters) {
      const key = this.#options.directory.find(name, id)?.key ?? '';
      this.#served.get(key)?.blocklist.goOn(servers);
    }
  }

  listed(): NewTransition[] {
    return [...this.#served.values()].flatMap(({ blocklist }) => blocklist.listed());
  }

  look(): void {
    for (const { blocklist } of this.#served.values()) blocklist.look();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
