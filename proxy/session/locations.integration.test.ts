/** Locations and what servers say of them, before the demo cluster. Who has answered is read from the server. */
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { startProxy, type TestProxy, until } from '../testing/proxy.ts';
import { explainRoute } from './testing/demo-routes.ts';

const login = { user: 'app@trade', password: 'app-secret', database: 'trade', multipleStatements: true };

describe('locations', () => {
  let demo: DemoCluster;
  let proxy: TestProxy;
  let client: Connection;
  let admin: Connection;

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
    proxy = await startProxy({
      rsList: demo.servers.map(({ address }) => address).join(';'),
      clusterName: demo.clusterName,
      parameters: { work_thread_num: 2, automatic_match_work_thread: 'False', delay_update_entry_interval: '0s' },
    });
    client = await proxy.connect(login);
    admin = await proxy.admin();
    for (const table of ['t1', 't2', 'elsewhere', 'single']) {
      await client.query(`CREATE TABLE ${table} (id INT AUTO_INCREMENT PRIMARY KEY, v INT)`);
    }
  });
  afterAll(async () => {
    await client.end();
    await proxy.close();
    await demo.close();
  });

  const show = async (sql: string): Promise<RowDataPacket[]> => (await admin.query<RowDataPacket[]>(sql))[0];
  const alter = (name: string, value: string | number) => admin.query(`ALTER PROXYCONFIG SET ${name} = '${value}'`);
  const hostOf = (address: string): string => demo.servers.find((server) => server.address === address)?.hostName ?? '';
  const addressIn = (zone: string): string => demo.servers.find((server) => server.zone === zone)?.address ?? '';
  const leaderHost = (table: string, partition = 0): string =>
    hostOf(demo.faults.leaderOf(`trade.trade.${table}`, partition));
  const move = (table: string, zone: string): void => demo.faults.switchLeader({ table: `trade.trade.${table}` }, zone);
  /** Runs a text, whatever comes of it. @returns host name of the server it ran on */
  const hostFor = async (sql: string): Promise<string> => {
    await client.query(sql).catch(() => undefined);
    const [[row]] = await client.query<RowDataPacket[]>('SELECT @@hostname AS host');
    return String(row?.host);
  };
  /** The leader that every worker that knows the table takes it to have. */
  const knownLeader = async (table: string): Promise<string> => {
    const [row] = await show(`SHOW PROXYROUTE LIKE '${table}'`);
    return /server\[0\]=([^,]+),leader/.exec(String(row?.['server addr']))?.[1] ?? '';
  };
  const direct = async (): Promise<Connection> => {
    const { ip, port } = demo.servers[0] ?? { ip: '', port: 0 };
    return createConnection({ ...login, host: ip, port, user: 'app@trade' });
  };

  describe('R22 R23 R25 several statements in one text', () => {
    beforeEach(async () => {
      move('t1', 'zone2');
      move('elsewhere', 'zone3');
      for (const table of ['t1', 'elsewhere']) {
        await until(`${table} is found`, async () => (await hostFor(`SELECT * FROM ${table}`)) === leaderHost(table));
      }
    });

    const routed = [
      ['R23', 'begin; select * from t1; commit;'],
      ['R23', 'set @@autocommit = 1; insert into t1 values(); set @@autocommit = 0;'],
      ['R23', 'select * from t1; insert into t2 values;'],
      ['R23', 'set @@ob_trx_timeout = 10000000; begin; select * from t1; commit;'],
      ['R25', "select '1'; select * from t1;"],
      ['R25', "select '1' from dual; select * from t1;"],
    ] as const;

    it.each(routed)('%s goes to the leader of t1: %s', async (_, sql) => {
      expect(await hostFor(sql)).toBe(leaderHost('t1'));
      await client.query('COMMIT; SET @@autocommit = 1');
    });

    it.each(routed.filter(([id]) => id === 'R23'))('%s a miss makes the place known anew: %s', async (_, sql) => {
      move('t1', 'zone1');
      expect(await hostFor(sql)).toBe(hostOf(addressIn('zone2')));
      await client.query('COMMIT; SET @@autocommit = 1');
      await until('the new leader is known', async () => (await knownLeader('t1')) === addressIn('zone1'));
      expect(await hostFor(sql)).toBe(hostOf(addressIn('zone1')));
      await client.query('COMMIT; SET @@autocommit = 1');
    });

    it('R24 statements without a table go to the server of the statement before', async () => {
      for (const table of ['t1', 'elsewhere']) {
        const before = await hostFor(`SELECT * FROM ${table}`);
        const sql = 'CREATE TABLE IF NOT EXISTS n1 (a INT); CREATE TABLE IF NOT EXISTS n2 (a INT);';
        expect(await hostFor(sql)).toBe(before);
      }
    });

    it('R26 a table made in the same text is written to', async () => {
      await client.query('create table made (id int primary key auto_increment, v int); insert into made values();');
      const [rows] = await client.query<RowDataPacket[]>('SELECT * FROM made');
      expect(rows).toHaveLength(1);
    });

    it.each(['show warnings; select * from t1;', 'show count(*) errors; select * from t1;'])(
      'R27 stays at the server of the statement before: %s',
      async (sql) => {
        const before = await hostFor('SELECT * FROM elsewhere');
        expect(before).not.toBe(leaderHost('t1'));
        expect(await hostFor(sql)).toBe(before);
      },
    );
  });

  describe('feedback', () => {
    it('R22 a moved leader is found after one detour', async () => {
      move('single', 'zone1');
      await until('it is found', async () => (await hostFor('SELECT * FROM single')) === leaderHost('single'));
      for (const zone of ['zone3', 'zone2']) {
        move('single', zone);
        await client.query('SELECT * FROM single');
        await until('it is known', async () => (await knownLeader('single')) === addressIn(zone));
        expect(await hostFor('SELECT * FROM single')).toBe(hostOf(addressIn(zone)));
      }
    });

    it('R22 OB_NOT_MASTER: a read is taken to another server, a write gets the error, and the place is asked for anew', async () => {
      move('single', 'zone2');
      await client.query('SELECT * FROM single');
      await until('it is known', async () => (await knownLeader('single')) === addressIn('zone2'));
      move('single', 'zone1');
      demo.faults.answerError('zone2', 4038);
      expect(await client.query('SELECT * FROM single').then(() => 'ok')).toBe('ok');
      await until('the new leader is known', async () => (await knownLeader('single')) === addressIn('zone1'));
      demo.faults.answerError('zone2', 0);
      demo.faults.answerError('zone1', 4038);
      await expect(client.query('INSERT INTO single VALUES ()')).rejects.toMatchObject({ errno: 4038 });
      demo.faults.answerError('zone1', 0);
      expect(await hostFor('INSERT INTO single VALUES ()')).toBe(hostOf(addressIn('zone1')));
    });

    it('case B76 a: dropped and made anew with 8 partitions behind the proxy: at most one detour', async () => {
      const other = await direct();
      await client.query('CREATE TABLE anew (id INT PRIMARY KEY, v INT)');
      expect(await hostFor('SELECT * FROM anew WHERE id = 7')).toBe(leaderHost('anew'));
      await other.query('DROP TABLE anew');
      await other.query('CREATE TABLE anew (id INT PRIMARY KEY, v INT) PARTITION BY HASH(id) PARTITIONS 8');
      await other.end();
      const right = leaderHost('anew', 7);
      const [before] = await show("SHOW PROXYROUTE LIKE 'anew'");
      if ((await hostFor('SELECT * FROM anew WHERE id = 7')) !== right) {
        await until('the new table is known', async () => {
          const [row] = await show("SHOW PROXYROUTE LIKE 'anew'");
          return row?.table_id !== before?.table_id;
        });
        expect(await hostFor('SELECT * FROM anew WHERE id = 7')).toBe(right);
      }
    });

    it('case B76 a dropped table is forgotten', async () => {
      const other = await direct();
      await client.query('CREATE TABLE gone (id INT PRIMARY KEY)');
      await client.query('SELECT * FROM gone');
      expect(await show("SHOW PROXYROUTE LIKE 'gone'")).toHaveLength(1);
      await other.query('DROP TABLE gone');
      await other.end();
      await expect(client.query('SELECT * FROM gone')).rejects.toMatchObject({ errno: 1146 });
      await until('it is forgotten', async () => (await show("SHOW PROXYROUTE LIKE 'gone'")).length === 0);
    });
  });

  describe('SHOW PROXYROUTE and the parameters', () => {
    it('R4 tells the tables, tenants and partitions of all workers once each', async () => {
      await client.query('CREATE TABLE parts (id INT PRIMARY KEY) PARTITION BY HASH(id) PARTITIONS 3');
      // Enough for every worker to get some.
      const clients = await Promise.all(Array.from({ length: 12 }, () => proxy.connect(login)));
      for (const one of clients) await one.query('SELECT * FROM parts WHERE id = 1');
      const rows = await show('SHOW PROXYROUTE');
      const names = rows.map((row) => `${row.cluster_name} ${row.tenant_name} ${row.database_name} ${row.table_name}`);
      expect(names).toContain(`${demo.clusterName} trade trade parts`);
      expect(new Set(names).size).toBe(names.length);
      const [parts] = await show(`SHOW PROXYROUTE LIKE '${demo.clusterName} trade trade parts'`);
      expect(parts).toMatchObject({ state: 'AVAIL', partition_num: 3, from_rslist: 'N' });
      expect(String(parts?.['server addr'])).toMatch(/^part_level=1, first_func=HASH, first_space=0, first_num=3,/);
      const partitions = await show('SHOW PROXYROUTE PARTITION');
      expect(partitions.filter((row) => row.table_id === parts?.table_id)).toHaveLength(1);
      expect(await show('SHOW PROXYROUTE GLOBALINDEX')).toEqual([]);
      for (const one of clients) await one.end();
    });

    it("case B98 LIKE 'o''neil'", async () => {
      await client.query("CREATE TABLE `o'neil` (id INT PRIMARY KEY)");
      await client.query("SELECT * FROM `o'neil`");
      expect((await show("SHOW PROXYROUTE LIKE 'o''neil'")).map((row) => row.table_name)).toEqual(["o'neil"]);
    });

    it('partition_location_expire_relative_time counts once and goes back to 0', async () => {
      await hostFor('SELECT * FROM t1');
      await alter('partition_location_expire_relative_time', 1);
      await until('it is 0 again', async () => {
        const [row] = await show("SHOW PROXYCONFIG LIKE 'partition_location_expire_relative_time'");
        return row?.value === '0';
      });
      const [row] = await show("SHOW PROXYROUTE LIKE 't1'");
      expect(row?.state).toBe('DIRTY');
      expect(String(row?.relative_expire_time)).not.toMatch(/^1970/);
      await until('it is known anew', async () => {
        await client.query('SELECT * FROM t1');
        return (await show("SHOW PROXYROUTE LIKE 't1'"))[0]?.state === 'AVAIL';
      });
    });

    it('sql_table_cache_expire_relative_time goes back to 0 too', async () => {
      await alter('sql_table_cache_expire_relative_time', -1);
      await until('it is 0 again', async () => {
        const [row] = await show("SHOW PROXYCONFIG LIKE 'sql_table_cache_expire_relative_time'");
        return row?.value === '0';
      });
    });

    it('routing_cache_mem_limited bounds what is kept, at once', async () => {
      for (const table of ['t1', 't2', 'elsewhere', 'single']) await client.query(`SELECT * FROM ${table}`);
      expect((await show('SHOW PROXYROUTE')).length).toBeGreaterThan(3);
      await alter('routing_cache_mem_limited', '1KB');
      // One entry is kept in each of the two workers, whatever its size.
      expect((await show('SHOW PROXYROUTE')).length).toBeLessThanOrEqual(2);
      expect(await hostFor('SELECT * FROM single')).toBe(leaderHost('single'));
      await alter('routing_cache_mem_limited', '128MB');
    });
  });

  describe('CALL and enable_pl_route', () => {
    beforeEach(async () => {
      move('customers', 'zone2');
      move('elsewhere', 'zone3');
      const leaders = () => Promise.all([knownLeader('customers'), knownLeader('elsewhere')]);
      await until('both leaders are known', async () => {
        for (const table of ['customers', 'elsewhere']) await client.query(`SELECT * FROM ${table} LIMIT 1`);
        return (await leaders()).join() === [addressIn('zone2'), addressIn('zone3')].join();
      });
    });
    const inZone = (zone: string): string => hostOf(addressIn(zone));

    it.each(['CALL customer_name(1)', 'call trade.customer_name(1); select 1'])(
      "case B58 goes to the leader of its procedure's table: %s",
      async (sql) => {
        expect(await hostFor('SELECT * FROM elsewhere')).toBe(inZone('zone3'));
        expect(await hostFor(sql)).toBe(inZone('zone2'));
      },
    );

    it.each(['CALL answer()', 'CALL nowhere.customer_name(1)', 'CALL nosuch()'])(
      'R21 stays at the server of the statement before: %s',
      async (sql) => {
        expect(await hostFor('SELECT * FROM elsewhere')).toBe(inZone('zone3'));
        expect(await hostFor(sql)).toBe(inZone('zone3'));
      },
    );

    it('R21 with enable_pl_route off it stays at the server of the statement before', async () => {
      await alter('enable_pl_route', 'False');
      await client.query('SELECT * FROM elsewhere');
      await until(
        'it is off',
        async () => !(await explainRoute(client, 'CALL customer_name(1)')).includes('customers'),
      );
      expect(await hostFor('SELECT * FROM elsewhere')).toBe(inZone('zone3'));
      expect(await hostFor('CALL customer_name(1)')).toBe(inZone('zone3'));
      await alter('enable_pl_route', 'True');
      await until('it is on', async () => (await hostFor('CALL customer_name(1)')) === inZone('zone2'));
    });

    it('R4 goes by a partition that the statement fixes by itself, and else by the table', async () => {
      expect(await explainRoute(client, 'CALL first_order()')).toMatch(/partition: p1 /);
      expect(await explainRoute(client, 'CALL order_status(1)')).toContain('partition: not one for certain');
    });

    it('R4 SHOW PROXYROUTE ROUTINE tells them, LIKE those that fit', async () => {
      for (const name of ['customer_name', 'answer', 'nosuch']) await hostFor(`CALL ${name}(1)`);
      const names = async (like = '') =>
        (await show(`SHOW PROXYROUTE ROUTINE ${like}`)).map((row) => String(row.routine_name));
      expect(await names()).toEqual(expect.arrayContaining(['answer', 'customer_name']));
      expect(await names()).not.toContain('nosuch');
      expect(await names("LIKE 'cust%'")).toEqual(['customer_name']);
      const [row] = await show(`SHOW PROXYROUTE ROUTINE LIKE '${demo.clusterName} trade trade  customer_name'`);
      expect(row).toMatchObject({
        package_name: '',
        state: 'AVAIL',
        routine_num: 1,
        route_sql: 'SELECT name FROM customers WHERE id = :0',
      });
    });
  });

  // It stands last: the tenant stays with its leader.
  it('R11 R22 one server leads the whole tenant: strong requests go there without a place; a miss ends it for a while', async () => {
    await alter('server_state_refresh_interval', '1s');
    demo.faults.leadTenant('trade', 'zone3');
    const plan = () => explainRoute(client, 'SELECT * FROM t1');
    await until('the cluster tells it', async () => (await plan()).includes('rule: single-leader'));
    expect(await plan()).toContain(addressIn('zone3'));
    expect(await hostFor('SELECT * FROM t1')).toBe(hostOf(addressIn('zone3')));
    await alter('enable_single_leader_node_routing', 'False');
    await until('it is off', async () => (await plan()).includes('rule: table-leader'));
    await alter('enable_single_leader_node_routing', 'True');
    await until('it is on', async () => (await plan()).includes('rule: single-leader'));
    await alter('server_state_refresh_interval', '1h');
    move('t1', 'zone1');
    await until('the leader is found', async () => (await hostFor('SELECT * FROM t1')) === leaderHost('t1'));
    expect(leaderHost('t1')).toBe(hostOf(addressIn('zone1')));
    expect(await plan()).toContain('rule: table-leader');
  });

  it('R4 a tenant with another locality: its places are in doubt within a minute', async () => {
    await alter('server_state_refresh_interval', '1s');
    await hostFor('SELECT * FROM t1');
    const expiry = async (): Promise<string> => String((await show("SHOW PROXYROUTE LIKE 't1'"))[0]?.expire_time);
    const before = await expiry();
    demo.faults.setLocality('trade', 'FULL{1}@zone1, FULL{1}@zone2');
    await until('it expires sooner', async () => (await expiry()) !== before);
  });
});
