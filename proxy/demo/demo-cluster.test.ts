import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Connection, createConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { CAP, STATUS } from '../wire/constants.ts';
import { addressBlocks } from './addresses.ts';
import { type DemoServerAddress, startDemoCluster } from './demo-cluster.ts';
import { openFaultDoor } from './fault-door.ts';
import { DemoLab } from './lab/demo-lab.ts';
import { changesOf, textRow, WireClient } from './testing/wire-client.ts';

const cluster = await startDemoCluster({ port: 0 });
const open: (() => unknown)[] = [];
afterEach(async () => {
  await cluster.faults.clear();
  for (const close of open.splice(0)) await close();
});
afterAll(() => cluster.close());

function server(zone: string): DemoServerAddress {
  const found = cluster.servers.find((candidate) => candidate.zone === zone);
  if (!found) throw new Error(`no server in ${zone}`);
  return found;
}

async function connect(zone = 'zone1', options: Parameters<typeof createConnection>[0] = {}): Promise<Connection> {
  const { ip, port } = server(zone);
  const settings = typeof options === 'object' ? options : {};
  const connection = await createConnection({
    host: ip,
    port,
    user: 'app@trade',
    password: 'app-secret',
    database: 'trade',
    ...settings,
  });
  connection.on('error', () => undefined);
  open.push(() => connection.destroy());
  return connection;
}

async function row(connection: Connection, sql: string, values: unknown[] = []): Promise<RowDataPacket | undefined> {
  const [rows] = await connection.query<RowDataPacket[]>(sql, values);
  return rows[0];
}

async function proxied(zone = 'zone1', user = 'root@trade'): Promise<WireClient> {
  const { ip, port } = server(zone);
  const client = await WireClient.open(ip, port);
  open.push(() => client.close());
  await client.login({ user, proxied: true, database: 'trade' });
  return client;
}

