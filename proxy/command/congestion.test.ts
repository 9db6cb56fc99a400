import { describe, expect, it } from 'vitest';
import { Blocklist } from '../congestion/blocklist.ts';
import type { CongestionParameters, ServerStatus } from '../congestion/types.ts';
import type { StoredTransition } from '../history/blocklist-row.ts';
import type { CommandReply } from '../session/internal-commands.ts';
import { COLUMN_TYPE } from '../wire/constants.ts';
import { answerStatement } from './answer.ts';
import { localTime } from './local-time.ts';
import { parseInternalCommand } from './parse.ts';
import type { Caller, CommandServices, CongestionHistoryQuery, CongestionRow } from './services.ts';

const parameters: CongestionParameters = {
  enabled: true,
  failureThreshold: 5,
  failWindowMs: 120_000,
  retryIntervalMs: 20_000,
  minKeepMs: 20_000,
  minConnectTimeoutMs: 100,
  detectFailThreshold: 3,
  detectMode: 1,
};
const wallAtMs = Date.parse('2026-07-01T12:34:56.999Z');
const at = (atMs: number) => ({ atMs, wallAtMs: wallAtMs + atMs });

const status = (address: string, change: Partial<ServerStatus> = {}): ServerStatus => ({
  address,
  zone: 'zone1',
  region: 'SHANGHAI',
  zoneState: 'ACTIVE',
  state: 'ACTIVE',
  reason: 'status ACTIVE',
  ...change,
});

/** A cluster with a server on each list, one free, and one whose zone is being upgraded. */
function exampleCluster(): Blocklist {
  const blocklist = new Blocklist(parameters);
  const servers = [
    status('127.0.0.11:2881'),
    status('127.0.0.12:2881', { zone: 'zone2', state: 'INACTIVE', reason: 'status INACTIVE' }),
    status('127.0.0.13:2881'),
    status('[fd00::1]:2881', { zone: 'zone4', region: 'HANGZHOU', zoneState: 'MERGE' }),
    status('127.0.0.15:2881', { zone: 'zone5', zoneState: 'UPGRADE' }),
  ];
  blocklist.setServers(servers, at(0));
  for (let count = 0; count < 5; count += 1) {
    blocklist.failure({
      address: '127.0.0.11:2881',
      kind: count === 0 ? 'connect-failure' : 'server-error',
      ...at(1_000 + count),
      tookMs: 1,
      errno: count === 0 ? 0 : 4013,
      detail: 'no memory',
      sessionId: 7,
      digest: '',
    });
  }
  for (let count = 0; count < 4; count += 1) {
    blocklist.probe({ address: '127.0.0.13:2881', ok: false, ...at(2_000 + count), tookMs: 5_000, detail: 'silent' });
  }
  return blocklist;
}

const administrator: Caller = {
  identity: 'rootsys',
  sessionId: 1,
  cluster: 'obdemo',
  tenant: 'sys',
  user: 'root',
  host: '127.0.0.1',
  hasSuper: false,
  hasProcess: false,
  sharesIds: false,
};
const ordinary: Caller = { ...administrator, identity: 'ordinary', tenant: 'trade', user: 'app' };

const history: StoredTransition[] = [
  {
    id: 2,
    at: new Date(wallAtMs),
    cluster: 'obdemo',
    address: '127.0.0.11:2881',
    zone: 'zone1',
    list: 'alive',
    change: 'released',
    listedForMs: 20_500,
    evidence: { kind: 'success', sessionId: 7 },
    parameters,
  },
  {
    id: 1,
    at: new Date(wallAtMs),
    cluster: 'obdemo',
    address: '127.0.0.11:2881',
    zone: 'zone1',
    list: 'alive',
    change: 'listed',
    listedForMs: null,
    evidence: {
      kind: 'failures',
      failures: [0, 4013, 4013].map((errno) => ({
        kind: errno === 0 ? 'connect-failure' : 'server-error',
        wallAtMs,
        tookMs: 1,
        errno,
        detail: 'no memory',
        sessionId: 7,
        digest: '',
      })),
    },
    parameters,
  },
];

