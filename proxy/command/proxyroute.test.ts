import { describe, expect, it } from 'vitest';
import type { LocationFilter, LocationView } from '../routing/location/location-view.ts';
import type { RoutineView } from '../routing/location/routine-view.ts';
import { COLUMN_TYPE } from '../wire/constants.ts';
import { answerStatement } from './answer.ts';
import { localTime } from './local-time.ts';
import type { Caller, CommandServices } from './services.ts';

const caller = { identity: 'proxysys', user: 'root', tenant: 'proxysys' } as Caller;
const at = Date.parse('2026-07-01T12:34:56.999Z');
const BEGINNING = localTime(0);

const table: LocationView = {
  cluster: 'obdemo',
  tenant: 'trade',
  database: 'shop',
  table: 'orders',
  tabletId: '0',
  kind: 'table',
  partitionName: null,
  state: 'AVAIL',
  missing: null,
  tableId: '500010',
  schemaVersion: '17',
  clusterVersion: 3,
  partitionCount: 1,
  levels: [],
  replicas: [
    { address: '127.0.0.11:2881', role: 'leader' },
    { address: '[fd00::1]:2881', role: 'follower', isReadOnly: true },
  ],
  createdAtMs: at,
  updatedAtMs: at + 1_000,
  validAtMs: null,
  accessedAtMs: at + 2_000,
  expiresAtMs: at + 3_000,
  doubtedBeforeMs: null,
  hits: 9,
  misses: 1,
  workers: 2,
};
const partitioned: LocationView = {
  ...table,
  table: 'spread',
  partitionCount: 8,
  levels: [
    { kind: 'range', columns: ['a'], partitions: 4 },
    { kind: 'hash', columns: ['b'], partitions: 2 },
  ],
};
const partition: LocationView = { ...table, kind: 'partition', tabletId: '200001', state: 'DIRTY' };

function answer(statement: string, views: readonly LocationView[], who = caller) {
  const asked: { filter: LocationFilter; limit: number }[] = [];
  const services: Partial<CommandServices> = {
    answerLimitBytes: 16 * 1024 * 1024,
    locations: (filter, limit) => {
      asked.push({ filter, limit });
      return Promise.resolve(views.filter(({ kind }) => filter.kinds.includes(kind)));
    },
  };
  return { asked, reply: answerStatement(statement, who, services as CommandServices) };
}

async function rowsOf(statement: string, views: readonly LocationView[]) {
  const reply = await answer(statement, views).reply;
  if (reply?.kind !== 'rows') throw new Error(`${statement} has no rows`);
  return {
    columns: reply.columns.map(({ name, type }) => `${name}${type === COLUMN_TYPE.LONGLONG ? ' LL' : ''}`),
    rows: reply.rows,
  };
}

const times = [at, null, at + 2_000, at + 1_000, at + 3_000, null].map((ms) =>
  ms === null ? BEGINNING : localTime(ms),
);
const timeNames = [
  'create_time',
  'last_valid_time',
  'last_access_time',
  'last_update_time',
  'expire_time',
  'relative_expire_time',
];
const servers = 'server[0]=127.0.0.11:2881,leader,FULL; server[1]=[fd00::1]:2881,follower,READONLY; ';