describe('demo cluster over mysql2', () => {
  it('R28 five servers, each of which says who it is', async () => {
    const names: unknown[] = [];
    for (const { zone, port } of cluster.servers) {
      const connection = await connect(zone);
      const answer = await row(connection, 'select @@hostname as host, @@port as port, version() as version');
      names.push(answer?.host);
      expect(answer?.port).toBe(port);
      expect(answer?.version).toContain('ODP demo cluster');
    }
    expect(names).toEqual(['obdemo-zone1-1', 'obdemo-zone2-1', 'obdemo-zone3-1', 'obdemo-zone4-1', 'obdemo-zone5-1']);
  });

  it('R28 R6 zones and servers in the views, changed by ALTER SYSTEM MODIFY ZONE', async () => {
    const root = await connect('zone1', { user: 'root@sys', password: '', database: 'oceanbase' });
    const [zones] = await root.query<RowDataPacket[]>('SELECT zone, region, idc, type FROM DBA_OB_ZONES ORDER BY zone');
    expect(zones.map((zone) => Object.values(zone))).toEqual([
      ['zone1', 'SHANGHAI', 'idc1', 'ReadWrite'],
      ['zone2', 'SHANGHAI', 'idc1', 'ReadWrite'],
      ['zone3', 'SHANGHAI', 'idc2', 'ReadWrite'],
      ['zone4', 'HANGZHOU', 'idc3', 'ReadOnly'],
      ['zone5', 'HANGZHOU', 'idc3', 'ReadOnly'],
    ]);
    await root.query('alter system modify zone "zone5" set region = "BEIJING", idc = "zue"');
    expect(await row(root, "SELECT region, idc FROM DBA_OB_ZONES WHERE zone='zone5'")).toEqual({
      region: 'BEIJING',
      idc: 'zue',
    });
    cluster.faults.setPlace('zone5', { region: 'HANGZHOU', idc: 'idc3' });
    expect(await row(root, "SELECT value FROM V$OB_PARAMETERS WHERE name='cluster'")).toEqual({ value: 'obdemo' });
  });

  it('location of a table: one leader, followers everywhere', async () => {
    const root = await connect('zone2', { user: 'root@sys', password: '', database: 'oceanbase' });
    const [rows] = await root.query<RowDataPacket[]>(
      "SELECT A.svr_ip, A.role, B.svr_port FROM __all_virtual_proxy_schema A INNER JOIN DBA_OB_SERVERS B ON A.svr_ip=B.svr_ip AND A.sql_port=B.sql_port WHERE A.tenant_name='trade' AND A.database_name='trade' AND A.table_name='customers' AND A.tablet_id = 0 ORDER BY A.role ASC LIMIT 9223372036854775807",
    );
    expect(rows.map((entry) => entry.role)).toEqual([1, 2, 2, 2, 2]);
    expect(cluster.faults.leaderOf('trade.trade.customers')).toContain(rows[0]?.svr_ip);
  });

  it('data are the same on every server, and prepared statements work', async () => {
    const writer = await connect('zone1');
    const reader = await connect('zone5');
    const [made] = await writer.execute<ResultSetHeader>(
      'insert into orders(customer_id, status, total, created_at) values (?, ?, ?, now())',
      [7, 'new', '12.34'],
    );
    const [rows] = await reader.execute<RowDataPacket[]>('select status, total from orders where id = ?', [
      made.insertId,
    ]);
    expect(rows).toEqual([{ status: 'new', total: '12.34' }]);
    const [gone] = await reader.execute<ResultSetHeader>('delete from orders where id = ?', [made.insertId]);
    expect(gone.affectedRows).toBe(1);
  });

  it('a write waits for the transaction before it, and gives up after ob_trx_lock_timeout', async () => {
    const [first, second] = [await connect(), await connect('zone2')];
    await first.query('begin');
    await first.query('update products set stock = stock + 1 where id = 1');
    await second.query('set ob_trx_lock_timeout = 20000');
    await expect(second.query('update products set stock = 0 where id = 1')).rejects.toMatchObject({ errno: 1205 });
    await second.query('set ob_trx_lock_timeout = -1');
    const waiting = second.query('update products set stock = stock where id = 1');
    await first.query('rollback');
    await expect(waiting).resolves.toBeDefined();
  });

  it('C19 KILL QUERY ends SLEEP, KILL ends the connection, and its transaction', async () => {
    const [victim, killer] = [await connect(), await connect('zone3')];
    const id = (await row(victim, 'select connection_id() as id'))?.id;
    const sleeping = victim.query('select sleep(100)');
    const failed = expect(sleeping).rejects.toMatchObject({ errno: 1317 });
    await killer.query('kill query ?', [id]);
    await failed;
    await victim.query('begin');
    await victim.query('update products set stock = stock + 1 where id = 2');
    const ended = new Promise((resolve) => victim.once('error', resolve));
    await killer.query('kill ?', [id]);
    await ended;
    await killer.query('update products set stock = stock where id = 2');
    await expect(killer.query('kill 1')).rejects.toMatchObject({ errno: 1094 });
  });

  it('LOAD DATA LOCAL INFILE', async () => {
    const connection = await connect('zone1', { flags: ['+LOCAL_FILES'] });
    await connection.query('create table loaded(a int, b varchar(20), c date)');
    const [result] = await connection.query<ResultSetHeader>({
      sql: "load data local infile 'x.csv' into table loaded fields terminated by ',' enclosed by '\"' lines terminated by '\\n' ignore 1 lines",
      infileStreamFactory: () =>
        Readable.from(['a,b,c\n1,"x, y",2024-01-02\n2,\\N', ',\\N\n3,z,2024-01-03'].map((part) => Buffer.from(part))),
    });
    expect(result.affectedRows).toBe(3);
    const [rows] = await connection.query<RowDataPacket[]>('select a, b, c is null as missing from loaded order by a');
    expect(rows.map((entry) => Object.values(entry))).toEqual([
      [1, 'x, y', 0],
      [2, null, 1],
      [3, 'z', 0],
    ]);
    await connection.query('drop table loaded');
  });

  it('case B01 requests and rows of more than 16 MiB', async () => {
    const connection = await connect();
    for (const length of [16_777_214, 16_777_215, 16_777_216, 33_554_430]) {
      const text = 'x'.repeat(length - "select length('')".length - 1);
      expect((await row(connection, `select length('${text}') as n`))?.n, String(length)).toBe(text.length);
    }
    expect((await row(connection, "select repeat('y', 17000000) as t"))?.t).toHaveLength(17_000_000);
  }, 30_000);

  it('start-up queries of common clients', async () => {
    const connection = await connect();
    const connectorJ =
      '/* mysql-connector-j-8.4.0 */SELECT  @@session.auto_increment_increment AS auto_increment_increment, @@character_set_client AS character_set_client, @@character_set_connection AS character_set_connection, @@character_set_results AS character_set_results, @@character_set_server AS character_set_server, @@collation_server AS collation_server, @@collation_connection AS collation_connection, @@init_connect AS init_connect, @@interactive_timeout AS interactive_timeout, @@license AS license, @@lower_case_table_names AS lower_case_table_names, @@max_allowed_packet AS max_allowed_packet, @@net_write_timeout AS net_write_timeout, @@performance_schema AS performance_schema, @@sql_mode AS sql_mode, @@system_time_zone AS system_time_zone, @@time_zone AS time_zone, @@transaction_isolation AS transaction_isolation, @@wait_timeout AS wait_timeout';
    for (const sql of [
      connectorJ.replace('@@performance_schema AS performance_schema, ', ''),
      'select @@version_comment limit 1',
      'SELECT DATABASE(), USER() LIMIT 1',
      "SET NAMES 'utf8mb4' COLLATE 'utf8mb4_general_ci'",
      'SET character_set_results = NULL',
      "SET sql_mode='STRICT_TRANS_TABLES'",
      "SET autocommit=1, sql_mode=concat(@@sql_mode, ',STRICT_TRANS_TABLES')",
      "SHOW VARIABLES LIKE 'lower_case_%'",
      "SHOW VARIABLES WHERE Variable_name in ('version', 'sql_mode')",
      'SHOW WARNINGS',
      'SHOW STATUS',
      'SHOW ENGINES',
      'SHOW PLUGINS',
      'SHOW COLLATION',
      'SHOW CHARACTER SET',
      'SHOW FULL PROCESSLIST',
      'SHOW FULL TABLES FROM `trade`',
      'SHOW TABLE STATUS FROM `trade`',
      'SHOW FULL COLUMNS FROM `orders` FROM `trade`',
      'SHOW KEYS FROM `orders`',
      'SHOW CREATE TABLE `trade`.`events`',
      'SHOW GRANTS',
      'SELECT SCHEMA_NAME FROM information_schema.SCHEMATA ORDER BY SCHEMA_NAME',
      "SELECT TABLE_NAME, TABLE_TYPE FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'trade'",
      "SELECT COLUMN_NAME, COLUMN_TYPE FROM information_schema.columns WHERE table_schema=DATABASE() AND table_name='orders' ORDER BY ordinal_position",
      'EXPLAIN SELECT * FROM orders WHERE id = 1',
      'DESCRIBE orders',
    ]) {
      await expect(connection.query(sql), sql).resolves.toBeDefined();
    }
  });

  it('users: CREATE USER, SET PASSWORD, ALTER USER, DROP USER', async () => {
    const root = await connect('zone1', { user: 'root@trade', password: '' });
    await root.query("create user 'kim' identified by 'one'");
    await connect('zone2', { user: 'kim@trade', password: 'one' });
    await root.query("set password for 'kim' = password('two')");
    await expect(connect('zone2', { user: 'kim@trade', password: 'one' })).rejects.toMatchObject({ errno: 1045 });
    await connect('zone2', { user: 'kim@trade', password: 'two' });
    await root.query("alter user 'kim' identified by 'three'");
    await connect('zone3', { user: 'kim@trade', password: 'three' });
    await root.query("drop user 'kim'");
    await expect(connect('zone2', { user: 'kim@trade', password: 'three' })).rejects.toMatchObject({ errno: 1045 });
  });
});

