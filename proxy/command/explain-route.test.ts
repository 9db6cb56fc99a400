import { describe, expect, it } from 'vitest';
import type { RouteExplanation } from '../session/explain-route.ts';
import { answerStatement } from './answer.ts';
import { parseInternalCommand } from './parse.ts';
import type { Caller, CommandServices } from './services.ts';

const caller: Caller = {
  identity: 'ordinary',
  sessionId: 7,
  cluster: 'c',
  tenant: 't',
  user: 'u',
  host: '127.0.0.1',
  hasSuper: false,
  hasProcess: false,
  sharesIds: false,
};

const explanation: RouteExplanation = {
  kind: 'select',
  table: { database: 'd', name: 'x' },
  whyNoTable: '',
  location: {
    tenant: 't',
    database: 'd',
    table: 'x',
    tableId: '1',
    partitionCount: 4,
    schemaVersion: '1',
    replicas: [
      { address: '10.0.0.1:2881', role: 'leader' },
      { address: '10.0.0.2:2881', role: 'follower' },
    ],
  },
  partition: null,
  consistency: { level: 'weak', because: 'hint of the statement' },
  settings: {
    idcName: 'idc1',
    idcSource: 'session',
    proxyRoutePolicy: '',
    proxyRoutePolicySource: 'parameter',
    obRoutePolicy: '',
    primaryZoneName: '',
    followsPrimaryZone: true,
    isRandom: false,
  },
  ldc: {
    matchType: 'MATCHED_BY_IDC',
    regions: ['r'],
    sameIdc: ['z1', 'z2'],
    sameRegion: [],
    otherRegion: ['z3'],
  },
  rule: 'weak-read',
  choice: { policy: 'balanced', because: 'default of proxy_route_policy', zones: null },
  refusal: null,
  candidates: [
    {
      address: '10.0.0.2:2881',
      role: 'follower',
      group: 1,
      reason: 'follower; z2: same IDC, not merging',
      lists: ['status', 'alive'],
      isRetry: false,
    },
    {
      address: '10.0.0.1:2881',
      role: 'leader',
      group: 1,
      reason: 'leader; z1: same IDC, not merging',
      lists: [],
      isRetry: false,
    },
  ],
  forced: false,
  goesTo: '10.0.0.1:2881',
  sharedBy: ['10.0.0.1:2881'],
};

async function linesOf(statement: string, told: RouteExplanation | null, who = caller): Promise<string[]> {
  const asked: string[] = [];
  const services = {
    answerLimitBytes: 0,
    explainRoute: (id: number, sql: string) => {
      asked.push(`${id} ${sql}`);
      return Promise.resolve(told);
    },
  } as Partial<CommandServices> as CommandServices;
  const reply = await answerStatement(statement, who, services);
  if (reply?.kind === 'error') return [`error ${reply.error.code}`];
  if (reply?.kind !== 'rows') throw new Error(`no rows: ${reply?.kind}`);
  expect(reply.columns.map(({ name }) => name)).toEqual(['Route Plan']);
  return [...asked, ...reply.rows.map(([line]) => String(line))];
}

const select = 'explain route select * from x';

describe('EXPLAIN ROUTE', () => {
  it('R4 R5 tells kind, table, consistency, LDC, policy, and of each candidate its reason and whether it is listed', async () => {
    expect(await linesOf(select, explanation)).toEqual([
      '7 select * from x',
      'statement: select',
      'table: d.x, 4 partition(s), 2 replica(s), leader 10.0.0.1:2881',
      'consistency: weak (hint of the statement)',
      "LDC: 'idc1' (@proxy_idc_name), MATCHED_BY_IDC: same IDC z1, z2; same region none; other regions z3",
      'policy: balanced (default of proxy_route_policy)',
      'rule: weak-read',
      '1. 10.0.0.2:2881 follower; z2: same IDC, not merging [class 1] (on the status and alive blocklist: skipped)',
      '2. 10.0.0.1:2881 leader; z1: same IDC, not merging [class 1]',
      'goes to: 10.0.0.1:2881',
    ]);
  });

  it('B12 B15 tells a retry that is due, and servers that are used although they are listed', async () => {
    const [first] = explanation.candidates;
    if (first === undefined) throw new Error('there is one');
    const retry = await linesOf(select, { ...explanation, candidates: [{ ...first, isRetry: true }] });
    expect(String(retry)).toContain('its retry is due, this statement would be it');
    const forced = await linesOf(select, { ...explanation, candidates: [first], forced: true });
    expect(String(forced)).toContain('used, since every candidate is listed');
  });

  it('R18 tells that a statement goes nowhere', async () => {
    const lines = await linesOf(select, { ...explanation, candidates: [], goesTo: null });
    expect(String(lines)).toContain('goes nowhere: no server may be used');
  });

  it('tells statements without table, place, LDC or choice', async () => {
    const off = { ...explanation.settings, idcName: '', idcSource: 'parameter' as const };
    const bare = await linesOf(select, {
      ...explanation,
      table: null,
      whyNoTable: 'the statement names none that counts',
      settings: off,
      choice: null,
    });
    expect(String(bare)).toContain('table: none (the statement names none that counts)');
    expect(String(bare)).toContain('LDC: off (parameter proxy_idc_name is empty)');
    expect(String(bare)).toContain('policy: none, there is no choice');
    const lost = { ...explanation, location: null, ldc: { ...explanation.ldc, matchType: 'MATCHED_BY_NONE' as const } };
    expect(String(await linesOf(select, lost))).toContain('table: d.x, whose place is not known');
    expect(String(await linesOf(select, lost))).toContain('MATCHED_BY_NONE: all zones count as near');
  });

  it.each(['show proxysession', 'kill 5', 'explain route select 1'])('%s is the proxy’s own to answer', async (sql) => {
    expect(await linesOf(`explain route ${sql}`, explanation)).toEqual(['answered by the proxy itself']);
  });

  it('has nothing to tell a session without a cluster', async () => {
    expect(await linesOf(select, null, { ...caller, identity: 'proxysys' })).toEqual(['error BAD_INTERNAL_COMMAND']);
  });

  it('takes the statement as written, whatever is in it', () => {
    const sql = "SELECT /*+ read_consistency(weak) */ '; -- x' FROM `ü`; SELECT 2;";
    expect(parseInternalCommand(`/* c */ Explain\n ROUTE  ${sql}`)).toEqual({ type: 'explain-route', sql });
    expect(parseInternalCommand('explain route')).toMatchObject({ type: 'invalid' });
    expect(parseInternalCommand('explain select 1')).toBeNull();
  });

  it('names the partition whose place counts, or says that there is not one for certain', async () => {
    const found = { ...explanation, partition: { name: 'p1', tabletId: '200', because: 'KEY (id): id = 5' } };
    expect(await linesOf('explain route select * from x', found)).toContain(
      'partition: p1 (tablet 200), whose place counts (KEY (id): id = 5)',
    );
    const open = { ...explanation, partition: { name: null, tabletId: null, because: 'several' } };
    const text = 'partition: not one for certain (several), the place of the table counts';
    expect(await linesOf('explain route select * from x', open)).toContain(text);
  });
});
