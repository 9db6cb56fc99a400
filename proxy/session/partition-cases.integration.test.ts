/** For each form of a statement: the partition that EXPLAIN ROUTE names is the one in which the demo has the row. */
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { startProxy, type TestProxy } from '../testing/proxy.ts';

const IDS = [-3, 0, 1, 2, 3, 4, 7, 12, 13];

/** Id whose partition must be named; null: none may be. */
type Form = readonly [sql: string, id: number | null];

const COMMENTED: readonly Form[] = [
  [' /* a */ -- b\n # c\n INSERT INTO t (id, v) VALUES(1,1)', 1],
  ['/*FORCE_MASTER*/ SELECT * FROM t WHERE id=2', 2],
  ['SELECT /*+ READ_CONSISTENCY(WEAK), x */ * FROM t WHERE id=2', 2],
  ['/*!99999 DELETE */ SELECT 1 FROM t WHERE id=3', 3],
  ['\ufeffSELECT * FROM t WHERE id=7', 7],
  [`/*${'x'.repeat(5000)}*/ SELECT * FROM t WHERE id=2`, 2],
  ['--x\nSELECT * FROM t WHERE id=2', null],
];

const NAMED: readonly Form[] = [
  ['SELECT * FROM `trade`.`t` WHERE id=2', 2],
  ['SELECT * FROM trade . t WHERE id=2', 2],
  ['SELECT * FROM t AS `x` WHERE `x`.`ID`=2', 2],
  ['SELECT * FROM t x WHERE x.id=2', 2],
  ['SELECT * FROM t x WHERE t.id=2', null],
  ['SELECT * FROM T WHERE id=2', 2],
  ['SELECT * FROM t PARTITION(p1)', 1],
  ['DELETE t1 FROM trade.t t1 WHERE t1.id=7', 7],
  ['INSERT t VALUES (2, 3)', 2],
  ['INSERT INTO trade.t(id) VALUES (4)', 4],
];

const NESTED: readonly Form[] = [
  ['SELECT * FROM t r JOIN u ON r.id=u.id WHERE r.id=2', 2],
  ['SELECT * FROM (SELECT * FROM t WHERE id=2) d', 2],
  ['SELECT (SELECT MAX(id) FROM u) FROM t WHERE id=2', 2],
  ['SELECT * FROM t WHERE id IN (SELECT id FROM u)', null],
  ['SELECT * FROM t WHERE id=1 UNION ALL SELECT * FROM t WHERE id=2', 1],
  ['INSERT INTO t SELECT * FROM u WHERE id=2', null],
  ['REPLACE INTO t VALUES (3, 1)', 3],
  ['UPDATE t a, u b SET a.v=1 WHERE a.id=2', 2],
  ['DELETE a FROM t a WHERE a.id=2', 2],
  ['EXPLAIN SELECT * FROM t WHERE id=2', 2],
  ['WITH c AS (SELECT * FROM t WHERE id=2) SELECT * FROM c', 2],
  ['((SELECT * FROM t WHERE id=3))', 3],
  ['SELECT * FROM t WHERE id=3 FOR UPDATE', 3],
];

const TRAPS: readonly Form[] = [
  ['id=1 OR id=2', null],
  ['NOT id=1', null],
  ['id<>1', null],
  ['id IN (1,2)', null],
  ['id IN (2)', 2],
  ['id NOT IN (1)', null],
  ['id=1 AND id=2', null],
  ['id+0=1', null],
  ['ABS(id)=1', null],
  ['1=id', 1],
  ['id = - 3', -3],
  ["id='1abc'", null],
  ["id='3'", 3],
  ['id=1e0', null],
  ['id=18446744073709551615', null],
  ['id IS NULL', 0],
  ['id<=>1', 1],
  ['(id)=(1)', 1],
  ['(id,v)=(1,2)', 1],
  ['t.id=1', 1],
  ['x.id=1', null],
  ['id BETWEEN 1 AND 1', 1],
  ["id=TIMESTAMP'2024-01-01 00:00:00'", null],
  ['id=0x0d', 13],
  ['id=10+3', 13],
];

const INSERTED: readonly Form[] = [
  ["VALUES (-3,'5'),(2,'6')", -3],
  ['VALUES (+3,1)', 3],
  ["VALUES ('3',1)", 3],
  ['VALUES (3.0,1)', 3],
  ['VALUES (0x03,1)', 3],
  ['VALUES (1+2,1)', 3],
  ['VALUES (DEFAULT,1)', null],
  ['VALUES (NOW(),1)', null],
  ['SET id=3', 3],
  [`(v, id) VALUES (/* ${'x'.repeat(8192)} */ 1, 7)`, 7],
  ['(id, v) VALUES (12, 1) ON DUPLICATE KEY UPDATE id=1', 12],
  ['(v) VALUES (1)', null],
];

