/** A worker thread: accepts clients on the shared descriptor and holds their sessions. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ClusterTopology } from '../cluster/topology.ts';
import { ConfigView } from '../config/config-view.ts';
import { createLogger } from '../log/logger.ts';
import { Deadlines } from '../net/deadlines.ts';
import { acceptOn } from '../net/listener.ts';
import { ClientSession } from '../session/client-session.ts';
import type { ServerHealth } from '../session/server-health.ts';
import type { SessionContext } from '../session/session-context.ts';
import { SessionRegistry } from '../session/session-registry.ts';
import { StatementCache } from '../sql/statement-cache.ts';
import type { CoordinatorCalls, WorkerCalls, WorkerReport, WorkerStart } from './calls.ts';
import { internalCommands } from './command-services.ts';
import { explainCall } from './explain-call.ts';
import { killRunningQuery } from './kill-query.ts';
import { Rpc } from './rpc.ts';
import { sessionDetail, sessionSummary } from './session-views.ts';
import { WorkerCluster } from './worker-cluster.ts';

const DEADLINE_TICK_MS = 100;
const REPORT_INTERVAL_MS = 1000;

if (parentPort === null) throw new Error('this module is the body of a worker thread');
const start = workerData as WorkerStart;
const log = createLogger(`worker ${start.index}`);
const config = new ConfigView(start.texts);
const connectionCount = new Int32Array(start.connectionCount);
const registry = new SessionRegistry(start.index);
const deadlines = new Deadlines();
const clusters = new Map<string, WorkerCluster>();
/** What sessions find out about servers; a coordinator that cannot take it is about to end. */
const tellCoordinator = (told: Promise<void>): void => {
  told.catch((error: unknown) => log.warn({ err: error }, 'the coordinator could not take a report'));
};
const health: ServerHealth = {
  failed: (event) => tellCoordinator(coordinator.call('serverFailed', event)),
  retryStarted: (address) => tellCoordinator(coordinator.call('retryStarted', address)),
  worked: (address, sessionId) => tellCoordinator(coordinator.call('listedServerWorked', { address, sessionId })),
};
for (const cluster of start.clusters) {
  clusters.set(cluster.topology.clusterName, new WorkerCluster(cluster, config, log, health, start.workerCount));
}

const handlers: WorkerCalls = {
  applyConfig: (changes) => {
    for (const { name, text } of changes) config.apply(name, text);
    for (const cluster of clusters.values()) cluster.parametersChanged(changes.map(({ name }) => name));
  },
  applyTopology: (topology: ClusterTopology) => clusters.get(topology.clusterName)?.setTopology(topology),
  applyVerdicts: (verdicts) => {
    for (const cluster of clusters.values()) cluster.setVerdicts(verdicts);
  },
  closeServerSessions: ({ address, reason }) => {
    for (const session of registry) session.loseServer(address, reason);
  },
  sessions: () => [...registry].filter((session) => session.loggedIn).map(sessionSummary),
  session: (id) => {
    const session = registry.find(id);
    return session?.loggedIn ? sessionDetail(session, config.text('proxy_idc_name')) : null;
  },
  killSession: (id) => {
    const session = registry.find(id);
    session?.close();
    return session !== undefined;
  },
  killServerSession: ({ id, serverSessionId }) => {
    const session = registry.find(id);
    const server = session?.servers.all().find((candidate) => candidate.id === serverSessionId);
    server?.kill();
    return server !== undefined;
  },
  killQuery: (id) => killRunningQuery(registry.find(id), context),
  explainRoute: (call) => explainCall(call, context),
  locations: ({ filter, limit }) =>
    [...clusters.values()].flatMap((cluster) => cluster.locations(filter, limit)).slice(0, limit),
  refreshLocation: async (key) => (await clusters.get(key.cluster)?.refreshLocation(key)) ?? null,
};
const coordinator = new Rpc<CoordinatorCalls, WorkerCalls>(parentPort, handlers);

const context: SessionContext = {
  config,
  log,
  deadlines,
  registry,
  statements: new StatementCache(),
  commands: internalCommands({ proxyVersion: start.proxyVersion, config, clusters, registry, coordinator }),
  proxyVersion: start.proxyVersion,
  random: Math.random,
  findCluster: (name) => clusters.get(name) ?? null,
  // With one cluster there is no doubt which one a name without cluster means.
  defaultCluster: () => {
    const configured = config.text('rootservice_cluster_name');
    if (clusters.has(configured)) return configured;
    return clusters.size === 1 ? ([...clusters.keys()][0] ?? '') : '';
  },
  countConnection: (change) => Atomics.add(connectionCount, 0, change) + change,
  serverCapabilities: 0,
};

function report(): WorkerReport {
  const servers = Object.assign(
    {},
    ...[...clusters.values()].map((cluster) => cluster.report()),
  ) as WorkerReport['servers'];
  const counters = Object.values(servers);
  return {
    clientSessions: [...registry].filter((session) => session.loggedIn).length,
    serverSessions: counters.reduce((sum, counter) => sum + counter.serverSessions, 0),
    requests: counters.reduce((sum, counter) => sum + counter.requests, 0),
    servers,
    locations: Object.fromEntries([...clusters].map(([name, cluster]) => [name, cluster.locationCounters()])),
  };
}

let lastReport = '';
setInterval(() => {
  const current = report();
  const text = JSON.stringify(current);
  if (text === lastReport) return;
  lastReport = text;
  void coordinator.call('report', current);
}, REPORT_INTERVAL_MS).unref();

deadlines.start(DEADLINE_TICK_MS);
acceptOn(
  start.listenFd,
  (handle) => {
    try {
      new ClientSession(handle, context);
    } catch (error) {
      log.error({ err: error }, 'a fault of the proxy keeps a client out');
      handle.close();
    }
  },
  (reason) => log.warn({ reason }, 'a client could not be accepted'),
);
void coordinator.call('started', null);
