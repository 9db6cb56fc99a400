/**
 * The coordinator of a generation: owns configuration, history and cluster metadata, starts the workers, and serves the
 * control API. No client's request passes through it.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { ConfigServer } from '../cluster/config-server/config-server.ts';
import { ConfigStore } from '../config/config-store.ts';
import { ConfigView } from '../config/config-view.ts';
import { LeveledConfig } from '../config/leveled-config.ts';
import { Proposals } from '../config/proposals.ts';
import { ScheduledReverts } from '../config/scheduled-reverts.ts';
import { addressText } from '../config/server-address.ts';
import { checkTlsFiles } from '../config/tls-settings.ts';
import { makeControlServer } from '../control/control-server.ts';
import { openHistory } from '../history/history-store.ts';
import type { Logger } from '../log/logger.ts';
import { ConnectionCount } from '../session/connection-count.ts';
import { TenantCounts } from '../session/tenant-counts.ts';
import { BlocklistHandover } from './blocklist-handover.ts';
import { clustersToServe, withOneSource } from './clusters-to-serve.ts';
import { ConfigServerHistory } from './config-server-history.ts';
import { demoDoor } from './demo-door.ts';
import { GenerationDoor } from './generation-door.ts';
import { GenerationOrders } from './generation-orders.ts';
import { countersOf, Reporting } from './generation-report.ts';
import { type ListenAddress, listenAddress } from './listen-address.ts';
import { runLocalCommand } from './local-command.ts';
import { locationSource } from './location-source.ts';
import { resetAllOneShots, resetOneShots } from './one-shot-parameters.ts';
import { makeOverview } from './overview.ts';
import { PeerLink } from './peer-link.ts';
import { watchProposals } from './proposal-clock.ts';
import { ProxyHistory } from './proxy-history.ts';
import { makeRevertScheduler } from './revert-scheduler.ts';
import { routingService } from './routing-service.ts';
import { ServedClusters } from './served-clusters.ts';
import { SessionMoves } from './session-moves.ts';
import { sessionSource } from './session-source.ts';
import type { DemoServers, GenerationReady, GenerationStart, ToGeneration, ToSupervisor } from './supervisor-link.ts';
import { TrafficHistory } from './traffic-history.ts';
import { UpgradeSide, upgradeSettings } from './upgrade-side.ts';
import { workerCalls } from './worker-calls.ts';
import { WorkerPool } from './worker-pool.ts';

/** How often clusters that nobody uses are looked for. */
const UNUSED_LOOK_MS = 5_000;

