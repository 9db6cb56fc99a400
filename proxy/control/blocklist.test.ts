import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BlocklistCluster, blocklistResponseSchema } from './contract.ts';
import { ControlBench } from './testing.ts';
import { defaultCongestion } from './testing-blocklists.ts';

const cluster = 'obdemo';
const a = '127.0.0.11:2881';
const b = '127.0.0.12:2881';
const c = '[fd00::1]:2881';

let bench: ControlBench;
let viewer: string;
let operator: string;
beforeEach(async () => {
  bench = await ControlBench.start();
  viewer = await bench.userToken('v', 'viewer');
  operator = await bench.userToken('o', 'operator');
  bench.blocklists.setServers(cluster, [{ address: a }, { address: b, zone: 'zone2' }, { address: c, zone: 'zone3' }]);
  bench.blocklists.setServers('other', [{ address: '127.0.0.21:2881' }]);
});
afterEach(() => bench.stop());

const get = (path: string, token = viewer) => bench.call('GET', path, { token });
const post = (path: string, body: unknown, token = operator) => bench.call('POST', path, { token, body });
const list = (address: string) => {
  for (let count = 0; count < 5; count += 1) bench.blocklists.fail(cluster, address);
};
async function stateOf(address: string) {
  const { clusters } = blocklistResponseSchema.parse((await get('/v1/blocklist')).json);
  const found = clusters.flatMap(({ servers }: BlocklistCluster) => servers).find((one) => one.address === address);
  if (found === undefined) throw new Error(`no ${address}`);
  return found;
}

