/**
 * The coordinator of a generation: owns configuration, history and cluster metadata, starts the workers, and serves the
 * control API. No client's request passes through it.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ClusterMonitor } from '../cluster/cluster-monitor.ts';
import { MetadataClient } from '../cluster/metadata-client.ts';
import { ConfigStore } from '../config/config-store.ts';
import { ConfigView } from '../config/config-view.ts';
import { parseRsList } from '../config/rs-list.ts';
import { startControlServer } from '../control/control-server.ts';
import { OdpError } from '../errors/odp-error.ts';
import { openHistory } from '../history/history-store.ts';
import type { Logger } from '../log/logger.ts';
import type { WorkerReport } from '../worker/calls.ts';
import { ServedBlocklist } from './cluster-blocklist.ts';
import { makeOverview } from './overview.ts';
import type { DemoServers, GenerationReady, GenerationStart } from './supervisor-link.ts';
import { workerCalls } from './worker-calls.ts';
import { WorkerPool } from './worker-pool.ts';

/** What only the supervisor can give. */
export interface SupervisorServices {
  /**
   * The bound MySQL port: a new descriptor of it with each call. A thread that ends closes its descriptor, so that each
   * needs one of its own.
   */
  listen(host: string, port: number): Promise<{ readonly fd: number; readonly host: string; readonly port: number }>;
  /** The stand-in cluster, running. */
  demo(kind: 'embedded' | 'kernel'): Promise<DemoServers>;
}

export interface Coordinator {
  readonly ready: GenerationReady;
  close(): Promise<void>;
}

export async function startCoordinator(
  start: GenerationStart,
  supervisor: SupervisorServices,
  version: string,
  log: Logger,
): Promise<Coordinator> {
  const startedAt = new Date();
  const history = await openHistory(start.home, { log });
  const store = await ConfigStore.open({ history, startOptions: start.parameters, log });
  const config = new ConfigView(store.texts());
  const cluster = await clusterToServe(start, config, supervisor);
  const passwords = () => [config.text('observer_sys_password'), config.text('observer_sys_password1')];
  const client = new MetadataClient({
    passwords,
    connectTimeoutMs: () => config.timeMs('short_async_task_timeout'),
    queryTimeoutMs: () => config.timeMs('short_async_task_timeout'),
  });
  const monitor = new ClusterMonitor({
    clusterName: cluster.name,
    rsList: cluster.rsList,
    query: (address, sql) => client.query(address, sql),
    intervalMs: () => config.timeMs('server_state_refresh_interval'),
    onNotice: (text) => log.warn({ cluster: cluster.name }, text),
  });
  const listen = () => supervisor.listen(config.text('local_bound_ip'), config.int('listen_port'));
  const { host, port } = await listen();
  const overviewListeners = new Set<() => void>();
  const overviewChanged = (): void => {
    for (const listener of overviewListeners) listener();
  };
  const connectionCount = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const rootServers = cluster.rsList.map((server) => server.text);
  let pool: WorkerPool | null = null;
  const workers = (): WorkerPool => {
    if (pool === null) throw new Error('the workers have not started yet');
    return pool;
  };
  await history.blocklist.noteRestart();
  const blocklist = new ServedBlocklist(monitor.topology, {
    config,
    log,
    history: history.blocklist,
    passwords,
    traffic: (address) => trafficOf(pool?.reports() ?? [], address),
    publish: (verdicts) => pool?.applyVerdicts(verdicts),
    closeServerSessions: (address, reason) => pool?.closeServerSessions(address, reason),
  });
  pool = await WorkerPool.start({
    count: workerCount(config),
    log,
    startData: async (index) => ({
      index,
      workerCount: workerCount(config),
      listenFd: (await listen()).fd,
      proxyVersion: version,
      texts: store.texts(),
      clusters: [{ topology: monitor.topology, rootServers, verdicts: blocklist.verdicts() }],
      connectionCount,
    }),
    calls: workerCalls(store, workers, blocklist),
    onReport: overviewChanged,
  });
  monitor.onChange((topology) => {
    if (topology.error !== null) log.warn({ cluster: cluster.name, reason: topology.error }, 'cluster refresh failed');
    client.retainOnly(topology.servers.map((server) => server.address));
    workers().applyTopology(topology);
    blocklist.setTopology(topology);
    overviewChanged();
  });
  monitor.start();
  store.onApplied(async (changes) => {
    for (const { name, text } of changes) config.apply(name, text);
    await workers().applyConfig(changes);
    blocklist.parametersChanged(changes.map(({ name }) => name));
    if (changes.some(({ name }) => name === 'server_state_refresh_interval')) monitor.reschedule();
    // A corrected password shows at once whether it is right (case B99).
    if (changes.some(({ name }) => name.startsWith('observer_sys_password'))) void monitor.refreshNow();
    overviewChanged();
  });
  const socketPath = join(start.home, 'run', 'control.sock');
  const control = await startControlServer({
    socketPath,
    store,
    history,
    overview: () =>
      makeOverview({
        version,
        startedAt,
        listen: `${host}:${port}`,
        config,
        clusters: [{ topology: monitor.topology, demo: cluster.demo }],
        reports: workers().reports(),
        rssBytes: process.memoryUsage.rss(),
      }),
    onOverviewChanged: (listener) => {
      overviewListeners.add(listener);
      return () => overviewListeners.delete(listener);
    },
    blocklists: blocklist,
    log,
  });
  const oneTimePassword = await history.users.ensureAdministrator(start.resetAdmin);
  return {
    ready: {
      type: 'ready',
      host,
      port,
      controlSocket: socketPath,
      clusterName: cluster.name,
      demo: cluster.demo,
      demoUser: cluster.demoUser,
      oneTimePassword,
    },
    close: async () => {
      await control.close();
      monitor.close();
      await blocklist.close();
      await workers().close();
      await client.close();
      await store.close();
      await history.close();
    },
  };
}

