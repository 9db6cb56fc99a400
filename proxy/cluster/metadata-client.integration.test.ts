import { createHash } from 'node:crypto';
import process from 'node:process';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { parseRsList } from '../config/rs-list.ts';
import { startMariaDb } from '../testing/mariadb.ts';
import { describeWith } from '../testing/part.ts';
import { ClusterMonitor } from './cluster-monitor.ts';
import { LocationLookup } from './location-lookup.ts';
import { MetadataClient, type MetadataClientOptions } from './metadata-client.ts';
import { quoteText } from './sql-text.ts';

const mariaDb = await startMariaDb();
afterAll(() => mariaDb.close());

const sha1 = (password: string) => createHash('sha1').update(password).digest('hex');

describeWith(mariaDb, 'metadata queries at MariaDB', (part) => {
  const address = `127.0.0.1:${part.port}`;
  let root: Connection;
  const clients: MetadataClient[] = [];
  const open = (options: Partial<MetadataClientOptions> = {}) => {
    const client = new MetadataClient({ passwords: () => [''], ...options });
    clients.push(client);
    return client;
  };
  const connectionCount = async () => {
    const [rows] = await root.query("SELECT id FROM information_schema.processlist WHERE user = 'proxyro@sys'");
    return (rows as object[]).length;
  };

  beforeAll(async () => {
    root = await createConnection({ host: '127.0.0.1', port: part.port, user: 'root', multipleStatements: true });
    await root.query(`
      CREATE DATABASE oceanbase;
      CREATE USER 'proxyro@sys'@'%';
      GRANT SELECT ON oceanbase.* TO 'proxyro@sys'@'%';
      CREATE USER 'nogrant@sys'@'%';
    `);
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await root.query(
      "DROP DATABASE oceanbase; CREATE DATABASE oceanbase; ALTER USER 'proxyro@sys'@'%' IDENTIFIED BY ''",
    );
  });
  afterAll(() => root.end());

  it('gives every value as text, names in lower case', async () => {
    const rows = await open().query(address, "SELECT 9007199254740993 AS Id, NULL AS Nothing, 'ä' AS t, 1.50 AS d");
    expect(rows).toEqual([{ id: '9007199254740993', nothing: null, t: 'ä', d: '1.50' }]);
  });

  it('quotes any name so that the server reads it back', async () => {
    const client = open();
    for (const name of ["o'brien", 'back\\slash', "\\'; DROP TABLE t -- ", 'ünï"`', '\n\t']) {
      expect(await client.query(address, `SELECT ${quoteText(name)} AS name`)).toEqual([{ name }]);
    }
  });

  it('case B99: logs in with the second password, and with a new one right after it has been changed', async () => {
    await root.query("ALTER USER 'proxyro@sys'@'%' IDENTIFIED BY 'second'");
    let passwords = [sha1('first'), sha1('second')];
    const client = open({ passwords: () => passwords });
    expect(await client.query(address, 'SELECT 1 AS n')).toEqual([{ n: '1' }]);

    client.retainOnly([]);
    await root.query("ALTER USER 'proxyro@sys'@'%' IDENTIFIED BY 'third'");
    const refused = client.query(address, 'SELECT 1 AS n');
    await expect(refused).rejects.toMatchObject({ code: 'METADATA_LOGIN_REFUSED' });
    await expect(refused).rejects.toThrow(/refuses .* 'proxyro@sys' \(Access denied .*CREATE USER proxyro/);
    await expect(refused).rejects.not.toThrow(sha1('second'));
    passwords = [sha1('third')];
    expect(await client.query(address, 'SELECT 1 AS n')).toEqual([{ n: '1' }]);
  });

  it('does not knock again at a server that has just refused the account', async () => {
    let nowMs = 0;
    const client = open({ passwords: () => [sha1('wrong')], now: () => nowMs });
    const aborted = async () => {
      const [rows] = await root.query("SHOW GLOBAL STATUS LIKE 'Access_denied_errors'");
      return Number((rows as { Value: string }[])[0]?.Value);
    };
    const before = await aborted();
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(client.query(address, 'SELECT 1')).rejects.toThrow('refuses');
    expect((await aborted()) - before).toBe(1);
    nowMs += 5_000;
    await expect(client.query(address, 'SELECT 1')).rejects.toThrow('refuses');
    expect((await aborted()) - before).toBe(2);
  });

  it('names a missing privilege and a malformed password', async () => {
    await root.query('CREATE TABLE oceanbase.DBA_OB_ZONES (zone varchar(128))');
    const nogrant = open({ user: 'nogrant@sys' });
    await expect(nogrant.query(address, 'SELECT * FROM oceanbase.DBA_OB_ZONES')).rejects.toMatchObject({
      code: 'METADATA_FORBIDDEN',
      message: expect.stringContaining('GRANT SELECT ON oceanbase.* TO proxyro'),
    });
    const malformed = open({ passwords: () => ['secret'] }).query(address, 'SELECT 1');
    await expect(malformed).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    await expect(malformed).rejects.not.toThrow('secret');
  });

  it('keeps few connections, reuses them, and replaces one that the server has cut', async () => {
    const client = open({ maxConnections: 2 });
    const ids = async () => {
      const rows = await Promise.all(
        Array.from({ length: 8 }, () => client.query(address, 'SELECT connection_id() AS id')),
      );
      return new Set(rows.map(([row]) => row?.id));
    };
    const first = await ids();
    expect(first.size).toBeLessThanOrEqual(2);
    expect(await connectionCount()).toBe(first.size);
    expect(await ids()).toEqual(first);
    for (const id of first) await root.query(`KILL ${id}`);
    const second = await ids();
    expect([...second].filter((id) => first.has(id))).toEqual([]);
  });

  it('closes connections that have been idle for two minutes', async () => {
    let nowMs = 0;
    const client = open({ now: () => nowMs });
    const before = await client.query(address, 'SELECT connection_id() AS id');
    nowMs = 120_001;
    expect(await client.query(address, 'SELECT connection_id() AS id')).not.toEqual(before);
  });

  it('gives up a query at its time-out, and the connection with it', async () => {
    let queryTimeoutMs = 100;
    const client = open({ queryTimeoutMs: () => queryTimeoutMs, maxConnections: 1 });
    await expect(client.query(address, 'SELECT SLEEP(5)')).rejects.toThrow(
      `OBServer ${address} did not answer a metadata query within 100 ms`,
    );
    queryTimeoutMs = 5_000;
    expect(await client.query(address, 'SELECT 1 AS n')).toEqual([{ n: '1' }]);
  });

  it('gives up a server that accepts and says nothing', async () => {
    process.kill(part.pid, 'SIGSTOP');
    try {
      const client = open({ connectTimeoutMs: () => 100 });
      await expect(client.query(address, 'SELECT 1')).rejects.toMatchObject({
        code: 'METADATA_TIMEOUT',
        message: `OBServer ${address} did not log the proxy in within 100 ms`,
      });
    } finally {
      process.kill(part.pid, 'SIGCONT');
    }
  });

  it('tells an error of the server with its number, and a refused connection with its address', async () => {
    await expect(open().query(address, 'SELECT nosuch')).rejects.toMatchObject({ name: 'ServerError', errno: 1054 });
    await expect(open().query('127.0.0.1:1', 'SELECT 1')).rejects.toThrow(/OBServer 127\.0\.0\.1:1 .*ECONNREFUSED/);
    await expect(open().query('nonsense', 'SELECT 1')).rejects.toThrow("'nonsense' is not a server's ip:port");
  });

  it('close ends idle, running and waiting queries and log-ins, leaves no socket, and later queries fail', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
    const before = sockets();
    const client = open({ maxConnections: 2 });
    await client.query(address, 'SELECT 1');
    const running = client.query(address, 'SELECT SLEEP(20)');
    const loggingIn = client.query(address, 'SELECT 1');
    const waiting = client.query(address, 'SELECT 1');
    const ended = Promise.allSettled([running, loggingIn, waiting]);
    await client.close();
    expect(sockets()).toBe(before);
    for (const result of await ended) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'SHUTTING_DOWN' } });
    }
    await expect(client.query(address, 'SELECT 1')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  });

  it('case B26: a cluster of ordinary tables comes up past a black-holed first server', async () => {
    await root.query(`
      CREATE TABLE oceanbase.DBA_OB_ZONES (zone varchar(128), status varchar(64), region varchar(128), idc varchar(128),
        type varchar(64));
      INSERT INTO oceanbase.DBA_OB_ZONES VALUES ('zone1', 'ACTIVE', 'SHANGHAI', 'idc1', 'ReadWrite');
      CREATE TABLE oceanbase.DBA_OB_SERVERS (svr_ip varchar(46), svr_port bigint, zone varchar(128), sql_port bigint,
        status varchar(64), start_service_time timestamp(6) NULL, stop_time timestamp(6) NULL);
      INSERT INTO oceanbase.DBA_OB_SERVERS VALUES
        ('127.0.0.1', 2882, 'zone1', ${part.port}, 'ACTIVE', now(), NULL),
        ('127.0.0.2', 2882, 'zone1', ${part.port}, 'ACTIVE', NULL, NULL),
        ('127.0.0.3', 2882, 'zone1', ${part.port}, 'DELETING', now(), now());
      CREATE TABLE oceanbase.__all_virtual_proxy_schema (tenant_name varchar(128), database_name varchar(128),
        table_name varchar(256), tablet_id bigint, svr_ip varchar(46), sql_port bigint, table_id bigint, role bigint,
        part_num bigint, schema_version bigint, replica_type bigint, spare1 bigint);
      INSERT INTO oceanbase.__all_virtual_proxy_schema VALUES
        ('trade', 'shop', 'o''k', 0, '127.0.0.1', ${part.port}, 500001, 2, 1, 99, 0, 2882),
        ('trade', 'shop', 'o''k', 0, '127.0.0.2', ${part.port}, 500001, 1, 1, 99, 0, 2882);
    `);
    // 192.0.2.0/24 belongs to nobody: packets to it are dropped or found unreachable, according to the machine's network.
    const rsList = parseRsList(`192.0.2.1:2881;${address}`);
    const client = open({ connectTimeoutMs: () => 1_000 });
    const query = (server: string, sql: string) => client.query(server, sql);
    const monitor = new ClusterMonitor({
      clusterName: 'obdemo',
      rsList,
      query,
      intervalMs: () => 20_000,
      random: () => 0,
    });
    await monitor.refreshNow();
    expect(monitor.topology).toMatchObject({
      source: 'views',
      error: null,
      zones: [{ name: 'zone1', region: 'SHANGHAI', idc: 'idc1', type: 'ReadWrite', state: 'ACTIVE' }],
    });
    expect(monitor.topology.servers.map((server) => server.state)).toEqual(['ACTIVE', 'REPLAY', 'UPGRADE']);

    const lookup = new LocationLookup({ query, topology: () => monitor.topology });
    const location = await lookup.lookupTable({ tenant: 'trade', database: 'shop', table: "o'k" });
    expect(location).toMatchObject({ tableId: '500001', schemaVersion: '99' });
    expect(location?.replicas).toEqual([
      { address: `127.0.0.2:${part.port}`, role: 'leader' },
      { address, role: 'follower' },
    ]);
    monitor.close();
  });

  it('a plain MySQL server without views counts as active', async () => {
    const client = open();
    const notices: string[] = [];
    const monitor = new ClusterMonitor({
      clusterName: 'plain',
      rsList: parseRsList(address),
      query: (server, sql) => client.query(server, sql),
      intervalMs: () => 20_000,
      onNotice: (text) => notices.push(text),
    });
    await monitor.refreshNow();
    expect(monitor.topology).toMatchObject({ source: 'rslist', error: null, servers: [{ address, state: 'ACTIVE' }] });
    expect(notices).toHaveLength(1);
    monitor.close();
  });
});