describe('SHOW PROXYROUTE', () => {
  it('R4 lists tables: eighteen columns, servers or levels of partitioning', async () => {
    const { columns, rows } = await rowsOf('show proxyroute', [table, partitioned, partition]);
    expect(columns).toEqual([
      'cluster_name',
      'tenant_name',
      'database_name',
      'table_name',
      'state',
      'partition_num LL',
      'replica_num LL',
      'table_id LL',
      'cluster_version LL',
      'schema_version LL',
      'from_rslist',
      ...timeNames,
      'server addr',
    ]);
    const common = ['2', '500010', '3', '17', 'N', ...times];
    expect(rows).toEqual([
      ['obdemo', 'trade', 'shop', 'orders', 'AVAIL', '1', ...common, servers],
      [
        'obdemo',
        'trade',
        'shop',
        'spread',
        'AVAIL',
        '8',
        ...common,
        'part_level=2, first_func=RANGE, first_space=0, first_num=4, sub_func=HASH, sub_space=0, sub_num=2',
      ],
    ]);
  });

  it('R4 lists partitions', async () => {
    const { columns, rows } = await rowsOf('SHOW PROXYROUTE PARTITION;', [table, partition]);
    expect(columns).toEqual([
      'table_id LL',
      'partition_id LL',
      'state',
      'cluster_version LL',
      'schema_version LL',
      ...timeNames,
      'server addr',
    ]);
    expect(rows).toEqual([['500010', '200001', 'DIRTY', '3', '17', ...times, servers]]);
  });

  it('has no global indexes', async () => {
    const { columns, rows } = await rowsOf('show proxyroute globalindex', [table, partition]);
    expect(columns).toEqual([
      'table_id LL',
      'data_table_id LL',
      'index_table_name',
      'state',
      'cluster_version LL',
      'schema_version LL',
      ...timeNames,
    ]);
    expect(rows).toEqual([]);
  });

  it('R4 lists procedures that were called: seventeen columns', async () => {
    const view: RoutineView = {
      cluster: 'obdemo',
      tenant: 'trade',
      database: 'shop',
      packageName: 'pkg',
      name: 'p1',
      routineId: '310101',
      routineType: 1,
      schemaVersion: '17',
      routeSql: 'SELECT 1 FROM orders WHERE id = :0',
      state: 'AVAIL',
      clusterVersion: 3,
      createdAtMs: at,
      updatedAtMs: at + 1_000,
      validAtMs: null,
      accessedAtMs: at + 2_000,
      expiresAtMs: at + 3_000,
      doubtedBeforeMs: null,
    };
    const asked: unknown[] = [];
    const services: Partial<CommandServices> = {
      answerLimitBytes: 16 * 1024 * 1024,
      routines: async (like) => {
        asked.push(like);
        return [view];
      },
    };
    const ask = (text: string, who = caller) => answerStatement(text, who, services as CommandServices);
    const reply = await ask("show proxyroute routine like 'p%'");
    await ask('SHOW PROXYROUTE ROUTINE;');
    expect(asked).toEqual(['p%', null]);
    if (reply?.kind !== 'rows') throw new Error('it has no rows');
    expect(reply.columns.map(({ name, type }) => `${name}${type === COLUMN_TYPE.LONGLONG ? ' LL' : ''}`)).toEqual([
      'cluster_name',
      'tenant_name',
      'database_name',
      'package_name',
      'routine_name',
      'state',
      'routine_num LL',
      'routine_id LL',
      'cluster_version LL',
      'schema_version LL',
      ...timeNames,
      'route_sql',
    ]);
    const names = ['obdemo', 'trade', 'shop', 'pkg', 'p1', 'AVAIL', '1', '310101', '3', '17'];
    expect(reply.rows).toEqual([[...names, ...times, 'SELECT 1 FROM orders WHERE id = :0']]);
    expect(ask('show proxyroute routine', { ...caller, identity: 'ordinary' })).toBeNull();
  });

  it("case B98 LIKE 'o''neil' asks for o'neil; nobody else may ask, and is sent to the server", async () => {
    const { asked, reply } = answer("show proxyroute like 'o''neil'", []);
    await reply;
    expect(asked[0]?.filter).toMatchObject({ like: "o'neil", kinds: ['table', 'tenant'], missing: false });
    expect(answer('show proxyroute', [], { ...caller, identity: 'ordinary' }).reply).toBeNull();
    expect(answer('show proxyroute', [], { ...caller, identity: 'rootsys' }).reply).not.toBeNull();
  });

  it('case B98 50,000 entries do not fit: an error, and no rows', async () => {
    const replicas = Array.from({ length: 5 }, (_, at) => ({
      address: `10.0.0.${at}:2881`,
      role: 'follower' as const,
    }));
    const { asked, reply } = answer('show proxyroute', Array<LocationView>(50_000).fill({ ...table, replicas }));
    expect(await reply).toMatchObject({ kind: 'error', error: { code: 'MEMORY_LIMIT' } });
    // More than are asked for would not fit, however short they were.
    expect((asked[0]?.limit ?? 0) * Buffer.byteLength(times.join(''))).toBeGreaterThanOrEqual(16 * 1024 * 1024);
  });
});
