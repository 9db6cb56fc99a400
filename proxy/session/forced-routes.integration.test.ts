/** Servers that are chosen by their address, and routing modes, before the demo cluster. The server says who answered. */
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { startProxy, type TestProxy, until } from '../testing/proxy.ts';
import {
  explainRoute,
  READ_HOST,
  READ_HOST_WEAKLY,
  unlistAll,
  untilZonesAreKnown,
  zoneOf,
  zonesOf,
} from './testing/demo-routes.ts';

const DEFAULTS = {
  target_db_server: '',
  test_server_addr: '',
  server_routing_mode: 'oceanbase',
  enable_cached_server: 'True',
  enable_bad_route_reject: 'False',
};

describe('servers chosen by address, before the demo cluster', () => {
  let demo: DemoCluster;
  let proxy: TestProxy;
  let admin: Connection;
  let connection: Connection;
  const addresses: Record<string, string> = {};

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
    demo.faults.switchLeader({ table: 'trade.trade.orders' }, 'zone1');
    for (const { zone, address } of demo.servers) addresses[zone] = address;
    proxy = await startProxy({
      rsList: demo.servers.map(({ address }) => address).join(';'),
      clusterName: demo.clusterName,
      parameters: {
        server_state_refresh_interval: '100ms',
        min_congested_connect_timeout: '1h',
        work_thread_num: 1,
        // Statements of a transaction are then tied to one server.
        enable_transaction_internal_routing: 'False',
      },
    });
    admin = await proxy.admin();
    connection = await login();
    await untilZonesAreKnown(connection);
  });
  afterEach(async () => {
    for (const [name, value] of Object.entries(DEFAULTS)) await set(name, value);
    await connection.query('rollback');
  });
  afterAll(async () => {
    await connection.end();
    await admin.end();
    await proxy.close();
    await demo.close();
  });

  const login = () => proxy.connect({ user: 'app@trade', password: 'app-secret', database: 'trade' });
  const set = (name: string, value: string) => admin.query(`alter proxyconfig set ${name} = '${value}'`);
  const at = (...zones: string[]): string => zones.map((zone) => addresses[zone]).join(',');

  it('target_db_server in a comment before the statement: strong reads, weak ones and writes go there', async () => {
    expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
    const comment = `/* target_db_server='${at('zone3')}' */`;
    expect(await zonesOf(connection, `${comment} ${READ_HOST}`)).toEqual(['zone3']);
    expect(await zonesOf(connection, `${comment} ${READ_HOST_WEAKLY}`)).toEqual(['zone3']);
    await connection.query(`${comment} update orders set status = status where id = -1`);
    expect(await zoneOf(connection, 'select @@hostname as host')).toBe('zone3');
    expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
    const plan = await explainRoute(connection, `${comment} select * from orders`);
    expect(plan).toContain('rule: target-server');
    expect(plan).toContain(`1. ${at('zone3')} named by the comment target_db_server`);
  });

  it('target_db_server as parameter: equals of a group share, the next group waits, unknown addresses are passed over', async () => {
    await set('target_db_server', `10.9.9.9:2881,${at('zone2')},${at('zone3')};${at('zone4')}`);
    expect(await zonesOf(connection, READ_HOST)).toEqual(['zone2', 'zone3']);
    demo.faults.setServerStatus('zone2', 'INACTIVE');
    demo.faults.setServerStatus('zone3', 'INACTIVE');
    try {
      await until('the lists have both', async () =>
        /2\. .*blocklist: skipped/.test(await explainRoute(connection, 'select 1')),
      );
      expect(await zonesOf(connection, READ_HOST)).toEqual(['zone4']);
      // The comment counts before the parameter.
      expect(await zoneOf(connection, `/*target_db_server=${at('zone5')}*/${READ_HOST}`)).toBe('zone5');
    } finally {
      await unlistAll(demo, admin);
      await until('the lists are empty', async () => !/blocklist/.test(await explainRoute(connection, 'select 1')));
    }
  });

  it('target_db_server that names no server of the cluster, or not the one of the transaction, is refused', async () => {
    await expect(connection.query(`/*target_db_server='10.9.9.9:1'*/ select 1`)).rejects.toMatchObject({ errno: 4179 });
    await connection.query('begin');
    expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
    const other = `/*target_db_server='${at('zone2')}'*/ ${READ_HOST}`;
    await expect(connection.query(other)).rejects.toMatchObject({
      errno: 4179,
      message: expect.stringContaining('server of the open transaction'),
    });
    expect(await explainRoute(connection, other)).toContain('goes nowhere: the comment target_db_server does not name');
    expect(await zoneOf(connection, `/*target_db_server='${at('zone1')}'*/ ${READ_HOST}`)).toBe('zone1');
    await connection.query('rollback');
    expect(await zoneOf(connection, other)).toBe('zone2');
  });

  it('@obproxy_route_addr: told for the server of the statement before, set for the next one only', async () => {
    const route = async (): Promise<unknown> =>
      (await connection.query<RowDataPacket[]>('SELECT @obproxy_route_addr'))[0][0]?.['@obproxy_route_addr'];
    expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
    expect(await route()).toBe(at('zone1'));
    const [ip = '', port = ''] = at('zone3').split(':');
    const bytes = Buffer.alloc(8);
    bytes.set(ip.split('.').map(Number));
    bytes.writeUInt16BE(Number(port), 4);
    await connection.query(`SET @obproxy_route_addr = ${bytes.readBigUInt64LE()}`);
    expect(await explainRoute(connection, READ_HOST)).toContain('rule: route-address');
    expect(await zoneOf(connection, READ_HOST)).toBe('zone3');
    expect(await route()).toBe(at('zone3'));
    expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
    await connection.query(`SET @obproxy_route_addr = '10.9.9.9:2881'`);
    await expect(connection.query(READ_HOST)).rejects.toMatchObject({ errno: 4179 });
    await connection.query(`SET @obproxy_route_addr = '${at('zone2')}'`);
    const elsewhere = `/*target_db_server='${at('zone3')}'*/ ${READ_HOST}`;
    await expect(connection.query(elsewhere)).rejects.toMatchObject({ errno: 4179 });
    expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
  });

  it('test_server_addr takes everything with the routing modes mock and mysql, and nothing with the others', async () => {
    await set('test_server_addr', at('zone5'));
    expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
    for (const mode of ['mock', 'mysql']) {
      await set('server_routing_mode', mode);
      expect(await zonesOf(connection, READ_HOST)).toEqual(['zone5']);
      expect(await explainRoute(connection, READ_HOST)).toContain('named by the parameter test_server_addr');
    }
    await set('test_server_addr', '');
    expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
  });

  it('server_routing_mode random: neither the table nor the statement before counts', async () => {
    await set('server_routing_mode', 'random');
    const zones = await zonesOf(connection, READ_HOST);
    expect(zones.length).toBeGreaterThan(2);
    expect((await zonesOf(connection, 'select @@hostname as host')).length).toBeGreaterThan(2);
    expect(await explainRoute(connection, READ_HOST)).toContain('rule: any-server');
  });

  it('R21 enable_cached_server off: only what asks about the statement before meets its server', async () => {
    await set('enable_cached_server', 'False');
    expect((await zonesOf(connection, 'select @@hostname as host')).length).toBeGreaterThan(1);
    expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
    expect(await explainRoute(connection, 'show warnings')).toContain('rule: forced-last-server');
  });

  it('enable_bad_route_reject refuses a transaction whose first statement names no table', async () => {
    await set('enable_bad_route_reject', 'True');
    await connection.query('begin');
    await expect(connection.query('select 1')).rejects.toMatchObject({ errno: 1235 });
    await connection.query('select 1');
    await connection.query('begin');
    expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
    await connection.query('select 1');
    await connection.query('commit');
    await connection.query('begin');
    await connection.query('commit');
  });
});
