/** Zones that requests are kept to, or prefer, before the demo cluster. The server says who answered. */
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { startProxy, type TestProxy, until } from '../testing/proxy.ts';
import {
  explainRoute,
  READ_HOST,
  READ_HOST_WEAKLY,
  untilZonesAreKnown,
  zoneOf,
  zonesOf,
} from './testing/demo-routes.ts';

const HOST = 'select @@hostname as host';

describe('preferred zones before the demo cluster', () => {
  let demo: DemoCluster;
  let proxy: TestProxy;
  let admin: Connection;
  let connection: Connection;

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
    demo.faults.switchLeader({ table: 'trade.trade.orders' }, 'zone1');
    proxy = await startProxy({
      rsList: demo.servers.map(({ address }) => address).join(';'),
      clusterName: demo.clusterName,
      parameters: { server_state_refresh_interval: '100ms', min_congested_connect_timeout: '1h', work_thread_num: 1 },
    });
    admin = await proxy.admin();
    connection = await proxy.connect({ user: 'app@trade', password: 'app-secret', database: 'trade' });
    await untilZonesAreKnown(connection);
  });
  afterEach(async () => {
    await set('proxy_primary_zone_name', '');
    await set('proxy_route_policy', '');
    await set('enable_cached_server', 'True');
    await set('enable_primary_zone', 'True');
    await set('obproxy_read_only', '1');
    await set('obproxy_read_consistency', '0');
    await set('ob_max_read_stale_time', '-1');
  });
  afterAll(async () => {
    await connection.end();
    await admin.end();
    await proxy.close();
    await demo.close();
  });

  const set = (name: string, value: string) => admin.query(`alter proxyconfig set ${name} = '${value}'`);
  const untilPlan = (sql: string, what: RegExp) =>
    until(`the plan says ${what}`, async () => what.test(await explainRoute(connection, sql)));

  describe('with read-only zones', () => {
    it('R10 proxy_primary_zone_name keeps strong requests to its zones; read-only ones stay out', async () => {
      await set('proxy_primary_zone_name', 'zone3,ZONE4');
      expect(await zonesOf(connection, READ_HOST)).toEqual(['zone3']);
      await connection.query('update orders set status = status where id = -1');
      expect(await zoneOf(connection, HOST)).toBe('zone3');
    });

    it('R17 proxy_primary_zone_name filters the order of ob_route_policy', async () => {
      await set('proxy_primary_zone_name', 'zone3,zone4');
      expect(await zonesOf(connection, READ_HOST_WEAKLY)).toEqual(['zone4']);
      await set('proxy_primary_zone_name', 'zone2,zone3');
      expect(await zonesOf(connection, READ_HOST_WEAKLY)).toEqual(['zone2', 'zone3']);
    });

    it('proxy_primary_zone_name of zones without servers sends nothing anywhere', async () => {
      await set('proxy_primary_zone_name', 'nowhere');
      await expect(connection.query(READ_HOST)).rejects.toMatchObject({ errno: 10013 });
      expect(await explainRoute(connection, READ_HOST)).toContain('only zones nowhere');
    });
  });

  describe('what parameters set in every session', () => {
    const variable = async (name: string): Promise<string> => {
      const [rows] = await connection.query<RowDataPacket[]>(`select @@${name} as value`);
      return String(rows[0]?.value);
    };

    it('R12 obproxy_read_consistency 1: reads are weak, all else is strong, and the session may not choose', async () => {
      await set('obproxy_read_consistency', '1');
      expect(await zoneOf(connection, READ_HOST)).toMatch(/zone[45]/);
      expect(await variable('ob_read_consistency')).toBe('WEAK');
      await connection.query('update orders set status = status where id = -1');
      expect(await zoneOf(connection, HOST)).toBe('zone1');
      await connection.query('begin');
      expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
      await connection.query('commit');
      for (const sql of ["set ob_read_consistency = 'strong'", "SET @@session.ob_read_consistency := 'strong'"]) {
        await expect(connection.query(sql)).rejects.toMatchObject({
          errno: 4179,
          message: 'set ob_read_consistency is not allowed',
        });
      }
      await set('obproxy_read_consistency', '0');
      expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
      expect(await variable('ob_read_consistency')).toBe('STRONG');
    });

    it('obproxy_read_only 0: servers refuse writes, and the session may not choose', async () => {
      await set('obproxy_read_only', '0');
      const write = 'update orders set status = status where id = -1';
      await expect(connection.query(write)).rejects.toMatchObject({ errno: 1792 });
      expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
      for (const sql of [
        'set tx_read_only = 0',
        'set session transaction read write',
        'start transaction read write',
        'set @@transaction_read_only=0',
      ]) {
        await expect(connection.query(sql)).rejects.toMatchObject({
          errno: 4179,
          message: 'set tx_read_only/transaction_read_only is not allowed',
        });
      }
      // A way round it does not last.
      await connection.query('set tx_read_only /**/ = 0');
      await expect(connection.query(write)).rejects.toMatchObject({ errno: 1792 });
      await connection.execute('select id from orders where id = ?', [1]);
      await set('obproxy_read_only', '1');
      await connection.query(write);
      expect(await variable('tx_read_only')).toBe('0');
    });

    it('ob_max_read_stale_time reaches the servers of open sessions', async () => {
      await set('ob_max_read_stale_time', '5000000');
      expect(await variable('ob_max_read_stale_time')).toBe('5000000');
      await connection.query('set ob_max_read_stale_time = 7000000');
      expect(await variable('ob_max_read_stale_time')).toBe('7000000');
      await set('ob_max_read_stale_time', '-1');
      expect(await variable('ob_max_read_stale_time')).toBe('-1');
    });
  });

  describe('without read-only zones', () => {
    beforeAll(async () => {
      for (const zone of ['zone4', 'zone5']) demo.faults.setZoneType(zone, 'ReadWrite');
      await untilPlan(READ_HOST, /the cluster has no read-only zone/);
    });

    it('proxy_primary_zone_name is the order where no policy is asked for: its groups one after the other', async () => {
      await set('proxy_primary_zone_name', 'zone4,zone5;zone1');
      expect(await zonesOf(connection, READ_HOST)).toEqual(['zone4', 'zone5']);
      expect(await zonesOf(connection, READ_HOST_WEAKLY)).toEqual(['zone4', 'zone5']);
      const plan = await explainRoute(connection, READ_HOST);
      expect(plan).toContain('rule: primary-zone-name');
      expect(plan).toContain('only zones zone4, zone5; then zone1');
      await set('proxy_route_policy', 'follower_first');
      await set('proxy_primary_zone_name', 'zone1,zone2');
      expect(await zonesOf(connection, READ_HOST_WEAKLY)).toEqual(['zone2']);
    });

    it("enable_primary_zone: what has no place of its own goes to the tenant's primary zone first", async () => {
      await set('enable_cached_server', 'False');
      demo.faults.setPrimaryZone('trade', 'zone3;zone2');
      await untilPlan('select 1', /first zones zone3; then zone2/);
      expect(await zonesOf(connection, HOST)).toEqual(['zone3']);
      expect(await explainRoute(connection, 'select 1')).toContain('rule: primary-zone');
      expect(await zoneOf(connection, READ_HOST)).toBe('zone1');
      await set('enable_primary_zone', 'False');
      expect((await zonesOf(connection, HOST)).length).toBeGreaterThan(1);
      await set('enable_primary_zone', 'True');
      demo.faults.setPrimaryZone('trade', 'RANDOM');
      await untilPlan('select 1', /rule: any-server/);
    });
  });
});
