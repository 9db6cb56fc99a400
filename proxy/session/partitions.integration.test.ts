/** Routing by partition before the demo cluster. Who has answered is read from the server, not from the proxy. */
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { startProxy, type TestProxy } from '../testing/proxy.ts';

const PARTITIONS = 4;

describe('R11 strong reads go to the leader of their partition', () => {
  let demo: DemoCluster;
  let proxy: TestProxy;
  let client: Connection;

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
    proxy = await startProxy({
      rsList: demo.servers.map(({ address }) => address).join(';'),
      clusterName: demo.clusterName,
      parameters: { work_thread_num: 1 },
    });
    client = await proxy.connect({ user: 'app@trade', password: 'app-secret', database: 'trade' });
    await client.query(
      `CREATE TABLE spread (id INT PRIMARY KEY, v INT) PARTITION BY HASH(id) PARTITIONS ${PARTITIONS}`,
    );
    await client.query(
      'CREATE TABLE bounds (id INT, v INT) PARTITION BY RANGE COLUMNS(id) (PARTITION p0 VALUES LESS THAN (100), PARTITION p1 VALUES LESS THAN (200), PARTITION p2 VALUES LESS THAN (MAXVALUE))',
    );
  });
  afterAll(async () => {
    await client.end();
    await proxy.close();
    await demo.close();
  });

  /** Host names by address. */
  const hostOf = (address: string): string => demo.servers.find((server) => server.address === address)?.hostName ?? '';
  const leader = (table: string, partition: number): string =>
    hostOf(demo.faults.leaderOf(`trade.trade.${table}`, partition));
  const lastHost = async (): Promise<string> => {
    const [[row]] = await client.query<RowDataPacket[]>('SELECT @@hostname AS host');
    return String(row?.host);
  };

  it('the partitions have leaders on several servers', () => {
    expect(new Set([0, 1, 2, 3].map((partition) => leader('spread', partition))).size).toBeGreaterThan(1);
  });

  it.each([0, 1, 2, 3, 6, -5])('texts, INSERT, UPDATE, DELETE and prepared statements of id %i', async (id) => {
    const expected = leader('spread', Math.abs(id) % PARTITIONS);
    await client.query(`REPLACE INTO spread (v, id) VALUES (1, ${id === 0 ? 4 : id}), (2, 99)`);
    expect(await lastHost()).toBe(expected);
    await client.query(`SELECT * FROM spread WHERE id = ${id}`);
    expect(await lastHost()).toBe(expected);
    await client.query(`UPDATE spread SET v = 3 WHERE v = 1 AND id = ${id}`);
    expect(await lastHost()).toBe(expected);
    await client.execute('SELECT v FROM spread WHERE id = ?', [id]);
    expect(await lastHost()).toBe(expected);
    await client.query(`DELETE FROM spread WHERE id = ${id}`);
    expect(await lastHost()).toBe(expected);
  });

  it.each([
    ['id = 150', 1],
    ['id BETWEEN 100 AND 199', 1],
    ['id < 50', 0],
    ['id >= 100 AND id < 200', 1],
  ] as const)('a range that falls into one partition: %s', async (where, partition) => {
    await client.query(`SELECT * FROM bounds WHERE ${where}`);
    expect(await lastHost()).toBe(leader('bounds', partition));
  });

  it('EXPLAIN ROUTE names the partition, or says that there is not one for certain', async () => {
    const plan = async (sql: string): Promise<string> => {
      const [rows] = await client.query<RowDataPacket[]>(`EXPLAIN ROUTE ${sql}`);
      return rows.map((row) => String(row['Route Plan'])).join('\n');
    };
    expect(await plan('SELECT * FROM spread WHERE id = 2')).toMatch(/partition: p2 \(tablet \d+\)/);
    expect(await plan('SELECT * FROM spread WHERE id > 2')).toContain('partition: not one for certain');
  });

  it('a partition whose leader has moved is found again after the servers say that it was missed', async () => {
    const expectedBefore = leader('spread', 1);
    const target = demo.servers.find(({ hostName }) => hostName !== expectedBefore && /zone[123]/.test(hostName));
    if (target === undefined) throw new Error('no other server');
    demo.faults.switchLeader({ table: 'trade.trade.spread' }, target.address);
    const meets = async (): Promise<boolean> => {
      await client.query('SELECT * FROM spread WHERE id = 1');
      return (await lastHost()) === target.hostName;
    };
    await expect.poll(meets, { timeout: 30_000, interval: 200 }).toBe(true);
  });
});