describe('what a proxy sees', () => {
  it('R22 the first DML of a request tells whether this server leads', async () => {
    const leader = cluster.servers.find(({ address }) => address === cluster.faults.leaderOf('trade.trade.customers'));
    const hitAt = async (zone: string, sql: string) => {
      const client = await proxied(zone);
      const { extra, results } = await client.query(sql);
      return changesOf(extra ?? results[0]?.ok ?? null).system.get('ob_proxy_partition_hit');
    };
    const other = leader?.zone === 'zone1' ? 'zone2' : 'zone1';
    expect(await hitAt(leader?.zone ?? '', 'select * from customers where id=1')).toBe('1');
    expect(await hitAt(other, 'select * from customers where id=1')).toBe('0');
    expect(await hitAt(other, 'update customers set city=city where id=1')).toBe('0');
    expect(await hitAt(other, 'select 1')).toBeUndefined();
    expect(await hitAt(other, 'select /*+ read_consistency(weak) */ * from customers')).toBeUndefined();
  });

  it('R22 partitions of a table have leaders of their own', async () => {
    for (const id of [0, 1, 2, 3, 4, 5]) {
      const { zone } =
        cluster.servers.find(({ address }) => address === cluster.faults.leaderOf('trade.trade.orders', id)) ??
        server('zone1');
      const client = await proxied(zone);
      const { extra } = await client.query(`select * from orders where id=${id + 6}`);
      expect(changesOf(extra).system.get('ob_proxy_partition_hit'), String(id)).toBe('1');
    }
  });

  it('proxyro@sys logs in with the stage-1 hash that proxies are given', async () => {
    const { ip, port } = server('zone1');
    const client = await WireClient.open(ip, port);
    open.push(() => client.close());
    const { nativePasswordAnswer } = await import('../wire/auth.ts');
    const answer = nativePasswordAnswer(
      Buffer.from('ee0e5138c912aed80b683c05303684be347ce81d', 'hex'),
      client.greeting.scramble,
    );
    const { buildHandshakeResponse } = await import('../wire/handshake.ts');
    const capabilities = CAP.PROTOCOL_41 | CAP.SECURE_CONNECTION | CAP.PLUGIN_AUTH;
    client.write(
      buildHandshakeResponse({
        capabilities,
        maxPacketBytes: 1 << 24,
        collation: 45,
        user: 'proxyro@sys',
        authAnswer: answer,
        database: '',
        authPlugin: 'mysql_native_password',
        attributes: [],
      }),
      1,
    );
    expect((await client.next()).payload[0]).toBe(0);
  });

  it('a client of another plugin is asked to switch', async () => {
    const { ip, port } = server('zone1');
    const client = await WireClient.open(ip, port);
    open.push(() => client.close());
    const answer = await client.login({ user: 'root@trade', authPlugin: 'caching_sha2_password' });
    expect(answer[0]).toBe(0xfe);
    expect(answer.toString('latin1', 1, 22)).toBe('mysql_native_password');
    client.write(Buffer.alloc(0), 3);
    expect((await client.next()).payload[0]).toBe(0);
  });

  it('a slow reader holds the rows back: memory stays flat', async () => {
    const total = 100e6;
    const client = await proxied();
    const other = await connect('zone2');
    const before = process.memoryUsage().rss;
    client.socket.removeAllListeners('data');
    client.socket.pause();
    client.write(Buffer.from('\x03select id, payload from demo_rows(10000, 10000)'));
    // The other session is served meanwhile, and gives the stalled one every chance to run ahead.
    await other.query('select sleep(0.05)');
    expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
    let received = 0;
    await new Promise<void>((resolve) => {
      client.socket.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > total) resolve();
      });
      client.socket.resume();
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  }, 30_000);

  it('case B05 ids wrap after 255', async () => {
    const client = await proxied();
    const { sequences, results } = await client.query('select id from demo_rows(300, 1)');
    expect(results[0]?.rows).toHaveLength(300);
    expect(textRow(results[0]?.rows[299])).toEqual(['300']);
    expect(sequences).toEqual(sequences.map((_, index) => (index + 1) & 0xff));
  });
});