function services(asked: CongestionHistoryQuery[] = []): CommandServices {
  const rows: CongestionRow[] = [
    ...exampleCluster()
      .rows(at(3_000))
      .map((row) => ({ ...row, clusterName: 'obdemo', clusterVersion: 7 })),
    ...new Blocklist(parameters).rows(at(0)).map((row) => ({ ...row, clusterName: 'empty', clusterVersion: 1 })),
  ];
  const other = new Blocklist(parameters);
  other.setServers([status('127.0.0.21:2881', { state: 'REPLAY' })], at(0));
  rows.push(...other.rows(at(3_000)).map((row) => ({ ...row, clusterName: 'All', clusterVersion: 2 })));
  return {
    answerLimitBytes: 0,
    congestion: () => Promise.resolve(rows),
    congestionHistory: (query: CongestionHistoryQuery) => {
      asked.push(query);
      return Promise.resolve(history);
    },
  } as Partial<CommandServices> as CommandServices;
}

async function answer(statement: string, who = administrator, with_ = services()): Promise<CommandReply | null> {
  return await answerStatement(statement, who, with_);
}

async function tableOf(statement: string, with_ = services()) {
  const reply = await answer(statement, administrator, with_);
  if (reply?.kind !== 'rows') throw new Error(`${statement}: ${JSON.stringify(reply)}`);
  for (const row of reply.rows) expect(row).toHaveLength(reply.columns.length);
  return reply;
}
const serversOf = async (statement: string) => (await tableOf(statement)).rows.map((row) => row[4]);

const listed = ['127.0.0.11:2881', '127.0.0.12:2881', '127.0.0.13:2881', '127.0.0.15:2881'];
const allOfDemo = ['127.0.0.11:2881', '127.0.0.12:2881', '127.0.0.13:2881', '[fd00::1]:2881', '127.0.0.15:2881'];

