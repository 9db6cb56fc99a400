/** Callers, sessions and a proxy around them for tests of the proxy's own commands. */
import { expect } from 'vitest';
import type { ConfiguredCluster } from '../../cluster/cluster-directory.ts';
import type { ClusterTopology } from '../../cluster/topology.ts';
import { parseRsList } from '../../config/rs-list.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { SessionCounters } from '../../session/session-counters.ts';
import { Bench } from '../../upgrade/testing-bench.ts';
import { viewOf } from '../../upgrade/view.ts';
import { answerStatement } from '../answer.ts';
import type { Caller, CommandServices, SessionDetail } from '../services.ts';

/** `root@proxysys`, in session 1. */
export const caller: Caller = {
  identity: 'proxysys',
  sessionId: 1,
  cluster: 'obdemo',
  tenant: 'proxysys',
  user: 'root',
  host: '127.0.0.1',
  hasSuper: false,
  hasProcess: false,
  sharesIds: false,
};
/** A user of the tenant `trade`, in session 2. */
export const ordinary: Caller = { ...caller, identity: 'ordinary', sessionId: 2, tenant: 'trade', user: 'app' };
/** `root@sys` of the cluster, in session 5. */
export const rootsys: Caller = { ...caller, identity: 'rootsys', sessionId: 5, tenant: 'sys' };

/** Of the variables of such a session. */
export const versions = { hotSystemVariables: 1, systemVariables: 2, userVariables: 3, lastInsertId: 4, database: 5 };

/** A session of `app` in the tenant `trade`. */
export function session(id: number, change: Partial<SessionDetail> = {}): SessionDetail {
  return {
    id,
    proxySessionId: `1383506026309084775${id}`,
    cluster: 'obdemo',
    tenant: 'trade',
    user: 'app',
    clientHost: '10.0.0.1',
    clientPort: 4000 + id,
    database: 'db1',
    transactionCount: 7,
    serverSessionCount: 1,
    state: 'MCS_ACTIVE_READER',
    threadId: 1,
    processId: 99,
    usesTls: false,
    idcName: 'idc1',
    usedAtMs: 1_764_000_000_000.25,
    counters: { ...new SessionCounters(), transactions: 7, queries: 9 },
    versions,
    serverSessions: [],
    variables: [],
    ...change,
  };
}

/** Two zones in two regions. */
export const topology: ClusterTopology = {
  clusterName: 'obdemo',
  revision: 1,
  source: 'views',
  zones: [
    { name: 'zone1', region: 'SHANGHAI', idc: 'idc1', type: 'ReadWrite', state: 'ACTIVE' },
    { name: 'zone4', region: 'HANGZHOU', idc: 'idc3', type: 'ReadWrite', state: 'ACTIVE' },
  ],
  servers: [],
  refreshedAtMs: 0,
  error: null,
};

/** The cluster as a ConfigServer tells it. */
export const configured: ConfiguredCluster = {
  key: 'obdemo',
  name: 'obdemo',
  id: 7,
  rootServers: parseRsList('127.0.0.11:2881;127.0.0.12:2881').map((address) => ({
    address,
    role: 'LEADER',
    replicaType: 'FULL',
  })),
  idcRegions: [{ idc: 'idc9', region: 'HANGZHOU' }],
  rsUrl: 'http://cs/rs',
  idcUrl: 'http://cs/idc',
  listedAtMs: 0,
  idcsAtMs: null,
  listFetches: 3,
  idcFetches: 1,
  error: null,
};

/** A proxy of one cluster and five sessions. `calls` notes what it was told to do. */
export function services(
  change: Partial<CommandServices> = {},
): CommandServices & { calls: string[]; notedKills: string[][] } {
  const calls: string[] = [];
  const notedKills: string[][] = [];
  const sessions = [
    session(2),
    session(1, { tenant: 'proxysys', user: 'root', database: null, clientHost: '::1', proxySessionId: '0' }),
    session(3, { user: 'other' }),
    session(4, { tenant: 'shop' }),
    session(6, { cluster: 'elsewhere' }),
  ];
  const note = (what: string) => {
    calls.push(what);
    return Promise.resolve(true);
  };
  return {
    calls,
    notedKills,
    proxyVersion: '0.1.0',
    sockets: 'raw handles',
    mysqlVersion: '5.7.25',
    idcName: 'idc1',
    answerLimitBytes: 16 * 1024 * 1024,
    acceptsSessions: true,
    build: () => Promise.resolve({ md5: 'ab'.repeat(16), revision: 'c0ffee', builtAt: '2026-01-02T03:04:05.000Z' }),
    upgrade: () => Promise.resolve(viewOf(Bench.moving().state, { nowMs: 0, wallMs: 0 })),
    parameters: () => Promise.resolve([]),
    routines: () => Promise.resolve([]),
    configRows: () => Promise.resolve([]),
    tableRows: () => Promise.resolve([]),
    changeTable: async (change) => {
      await note(change.kind);
      return 2;
    },
    alterParameter: async (name, value) => void (await note(`${name}=${value}`)),
    sessions: () => Promise.resolve(sessions),
    session: (id) => Promise.resolve(sessions.find((one) => one.id === id) ?? null),
    sessionAtServer: async (connectionId, cluster) =>
      connectionId === 0xc004_006c && (cluster === null || cluster === 'obdemo') ? 2 : null,
    killSession: (id) => note(`kill ${id}`),
    killServerSession: (id, serverSessionId) =>
      serverSessionId === 9 ? note(`kill ${id} ${serverSessionId}`) : Promise.resolve(false),
    killQuery: (id) => note(`kill query ${id}`),
    noteKill: async ({ what, scope, failure }) => void notedKills.push([what, scope, failure]),
    explainRoute: () => Promise.resolve(null),
    variableFlags: async () =>
      new Map([
        ['autocommit', 131],
        ['wait_timeout', 3],
      ]),
    staleReplicas: async () => [
      {
        address: '10.0.0.1:2881',
        tenant: 't',
        tableId: '500001',
        tabletId: '200001',
        atMs: 0,
        wallAtMs: 1_764_000_000_000,
      },
      { address: '10.0.0.2:2881', tenant: 't', tableId: '500001', tabletId: '0', atMs: 0, wallAtMs: 1_764_000_000_000 },
    ],
    clusters: () => Promise.resolve([{ configured, topology, servedSinceMs: 1, lastUsedAtMs: 2 }]),
    configServer: () => Promise.resolve(null),
    deleteCluster: async (key) => void (await note(`delete ${key}`)),
    congestion: () => Promise.resolve([]),
    locations: () => Promise.resolve([]),
    congestionHistory: () => Promise.resolve([]),
    ...change,
  };
}

/** The answer to a statement of `caller`; fails where it would go to a server. */
export async function answer(statement: string, who: Caller = caller, with_: CommandServices = services()) {
  const reply = answerStatement(statement, who, with_);
  if (reply === null) throw new Error(`${statement} was not answered`);
  return reply;
}

/** The same, and it has to be rows: columns by name, every row of their number. */
export async function rowsOf(statement: string, who: Caller = caller, with_: CommandServices = services()) {
  const reply = await answer(statement, who, with_);
  if (reply.kind !== 'rows')
    throw new Error(`${statement}: ${reply.kind === 'error' ? reply.error.message : reply.kind}`);
  for (const row of reply.rows) expect(row).toHaveLength(reply.columns.length);
  return { columns: reply.columns.map(({ name }) => name), rows: reply.rows };
}

/** Error number of an answer; its kind when it is no error. */
export const errnoOf = (reply: CommandReply) => (reply.kind === 'error' ? reply.error.spec.errno : reply.kind);
