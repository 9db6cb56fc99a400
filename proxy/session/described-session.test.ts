import { describe, expect, it, vi } from 'vitest';
import type { TableLocation } from '../cluster/topology.ts';
import { ConfigView } from '../config/config-view.ts';
import { LeveledConfig } from '../config/leveled-config.ts';
import { BlocklistView } from '../congestion/blocklist-view.ts';
import type { ServerVerdict } from '../congestion/types.ts';
import { StaleReplicas } from '../routing/stale-replicas.ts';
import { clusterOf, locationOf } from '../routing/testing/cluster-of.ts';
import { StatementCache } from '../sql/statement-cache.ts';
import { COM } from '../wire/constants.ts';
import { DescribedSession, type SessionDescription } from './described-session.ts';
import { explainRoute } from './explain-route.ts';
import { UNROUTED } from './request.ts';
import { routeRequest } from './route-request.ts';
import type { SessionCluster } from './session-context.ts';

const nowMs = 10_000;
vi.mock('../net/monotonic-clock.ts', () => ({ monotonicMs: () => nowMs }));

const topology = clusterOf([
  { name: 'z1', idc: 'i1', region: 'r1', servers: ['a1', 'a2'] },
  { name: 'z2', idc: 'i2', region: 'r1', servers: ['b1'] },
  { name: 'z3', idc: 'i3', region: 'r2', servers: ['c1'] },
]);
const places = new Map<string, TableLocation>([
  ['d.x', locationOf(['a1', 'leader'], ['b1', 'follower'], ['c1', 'follower'])],
  ['e.x', locationOf(['c1', 'leader'], ['a1', 'follower'])],
]);

function clusterWith(verdicts: readonly ServerVerdict[] = []): SessionCluster {
  const blocklist = new BlocklistView();
  blocklist.update(verdicts, true);
  return {
    name: 'c',
    topology,
    blocklist,
    serves: () => true,
    staleReplicas: new StaleReplicas({ nowMs: () => 0, wallMs: () => 0, forgetAfterMs: () => 0 }),
    locate: (_tenant: string, database: string, { name }: { name: string }) =>
      places.get(`${database}.${name}`) ?? null,
    told: () => null,
  } as unknown as SessionCluster;
}

const config = new ConfigView({});
const plain: SessionDescription = {
  tenant: 't',
  database: 'd',
  idcName: null,
  proxyRoutePolicy: null,
  obRoutePolicy: null,
  readConsistency: null,
  sqlMode: null,
  autocommit: true,
  begun: 'no',
  boundServer: null,
  lastServer: null,
  parameters: {},
};

function session(settings: Partial<SessionDescription>, verdicts: readonly ServerVerdict[] = []): DescribedSession {
  const context = { config, levels: new LeveledConfig(config), random: () => 0, statements: new StatementCache() };
  return new DescribedSession(context, clusterWith(verdicts), { ...plain, ...settings });
}

async function explain(sql: string, settings: Partial<SessionDescription> = {}, verdicts: ServerVerdict[] = []) {
  const explanation = await explainRoute(session(settings, verdicts), sql);
  if (explanation === null) throw new Error('no explanation');
  return explanation;
}

const read = 'SELECT * FROM x WHERE id = 1';