describe('CLIENT_DEPRECATE_EOF', () => {
  it('case B03 when offered and wanted, results end in an OK of 0xfe', async () => {
    const modern = await startDemoCluster({ port: 0, advertiseDeprecateEof: true });
    open.push(() => modern.close());
    const [first] = modern.servers;
    const client = await WireClient.open(first?.ip ?? '', first?.port ?? 0);
    open.push(() => client.close());
    const capabilities =
      CAP.PROTOCOL_41 | CAP.SECURE_CONNECTION | CAP.PLUGIN_AUTH | CAP.DEPRECATE_EOF | CAP.MULTI_STATEMENTS;
    await client.login({ user: 'root@trade', capabilities });
    expect(client.deprecateEof).toBe(true);
    const { results, sequences } = await client.query('select 1; select 2');
    expect(results.map((result) => result.endStatus & STATUS.MORE_RESULTS)).toEqual([STATUS.MORE_RESULTS, 0]);
    expect(sequences).toHaveLength(8);
  });

  it('is not offered unless asked for', async () => {
    const client = await proxied();
    expect(client.greeting.capabilities & CAP.DEPRECATE_EOF).toBe(0);
  });
});

describe('faults', () => {
  it('stop refuses and resets, start brings the server back on its port', async () => {
    const connection = await connect('zone2');
    const ended = new Promise((resolve) => connection.once('error', resolve));
    await cluster.faults.stop('zone2');
    await ended;
    await expect(connect('zone2')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(cluster.faults.report().find(({ zone }) => zone === 'zone2')).toMatchObject({ listening: false });
    await cluster.faults.start('zone2');
    await connect('zone2');
  });

  it('stop moves the leaders of the server, unless told not to', async () => {
    cluster.faults.switchLeader({ table: 'trade.trade.products' }, 'zone3');
    await cluster.faults.stop('zone3', false);
    expect(cluster.faults.leaderOf('trade.trade.products')).toBe(server('zone3').address);
    await cluster.faults.start('zone3');
    await cluster.faults.stop('zone3');
    expect(cluster.faults.leaderOf('trade.trade.products')).not.toBe(server('zone3').address);
  });

  it('freeze keeps the connection and answers nothing until thawed', async () => {
    const connection = await connect('zone4');
    cluster.faults.freeze(server('zone4').address);
    let answered = false;
    const answer = connection.query('select 1').then(() => {
      answered = true;
    });
    // Others answer meanwhile, time and again.
    const other = await connect('zone5');
    for (let count = 0; count < 20; count += 1) await other.query('select 1');
    expect(answered).toBe(false);
    cluster.faults.thaw('zone4');
    await answer;
    expect(answered).toBe(true);
  });

  it('cut, refuse, error and status', async () => {
    const connection = await connect('zone5');
    const ended = new Promise((resolve) => connection.once('error', resolve));
    cluster.faults.cut('obdemo-zone5-1');
    await ended;
    const again = await connect('zone5');
    await cluster.faults.refuse('zone5');
    await again.query('select 1');
    await expect(connect('zone5')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await cluster.faults.accept('zone5');
    cluster.faults.answerError('zone5', 4012);
    await expect(again.query('select 1')).rejects.toMatchObject({ errno: 4012 });
    cluster.faults.answerError('zone5', 0);
    cluster.faults.setServerStatus('zone5', 'INACTIVE');
    cluster.faults.setStopTime('zone5', true);
    const root = await connect('zone1', { user: 'root@sys', password: '', database: 'oceanbase' });
    const view = "select status, stop_time is not null as stopped from DBA_OB_SERVERS where zone='zone5'";
    expect(await row(root, view)).toEqual({ status: 'INACTIVE', stopped: 1 });
    cluster.faults.setServerStatus('zone5', 'DELETED');
    expect(await row(root, view)).toBeUndefined();
  });

  it('a network cut of a region silences its servers, their leaders move meanwhile and can be sent home', async () => {
    const { faults } = cluster;
    const leaders = () => faults.report().map((one) => one.leaders);
    faults.spreadLeaders();
    const atFirst = leaders();
    faults.partitionRegion('SHANGHAI', true);
    expect(faults.report().map(({ frozen }) => frozen)).toEqual([true, true, true, false, false]);
    // Nobody is left who may lead.
    expect(leaders()).toEqual(atFirst);
    faults.partitionRegion('SHANGHAI', false);
    faults.partition(['zone1'], true);
    expect(leaders()[0]).toBe(0);
    faults.partition(['zone1'], false);
    expect(leaders()[0]).toBe(0);
    faults.spreadLeaders();
    expect(leaders()).toEqual(atFirst);
    expect(() => faults.partitionRegion('NOWHERE', true)).toThrow(/region 'NOWHERE'/);
  });

  it('the door takes faults as JSON and names what is wrong', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'odp-door-'));
    open.push(() => rmSync(directory, { recursive: true }));
    const socketPath = join(directory, 'door.sock');
    const door = await openFaultDoor(new DemoLab(cluster.faults), socketPath);
    open.push(() => door.close());
    const ask = (method: string, path: string, body?: unknown) =>
      new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
        const asked = request({ socketPath, method, path }, (response) => {
          let text = '';
          response.on('data', (part) => {
            text += part;
          });
          response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
        });
        asked.on('error', reject);
        asked.end(body === undefined ? undefined : JSON.stringify(body));
      });
    expect((await ask('GET', '/servers')).body).toMatchObject({
      servers: [{ zone: 'zone1', listening: true }, {}, {}, {}, {}],
    });
    expect((await ask('POST', '/faults', { fault: 'slow', server: 'zone1', delayMs: 5 })).body).toMatchObject({
      servers: [{ slowMs: 5 }, {}, {}, {}, {}],
    });
    expect(await ask('POST', '/faults', { fault: 'stop', server: 'zone9' })).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining("'zone9'") },
    });
    expect(await ask('POST', '/faults', { fault: 'burn', server: 'zone1' })).toMatchObject({ status: 400 });
    expect(await ask('POST', '/faults', { fault: 'slow', server: 'zone1', delayMs: -1 })).toMatchObject({
      status: 400,
    });
    expect((await ask('POST', '/nowhere')).status).toBe(404);
    const { faults } = (await ask('POST', '/faults', { fault: 'rollingMerge', perZoneMs: 60_000 })).body as {
      faults: unknown[];
    };
    expect(faults).toMatchObject([
      { fault: 'slow', detail: '5 ms' },
      { fault: 'rollingMerge', target: 'zone1', detail: 'zone 1 of 5, 60 s each' },
    ]);
    expect((await ask('POST', '/faults', { fault: 'clear' })).body).toMatchObject({
      faults: [],
      zones: [{ merging: false }, {}, {}, {}, {}],
      load: null,
    });
    expect(await ask('POST', '/load', { host: '127.0.0.1' })).toMatchObject({ status: 400 });
    expect(await ask('POST', '/load', null)).toMatchObject({ status: 200, body: { load: null } });
  });
});

