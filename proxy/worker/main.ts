/** A worker thread: accepts clients on the shared descriptor and holds their sessions. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ClusterTopology } from '../cluster/topology.ts';
import { ConfigView } from '../config/config-view.ts';
import { LeveledConfig } from '../config/leveled-config.ts';
import { pickSessions } from '../control/session-page.ts';
import { OdpError } from '../errors/odp-error.ts';
import { createLogger } from '../log/logger.ts';
import { Deadlines } from '../net/deadlines.ts';
import { socketsInUse } from '../net/handles.ts';
import { acceptOn } from '../net/listener.ts';
import type { ConnectionHandle } from '../net/raw-handles.ts';
import { mergePages } from '../routing/location/location-page.ts';
import { ClientSession } from '../session/client-session.ts';
import { ConnectionCount } from '../session/connection-count.ts';
import { makeRoom } from '../session/connection-limit.ts';
import type { ServerHealth } from '../session/server-health.ts';
import type { SessionCluster, SessionContext } from '../session/session-context.ts';
import { SessionRegistry } from '../session/session-registry.ts';
import { loseServer, serversOf } from '../session/session-servers.ts';
import { TenantCounts } from '../session/tenant-counts.ts';
import { TenantLimit } from '../session/tenant-limit.ts';
import { StatementCache } from '../sql/statement-cache.ts';
import type {
  ClusterReport,
  CoordinatorCalls,
  WorkerCalls,
  WorkerClusterStart,
  WorkerReport,
  WorkerStart,
} from './calls.ts';
import { internalCommands } from './command-services.ts';
import { consoleSession, consoleSessionDetail } from './console-sessions.ts';
import { explainCall, type TenantsOf } from './explain-call.ts';
import { killRunningQuery } from './kill-query.ts';
import { RetiringClusters } from './retiring-clusters.ts';
import { Rpc } from './rpc.ts';
import type { SessionMover } from './session-mover.ts';
import { sessionDetail, sessionSummary } from './session-views.ts';
import { TlsKeeper } from './tls-keeper.ts';
import { watchStages } from './watch-stages.ts';
import { WorkerCluster } from './worker-cluster.ts';

const DEADLINE_TICK_MS = 100;
const REPORT_INTERVAL_MS = 1000;

if (parentPort === null) throw new Error('this module is the body of a worker thread');
const start = workerData as WorkerStart;
const log = createLogger(`worker ${start.index}`);
const config = new ConfigView(start.texts);
const levels = new LeveledConfig(config, start.overrides);
const connectionCount = new ConnectionCount(start.connectionCount, start.index);
const statements = new StatementCache(statementBytes());
const registry = new SessionRegistry(() => ({
  version: config.int('client_session_id_version'),
  proxyId: config.int('proxy_id'),
  worker: start.index,
  workerCount: start.workerCount,
  upgradeBit: start.upgradeBit,
}));
registry.reserve(start.heldIds);
const deadlines = new Deadlines();
const clusters = new Map<string, WorkerCluster>();
/** What sessions find out about servers; a coordinator that cannot take it is about to end. */
const tellCoordinator = (told: Promise<void>): void => {
  told.catch((error: unknown) => log.warn({ err: error }, 'the coordinator could not take a report'));
};
const healthOf = (cluster: string): ServerHealth => ({
  failed: (event) => tellCoordinator(coordinator.call('serverFailed', { cluster, event })),
  retryStarted: (address) => tellCoordinator(coordinator.call('retryStarted', { cluster, address })),
  worked: (address, sessionId) =>
    tellCoordinator(coordinator.call('listedServerWorked', { cluster, address, sessionId })),
});
/** Limits of the process are shared out among its workers, and by each among its clusters. */
const shares = (): number => start.workerCount * Math.max(1, clusters.size);
const addCluster = (cluster: WorkerClusterStart): void => {
  const name = cluster.topology.clusterName;
  clusters.set(name, new WorkerCluster(cluster, levels, log, healthOf(name), shares));
};
for (const cluster of start.clusters) addCluster(cluster);
let { defaultCluster } = start;
/** Requests to clusters that are gone: the worker's own count must not shrink. */
let requestsOfRemoved = 0;
const retiring = new RetiringClusters(registry, () => performance.now());

const tls = new TlsKeeper(config, start.home, log);
await tls.update();
tls.watch();

const tenantsOf: TenantsOf = async (cluster) => {
  try {
    return (await clusters.get(cluster)?.tenantNames()) ?? null;
  } catch (error) {
    log.debug({ cluster, err: error }, 'the tenants could not be asked for');
    return null;
  }
};

