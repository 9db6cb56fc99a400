/** Duplicate tables and replicas that are too old, before the demo cluster. The server says who answered. */
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { startProxy, type TestProxy } from '../testing/proxy.ts';
import { explainRoute, READ_HOST_WEAKLY, untilZonesAreKnown, WEAK, zoneOf, zonesOf } from './testing/demo-routes.ts';

const READ_CURRENCIES = 'select @@hostname as host from currencies limit 1';
const ORDERS = 'trade.trade.orders';

describe('replicas, before the demo cluster', () => {
  let demo: DemoCluster;
  let proxy: TestProxy;
  let admin: Connection;
  let connection: Connection;

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
    for (const table of [ORDERS, 'trade.trade.currencies']) demo.faults.switchLeader({ table }, 'zone1');
    proxy = await startProxy({
      rsList: demo.servers.map(({ address }) => address).join(';'),
      clusterName: demo.clusterName,
      parameters: {
        server_state_refresh_interval: '100ms',
        min_congested_connect_timeout: '1h',
        work_thread_num: 1,
        proxy_idc_name: 'idc3',
        connect_observer_max_retries: 2,
      },
    });
    admin = await proxy.admin();
    connection = await proxy.connect({ user: 'app@trade', password: 'app-secret', database: 'trade' });
    await untilZonesAreKnown(connection);
  });
  afterEach(async () => {
    await demo.faults.clear();
    await set('read_stale_retry_interval', '5s');
    await set('enable_weak_reroute', 'True');
    await connection.query('set autocommit = 1');
  });
  afterAll(async () => {
    await connection.end();
    await admin.end();
    await proxy.close();
    await demo.close();
  });

  const set = (name: string, value: string) => admin.query(`alter proxyconfig set ${name} = '${value}'`);
  const makeStale = (...zones: string[]): void => {
    for (const zone of zones) demo.faults.setStale(zone, ORDERS, true);
  };

  describe('of a duplicate table', () => {
    it('any serves a strong read, the near ones first, whatever their zone’s type', async () => {
      expect(await zonesOf(connection, READ_CURRENCIES)).toEqual(['zone4', 'zone5']);
      const plan = await explainRoute(connection, READ_CURRENCIES);
      expect(plan).toContain('rule: duplicate-table');
      expect(plan).toContain('policy: dup_replica_first (a read of a duplicate table)');
      expect(await zoneOf(connection, 'select @@hostname as host from customers limit 1')).toMatch(/zone[123]/);
    });

    it('R10 writes, row locks and what begins a transaction go to the leader', async () => {
      expect(await zoneOf(connection, `${READ_CURRENCIES} for update`)).toBe('zone1');
      await connection.query("update currencies set name = name where code = 'EUR'");
      expect(await zoneOf(connection, 'select @@hostname as host')).toBe('zone1');
      await connection.query('begin');
      expect(await zoneOf(connection, READ_CURRENCIES)).toBe('zone1');
      await connection.query('rollback');
      await connection.query('set autocommit = 0');
      expect(await zoneOf(connection, READ_CURRENCIES)).toBe('zone1');
      await connection.query('rollback');
    });

    it('case B68 reads of a transaction that has changed it see the change', async () => {
      await connection.query('begin');
      await connection.query("update currencies set name = 'changed' where code = 'EUR'");
      const [rows] = await connection.query<RowDataPacket[]>(`select ${WEAK} name from currencies where code = 'EUR'`);
      expect(rows).toEqual([{ name: 'changed' }]);
      expect(await zoneOf(connection, READ_CURRENCIES)).toBe('zone1');
      await connection.query('rollback');
      expect(await zonesOf(connection, READ_CURRENCIES)).toEqual(['zone4', 'zone5']);
    });
  });

  describe('case B78 that are too old for a weak read', () => {
    it('are left for others without the client noticing, and are tried again when their time is over', async () => {
      makeStale('zone4');
      expect(await zonesOf(connection, READ_HOST_WEAKLY)).toEqual(['zone5']);
      expect(await explainRoute(connection, READ_HOST_WEAKLY)).toMatch(/zone4: same IDC.*lately too old/);
      const [listed] = await connection.query<RowDataPacket[]>('show proxysession read_stale');
      const address = demo.servers.find(({ zone }) => zone === 'zone4')?.address;
      expect(listed).toMatchObject([{ server_addr: address, table_id: expect.any(Number) }]);
      demo.faults.setStale('zone4', ORDERS, false);
      expect(await zonesOf(connection, READ_HOST_WEAKLY)).toEqual(['zone5']);
      await set('read_stale_retry_interval', '0s');
      expect(await zonesOf(connection, READ_HOST_WEAKLY)).toEqual(['zone4', 'zone5']);
    });

    it('are left only for that partition', async () => {
      const read = (id: number) => `select ${WEAK} @@hostname as host from orders where id = ${id}`;
      const partitionOf = async (id: number): Promise<string> =>
        /partition: (p\d+)/.exec(await explainRoute(connection, read(id)))?.[1] ?? '';
      const stale = await partitionOf(1);
      demo.faults.setStale('zone4', ORDERS, true, Number(stale.slice(1)));
      expect(await zonesOf(connection, read(1))).toEqual(['zone5']);
      expect(await partitionOf(2)).not.toBe(stale);
      expect(await zonesOf(connection, read(2))).toEqual(['zone4', 'zone5']);
    });

    it('leave the leader when all are, in one statement and with more servers than may fail to connect', async () => {
      await set('read_stale_retry_interval', '1s');
      makeStale('zone2', 'zone3', 'zone4', 'zone5');
      const fresh = await proxy.connect({ user: 'app@trade', password: 'app-secret', database: 'trade' });
      expect(await zoneOf(fresh, READ_HOST_WEAKLY)).toBe('zone1');
      await fresh.query("set ob_read_consistency = 'weak'");
      const [rows] = await fresh.execute<RowDataPacket[]>('select @@hostname as host from orders limit ?', [1]);
      expect(String(rows[0]?.host)).toContain('zone1');
      await fresh.end();
    });

    it('are told to the client with enable_weak_reroute off, and within a transaction', async () => {
      await set('read_stale_retry_interval', '0s');
      makeStale('zone2', 'zone3', 'zone4', 'zone5');
      await set('enable_weak_reroute', 'False');
      await expect(connection.query(READ_HOST_WEAKLY)).rejects.toMatchObject({ errno: 6231 });
      await set('enable_weak_reroute', 'True');
      await connection.query('start transaction read only');
      await expect(connection.query(READ_HOST_WEAKLY)).rejects.toMatchObject({ errno: 6231 });
      await connection.query('rollback');
    });
  });
});