/** The configured cluster, or a stand-in when none is configured or one is asked for. */
async function clusterToServe(start: GenerationStart, config: ConfigView, supervisor: SupervisorServices) {
  const rsList = parseRsList(config.text('rootservice_list'));
  const named = start.parameters.find(({ name }) => name.toLowerCase() === 'rootservice_cluster_name');
  if (named !== undefined && rsList.length === 0) {
    const detail = `-c ${named.value} needs -r with addresses of that cluster's servers`;
    throw new OdpError('INVALID_ARGUMENT', { detail });
  }
  if (start.demo !== null || rsList.length === 0) {
    const demo = await supervisor.demo(start.demo ?? 'embedded');
    return {
      name: demo.clusterName,
      rsList: parseRsList(demo.servers.map((server) => server.address).join(';')),
      demo: true,
      demoUser: demo.demoUser,
    };
  }
  const configured = config.text('rootservice_cluster_name');
  // The reference's last resort for a list without a name.
  const name = configured === '' || configured === 'undefined' ? 'obcloud' : configured;
  return { name, rsList, demo: false, demoUser: '' };
}

/** What all workers together have to do with a server now. */
function trafficOf(reports: readonly WorkerReport[], address: string) {
  const counters = reports.map((report) => report.servers[address]);
  return {
    serverSessions: counters.reduce((sum, counter) => sum + (counter?.serverSessions ?? 0), 0),
    requests: counters.reduce((sum, counter) => sum + (counter?.requests ?? 0), 0),
  };
}

/** One worker per core, less one for everything else; at least one. */
function workerCount(config: ConfigView): number {
  const wanted = config.int('work_thread_num');
  return config.bool('automatic_match_work_thread')
    ? Math.max(1, Math.min(wanted, availableParallelism() - 1))
    : wanted;
}
