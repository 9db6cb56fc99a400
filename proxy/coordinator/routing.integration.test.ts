/** Plans as the control API tells them, beside EXPLAIN ROUTE and beside where statements really went. */
import { request } from 'node:http';
import { join } from 'node:path';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteExplainResponse, RoutingChoices } from '../control/contract.ts';
import { startProxy, type TestProxy, until } from '../testing/proxy.ts';

let proxy: TestProxy;
let client: Connection;
let token: string;

beforeAll(async () => {
  proxy = await startProxy({ rsList: null, clusterName: 'obdemo' });
  client = await proxy.connect({ user: 'root@trade', database: 'trade' });
  const first = /one-time password:? (\S+)/.exec(proxy.log())?.[1] ?? '';
  const login = (await call('POST', '/v1/login', { name: 'admin', password: first })) as { token: string };
  token = login.token;
  const next = 'a-quiet-harbour-41';
  const changed = (await call('POST', '/v1/password', { current: first, next })) as { token: string };
  token = changed.token;
  await until('the cluster has told its zones', async () => {
    const { plan } = await explain('SELECT 1', { cluster: 'obdemo', tenant: 'trade', database: '' });
    return plan?.candidates.every(({ zone }) => zone !== '') ?? false;
  });
});
afterAll(() => proxy.close());

function call(method: string, path: string, body?: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      socketPath: join(proxy.home, 'run', 'control.sock'),
      method,
      path,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    outgoing.once('error', reject);
    outgoing.once('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const explain = (sql: string, session: unknown) =>
  call('POST', '/v1/routing/explain', { sql, session }) as Promise<RouteExplainResponse>;

describe('plans over the control API', () => {
  const read = 'SELECT * FROM customers WHERE id = 7';

  it('are the same for a live session and for one described with its settings, and the statement goes there', async () => {
    await client.query("SET @proxy_idc_name = 'idc2', @proxy_route_policy = 'follower_first'");
    await client.query("SET ob_read_consistency = 'weak'");
    const { sessions } = (await call('GET', '/v1/routing/choices')) as RoutingChoices;
    const id = sessions.find(({ user }) => user === 'root')?.id;
    const live = await explain(read, { id });
    const described = await explain(read, {
      cluster: 'obdemo',
      tenant: 'trade',
      database: 'trade',
      idcName: 'idc2',
      proxyRoutePolicy: 'follower_first',
      readConsistency: 'weak',
      obRoutePolicy: '1',
    });
    expect(live.plan?.settings).toMatchObject({ idcName: 'idc2', idcSource: 'session' });
    expect(live.plan?.consistency.level).toBe('weak');
    expect(described.plan?.candidates.map(({ address }) => address)).toEqual(
      live.plan?.candidates.map(({ address }) => address),
    );
    const [rows] = await client.query<RowDataPacket[]>('SELECT @@hostname AS host FROM customers WHERE id = 7');
    const zone = /zone\d/.exec(String(rows[0]?.host))?.[0];
    const targets = live.plan?.candidates.filter(({ address }) => live.plan?.sharedBy.includes(address));
    expect(targets?.map((candidate) => candidate.zone)).toContain(zone);
  });

  it('offer the tenants that the cluster tells, and name them when one is asked for that it does not have', async () => {
    const { clusters } = (await call('GET', '/v1/routing/choices')) as RoutingChoices;
    expect(clusters).toEqual([{ name: 'obdemo', tenants: expect.arrayContaining(['sys', 'trade']) }]);
    const unknown = await explain(read, { cluster: 'obdemo', tenant: 'nobody', database: '' });
    expect(unknown).toMatchObject({ status: 404, detail: expect.stringMatching(/tenant 'nobody'.*trade/) });
    expect(await explain(read, { cluster: 'other', tenant: 'trade', database: '' })).toMatchObject({ status: 404 });
    expect(await explain(read, { id: 4_000_000_000 })).toMatchObject({ status: 404 });
  });

  it('tell how the partition was found, and that the proxy answers its own commands', async () => {
    const session = { cluster: 'obdemo', tenant: 'trade', database: 'trade' };
    const { plan } = await explain('SELECT * FROM orders WHERE id = 42', session);
    expect(plan?.table).toEqual({ database: 'trade', name: 'orders' });
    expect((await explain('SHOW PROXYSESSION', session)).plan).toBeNull();
  });
});