describe('GET /v1/blocklist', () => {
  it('shows every server of every cluster, with the parameters in force', async () => {
    const { json, status } = await get('/v1/blocklist');
    expect(status).toBe(200);
    expect(json.at).toBe('2026-03-01T10:00:00.000Z');
    expect(json.clusters.map(({ name }: BlocklistCluster) => name)).toEqual([cluster, 'other']);
    expect(json.clusters[0].parameters).toEqual(defaultCongestion);
    expect(json.clusters[0].servers[1]).toEqual({
      address: b,
      zone: 'zone2',
      region: 'SHANGHAI',
      zoneState: 'ACTIVE',
      state: 'ACTIVE',
      reason: 'status ACTIVE',
      listings: [],
      lastListedAt: { status: null, detection: null, alive: null },
      retryAt: null,
      keepUntil: null,
      finding: null,
      failedProbesInRow: 0,
      failures: {
        inWindow: 0,
        total: 0,
        lastAt: null,
        connectInWindow: 0,
        connectTotal: 0,
        lastConnectAt: null,
        buckets: [],
        bucketMs: 2_000,
      },
      recentFailures: [],
      probes: [],
    });
  });

  it('B11 B12 shows a server that is alive but unavailable: counts, sparkline, next retry, the failures', async () => {
    list(a);
    bench.pass(5_000);
    const server = await stateOf(a);
    const at = '2026-03-01T10:00:00.000Z';
    expect(server.listings).toEqual([
      {
        list: 'alive',
        since: at,
        reason: '5 failures: 5 × server-error 4013; the last: no memory',
        evidence: { kind: 'failures', failures: server.recentFailures },
      },
    ]);
    expect(server).toMatchObject({
      lastListedAt: { alive: at },
      retryAt: '2026-03-01T10:00:20.000Z',
      keepUntil: '2026-03-01T10:00:20.000Z',
      failures: { inWindow: 5, total: 5, lastAt: at },
    });
    expect(server.failures.buckets.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(server.failures.buckets).toHaveLength(60);
    expect(server.recentFailures[0]).toEqual({
      at,
      kind: 'server-error',
      tookMs: 1,
      errno: 4013,
      detail: 'no memory',
      sessionId: 7,
      digest: 'select ? from t',
    });
  });

  it('B6 B2 shows dead and inactive servers with their evidence', async () => {
    for (let count = 0; count < 4; count += 1) bench.blocklists.probe(cluster, b, false);
    bench.blocklists.setServers(cluster, [{ address: a, state: 'INACTIVE' }, { address: b }]);
    expect(await stateOf(b)).toMatchObject({
      state: 'DETECT_DEAD',
      finding: 'DETECT_DEAD',
      failedProbesInRow: 4,
      listings: [
        {
          list: 'detection',
          reason: '4 probes in a row failed, the last: no result within 5000 ms',
          evidence: { kind: 'probes', probes: Array(4).fill({ ok: false, tookMs: 5_000 }) },
        },
      ],
    });
    expect((await stateOf(b)).probes).toHaveLength(4);
    expect((await stateOf(a)).listings).toMatchObject([
      { list: 'status', evidence: { kind: 'view', state: 'INACTIVE' }, reason: expect.stringContaining('INACTIVE') },
    ]);
  });

  it('is for those who may read it', async () => {
    for (const path of ['/v1/blocklist', '/v1/blocklist/events']) {
      expect((await bench.call('GET', path)).status).toBe(401);
      expect((await get(path)).status).toBe(200);
    }
  });
});

describe('GET /v1/blocklist/events', () => {
  it('case B108 pages through listings and releases, newest first, with the evidence', async () => {
    list(a);
    bench.pass(20_000);
    bench.blocklists.tell(cluster, (blocklist) => blocklist.success(a, bench.blocklists.now(), 9));
    await bench.history.blocklist.idle();
    const { json } = await get('/v1/blocklist/events?limit=1');
    expect(json).toMatchObject({
      total: 2,
      nextBefore: 2,
      events: [
        {
          id: 2,
          at: '2026-03-01T10:00:20.000Z',
          cluster,
          server: a,
          zone: 'zone1',
          list: 'alive',
          change: 'released',
          listedForMs: 20_000,
          reason: 'a request worked there (session 9)',
          evidence: { kind: 'success', sessionId: 9 },
          parameters: defaultCongestion,
        },
      ],
    });
    const next = (await get(`/v1/blocklist/events?limit=1&before=${json.nextBefore}`)).json;
    expect(next).toMatchObject({ nextBefore: null, events: [{ id: 1, change: 'listed', listedForMs: null }] });
    expect(next.events[0].reason).toBe('5 failures within 120s: 5 × server-error 4013; the last: no memory');
    expect(next.events[0].evidence.failures).toHaveLength(5);
  });

  it('filters, and refuses what it does not know', async () => {
    list(a);
    for (let count = 0; count < 4; count += 1) bench.blocklists.probe(cluster, b, false);
    await bench.history.blocklist.idle();
    const idsOf = async (query: string) =>
      (await get(`/v1/blocklist/events?${query}`)).json.events.map(({ id }: { id: number }) => id);
    expect(await idsOf('')).toEqual([2, 1]);
    expect(await idsOf('list=detection')).toEqual([2]);
    expect(await idsOf(`server=${encodeURIComponent(a)}`)).toEqual([1]);
    expect(await idsOf('zone=zone2')).toEqual([2]);
    expect(await idsOf('cluster=other')).toEqual([]);
    expect(await idsOf('change=released')).toEqual([]);
    expect(await idsOf('from=2026-03-01T10:00:00.001Z')).toEqual([]);
    for (const bad of ['list=dead', 'limit=0', 'limit=201', 'limit=abc', 'before=-1', 'from=yesterday']) {
      expect((await get(`/v1/blocklist/events?${bad}`)).status, bad).toBe(400);
    }
  });

  it('shows what another version has written, without what it cannot read', async () => {
    list(a);
    await bench.history.blocklist.idle();
    await bench.history.database.$executeRaw`UPDATE "BlocklistTransition" SET evidenceFormat = 9`;
    expect((await get('/v1/blocklist/events')).json.events).toMatchObject([
      { evidence: null, parameters: null, reason: expect.stringContaining('another version') },
    ]);
  });
});

describe('POST /v1/blocklist/release', () => {
  const release = (body: object, token = operator) =>
    post('/v1/blocklist/release', { cluster, server: a, list: 'alive', reason: 'repaired', ...body }, token);

  it('takes a server off, and leaves a history row and an event that say who and why', async () => {
    list(a);
    bench.pass(1_000);
    expect(await release({})).toMatchObject({ status: 200, json: { released: ['alive'] } });
    expect((await stateOf(a)).listings).toEqual([]);
    const [row] = (await get('/v1/history?action=blocklist.release')).json.rows;
    expect(row).toMatchObject({
      actor: 'o',
      source: 'console',
      origin: '192.0.2.7',
      parameter: '',
      oldValue: `${cluster} ${a}: alive`,
      newValue: `${cluster} ${a}: released`,
      reason: 'repaired',
    });
    await bench.history.blocklist.idle();
    expect((await get('/v1/blocklist/events')).json.events[0]).toMatchObject({
      change: 'released',
      listedForMs: 1_000,
      reason: 'by hand (o): repaired',
      evidence: { kind: 'hand', actor: 'o', reason: 'repaired' },
    });
  });

  it('takes it off all lists', async () => {
    list(a);
    for (let count = 0; count < 4; count += 1) bench.blocklists.probe(cluster, a, false);
    expect((await release({ list: null })).json.released.toSorted()).toEqual(['alive', 'detection']);
    expect((await get('/v1/history?action=blocklist.release')).json.rows[0].oldValue).toMatch(/: detection, alive$/);
  });

  it('case B101 does nothing the second time', async () => {
    list(a);
    await release({});
    expect((await release({})).json).toEqual({ released: [] });
    expect((await release({ list: 'status' })).json).toEqual({ released: [] });
    expect((await get('/v1/history?action=blocklist.release')).json.total).toBe(1);
  });

  it('case B96 releases nothing that it cannot audit', async () => {
    list(a);
    await bench.history.database.$executeRaw`
      CREATE TRIGGER "Full" BEFORE INSERT ON "HistoryRow" BEGIN SELECT RAISE(ABORT, 'disk is full'); END`;
    expect((await release({})).json).toMatchObject({
      code: 'STORE_FAILED',
      detail: expect.stringContaining('disk is full'),
    });
    expect((await stateOf(a)).listings).toHaveLength(1);
  });

  it('refuses viewers, unknown names and a missing reason', async () => {
    list(a);
    expect((await release({}, viewer)).status).toBe(403);
    expect((await release({ cluster: 'nosuch' })).json).toMatchObject({
      status: 404,
      detail: "Not found: cluster 'nosuch'",
    });
    expect((await release({ server: 'x' })).json).toMatchObject({
      status: 404,
      detail: expect.stringContaining("'x'"),
    });
    expect((await release({ reason: '  ' })).json).toMatchObject({ status: 400, invalid: [{ field: 'reason' }] });
    expect((await release({ list: 'dead' })).json).toMatchObject({ status: 400, invalid: [{ field: 'list' }] });
    expect((await stateOf(a)).listings).toHaveLength(1);
  });
});

describe('GET /v1/blocklist/at', () => {
  it('tells who was listed at a moment, since when and why, whatever has happened since', async () => {
    list(a);
    bench.pass(1_000);
    bench.blocklists.setServers(cluster, [{ address: a }, { address: b, state: 'INACTIVE' }]);
    bench.pass(1_000);
    await post('/v1/blocklist/release', { cluster, server: a, list: null, reason: 'mended' });
    await expect
      .poll(async () => (await get('/v1/blocklist/events')).json.events[0])
      .toMatchObject({ server: a, change: 'released' });
    const at = async (seconds: string) => {
      const { json } = await get(`/v1/blocklist/at?at=2026-03-01T10:00:${seconds}Z`);
      return json.listings.map(({ server, list: name }: { server: string; list: string }) => `${server} ${name}`);
    };
    expect(await at('00.500')).toEqual([`${a} alive`]);
    expect(await at('01.000')).toEqual([`${a} alive`, `${b} status`]);
    expect(await at('02.000')).toEqual([`${b} status`]);
    expect((await get('/v1/blocklist/at?at=2026-03-01T09:59:59Z')).json.listings).toEqual([]);
    const { json } = await get('/v1/blocklist/at?at=2026-03-01T10:00:01Z');
    expect(json.listings[0]).toMatchObject({
      cluster,
      zone: 'zone1',
      at: '2026-03-01T10:00:00.000Z',
      reason: expect.stringContaining('5 failures'),
    });
    expect((await get('/v1/blocklist/at')).status).toBe(400);
  });
});
