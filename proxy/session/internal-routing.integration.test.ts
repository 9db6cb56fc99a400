/** Transactions over several servers of the demo cluster (C9). Who has answered is read from the server, not from the proxy. */
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { startProxy, type TestProxy, until } from '../testing/proxy.ts';

const PARTITIONS = 4;
const login = { user: 'app@trade', password: 'app-secret', database: 'trade' };

describe('C9 statements of one transaction go to several servers', () => {
  let demo: DemoCluster;
  let proxy: TestProxy;
  let client: Connection;
  /** Ids whose partitions are led by two servers. */
  const [here, there] = [0, 1];

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
    proxy = await startProxy({
      rsList: demo.servers.map(({ address }) => address).join(';'),
      clusterName: demo.clusterName,
      parameters: { work_thread_num: 1, enable_congestion: 'False', server_state_refresh_interval: '100ms' },
    });
    const setup = await proxy.connect(login);
    await setup.query(
      `CREATE TABLE spread (id INT PRIMARY KEY, host VARCHAR(64)) PARTITION BY HASH(id) PARTITIONS ${PARTITIONS}`,
    );
    await setup.end();
  });
  beforeEach(async () => {
    for (const partition of [0, 1, 2, 3]) lead(partition, partition === here ? 'zone1' : 'zone2');
    client = await proxy.connect(login);
    await client.query('DELETE FROM spread');
    // The places are known, so that they do not have to be looked up again.
    for (const id of [here, there])
      await until('the leader is known', async () => (await readAt(id)) === leaderHost(id));
  });
  afterEach(async () => {
    client.destroy();
    await demo.faults.clear();
  });
  afterAll(async () => {
    await proxy.close();
    await demo.close();
  });

  function lead(partition: number, zone: string): void {
    demo.faults.switchPartitionLeader('trade.trade.spread', partition, zone);
  }
  const hostOf = (address: string): string => demo.servers.find((server) => server.address === address)?.hostName ?? '';
  const leaderHost = (partition: number): string => hostOf(demo.faults.leaderOf('trade.trade.spread', partition));
  const hostIn = (rows: readonly RowDataPacket[]): string => String(rows[0]?.host);

  /** Name of the server that reads a partition. */
  async function readAt(id: number, connection = client): Promise<string> {
    const sql = `SELECT @@hostname AS host, COUNT(*) FROM spread WHERE id = ${id}`;
    return hostIn((await connection.query<RowDataPacket[]>(sql))[0]);
  }
  /** A server that writes puts its own name in. */
  const write = (id: number, connection = client) =>
    connection.query(`INSERT INTO spread (id, host) VALUES (${id}, @@hostname)`);
  const rows = async (connection: Connection): Promise<[number, string][]> => {
    const [found] = await connection.query<RowDataPacket[]>('SELECT id, host FROM spread ORDER BY id');
    return found.map(({ id, host }) => [id, host]);
  };
  const another = () => proxy.connect(login);
  /** A statement without a table goes to the coordinator. */
  const coordinator = async (): Promise<string> =>
    hostIn((await client.query<RowDataPacket[]>('SELECT @@hostname AS host'))[0]);

  it.each(['COMMIT', 'ROLLBACK'])(
    'each to the leader of its partition, until %s ends it for all of them',
    async (end) => {
      const other = await another();
      await client.query('BEGIN');
      await write(here);
      await write(there);
      await write(here + PARTITIONS);
      expect(await readAt(there)).toBe(leaderHost(there));
      expect(await coordinator()).toBe(leaderHost(here));
      const written: [number, string][] = [
        [here, leaderHost(here)],
        [there, leaderHost(there)],
        [here + PARTITIONS, leaderHost(here)],
      ];
      // Each of them sees what the others have written, and nobody else does.
      expect(await rows(client)).toEqual(written);
      expect(await rows(other)).toEqual([]);
      await client.query(end);
      expect(await rows(client)).toEqual(end === 'COMMIT' ? written : []);
      expect(await rows(other)).toEqual(end === 'COMMIT' ? written : []);
      await other.end();
    },
  );

  it('many times over, in any order', async () => {
    for (let round = 0; round < 20; round++) {
      await client.query('BEGIN');
      for (const id of round % 2 === 0 ? [here, there, here, there] : [there, there, here, there]) {
        await client.query(`REPLACE INTO spread (id, host) VALUES (${id}, @@hostname)`);
      }
      await client.query(round % 3 === 0 ? 'ROLLBACK' : 'COMMIT');
    }
    expect(await rows(client)).toEqual([
      [here, leaderHost(here)],
      [there, leaderHost(there)],
    ]);
  });

  it('without autocommit as well', async () => {
    await client.query('SET autocommit = 0');
    await write(there);
    await write(here);
    expect(await rows(client)).toEqual([
      [here, leaderHost(here)],
      [there, leaderHost(there)],
    ]);
    await client.query('ROLLBACK');
    expect(await rows(client)).toEqual([]);
  });

  it('prepared statements, with the variables of the session', async () => {
    await client.query('BEGIN');
    await write(here);
    await client.query("SET @tag = 'mine', ob_query_timeout = 7000000");
    const sql = 'INSERT INTO spread (id, host) VALUES (?, CONCAT(@@hostname, @tag, @@ob_query_timeout))';
    for (const id of [there, here + PARTITIONS, there + PARTITIONS]) await client.execute(sql, [id]);
    await client.query('COMMIT');
    expect((await rows(client)).slice(1)).toEqual(
      [there, here + PARTITIONS, there + PARTITIONS].map((id) => [id, `${leaderHost(id % PARTITIONS)}mine7000000`]),
    );
  });

  it('savepoints, several statements in a text, and all that is no DML go to the coordinator', async () => {
    await client.query('BEGIN');
    await write(here);
    await client.query('SAVEPOINT one');
    await write(there);
    await client.query('ROLLBACK TO one');
    expect(await rows(client)).toEqual([[here, leaderHost(here)]]);
    await write(there);
    const [shown] = await client.query<RowDataPacket[]>("SHOW VARIABLES LIKE 'hostname'");
    expect(shown[0]?.Value).toBe(leaderHost(here));
    await client.query('COMMIT');
    const multi = await proxy.connect({ ...login, multipleStatements: true });
    await multi.query('BEGIN');
    await readAt(here, multi);
    const [results] = await multi.query<RowDataPacket[][]>(
      `SELECT @@hostname AS host FROM spread WHERE id = ${there}; SELECT @@hostname AS host FROM spread WHERE id = ${there}`,
    );
    expect(results.map(hostIn)).toEqual([leaderHost(here), leaderHost(here)]);
    await multi.end();
  });

  it('what asks about the statement before goes to its server', async () => {
    await client.query('BEGIN');
    await write(here);
    await client.query(`UPDATE spread SET host = 'x' WHERE id IN (${there}, ${there + PARTITIONS})`);
    await write(there);
    const [[row]] = await client.query<RowDataPacket[]>('SELECT ROW_COUNT() AS count, @@hostname AS host');
    expect(row).toEqual({ count: 1, host: leaderHost(there) });
    expect(await coordinator()).toBe(leaderHost(here));
    await client.query('ROLLBACK');
  });

  it('a statement that a server refuses to take part with is done by the coordinator', async () => {
    await client.query('BEGIN');
    await write(here);
    demo.faults.refuseToTakePart('zone2', true);
    await write(there);
    expect(await readAt(there)).toBe(leaderHost(here));
    await client.query('COMMIT');
    expect(await rows(client)).toEqual([
      [here, leaderHost(here)],
      [there, leaderHost(here)],
    ]);
  });

  it('a leader that cannot be reached: the coordinator does it', async () => {
    await client.query('BEGIN');
    await write(here);
    await demo.faults.stop('zone2', false);
    await write(there);
    await client.query('COMMIT');
    expect((await rows(client)).map(([id]) => id)).toEqual([here, there]);
  });

  it('C6 a lost coordinator ends it: the client is told, nothing of it stays, and its connection goes on', async () => {
    await client.query('BEGIN');
    await write(here);
    await write(there);
    demo.faults.cut('zone1');
    await expect(write(there + PARTITIONS)).rejects.toMatchObject({
      errno: 10014,
      message: expect.stringContaining('the transaction has ended'),
    });
    expect(await rows(client)).toEqual([]);
    await client.query('COMMIT');
    await write(here);
    expect(await rows(client)).toEqual([[here, leaderHost(here)]]);
  });

  it('a server that has taken part and is lost between statements takes nothing along', async () => {
    await client.query('BEGIN');
    await write(here);
    await write(there);
    demo.faults.cut('zone2');
    await write(there + PARTITIONS);
    await client.query('COMMIT');
    expect((await rows(client)).map(([id]) => id)).toEqual([here, there, there + PARTITIONS]);
  });

  it('a server that is lost while it writes ends it: nobody knows whether it has', async () => {
    const zone2 = demo.servers.find(({ zone }) => zone === 'zone2');
    const direct = await createConnection({ host: zone2?.ip ?? '', port: zone2?.port ?? 0, ...login });
    await direct.query('BEGIN');
    await direct.query(`INSERT INTO spread VALUES (${here + 2}, 'lock')`);
    await client.query('BEGIN');
    await readAt(here);
    const waiting = write(there).catch((error: unknown) => error);
    // Its turn does not come while another one writes.
    const running = async (): Promise<boolean> => {
      const [list] = await direct.query<RowDataPacket[]>('SHOW FULL PROCESSLIST');
      return list.some(({ Info }) => String(Info).startsWith(`INSERT INTO spread (id, host) VALUES (${there}`));
    };
    await until('it waits for its turn', running);
    demo.faults.cut('zone2');
    expect(await waiting).toMatchObject({
      errno: 10014,
      message: expect.stringContaining('the transaction has ended'),
    });
    direct.destroy();
    await until('it is rolled back', async () => (await rows(client)).length === 0);
    await write(here);
    expect(await rows(client)).toEqual([[here, leaderHost(here)]]);
  });

  it.each([
    ['a read', () => readAt(there)],
    ['a write', () => write(there)],
  ])('B10 %s whose reply arrives changed ends it: its state was in that reply', async (_name, run) => {
    await client.query('BEGIN');
    await write(here);
    demo.faults.sendWrongChecksums('zone2', 1);
    await expect(run()).rejects.toMatchObject({
      errno: 10014,
      message: expect.stringMatching(/OB_PACKET_CHECKSUM_ERROR.*the transaction has ended/),
    });
    expect(await rows(client)).toEqual([]);
  });

  it('SET TRANSACTION keeps one together, and so does what only one server session has', async () => {
    await client.query('BEGIN');
    await write(here);
    await client.query("SELECT GET_LOCK('x', 0)").catch(() => undefined);
    await client.query('ROLLBACK');
    await client.query('SET TRANSACTION READ WRITE');
    await client.query('BEGIN');
    const first = await readAt(here);
    expect(await readAt(there)).toBe(first);
    await client.query('ROLLBACK');
  });

  it.each(['enable_transaction_internal_routing', 'enable_ob_protocol_v2'])(
    'C5 not with %s off: the transaction stays on the server of its first statement',
    async (name) => {
      const admin = await proxy.admin();
      await admin.query(`ALTER PROXYCONFIG SET ${name} = 'False'`);
      const other = await another();
      await other.query('BEGIN');
      const first = await readAt(here, other);
      expect(first).toBe(leaderHost(here));
      expect(await readAt(there, other)).toBe(first);
      await other.query('COMMIT');
      expect(await readAt(there, other)).toBe(leaderHost(there));
      await other.end();
      await admin.query(`ALTER PROXYCONFIG SET ${name} = 'True'`);
      await admin.end();
    },
  );
});
