/** Routing end to end: proxies before the demo cluster. Who has answered is read from the server, not from the proxy. */
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { startProxy, type TestProxy, until } from '../testing/proxy.ts';
import { explainRoute, unlistAll as unlistServers, WEAK, zoneOf, zonesOf } from './testing/demo-routes.ts';

/** What changes in the cluster is seen at once, and a busy machine puts no server on a list. */
const parameters = {
  server_state_refresh_interval: '100ms',
  min_congested_connect_timeout: '1h',
  work_thread_num: 1,
};

describe('weak reads before the demo cluster', () => {
  let demo: DemoCluster;
  /** In idc1, idc2 and idc3. */
  let proxies: TestProxy[] = [];

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
    // The leader of the tests' table is known, and in idc1.
    demo.faults.switchLeader({ table: 'trade.trade.orders' }, 'zone1');
    proxies = await Promise.all(
      ['idc1', 'idc2', 'idc3'].map((idc) =>
        startProxy({
          rsList: demo.servers.map(({ address }) => address).join(';'),
          clusterName: demo.clusterName,
          parameters: { proxy_idc_name: idc, ...parameters },
        }),
      ),
    );
  });
  afterEach(async () => {
    await demo.faults.clear();
    await untilEverywhere(/^(?![\s\S]*, merging)[\s\S]*(same IDC|other regions) zone4, zone5/);
  });
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await demo.close();
  });

  const login = (at: 0 | 1 | 2, sets: readonly string[] = []): Promise<Connection> => {
    const proxy = proxies[at];
    if (proxy === undefined) throw new Error('the proxies did not start');
    return proxy.connect({ user: 'app@trade', password: 'app-secret', database: 'trade' }).then(async (connection) => {
      for (const set of sets) await connection.query(set);
      return connection;
    });
  };

  /** Zone of the server of the statement before: one without a table goes there (R21). */
  const lastZone = (connection: Connection): Promise<string> => zoneOf(connection, 'select @@hostname as host');

  async function zoneAfter(connection: Connection, sql: string): Promise<string> {
    await connection.query(sql);
    return lastZone(connection);
  }

  /** Waits until a proxy's plan for a weak read says so: it has then taken up what has changed in the cluster. */
  const untilPlan = (connection: Connection, what: RegExp) =>
    until(`the plan says ${what}`, async () =>
      what.test(await explainRoute(connection, `select ${WEAK} * from orders`)),
    );

  /** The same for all three proxies. */
  async function untilEverywhere(what: RegExp): Promise<void> {
    for (const at of [0, 1, 2] as const) {
      const connection = await login(at);
      await untilPlan(connection, what);
      await connection.end();
    }
  }

  /** All servers are active again, and no proxy has any of them on its lists. */
  async function unlistAll(): Promise<void> {
    for (const proxy of proxies) {
      const admin = await proxy.admin();
      await unlistServers(demo, admin);
      await admin.end();
    }
    await untilEverywhere(/^(?![\s\S]*blocklist)/);
  }

  it.each([
    [0, 'idc1', ['zone1', 'zone2']],
    [1, 'idc2', ['zone3']],
    [2, 'idc3', ['zone4', 'zone5']],
  ] as const)('R28 R7 R17 proxy %i, in %s, reads from its own zones', async (at, idc, zones) => {
    const connection = await login(at);
    expect(await zonesOf(connection, `select ${WEAK} @@hostname as host from orders limit 1`)).toEqual(zones);
    expect(await explainRoute(connection, `select ${WEAK} * from orders`)).toContain(
      `LDC: '${idc}' (parameter proxy_idc_name), MATCHED_BY_IDC`,
    );
    await connection.end();
  });

  it('R10 R11 strong reads and writes of all three go to the leader', async () => {
    for (const at of [0, 1, 2] as const) {
      const connection = await login(at);
      expect(await zonesOf(connection, 'select @@hostname as host from orders limit 1')).toEqual(['zone1']);
      expect(await zoneAfter(connection, 'update orders set status = status where id = -1')).toBe('zone1');
      await connection.end();
    }
  });

  it('R12 weak by session, by hint, and for new sessions only by the global variable', async () => {
    const early = await login(2);
    const read = 'select @@hostname as host from orders limit 1';
    expect(await zoneOf(early, read)).toBe('zone1');
    const session = await login(2, ["set ob_read_consistency = 'weak'"]);
    expect(await zoneOf(session, read)).toMatch(/zone[45]/);
    expect(await zoneOf(session, 'select /*+ read_consistency(strong) */ @@hostname as host from orders limit 1')).toBe(
      'zone1',
    );
    expect(await zoneOf(session, `${read} for update`)).toBe('zone1');
    expect(await zoneAfter(session, 'update orders set status = status where id = -1')).toBe('zone1');
    await early.query("set global ob_read_consistency = 'weak'");
    try {
      expect(await zoneOf(early, read)).toBe('zone1');
      const late = await login(2);
      expect(await zoneOf(late, read)).toMatch(/zone[45]/);
      await late.end();
    } finally {
      await early.query("set global ob_read_consistency = 'strong'");
    }
    await early.end();
    await session.end();
  });

  it('R8 the session’s IDC beats the proxy’s; NULL gives it back', async () => {
    const connection = await login(0, ["set @proxy_idc_name = 'IDC2'"]);
    const read = `select ${WEAK} @@hostname as host from orders limit 1`;
    expect(await zonesOf(connection, read)).toEqual(['zone3']);
    await connection.query("set @proxy_idc_name = 'zone4'");
    expect(await explainRoute(connection, read)).toContain("'zone4' (@proxy_idc_name), MATCHED_BY_ZONE_PREFIX");
    expect(await zonesOf(connection, read)).toEqual(['zone4']);
    await connection.query('set @proxy_idc_name = null');
    expect(await zonesOf(connection, read)).toEqual(['zone1', 'zone2']);
    await connection.end();
  });

  it('R7 R9 case B77 the global IDC changes for open sessions; an unknown one means no LDC, and SHOW PROXYINFO IDC says so', async () => {
    const connection = await login(1);
    const admin = await proxies[1]?.admin();
    const read = `select ${WEAK} @@hostname as host from orders limit 1`;
    await admin?.query("alter proxyconfig set proxy_idc_name = 'idc3'");
    expect(await zonesOf(connection, read)).toEqual(['zone4', 'zone5']);
    await admin?.query("alter proxyconfig set proxy_idc_name = 'idc-x'");
    expect(await explainRoute(connection, read)).toContain('MATCHED_BY_NONE: all zones count as near');
    const rows = await admin?.query<RowDataPacket[]>('show proxyinfo idc');
    expect(rows?.[0]).toMatchObject([{ global_idc_name: 'idc-x', match_type: 'MATCHED_BY_NONE' }]);
    await admin?.query("alter proxyconfig set proxy_idc_name = 'idc2'");
    expect(await zonesOf(connection, read)).toEqual(['zone3']);
    await connection.end();
  });

  it('R6 R13 follows a zone that the cluster moves to another region', async () => {
    const connection = await login(1);
    demo.faults.setPlace('zone4', { idc: 'idc2', region: 'SHANGHAI' });
    try {
      await untilPlan(connection, /same IDC zone3, zone4;/);
      expect(await zonesOf(connection, `select ${WEAK} @@hostname as host from orders limit 1`)).toEqual(['zone4']);
    } finally {
      demo.faults.setPlace('zone4', { idc: 'idc3', region: 'HANGZHOU' });
      await untilPlan(connection, /same IDC zone3;/);
    }
    await connection.end();
  });

  it('R18 only_readonly_zone never reads from a read-write zone, even with every read-only one listed', async () => {
    const connection = await login(0, ["set ob_route_policy = 'only_readonly_zone'"]);
    const read = `select ${WEAK} @@hostname as host from orders limit 1`;
    expect(await zonesOf(connection, read)).toEqual(['zone4', 'zone5']);
    demo.faults.setServerStatus('zone4', 'INACTIVE');
    demo.faults.setServerStatus('zone5', 'INACTIVE');
    await untilPlan(connection, /status blocklist: used, since every candidate is listed/);
    expect(await zonesOf(connection, read)).toEqual(['zone4', 'zone5']);
    await unlistAll();
    await connection.end();
  });

  it('R17 R19 of a zone that merges, readonly_zone_first keeps to the type, unmerge_zone_first to those that do not', async () => {
    const read = `select ${WEAK} @@hostname as host from orders limit 1`;
    demo.faults.setPlace('zone4', { idc: 'idc2', region: 'SHANGHAI' });
    demo.faults.setMerging('zone4', true);
    const connection = await login(1, ["set ob_route_policy = 'unmerge_zone_first'"]);
    await untilPlan(connection, /zone4: same IDC, merging, read-only/);
    expect(await zonesOf(connection, read)).toEqual(['zone3']);
    await connection.query("set ob_route_policy = 'readonly_zone_first'");
    expect(await zonesOf(connection, read)).toEqual(['zone4']);
    demo.faults.setPlace('zone4', { idc: 'idc3', region: 'HANGZHOU' });
    await demo.faults.clear();
    await untilPlan(connection, /same IDC zone3;[\s\S]*zone4: another region, not merging/);
    await connection.end();
  });

  it('case B77 B14 a listed near server is skipped, and EXPLAIN ROUTE says so', async () => {
    const connection = await login(2);
    const read = `select ${WEAK} @@hostname as host from orders limit 1`;
    demo.faults.setServerStatus('zone4', 'INACTIVE');
    await untilPlan(connection, /zone4.*on the status blocklist: skipped/);
    expect(await zonesOf(connection, read)).toEqual(['zone5']);
    await unlistAll();
    expect(await zonesOf(connection, read)).toEqual(['zone4', 'zone5']);
    await connection.end();
  });

  describe('without read-only zones', () => {
    beforeAll(async () => {
      for (const zone of ['zone4', 'zone5']) demo.faults.setZoneType(zone, 'ReadWrite');
      await untilEverywhere(/policy: balanced/);
    });
    afterAll(async () => {
      for (const zone of ['zone4', 'zone5']) demo.faults.setZoneType(zone, 'ReadOnly');
      await untilEverywhere(/policy: readonly_zone_first/);
    });

    it('R13 balanced: leader and follower of the IDC alike', async () => {
      const connection = await login(0);
      expect(await zonesOf(connection, `select ${WEAK} @@hostname as host from orders limit 1`)).toEqual([
        'zone1',
        'zone2',
      ]);
      await connection.end();
    });

    it('R13 R14 R15 of zones that merge, balanced and unmerge_follower_first keep away, follower_first only while others follow', async () => {
      const connection = await login(0);
      const read = `select ${WEAK} @@hostname as host from orders limit 1`;
      demo.faults.setMerging('zone2', true);
      await untilPlan(connection, /zone2: same IDC, merging/);
      expect(await zonesOf(connection, read)).toEqual(['zone1']);
      await connection.query("set @proxy_route_policy = 'follower_first'");
      expect(await zonesOf(connection, read)).toEqual(['zone3']);
      await connection.query("set @proxy_route_policy = 'unmerge_follower_first'");
      demo.faults.setMerging('zone3', true);
      await untilPlan(connection, /zone3: same region, merging/);
      expect(await zonesOf(connection, read)).toEqual(['zone1']);
      await connection.query("set @proxy_route_policy = 'follower_first'");
      expect(await zonesOf(connection, read)).toEqual(['zone2']);
      await demo.faults.clear();
      await untilPlan(connection, /^(?![\s\S]*, merging)/);
      await connection.end();
    });

    it('R14 R15 R16 the session’s proxy_route_policy: followers first, any other word is balanced', async () => {
      const connection = await login(0);
      const read = `select ${WEAK} @@hostname as host from orders limit 1`;
      for (const policy of ['follower_first', 'UNMERGE_FOLLOWER_FIRST']) {
        await connection.query(`set @proxy_route_policy = '${policy}'`);
        expect(await zonesOf(connection, read)).toEqual(['zone2']);
      }
      await connection.query("set @proxy_route_policy = 'nearest'");
      expect(await zonesOf(connection, read)).toEqual(['zone1', 'zone2']);
      expect(await explainRoute(connection, read)).toContain("proxy_route_policy is 'nearest', which is no policy");
      const [rows] = await connection.query<RowDataPacket[]>('select @proxy_route_policy as policy');
      expect(rows).toEqual([{ policy: 'nearest' }]);
      const [shown] = await connection.query<RowDataPacket[]>("show proxysession variables like 'proxy_route_policy'");
      expect(shown).toMatchObject([{ value: "'nearest'" }]);
      await connection.end();
    });

    it('R14 case B77 the parameter: no leader while a follower of the region is left', async () => {
      const connection = await login(0);
      const admin = await proxies[0]?.admin();
      const read = `select ${WEAK} @@hostname as host from orders limit 1`;
      await admin?.query("alter proxyconfig set proxy_route_policy = 'follower_first'");
      expect(await zonesOf(connection, read)).toEqual(['zone2']);
      demo.faults.setServerStatus('zone2', 'INACTIVE');
      await untilPlan(connection, /zone2.*blocklist: skipped/);
      expect(await zonesOf(connection, read)).toEqual(['zone3']);
      await admin?.query("alter proxyconfig set proxy_route_policy = ''");
      expect(await zonesOf(connection, read)).toEqual(['zone1']);
      await unlistAll();
      await connection.end();
    });
  });

  it('case B68 reads of a transaction that has written stay at its server; after COMMIT weak reads resume', async () => {
    const connection = await login(2, ["set ob_read_consistency = 'weak'"]);
    const [rows] = await connection.query<RowDataPacket[]>('select id, status from orders limit 1');
    const id: unknown = rows[0]?.id;
    const status: unknown = rows[0]?.status;
    const valueIn = async (hint: string): Promise<unknown> => {
      const [found] = await connection.query<RowDataPacket[]>(`select ${hint} status from orders where id = ?`, [id]);
      return found[0]?.status;
    };
    await connection.query('begin');
    expect(await zoneOf(connection, 'select @@hostname as host from orders limit 1')).toBe('zone1');
    await connection.query('update orders set status = ? where id = ?', ['shipped', id]);
    expect(await valueIn(WEAK)).toBe('shipped');
    expect(await zoneOf(connection, `select ${WEAK} @@hostname as host from orders limit 1`)).toBe('zone1');
    expect(await explainRoute(connection, `select ${WEAK} * from orders`)).toContain('rule: bound');
    await connection.query('rollback');
    expect(await valueIn('')).toBe(status);
    expect(await zoneOf(connection, 'select @@hostname as host from orders limit 1')).toMatch(/zone[45]/);
    await connection.end();
  });

  it('case B62 with autocommit off the first SELECT picks the leader, all stay there, and COMMIT frees', async () => {
    const connection = await login(2, ["set ob_read_consistency = 'weak'", 'set autocommit = 0']);
    expect(await zoneOf(connection, 'select @@hostname as host from orders where id = 1')).toBe('zone1');
    expect(await zoneOf(connection, 'select @@hostname as host from orders where id = 2')).toBe('zone1');
    await connection.query('update orders set status = status where id = 1');
    await connection.query('commit');
    await connection.query('set autocommit = 1');
    expect(await zoneOf(connection, 'select @@hostname as host from orders limit 1')).toMatch(/zone[45]/);
    await connection.end();
  });

  it('R12 a read-only transaction may be weak, and stays where it began', async () => {
    const connection = await login(2, ["set ob_read_consistency = 'weak'", 'start transaction read only']);
    const zone = await zoneOf(connection, 'select @@hostname as host from orders limit 1');
    expect(zone).toMatch(/zone[45]/);
    expect(await zonesOf(connection, 'select @@hostname as host from orders limit 1')).toEqual([zone]);
    await connection.query('commit');
    await connection.end();
  });

  it('R10 R21 DDL and writes to a table not known yet leave the read-only zone of the weak read before', async () => {
    const connection = await login(2, ["set ob_read_consistency = 'weak'"]);
    expect(await zoneOf(connection, 'select @@hostname as host from orders limit 1')).toMatch(/zone[45]/);
    expect(await zoneAfter(connection, 'create table weak_made (id bigint primary key)')).toMatch(/zone[123]/);
    expect(await zoneOf(connection, 'select @@hostname as host from orders limit 1')).toMatch(/zone[45]/);
    expect(await zoneAfter(connection, 'insert into weak_made values (1)')).toMatch(/zone[123]/);
    await connection.query('drop table weak_made');
    await connection.end();
  });

  it('R12 prepared statements are read as weakly as their text', async () => {
    const connection = await login(2);
    await connection.execute(`select ${WEAK} * from orders where id = ?`, [1]);
    expect(await lastZone(connection)).toMatch(/zone[45]/);
    await connection.end();
  });

  it('case B71 a weak hint counts only directly after the verb', async () => {
    const connection = await login(2);
    expect(await zoneOf(connection, `${WEAK} select @@hostname as host from orders limit 1`)).toBe('zone1');
    expect(
      await zoneOf(connection, ` /* a */ -- b\n # c\n select ${WEAK} @@hostname as host from orders limit 1`),
    ).toMatch(/zone[45]/);
    expect(await zoneOf(connection, '/*FORCE_MASTER*/ select @@hostname as host from orders limit 1')).toBe('zone1');
    await connection.end();
  });
});
