import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OdpError } from '../errors/odp-error.ts';
import { ControlBench } from './testing.ts';
import { testTopology } from './testing-routing.ts';

let bench: ControlBench;
let viewer: string;
beforeAll(async () => {
  bench = await ControlBench.start();
  viewer = await bench.userToken('vera', 'viewer');
});
afterAll(() => bench.stop());

const described = { cluster: 'obtest', tenant: 't', database: 'd' };
const explain = (body: unknown) => bench.call('POST', '/v1/routing/explain', { token: viewer, body });

describe('POST /v1/routing/explain', () => {
  it('tells the plan, and of each candidate where it stands and whether a blocklist drops it', async () => {
    const answer = await explain({ sql: 'SELECT * FROM x WHERE id = 5', session: { ...described, idcName: 'i1' } });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ cluster: 'obtest', tenant: 't', database: 'd' });
    expect(answer.json.plan).toMatchObject({
      kind: 'select',
      rule: 'table-leader',
      partition: { name: 'p1', because: 'KEY (id): id = 5' },
      location: { tableId: '9007199254740993' },
      consistency: { level: 'strong' },
      policy: { name: 'balanced' },
      goesTo: '10.0.0.9:2881',
      sharedBy: ['10.0.0.9:2881'],
    });
    expect(answer.json.plan.candidates).toMatchObject([
      { address: '10.0.0.1:2881', zone: 'z1', region: 'north', idc: 'i1', zoneType: 'ReadWrite', lists: ['alive'] },
      { address: '10.0.0.9:2881', zone: '', region: '', idc: '', zoneType: null },
    ]);
  });

  it('asks for the session as it was described, and leaves what was not said as it is in a new one', async () => {
    await explain({ sql: 'SELECT 1', session: { ...described, readConsistency: 'weak', begun: 'read-only' } });
    expect(bench.routing.asked.at(-1)).toEqual({
      sql: 'SELECT 1',
      session: {
        ...described,
        idcName: null,
        readConsistency: 'weak',
        obRoutePolicy: null,
        proxyRoutePolicy: null,
        sqlMode: null,
        autocommit: true,
        begun: 'read-only',
        boundServer: null,
        lastServer: null,
        parameters: {},
      },
    });
    await explain({ sql: 'SELECT 1', session: { id: 7 } });
    expect(bench.routing.asked.at(-1)).toEqual({ sql: 'SELECT 1', session: { id: 7 } });
  });

  it('has no plan for what the proxy answers itself', async () => {
    bench.routing.answer = { tenant: 't', database: '', topology: testTopology, explanation: null };
    expect((await explain({ sql: 'SHOW PROXYCONFIG', session: described })).json.plan).toBeNull();
  });

  it('says what it does not know', async () => {
    bench.routing.answer = new OdpError('NOT_FOUND', { detail: "tenant 'nobody' in cluster 'obtest'" });
    const answer = await explain({ sql: 'SELECT 1', session: { ...described, tenant: 'nobody' } });
    expect(answer.status).toBe(404);
    expect(answer.json.detail).toContain("tenant 'nobody'");
  });

  it.each([
    ['no tenant', { sql: 'SELECT 1', session: { cluster: 'obtest', tenant: '', database: '' } }],
    ['no session', { sql: 'SELECT 1' }],
    ['a consistency that does not exist', { sql: 'SELECT 1', session: { ...described, readConsistency: 'eventual' } }],
    ['a text that is too long', { sql: 'x'.repeat(70_000), session: described }],
  ])('refuses %s', async (_what, body) => {
    expect((await explain(body)).status).toBe(400);
  });

  it('keeps statements out of log and history', async () => {
    await explain({ sql: "SELECT * FROM x WHERE secret = 'hunter2'", session: described });
    expect(JSON.stringify(await bench.history.log.page({}, 50))).not.toContain('hunter2');
    expect(bench.logged.join('\n')).not.toContain('hunter2');
  });
});

describe('GET /v1/routing/choices', () => {
  it('offers clusters with their tenants, and sessions', async () => {
    const { status, json } = await bench.call('GET', '/v1/routing/choices', { token: viewer });
    expect(status).toBe(200);
    expect(json).toEqual({ clusters: [{ name: 'obtest', tenants: ['sys', 't'] }], sessions: [] });
  });

  it('needs a log-in', async () => {
    expect((await bench.call('GET', '/v1/routing/choices')).status).toBe(401);
  });
});