const handlers: WorkerCalls = {
  stopAccepting: () => {
    listener?.close();
    listener = null;
  },
  acceptAgain: async ({ listenFd }) => {
    accept(listenFd);
    (await mover()).stay();
  },
  receiveSessions: ({ path }) => coordinator.call('listenForSessions', { path }),
  takeChannel: async ({ fd }) => (await mover()).take(fd),
  handOver: async ({ paths }) => (await mover()).handOver(paths),
  stopHandOver: async () => (await mover()).stop(),
  handOverState: async () => (await mover()).state(),
  closeRest: async ({ reason, withinMs }) => (await mover()).closeRest(reason, withinMs),
  applyConfig: async (changes) => {
    for (const { name, text } of changes) config.apply(name, text);
    statementParametersChanged(changes.map(({ name }) => name));
    for (const cluster of clusters.values()) cluster.parametersChanged(changes.map(({ name }) => name));
    await tls.update();
  },
  addCluster,
  removeCluster: ({ cluster: name, reason }) => {
    const cluster = clusters.get(name);
    if (cluster === undefined) return;
    clusters.delete(name);
    requestsOfRemoved += requestsOf(cluster);
    retiring.add(cluster, reason);
  },
  applyDefaultCluster: (name) => {
    defaultCluster = name;
  },
  applyOverrides: (overrides) => {
    levels.setOverrides(overrides);
    for (const session of registry) session.refreshConfig();
  },
  applyTopology: (topology: ClusterTopology) => clusters.get(topology.clusterName)?.setTopology(topology),
  applyVerdicts: ({ cluster, verdicts }) => clusters.get(cluster)?.setVerdicts(verdicts),
  closeServerSessions: ({ cluster, address, reason }) => {
    for (const session of registry) {
      // Of a session that is still logging in it is not told which cluster it asks for.
      if (session.cluster === null || session.cluster.name === cluster) loseServer(session, address, reason);
    }
  },
  sessions: () => [...registry].map(sessionSummary),
  session: (id) => {
    const session = registry.find(id);
    return session?.loggedIn ? sessionDetail(session) : null;
  },
  variableFlags: async (sessionId) => {
    const cluster = registry.find(sessionId)?.cluster;
    return (await [...clusters.values()].find((candidate) => candidate === cluster)?.variableFlags()) ?? null;
  },
  staleReplicas: (sessionId) => {
    const session = registry.find(sessionId);
    const known = session?.cluster?.staleReplicas.list() ?? [];
    return known.filter(({ tenant }) => tenant === session?.tenant);
  },
  holdsSession: (id) => registry.find(id) !== undefined,
  sessionIds: () => [...registry].map(({ id }) => id),
  sessionAtServer: ({ connectionId, cluster }) => {
    for (const session of loggedIn()) {
      if (cluster !== null && session.clusterName !== cluster) continue;
      if ([...serversOf(session)].some((server) => server.connectionId === connectionId)) return session.id;
    }
    return null;
  },
  killSession: (id) => {
    const session = registry.find(id);
    session?.closeWith('KILL');
    return session !== undefined;
  },
  killServerSession: ({ id, serverSessionId }) => {
    const session = registry.find(id);
    const servers = session === undefined ? [] : [...serversOf(session)];
    const server = servers.find((candidate) => candidate.id === serverSessionId);
    server?.kill();
    return server !== undefined;
  },
  sessionKeys: (pick) => pickSessions(loggedIn(), pick, performance.now()),
  consoleSessions: ({ ids, withLiterals }) =>
    ids.flatMap((id) => {
      const session = registry.find(id);
      return session?.loggedIn ? consoleSession(session, withLiterals) : [];
    }),
  consoleSession: ({ id, withLiterals }) => {
    const session = registry.find(id);
    return session?.loggedIn ? consoleSessionDetail(session, withLiterals) : null;
  },
  killQuery: (id) => killRunningQuery(registry.find(id), context),
  locations: ({ filter, limit }) =>
    [...clusters.values()].flatMap((cluster) => cluster.locations(filter, limit)).slice(0, limit),
  routines: ({ like, limit }) =>
    [...clusters.values()].flatMap((cluster) => cluster.routines(like, limit)).slice(0, limit),
  locationPage: (query) =>
    mergePages(
      [...clusters.values()].map((cluster) => cluster.locationPage(query)),
      query.limit,
    ),
  refreshLocation: async (key) => (await clusters.get(key.cluster)?.refreshLocation(key)) ?? null,
  explainRoute: (call) => explainCall(call, context, tenantsOf),
  tenants: () => Promise.all([...clusters.keys()].map(async (name) => [name, await tenantsOf(name)] as const)),
};
const coordinator = new Rpc<CoordinatorCalls, WorkerCalls>(parentPort, handlers);