describe('a described session', () => {
  it('is planned for by its settings: database, consistency, IDC and policy', async () => {
    expect(await explain(read)).toMatchObject({ rule: 'table-leader', goesTo: 'a1' });
    expect(await explain(read, { database: 'e' })).toMatchObject({ rule: 'table-leader', goesTo: 'c1' });
    expect(await explain(read, { database: '' })).toMatchObject({ table: null, rule: 'any-server' });
    const weak = await explain(read, { readConsistency: 'weak', idcName: 'i3' });
    expect(weak).toMatchObject({ rule: 'weak-read', goesTo: 'c1', settings: { idcName: 'i3', idcSource: 'session' } });
    const follower = await explain(read, {
      readConsistency: 'weak',
      idcName: 'i1',
      proxyRoutePolicy: 'follower_first',
    });
    expect(follower.goesTo).toBe('b1');
    expect(follower.choice?.policy).toBe('follower_first');
  });

  it('R20 tells why no table decides', async () => {
    const why = async (sql: string, database = 'd') => (await explain(sql, { database })).whyNoTable;
    expect(await why(read)).toBe('');
    expect(await why('SELECT 1')).toBe('the statement names none that counts');
    expect(await why('SELECT FOUND_ROWS() FROM x')).toBe('the statement asks about the one before');
    expect(await why(read, '')).toBe('no database is chosen, and x is named without one');
    expect(await why('SELECT * FROM d.x', '')).toBe('');
  });

  it('takes an IDC name with quotes and letters beyond ASCII as it was given', async () => {
    const name = "north's \\ 北";
    expect((await explain(read, { idcName: name })).settings.idcName).toBe(name);
  });

  it('is planned for as if other parameters counted, which changes nothing for anybody', async () => {
    const weak = { readConsistency: 'weak' } as const;
    const tried = await explain(read, { ...weak, parameters: { proxy_idc_name: 'i3' } });
    expect(tried).toMatchObject({ goesTo: 'c1', settings: { idcName: 'i3', idcSource: 'parameter' } });
    expect((await explain(read, weak)).settings.idcName).toBe('');
    expect(() => session({ parameters: { proxy_idc: 'i3' } })).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_PARAMETER' }),
    );
  });

  it('keeps to the server of its transaction, and knows the server of the statement before', async () => {
    expect(await explain(read, { boundServer: 'c1' })).toMatchObject({ rule: 'bound', goesTo: 'c1' });
    expect(await explain('SELECT 1', { lastServer: 'b1' })).toMatchObject({ rule: 'last-server', goesTo: 'b1' });
    expect(await explain('SELECT FOUND_ROWS()', { lastServer: 'b1' })).toMatchObject({ rule: 'forced-last-server' });
  });

  it('case B68: reads strongly what begins a transaction that may write', async () => {
    const level = async (settings: Partial<SessionDescription>) =>
      (await explain(read, { readConsistency: 'weak', ...settings })).consistency.level;
    expect(await level({})).toBe('weak');
    expect(await level({ autocommit: false })).toBe('strong');
    expect(await level({ begun: 'read-write' })).toBe('strong');
    expect(await level({ begun: 'read-only' })).toBe('weak');
  });

  it('reads texts by its sql_mode', async () => {
    const sql = 'SELECT * FROM "e"."x"';
    expect((await explain(sql, { sqlMode: 'ANSI_QUOTES' })).table).toEqual({ database: 'e', name: 'x' });
    expect((await explain(sql)).table).toBeNull();
  });

  it('goes where routing sends a request, listed servers and retries that are due included', async () => {
    const listed: ServerVerdict[] = [{ address: 'a1', lists: ['alive'], retryAtMs: null }];
    const explanation = await explain(read, { readConsistency: 'weak' }, listed);
    expect(explanation.candidates[0]).toMatchObject({ address: 'a1', lists: ['alive'], isRetry: false });
    const routed = session({ readConsistency: 'weak' }, listed);
    const info = routed.classify(Buffer.from(read), false);
    const request = { command: COM.QUERY, bytes: Buffer.alloc(0), complete: true, info, statement: null };
    const order = await routeRequest(routed, { ...request, replyKind: 'result', ...UNROUTED }, () => 0);
    expect(order.addresses[0]).toBe(explanation.goesTo);
    expect(order.addresses).not.toContain('a1');
  });

  it('case B12: tries a listed server whose retry is due with reads before anything else', async () => {
    const due: ServerVerdict[] = [{ address: 'a1', lists: ['alive'], retryAtMs: nowMs - 1 }];
    expect(await explain(read, {}, due)).toMatchObject({ goesTo: 'a1' });
    const write = await explain('UPDATE x SET v = 1', {}, due);
    expect(write.goesTo).not.toBe('a1');
  });
});