/** What only the supervisor can give. */
export interface SupervisorServices {
  /**
   * The bound MySQL port: a new descriptor of it with each call. A thread that ends closes its descriptor, so that each
   * needs one of its own.
   */
  listen(
    address: ListenAddress,
    port: number,
  ): Promise<{ readonly fd: number; readonly host: string; readonly port: number }>;
  /** The stand-in cluster, running. */
  demo(kind: 'embedded' | 'kernel'): Promise<DemoServers>;
  tell(message: ToSupervisor): void;
  /** Takes what it tells from now on, and what it has told before. */
  subscribe(listener: (message: ToGeneration) => void): void;
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
  const store = await ConfigStore.open({
    history,
    startOptions: withOneSource(start.parameters),
    log,
    checkOutside: (view, changed) => checkTlsFiles(view, changed, start.home),
  });
  const reverts = await ScheduledReverts.open(history, store);
  const proposals = new Proposals({ history, store, reverts });
  let inCharge = !start.trial;
  const unwatchProposals = watchProposals(proposals, () => inCharge, log);
  const config = new ConfigView(store.texts());
  const levels = new LeveledConfig(config, store.overrideTexts());
  let troubled = (): readonly string[] => [];
  const source = await clustersToServe(start, { config, supervisor, log, troubled: () => troubled() });
  const { directory, configServer, demo, demoUser, hasLab } = source;
  const listen = () => supervisor.listen(listenAddress(config), config.int('listen_port'));
  const { host, port } = await listen();
  const overviewListeners = new Set<() => void>();
  const overviewChanged = (): void => {
    for (const listener of overviewListeners) listener();
  };
  const connectionCount = ConnectionCount.memory(workerCount(config));
  const tenantCounts = TenantCounts.memory(workerCount(config));
  let pool: WorkerPool | null = null;
  const workers = (): WorkerPool => {
    if (pool === null) throw new Error('the workers have not started yet');
    return pool;
  };
  // The lists of another generation that serves are none of this one's business until it takes over.
  if (start.trial) history.blocklist.record(false);
  else await history.blocklist.takeOver([]);
  const events = new ProxyHistory(history.attempts, version, !start.trial);
  const clusters = new ServedClusters({
    directory,
    config,
    levels,
    log,
    history: history.blocklist,
    workers: () => pool,
    onTopology: overviewChanged,
    onClusterChanged: (before, after) => void events.clusterChanged(before, after),
  });
  const traffic = new TrafficHistory(Date.now, (cluster, address) => clusters.zoneOf(cluster, address));
  troubled = () => clusters.troubled();
  let onTurn: (serves: boolean) => void = () => undefined;
  // The one cluster of test mode is served from the start, others when somebody asks for them.
  if (configServer === null) await clusters.open(directory.defaultName(), '');
  if (configServer !== null) {
    const changes = await ConfigServerHistory.open(history, configServer.status.url);
    if (start.trial) changes.pause();
    void changes.look(configServer);
    onTurn = (serves) => {
      if (!serves) return changes.pause();
      changes.resume(configServer).catch((error: unknown) => {
        log.warn({ err: error }, 'what the ConfigServer told meanwhile could not be compared with the history');
      });
    };
    configServer.onChange(() => {
      void changes.look(configServer);
      clusters.configurationChanged();
    });
  }
  const unused = setInterval(() => clusters.dropUnused(Date.now()), UNUSED_LOOK_MS).unref();
  let reporting: Reporting | null = null;
  const upgrades = new UpgradeSide({ tell: supervisor.tell, history: history.log, log });
  const peers = new PeerLink({
    own: start.generation,
    tell: supervisor.tell,
    answers: {
      askWorker: ({ worker, name, argument }) =>
        workers()
          .worker(worker)
          .call(name as never, argument as never),
      // While this starts nobody listens to changes yet; they are taken over before it takes clients.
      configChanged: () => (reporting === null ? null : store.reload()),
      giveLists: (asker) => lists.give(asker),
    },
    warn: (fields, text) => log.warn(fields, text),
  });
  store.onChanged(() => peers.tellChanged());
  const lists = new BlocklistHandover({
    own: start.generation,
    lists: clusters,
    records: history.blocklist,
    ask: () => peers.askLists(),
    phase: () => upgrades.state().phase,
    log,
  });
  const revertScheduler = makeRevertScheduler(reverts, log);
  const moves = new SessionMoves({ home: start.home, generation: start.generation, workers });
  const door = new GenerationDoor({
    trial: start.trial,
    version,
    config,
    workers,
    control: () => control,
    blocklist: history.blocklist,
    lists,
    follow: () => store.reload(),
    reverts: revertScheduler,
    onTurn: (serves) => {
      events.setInCharge(serves);
      inCharge = serves;
      onTurn(serves);
    },
    listen: async () => (await listen()).fd,
  });
  const orders = new GenerationOrders({
    door,
    moves,
    upgrades,
    peers,
    tell: supervisor.tell,
    hurry: () => reporting?.hurry(),
    log,
  });
  supervisor.subscribe((message) => orders.take(message));
  pool = await WorkerPool.start({
    count: workerCount(config),
    log,
    startData: async (index) => {
      // One of that number has died, if there was one.
      ConnectionCount.forget(connectionCount, index);
      TenantCounts.forget(tenantCounts, index);
      return {
        index,
        workerCount: workerCount(config),
        upgradeBit: start.generation % 2 === 0 ? 1 : 0,
        heldIds: await peers.heldIds(start.trial ? upgrades.told : null, pool),
        listenFd: await door.descriptor(),
        proxyVersion: version,
        home: start.home,
        texts: store.texts(),
        overrides: store.overrideTexts(),
        connectionCount,
        tenantCounts,
      };
    },
    clusters: () => clusters.workerStart(),
    calls: workerCalls(store, history.attempts, workers, clusters, clusters, upgrades),
    onDied: (worker, reason) => void events.workerDied(worker, reason),
    onReport: (worker, before, report) => {
      traffic.add(worker, before, report);
      overviewChanged();
    },
    elsewhere: () => peers.workers(),
    onRestarted: (worker, index) => moves.workerStarted(worker, index),
  });
  clusters.workersStarted();
  if (!start.trial) resetAllOneShots(store, log);
  store.onApplied(async (changes) => {
    for (const { name, text } of changes) config.apply(name, text);
    const outcomes = await workers().applyConfig(changes);
    if (configServer !== null)
      parametersChanged(
        configServer,
        config,
        changes.map(({ name }) => name),
      );
    resetOneShots(store, changes, log);
    runLocalCommand(changes, { store, upgrades, tell: supervisor.tell, log });
    clusters.parametersChanged(changes.map(({ name }) => name));
    overviewChanged();
    return outcomes;
  });
  store.onOverridesApplied(async (overrides) => {
    levels.setOverrides(overrides);
    const outcomes = await workers().applyOverrides(overrides);
    clusters.overridesChanged();
    overviewChanged();
    return outcomes;
  });
  const socketPath = join(start.home, 'run', 'control.sock');
  const control = makeControlServer({
    socketPath,
    store,
    reverts,
    proposals,
    history,
    overview: () =>
      makeOverview({
        version,
        startedAt,
        listen: addressText(host, port),
        config,
        clusters: clusters.details(),
        demo,
        hasLab,
        configServer: directory.status,
        reports: workers().reports(),
        rssBytes: process.memoryUsage.rss(),
      }),
    onOverviewChanged: (listener) => {
      overviewListeners.add(listener);
      return () => overviewListeners.delete(listener);
    },
    traffic,
    blocklists: clusters,
    routing: routingService(workers),
    locations: locationSource(workers),
    clientSessions: sessionSource(workers),
    upgrades,
    demo: hasLab
      ? demoDoor({
          socketPath: join(start.home, 'run', 'demo.sock'),
          proxy: { host, port },
          user: `${demoUser}#${directory.defaultName()}`,
        })
      : null,
    log,
  });
  if (start.trial) await door.test();
  else {
    await control.publish();
    revertScheduler.resume();
    void events.started();
  }
  reporting = new Reporting({
    make: async () => ({
      version,
      clientSessions: ConnectionCount.total(connectionCount),
      ...countersOf(workers().reports()),
      ...(await moves.report()),
      rssBytes: process.memoryUsage.rss(),
      settings: upgradeSettings(config),
    }),
    tell: (report) => supervisor.tell({ type: 'report', report }),
    isBusy: () => upgrades.isRunning,
    log,
  });
  const oneTimePassword = await history.users.ensureAdministrator(start.resetAdmin, (writer, action, at) => {
    const actor = { actor: 'start options', source: 'start', origin: '', requestId: `start-${process.pid}` } as const;
    const reason = action === 'user.create' ? 'the first start' : '--reset-admin';
    return history.log.insert(writer, actor, { action, newValue: 'admin', reason }, at);
  });
  return {
    ready: {
      type: 'ready',
      host,
      port,
      controlSocket: socketPath,
      clusterName: directory.defaultName(),
      clusterCount: directory.clusters().length,
      demo,
      demoUser,
      oneTimePassword,
    },
    close: async () => {
      clearInterval(unused);
      reporting?.close();
      await revertScheduler.pause();
      await unwatchProposals();
      await control.close();
      await source.close();
      await clusters.close();
      await workers().close();
      await store.close();
      await history.close();
    },
  };
}

/** What is altered while the proxy runs. */
function parametersChanged(configServer: ConfigServer, config: ConfigView, names: readonly string[]): void {
  if (config.bool('refresh_json_config')) void configServer.refresh(true);
  if (config.bool('refresh_rslist')) void configServer.refreshServerLists();
  if (config.bool('refresh_idc_list')) void configServer.refreshIdcLists();
  if (names.includes('config_server_refresh_interval') || names.includes('idc_list_refresh_interval')) {
    configServer.reschedule();
  }
}

/** One worker per core, less one for everything else; at least one. */
function workerCount(config: ConfigView): number {
  const wanted = config.int('work_thread_num');
  return config.bool('automatic_match_work_thread')
    ? Math.max(1, Math.min(wanted, availableParallelism() - 1))
    : wanted;
}