const context: SessionContext = {
  config,
  levels,
  log,
  deadlines,
  registry,
  statements,
  commands: internalCommands({ proxyVersion: start.proxyVersion, config, registry, coordinator }),
  tls,
  proxyVersion: start.proxyVersion,
  random: Math.random,
  findCluster,
  defaultCluster: () => defaultCluster,
  countConnection: (change) => connectionCount.add(change),
  tenantLimit: new TenantLimit(levels, new TenantCounts(start.tenantCounts, start.index)),
  serverCapabilities: 0,
  taker: null,
};

function* loggedIn(): Generator<ClientSession> {
  for (const session of registry) if (session.loggedIn) yield session;
}

function findCluster(name: string, id: string): SessionCluster | Promise<SessionCluster> {
  const known = clusters.get(id === '' ? name : `${name}:${id}`);
  if (known === undefined) return openCluster(name, id);
  known.logins++;
  return known;
}

async function openCluster(name: string, id: string): Promise<SessionCluster> {
  const cluster = clusters.get(await coordinator.call('openCluster', { name, id }));
  // It has left again, in the moment in which the answer came.
  if (cluster === undefined) throw new OdpError('CLUSTER_NOT_EXIST', { cluster: name });
  cluster.logins++;
  return cluster;
}

function requestsOf(cluster: WorkerCluster): number {
  return Object.values(cluster.report()).reduce((sum, counter) => sum + counter.requests, 0);
}

/** This worker's share. */
function statementBytes(): number {
  return config.bytes('sql_table_cache_mem_limited') / start.workerCount;
}

function statementParametersChanged(names: readonly string[]): void {
  if (names.includes('sql_table_cache_mem_limited')) statements.limit(statementBytes());
  const relativeMs = config.int('sql_table_cache_expire_relative_time');
  // It counts once: the coordinator sets it back to 0.
  if (names.includes('sql_table_cache_expire_relative_time') && relativeMs !== 0) {
    statements.forgetBefore(performance.now() + Math.min(0, relativeMs));
  }
}

function report(): WorkerReport {
  const loggedIn = [...registry].filter((session) => session.loggedIn);
  const reports = [...clusters].map(([name, cluster]): [string, ClusterReport] => {
    const clientSessions = loggedIn.filter((session) => session.cluster === cluster).length;
    return [name, { clientSessions, logins: cluster.logins, servers: cluster.report() }];
  });
  const counters = reports.flatMap(([, { servers }]) => Object.values(servers));
  return {
    clientSessions: loggedIn.length,
    serverSessions: counters.reduce((sum, counter) => sum + counter.serverSessions, 0),
    requests: counters.reduce((sum, counter) => sum + counter.requests, requestsOfRemoved),
    errors: registry.failedRequests,
    clusters: Object.fromEntries(reports),
    locations: Object.fromEntries([...clusters].map(([name, cluster]) => [name, cluster.locationCounters()])),
  };
}

let lastReport = '';
setInterval(() => {
  retiring.sweep();
  makeRoom(context);
  const current = report();
  const text = JSON.stringify(current);
  if (text === lastReport) return;
  lastReport = text;
  void coordinator.call('report', current);
}, REPORT_INTERVAL_MS).unref();

let sessionMover: Promise<SessionMover> | null = null;

/** Read in only when it comes to an upgrade. */
function mover(): Promise<SessionMover> {
  sessionMover ??= import('./session-mover.ts').then((module) => new module.SessionMover(context));
  return sessionMover;
}

let listener: { close(): void } | null = null;

const stages = watchStages(process.env.ODP_STAGES, log);
const newSession = (handle: ConnectionHandle): ClientSession => new ClientSession(handle, context);
const takeIn = stages === null ? newSession : stages.timed('accept', newSession);

/** Accepts clients on a bound descriptor in place of the one before. */
function accept(listenFd: number): void {
  listener?.close();
  listener = acceptOn(
    listenFd,
    (handle) => {
      try {
        takeIn(handle);
      } catch (error) {
        log.error({ err: error }, 'a fault of the proxy keeps a client out');
        handle.close();
      }
    },
    (reason) => log.warn({ reason }, 'a client could not be accepted'),
  );
}

log.info({ sockets: socketsInUse }, 'how connections are had');
deadlines.start(DEADLINE_TICK_MS);
if (start.listenFd !== null) accept(start.listenFd);
void coordinator.call('started', null);