describe('addresses and data', () => {
  it('two demos run side by side: the second takes the next block', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => startDemoCluster({ base: '127.77.0.11', port: 24_571 })),
    );
    open.push(
      () => first?.close(),
      () => second?.close(),
    );
    const hosts = [first, second].map((demo) => demo?.servers[0]?.ip).sort();
    expect(hosts).toEqual(['127.77.0.11', '127.77.1.11']);
  });

  it('a base outside of 127.0.0.0/8 is refused by name', () => {
    expect(() => [...addressBlocks('10.0.0.1', 5)]).toThrow(/'10.0.0.1'/);
    expect(() => [...addressBlocks('127.0.0.252', 5)]).toThrow(/127.0.0.252/);
  });

  it('closing rolls back what is open, also while somebody waits for its lock', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'odp-demo-test-'));
    open.push(() => rmSync(directory, { recursive: true }));
    const demo = await startDemoCluster({ directory, port: 0 });
    const login = {
      host: demo.servers[0]?.ip ?? '',
      port: demo.servers[0]?.port ?? 0,
      user: 'root@trade',
      database: 'trade',
    };
    const [writer, waiter] = [await createConnection(login), await createConnection(login)];
    for (const connection of [writer, waiter]) connection.on('error', () => undefined);
    await writer.query('begin');
    await writer.query('delete from customers');
    const waiting = expect(waiter.query('delete from products')).rejects.toThrow();
    await demo.close();
    await waiting;
    const again = await startDemoCluster({ directory, port: 0 });
    open.push(() => again.close());
    const reader = await createConnection({
      ...login,
      host: again.servers[0]?.ip ?? '',
      port: again.servers[0]?.port ?? 0,
    });
    expect((await row(reader, 'select count(*) as n from customers'))?.n).toBe(120);
    reader.destroy();
  });

  it('data stay in their directory', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'odp-demo-test-'));
    open.push(() => rmSync(directory, { recursive: true }));
    for (const count of [0, 1]) {
      const demo = await startDemoCluster({ directory, port: 0 });
      const [first] = demo.servers;
      const connection = await createConnection({
        host: first?.ip ?? '',
        port: first?.port ?? 0,
        user: 'root@trade',
        database: 'trade',
      });
      await connection.query('create table if not exists kept(id int primary key auto_increment, v int)');
      expect((await row(connection, 'select count(*) as n from kept'))?.n).toBe(count);
      await connection.query('insert into kept(v) values(1)');
      await connection.end();
      await demo.close();
    }
  });
});
