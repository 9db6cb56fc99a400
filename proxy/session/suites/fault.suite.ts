import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterEach, expect, it } from 'vitest';
import { type ProxiedBackend, readAt, serverOf } from '../../testing/backends.ts';
import { until } from '../../testing/proxy.ts';
import { textRows } from '../../testing/raw-client.ts';

/** Servers that fail (C6, C13–C16). The proxy runs with `observer_query_timeout_delta` = 1 s. */
export function faultSuite(px: ProxiedBackend): void {
  const [first, second] = px.tables;
  const { servers } = px.backend;
  const gates = servers.map(({ gate }) => gate);
  const addresses = servers.map(({ address }) => address);
  const SHORT = '/*+ query_timeout(300000) */';
  const update = (table: string) => `UPDATE ${SHORT} ${table} SET v = 'changed' WHERE id = 3`;

  afterEach(async () => {
    for (const gate of gates) await gate.open();
  });

  const usable = async (connection: Connection): Promise<void> => {
    expect(await serverOf(px, connection, first)).toBe(addresses[0]);
    expect(await serverOf(px, connection, second)).toBe(addresses[1]);
  };

  const unchanged = async (connection: Connection, table: string): Promise<void> => {
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT v FROM ${table} WHERE id = 3`);
    expect(rows).toEqual([{ v: 'three' }]);
  };

  it('C16 a frozen server: an error after a bounded time, and the connection stays; thawed, all sessions work', async () => {
    const connection = await px.connect();
    const other = await px.connect();
    await connection.query("SET time_zone='+05:00'");
    await usable(connection);
    await usable(other);
    gates[0]?.freeze();
    await expect(connection.query(`SELECT ${SHORT} * FROM ${first}`)).rejects.toMatchObject({ errno: 10015 });
    expect(await serverOf(px, connection, second)).toBe(addresses[1]);
    await gates[0]?.open();
    await usable(connection);
    await usable(other);
    expect(await readAt(px, connection, 0, '@@time_zone AS z')).toEqual({ z: '+05:00' });
    await Promise.all([connection.end(), other.end()]);
  });

  it('C16 a server that freezes before it has been brought up to date: another one does the statement', async () => {
    const connection = await px.connect();
    await usable(connection);
    await connection.query("SET time_zone='+09:00'");
    gates[0]?.freeze();
    const sql = `SELECT ${SHORT} @@time_zone AS z, w.server FROM ${first} k, odp.whoami w LIMIT 1`;
    const [rows] = await connection.query<RowDataPacket[]>(sql);
    expect(rows).toEqual([{ z: '+09:00', server: addresses[1] }]);
    await connection.end();
  });

  it('C6 C16 a frozen server in a transaction: an error that says that it has ended, and the connection stays', async () => {
    const connection = await px.connect();
    await usable(connection);
    await connection.query('BEGIN');
    await connection.query(update(first));
    gates[0]?.freeze();
    await expect(connection.query(update(first))).rejects.toMatchObject({
      errno: 10015,
      message: expect.stringContaining('transaction has ended'),
    });
    expect(await serverOf(px, connection, second)).toBe(addresses[1]);
    await gates[0]?.open();
    await usable(connection);
    await unchanged(connection, first);
    await connection.end();
  });

  it('case B25 C14 log-in while all servers are frozen: an error that says that none answers', async () => {
    for (const gate of gates) gate.freeze();
    await expect(px.connect({ connectTimeout: 30_000 })).rejects.toMatchObject({
      errno: 10013,
      message: expect.stringMatching(/no server of cluster .* answers/),
    });
  });

  it('case B25 case B26 log-in while servers are down: the other one, or an error with the reason', async () => {
    await gates[0]?.refuse();
    for (let count = 0; count < 4; count++) {
      const connection = await px.connect();
      expect(await serverOf(px, connection, second)).toBe(addresses[1]);
      await connection.end();
    }
    await gates[1]?.refuse();
    await expect(px.connect()).rejects.toMatchObject({
      errno: 10013,
      message: expect.stringContaining('ECONNREFUSED'),
    });
    for (const gate of gates) await gate.open();
    const connection = await px.connect();
    await usable(connection);
    await connection.end();
  });

  it('C14 a server that dies under a running write: an error at once, and the connection stays', async () => {
    const connection = await px.connect();
    await usable(connection);
    const running = connection.query(`UPDATE ${first} SET v = 'changed' WHERE id = 3 AND SLEEP(30) = 0`);
    const outcome = running.then(
      () => 'done',
      (error: { errno: number }) => error.errno,
    );
    await untilRunning(px, 'UPDATE');
    await gates[0]?.refuse();
    expect(await outcome).toBe(10014);
    expect(await serverOf(px, connection, second)).toBe(addresses[1]);
    await gates[0]?.open();
    await usable(connection);
    await connection.end();
  });

  it('case B67 C14 a plain read outside a transaction is done by another server when its own dies', async () => {
    const connection = await px.connect();
    await usable(connection);
    const running = connection.query<RowDataPacket[]>(
      `SELECT SLEEP(1) AS s, w.server FROM ${first} k, odp.whoami w LIMIT 1`,
    );
    await untilRunning(px, 'SELECT SLEEP(1)');
    await gates[0]?.refuse();
    const [rows] = await running;
    expect(rows).toEqual([{ s: 0, server: addresses[1] }]);
    await connection.end();
  });

  it('C6 a server that died in a transaction: the next statement is told, and the connection stays', async () => {
    const connection = await px.connect();
    await usable(connection);
    await connection.query('BEGIN');
    await connection.query(update(second));
    await gates[1]?.refuse();
    await until('the proxy has noticed', () => (gates[1]?.connectionCount ?? 0) === 0);
    await connection.ping();
    await expect(connection.query(`SELECT * FROM ${second}`)).rejects.toMatchObject({
      errno: 10014,
      message: expect.stringContaining('transaction has ended'),
    });
    expect(await serverOf(px, connection, first)).toBe(addresses[0]);
    await gates[1]?.open();
    await usable(connection);
    await unchanged(connection, second);
    await connection.end();
  });

  it('C14 a server that died while its session was idle is not noticed, and its state is restored when it is back', async () => {
    const connection = await px.connect();
    await connection.query("SET time_zone='+06:00'");
    await usable(connection);
    const statement = await connection.prepare(`SELECT v FROM ${first} WHERE id = ?`);
    expect((await statement.execute([1]))[0]).toEqual([{ v: 'one' }]);
    await gates[0]?.refuse();
    expect(await serverOf(px, connection, first)).toBe(addresses[1]);
    expect((await statement.execute([2]))[0]).toEqual([{ v: 'two' }]);
    await gates[0]?.open();
    expect(await readAt(px, connection, 0, '@@time_zone AS z')).toEqual({ z: '+06:00' });
    expect((await statement.execute([3]))[0]).toEqual([{ v: 'three' }]);
    await connection.end();
  });

  it('C14 all servers down: an error for each statement, and all is usable when they are back', async () => {
    const connection = await px.connect();
    await connection.query("SET time_zone='+07:00'");
    await usable(connection);
    for (const gate of gates) await gate.refuse();
    for (const table of [first, second]) {
      await expect(connection.query(`SELECT * FROM ${table}`)).rejects.toMatchObject({ errno: 10013 });
    }
    await connection.ping();
    await connection.query('BEGIN');
    await connection.query('COMMIT');
    for (const gate of gates) await gate.open();
    expect(await readAt(px, connection, 1, '@@time_zone AS z')).toEqual({ z: '+07:00' });
    await usable(connection);
    await connection.end();
  });

  it('an open cursor whose server has died is an error, once', async () => {
    const connection = await px.connect();
    await usable(connection);
    const client = await px.raw();
    await client.query(`SELECT 1 FROM ${first}`);
    client.command(0x16, `SELECT id FROM ${first}`);
    const id = (await client.packet()).payload.subarray(1, 5);
    await client.packet();
    await client.packet();
    client.command(0x17, Buffer.concat([id, Buffer.from([1, 1, 0, 0, 0])]));
    await client.reply();
    gates[0]?.cut();
    client.command(0x1c, Buffer.concat([id, Buffer.from([5, 0, 0, 0])]));
    expect((await client.packet()).payload[0]).toBe(0xff);
    client.command(0x17, Buffer.concat([id, Buffer.from([0, 1, 0, 0, 0])]));
    expect((await client.reply()).length).toBeGreaterThan(4);
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    client.destroy();
    await connection.end();
  });

  it('a lock whose server has died is told of', async () => {
    const connection = await px.connect();
    await usable(connection);
    await connection.query(`PREPARE s FROM 'SELECT 1'`);
    for (const gate of gates) gate.cut();
    await until('the proxy has noticed', async () => {
      const outcome = await connection.query('EXECUTE s').catch((error: { message: string }) => error.message);
      return typeof outcome === 'string' && outcome.includes('statement s');
    });
    await usable(connection);
    await connection.end();
  });

  it('a server process that is stopped and goes on: the same as a frozen one', async () => {
    const connection = await px.connect();
    await usable(connection);
    const pid = servers[1]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      await expect(connection.query(`SELECT ${SHORT} * FROM ${second}`)).rejects.toMatchObject({ errno: 10015 });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await usable(connection);
    await connection.end();
  });
}

async function untilRunning(px: ProxiedBackend, text: string): Promise<void> {
  const direct = await px.backend.direct(0);
  await until(`${text} runs`, async () => {
    const [rows] = await direct.query<RowDataPacket[]>('SHOW FULL PROCESSLIST');
    return rows.some((row) => String(row.Info).startsWith(text));
  });
  await direct.end();
}