const SEVERAL: readonly Form[] = [
  ['begin; select * from t where id=2; commit;', 2],
  ['set @@autocommit = 1; insert into t values (3, 1); set @@autocommit = 0;', 3],
  ['select * from t where id=3; insert into u values (1, 2);', 3],
  ['set @@ob_trx_timeout = 10000000; begin; update t set v=1 where id=3; commit;', 3],
  ["select '1'; delete from t where id=2;", 2],
  ["select '1' from dual; replace into t values (2, 2);", 2],
  ['create table t1 (id int primary key); insert into t values (2, 2);', 2],
];

describe('partitions of statements', () => {
  let demo: DemoCluster;
  let proxy: TestProxy;
  let client: Connection;
  /** Takes several statements in one text. */
  let several: Connection;
  const partitions = new Map<number, string>();

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
    proxy = await startProxy({
      rsList: demo.servers.map(({ address }) => address).join(';'),
      clusterName: demo.clusterName,
      parameters: { work_thread_num: 1 },
    });
    client = await proxy.connect({ user: 'app@trade', password: 'app-secret', database: 'trade' });
    several = await proxy.connect({
      user: 'app@trade',
      password: 'app-secret',
      database: 'trade',
      multipleStatements: true,
    });
    await client.query('CREATE TABLE t (id INT PRIMARY KEY, v INT) PARTITION BY HASH(id) PARTITIONS 4');
    await client.query('CREATE TABLE u (id INT PRIMARY KEY, v INT)');
    await client.query(`INSERT INTO t VALUES ${IDS.map((id) => `(${id}, ${id})`).join(', ')}`);
    for (const name of ['p0', 'p1', 'p2', 'p3']) {
      const [rows] = await client.query<RowDataPacket[]>(`SELECT id FROM t PARTITION (${name})`);
      for (const { id } of rows) partitions.set(Number(id), name);
    }
  });
  afterAll(async () => {
    await several.end();
    await client.end();
    await proxy.close();
    await demo.close();
  });

  const leaderOf = (id: number | null): string | undefined => {
    const partition = Number(partitions.get(id ?? 0)?.slice(1));
    const address = demo.faults.leaderOf('trade.trade.t', partition);
    return demo.servers.find((server) => server.address === address)?.hostName;
  };
  const lastHost = async (): Promise<string> => {
    const [[row]] = await several.query<RowDataPacket[]>('SELECT @@hostname AS host');
    return String(row?.host);
  };

  async function partitionOf(sql: string): Promise<string | null> {
    const [rows] = await client.query<RowDataPacket[]>(`EXPLAIN ROUTE ${sql}`);
    const plan = rows.map((row) => String(row['Route Plan'])).join('\n');
    return /partition: (p\d) /.exec(plan)?.[1] ?? null;
  }

  it('every row is in one partition', () => {
    expect(partitions.size).toBe(IDS.length);
  });

  const check = async (sql: string, id: number | null): Promise<void> => {
    expect(await partitionOf(sql)).toBe(id === null ? null : partitions.get(id));
  };
  it.each(COMMENTED)('case B71: %j', check);
  it.each(NAMED)('case B72: %s', check);
  it.each(NESTED)('case B73: %s', check);
  it.each(TRAPS)('case B74: WHERE %s', async (where, id) => {
    await check(`SELECT * FROM t WHERE ${where}`, id);
    await check(`UPDATE t SET v = 1 WHERE ${where} LIMIT 1`, id);
    await check(`DELETE FROM t WHERE ${where} ORDER BY v`, id);
  });
  it.each(INSERTED)('case B60: INSERT INTO t %s', (text, id) => check(`INSERT INTO t ${text}`, id));
  it.each(SEVERAL)('R23 R25 R26: %s', async (sql, id) => {
    await client.query('DROP TABLE IF EXISTS t1');
    await client.query('DELETE FROM u');
    await client.query('DELETE FROM t WHERE id IN (2, 3)');
    await check(sql, id);
    await several.query(sql);
    expect(await lastHost()).toBe(leaderOf(id));
    // One of the forms leaves a transaction open.
    await several.query('SET autocommit = 1');
    await several.query('COMMIT');
  });

  it('R24: several statements of DDL go to the server of the statement before', async () => {
    for (const id of [1, 2, 3]) {
      await several.query(`SELECT * FROM t WHERE id=${id}`);
      expect(await lastHost()).toBe(leaderOf(id));
      await several.query(`create table a${id} (id int primary key); create table b${id} (id int primary key);`);
      expect(await lastHost()).toBe(leaderOf(id));
    }
  });

  it('case B75: a key behind 4096 bytes, a literal across them, characters of several bytes', async () => {
    await check(`SELECT ${Array.from({ length: 500 }, (_, at) => `v AS column${at}`).join(', ')} FROM t WHERE id=2`, 2);
    await check(`SELECT '${'x'.repeat(4080)}' FROM t WHERE id=12`, 12);
    await check(`SELECT '${'漢'.repeat(1360)}' FROM t WHERE id=12`, 12);
  });

  it('case B74: user variables once a server has reported them', async () => {
    await client.query('SET @k = 7');
    await check('SELECT * FROM t WHERE id=@k', 7);
    await check('SELECT @k := 2, v FROM t WHERE id=@k', null);
    await check('SET @k = 3; SELECT * FROM t WHERE id=@k', null);
  });
});