describe('SHOW PROXYCONGESTION', () => {
  it.each([
    ['B23 listed servers of all clusters', 'show proxycongestion', [...listed, '127.0.0.21:2881']],
    ['B23 with semicolon and comment', '/* on call */ SHOW\n PROXYCONGESTION ;', [...listed, '127.0.0.21:2881']],
    ['B23 every server of all clusters', 'show proxycongestion ALL', [...allOfDemo, '127.0.0.21:2881']],
    ['B23 listed ones of a cluster', "show proxycongestion 'obdemo'", listed],
    ['B23 in double quotes', 'show proxycongestion "obdemo"', listed],
    ['B23 without quotes, as before 1.1.2', 'show proxycongestion obdemo', listed],
    ['B23 in backquotes', 'show proxycongestion `obdemo`', listed],
    ['B23 both', "Show ProxyCongestion All 'obdemo'", allOfDemo],
    ['B23 a cluster that does not exist', "show proxycongestion 'nosuch'", []],
    ['B23 the same with all', "show proxycongestion all 'nosuch'", []],
    ['B23 the case of a name counts', "show proxycongestion 'OBDEMO'", []],
    ['B23 an empty name fits no cluster', "show proxycongestion ''", []],
    ['B23 a cluster called All, in quotes', "show proxycongestion 'All'", ['127.0.0.21:2881']],
    ['B23 and after the option', 'show proxycongestion all All', ['127.0.0.21:2881']],
  ])('%s', async (_, statement, servers) => expect(await serversOf(statement)).toEqual(servers));

  it('B24 has the twenty columns with the types of the reference', async () => {
    const { columns } = await tableOf('show proxycongestion');
    expect(columns.map(({ name }) => name)).toEqual([
      'cluster_name',
      'zone_name',
      'region_name',
      'zone_state',
      'server_ip',
      'cr_version',
      'server_state',
      'alive_congested',
      'last_alive_congested',
      'dead_congested',
      'last_dead_congested',
      'stat_alive_failures',
      'stat_conn_failures',
      'conn_last_fail_time',
      'conn_failure_events',
      'alive_last_fail_time',
      'alive_failure_events',
      'ref_count',
      'detect_congested',
      'last_detect_congested',
    ]);
    const numbers = columns.filter(({ type }) => type === COLUMN_TYPE.LONGLONG).map(({ name }) => name);
    expect(numbers).toEqual([
      'cr_version',
      'alive_congested',
      'dead_congested',
      'stat_alive_failures',
      'stat_conn_failures',
      'conn_failure_events',
      'alive_failure_events',
      'ref_count',
      'detect_congested',
    ]);
  });

  it('B24 prints flags as 0 and 1 and times as local seconds, or 0 for never', async () => {
    const { rows } = await tableOf("show proxycongestion all 'obdemo'");
    const time = localTime;
    const [alive, dead, detected, free, upgrading] = rows;
    expect(alive).toEqual([
      'obdemo',
      'zone1',
      'SHANGHAI',
      'ACTIVE',
      '127.0.0.11:2881',
      '7',
      'ACTIVE',
      '1',
      time(wallAtMs + 1_004),
      '0',
      '0',
      '5',
      '1',
      time(wallAtMs + 1_000),
      '1',
      time(wallAtMs + 1_004),
      '5',
      '2',
      '0',
      '0',
    ]);
    expect(dead?.slice(6, 11)).toEqual(['INACTIVE', '0', '0', '1', time(wallAtMs)]);
    expect([detected?.[6], ...(detected?.slice(18) ?? [])]).toEqual(['DETECT_DEAD', '1', time(wallAtMs + 2_003)]);
    expect(free).toEqual([
      ...['obdemo', 'zone4', 'HANGZHOU', 'MERGE', '[fd00::1]:2881', '7', 'ACTIVE'],
      ...['0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '2', '0', '0'],
    ]);
    // B4: kept away from without being on a list.
    expect([upgrading?.[3], upgrading?.[7], upgrading?.[9], upgrading?.[18]]).toEqual(['UPGRADE', '0', '0', '0']);
  });

  it('prints times in the zone of this machine', () => {
    const pattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
    expect(localTime(wallAtMs)).toMatch(pattern);
    const midnight = new Date(2026, 0, 2, 3, 4, 5).getTime();
    expect(localTime(midnight + 999)).toBe('2026-01-02 03:04:05');
  });

  it.each([
    ['show proxycongestion like "x"', '\'"x"\' found'],
    ['show proxycongestion obdemo all', "'all' found"],
    ['show proxycongestion 5', "'5' found"],
    ['show proxycongestion history limit', 'a number of rows expected'],
  ])('%s is wrong', async (statement, text) => {
    const reply = await answer(statement);
    expect(reply?.kind === 'error' && [reply.error.spec.errno, reply.error.message]).toEqual([
      5010,
      expect.stringContaining(text),
    ]);
  });

  it('B22 is for administrators: others’ goes to the server, which does not know it', async () => {
    for (const statement of [
      'show proxycongestion',
      "show proxycongestion history 'obdemo'",
      'show proxycongestion 5',
    ]) {
      expect(await answer(statement, ordinary)).toBeNull();
      expect(await answer(statement, { ...administrator, identity: 'inspector' })).toMatchObject({ kind: 'error' });
      expect(await answer(statement, { ...administrator, identity: 'proxysys' })).not.toBeNull();
    }
  });
});

describe('SHOW PROXYCONGESTION HISTORY', () => {
  it('tells listings and releases in words, newest first', async () => {
    const { columns, rows } = await tableOf("show proxycongestion history 'obdemo'");
    expect(columns.map(({ name }) => name).join(' ')).toBe(
      'time cluster_name zone_name server_ip list change listed_for reason parameters',
    );
    const inForce =
      'enable_congestion=true, congestion_failure_threshold=5, congestion_fail_window=120s, congestion_retry_interval=20s, ' +
      'min_keep_congestion_interval=20s, min_congested_connect_timeout=100ms, server_detect_fail_threshold=3, server_detect_mode=1';
    const start = [localTime(wallAtMs), 'obdemo', 'zone1', '127.0.0.11:2881', 'alive'];
    expect(rows).toEqual([
      [...start, 'released', '20.5s', 'a request worked there (session 7)', inForce],
      [
        ...start,
        'listed',
        null,
        '3 failures within 120s: 1 × connect-failure, 2 × server-error 4013; the last: no memory',
        inForce,
      ],
    ]);
  });

  it.each<[string, CongestionHistoryQuery]>([
    ['show proxycongestion history', { cluster: null, limit: 1_000 }],
    ['show proxycongestion history limit 5', { cluster: null, limit: 5 }],
    ['SHOW PROXYCONGESTION HISTORY "a" LIMIT 10000;', { cluster: 'a', limit: 10_000 }],
    ["show proxycongestion history 'limit'", { cluster: 'limit', limit: 1_000 }],
  ])('%s asks for that', async (statement, query) => {
    const asked: CongestionHistoryQuery[] = [];
    await tableOf(statement, services(asked));
    expect(asked).toEqual([query]);
  });

  it('refuses too many rows, and takes history in quotes for a cluster', async () => {
    const reply = await answer('show proxycongestion history limit 10001');
    expect(reply?.kind === 'error' && reply.error.message).toContain('LIMIT 10001 is more than 10000');
    expect(parseInternalCommand("show proxycongestion 'history'")).toMatchObject({ all: false, cluster: 'history' });
  });
});
