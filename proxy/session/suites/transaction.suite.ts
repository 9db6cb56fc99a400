import type { RowDataPacket } from 'mysql2/promise';
import { expect, it } from 'vitest';
import { type ProxiedBackend, readAt, runEverywhere, serverOf, testDatabase } from '../../testing/backends.ts';
import { until } from '../../testing/proxy.ts';
import { errorLine } from '../../testing/raw-client.ts';
import { STATUS } from '../../wire/constants.ts';
import { parseOk } from '../../wire/ok-packet.ts';

/** Transactions belong to one server session (C5, C10). */
export function transactionSuite(px: ProxiedBackend): void {
  const { isOceanBase, servers } = px.backend;
  const [first, second] = px.tables;
  const addresses = servers.map(({ address }) => address);

  it('case B62 with autocommit off the first read binds, and COMMIT sets free', async () => {
    const connection = await px.connect();
    await serverOf(px, connection, first);
    await connection.query('SET autocommit=0');
    const bound = await serverOf(px, connection, second);
    expect(bound).toBe(addresses[1]);
    // An OBServer does not open a transaction for a read; its status flag decides.
    if (!isOceanBase) expect(await serverOf(px, connection, first)).toBe(bound);
    await connection.query(`UPDATE ${second} SET v = v WHERE id = 1`);
    expect(await serverOf(px, connection, first)).toBe(bound);
    await connection.query('COMMIT');
    expect(await serverOf(px, connection, first)).toBe(addresses[0]);
    await connection.query('ROLLBACK');
    expect(await serverOf(px, connection, second)).toBe(addresses[1]);
    await connection.query('COMMIT');
    await connection.end();
  });

  it.each([['BEGIN'], ['START TRANSACTION'], ['begin /*c*/ ;'], ['START TRANSACTION READ WRITE'], ['BEGIN WORK']])(
    'case B63 C5 %s goes with the first statement to that one’s server, which keeps the rest',
    async (begin) => {
      const connection = await px.connect();
      await serverOf(px, connection, first);
      await connection.query(begin);
      expect(await serverOf(px, connection, second)).toBe(addresses[1]);
      await connection.query(`UPDATE ${second} SET v = 'changed' WHERE id = 3`);
      expect(await serverOf(px, connection, first)).toBe(addresses[1]);
      await connection.query('ROLLBACK');
      expect(await serverOf(px, connection, first)).toBe(addresses[0]);
      const [rows] = await connection.query<RowDataPacket[]>(`SELECT v FROM ${second} WHERE id = 3`);
      expect(rows).toEqual([{ v: 'three' }]);
      await connection.end();
    },
  );

  it('case B63 a READ ONLY transaction refuses writes, and only that one', async () => {
    const connection = await px.connect();
    await connection.query('START TRANSACTION READ ONLY');
    await expect(connection.query(`UPDATE ${second} SET v = v WHERE id = 1`)).rejects.toMatchObject({
      sqlState: '25006',
    });
    await connection.query('ROLLBACK');
    await connection.query(`UPDATE ${second} SET v = v WHERE id = 1`);
    await connection.query('BEGIN');
    await connection.query(`UPDATE ${second} SET v = v WHERE id = 1`);
    await connection.query('COMMIT');
    await connection.end();
  });

  it('case B63 an empty transaction is OK, and its status flags show it', async () => {
    const client = await px.raw();
    const status = async (sql: string): Promise<number> => {
      const [packet] = await client.query(sql);
      return parseOk(packet?.payload ?? Buffer.alloc(0), false).status & STATUS.IN_TRANS;
    };
    expect(await status('BEGIN')).toBe(STATUS.IN_TRANS);
    expect(await status('BEGIN')).toBe(STATUS.IN_TRANS);
    client.command(0x0e);
    expect(parseOk((await client.packet()).payload, false).status & STATUS.IN_TRANS).toBe(STATUS.IN_TRANS);
    expect(await status('COMMIT')).toBe(0);
    expect(await status('BEGIN')).toBe(STATUS.IN_TRANS);
    expect(await status('ROLLBACK')).toBe(0);
    client.destroy();
  });

  it('case B63 after an error of its first statement a transaction is still open there', async () => {
    const connection = await px.connect();
    await serverOf(px, connection, second);
    await connection.query('BEGIN');
    await expect(connection.query(`SELECT nosuch FROM ${first}`)).rejects.toMatchObject({ errno: 1054 });
    await connection.query(`UPDATE ${first} SET v = 'changed' WHERE id = 3`);
    await connection.query('ROLLBACK');
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT v FROM ${first} WHERE id = 3`);
    expect(rows).toEqual([{ v: 'three' }]);
    await connection.end();
  });

  it('case B63 a snapshot is taken when it is asked for', async () => {
    const connection = await px.connect();
    await serverOf(px, connection, first);
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    expect(await serverOf(px, connection, second)).toBe(addresses[0]);
    await connection.query('COMMIT');
    await connection.end();
  });

  it('case B69 a client that goes away in a transaction leaves no lock behind', async () => {
    const client = await px.raw();
    await client.query('BEGIN');
    await client.query(`UPDATE ${first} SET v = 'left' WHERE id = 2`);
    client.reset();
    const other = await px.connect();
    await other.query(`UPDATE ${first} SET v = 'two' WHERE id = 2`);
    const [rows] = await other.query<RowDataPacket[]>(`SELECT v FROM ${first} WHERE id = 2`);
    expect(rows).toEqual([{ v: 'two' }]);
    await other.end();
  });
}

/** What needs a whole database: locks of rows, procedures, time zones, XA. */
export function databaseTransactionSuite(px: ProxiedBackend): void {
  const { isOceanBase, servers } = px.backend;
  const [first, second] = px.tables;
  const addresses = servers.map(({ address }) => address);

  it('case B63 BEGIN, SET, statement: the value and the transaction are both there', async () => {
    const connection = await px.connect();
    await serverOf(px, connection, first);
    await connection.query('BEGIN');
    await connection.query("SET time_zone='+02:00'");
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT @@time_zone AS z FROM ${second} WHERE id = 2`);
    expect(rows).toEqual([{ z: '+02:00' }]);
    await connection.query(`UPDATE ${second} SET v = 'changed' WHERE id = 2`);
    await connection.query('ROLLBACK');
    expect(await readAt(px, connection, 1, '@@time_zone AS z')).toEqual({ z: '+02:00' });
    await connection.end();
  });

  it('case B64 savepoints, and an unknown one that does not end the transaction', async () => {
    const connection = await px.connect();
    await serverOf(px, connection, second);
    await connection.query('BEGIN');
    await connection.query('SAVEPOINT `s 1`');
    await connection.query(`INSERT INTO ${first} VALUES (910, 'x')`);
    await connection.query("SET time_zone='+02:00'");
    await connection.query('SAVEPOINT s2');
    await connection.query(`INSERT INTO ${first} VALUES (911, 'x')`);
    await connection.query('ROLLBACK TO SAVEPOINT s2');
    const [inside] = await connection.query<RowDataPacket[]>(`SELECT id FROM ${first} WHERE id >= 910`);
    expect(inside).toEqual([{ id: 910 }]);
    await connection.query('ROLLBACK TO `s 1`');
    await expect(connection.query('RELEASE SAVEPOINT nosuch')).rejects.toMatchObject({ errno: 1305 });
    await connection.query(`INSERT INTO ${first} VALUES (912, 'x')`);
    await connection.query('ROLLBACK');
    const [after] = await connection.query<RowDataPacket[]>(`SELECT id FROM ${first} WHERE id >= 910`);
    expect(after).toEqual([]);
    await connection.end();
  });

  it('SET TRANSACTION holds for the next transaction, wherever its tables are', async () => {
    const connection = await px.connect();
    await serverOf(px, connection, first);
    await connection.query('SET TRANSACTION READ ONLY');
    await connection.query('SHOW WARNINGS');
    await connection.query('BEGIN');
    await expect(connection.query(`UPDATE ${second} SET v = v WHERE id = 1`)).rejects.toMatchObject({
      sqlState: '25006',
    });
    await connection.query('ROLLBACK');
    await connection.query(`UPDATE ${second} SET v = v WHERE id = 1`);
    expect(await serverOf(px, connection, second)).toBe(addresses[1]);
    await connection.end();
  });

  it('C10 an error that ends the transaction at the server is noticed', async () => {
    const one = await px.connect();
    const two = await px.connect();
    await one.query('BEGIN');
    await two.query('BEGIN');
    await one.query(`UPDATE ${first} SET v = v WHERE id = 1`);
    await two.query(`UPDATE ${first} SET v = v WHERE id = 2`);
    const waits = one.query(`UPDATE ${first} SET v = v WHERE id = 2`).catch((error: { errno: number }) => error.errno);
    await lockIsWaitedFor(px);
    const victim = await two
      .query(`UPDATE ${first} SET v = v WHERE id = 1`)
      .catch((error: { errno: number }) => error.errno);
    const outcomes = [await waits, victim].filter((outcome) => typeof outcome === 'number');
    expect(outcomes.length).toBe(1);
    await Promise.all([one.query('ROLLBACK'), two.query('ROLLBACK')]);
    for (const connection of [one, two]) {
      expect(await serverOf(px, connection, second)).toBe(addresses[1]);
      expect(await serverOf(px, connection, first)).toBe(addresses[0]);
      await connection.end();
    }
  });

  it('case B69 C19 a client that goes away in the middle of a statement ends it at the server', async () => {
    const client = await px.raw();
    client.command(0x03, `SELECT SLEEP(60), id FROM ${first} LIMIT 1`);
    const direct = await px.backend.direct(0);
    const sleeping = async (): Promise<number> => {
      const [rows] = await direct.query<RowDataPacket[]>('SHOW FULL PROCESSLIST');
      return rows.filter((row) => String(row.Info).startsWith('SELECT SLEEP(60), id')).length;
    };
    await until('the statement runs', async () => (await sleeping()) === 1);
    client.end();
    await until('the statement has ended', async () => (await sleeping()) === 0);
    await direct.end();
  });

  it('case B58 CALL with several results, and a transaction that begins inside', async () => {
    const client = await px.raw();
    await runEverywhere(
      px,
      `DROP PROCEDURE IF EXISTS ${testDatabase}.p2`,
      `CREATE PROCEDURE ${testDatabase}.p2() BEGIN SELECT 1; SELECT 2; END`,
    );
    const packets = await client.query('CALL p2()');
    expect(packets.map(({ sequence }) => sequence)).toEqual(packets.map((_, index) => index + 1));
    const last = packets.at(-1)?.payload ?? Buffer.alloc(0);
    expect(last[0]).toBe(0x00);
    expect(packets.length).toBeGreaterThan(10);
    await client.query('SELECT 3');
    expect(errorLine((await client.query('CALL nosuch()'))[0]?.payload)).toMatch(/^1305 /);
    client.destroy();
  });

  if (isOceanBase) return;
  it('case B65 XA transactions stay at their server, and a prepared branch can be ended elsewhere', async () => {
    const connection = await px.connect();
    await serverOf(px, connection, second);
    await connection.query("XA START 'g1','b1',1");
    await connection.query(`UPDATE ${second} SET v = 'xa' WHERE id = 2`);
    expect(await serverOf(px, connection, first)).toBe(addresses[1]);
    await connection.query("XA END 'g1','b1',1");
    await connection.query("XA PREPARE 'g1','b1',1");
    await connection.query("XA COMMIT 'g1','b1',1");
    await connection.query(`UPDATE ${second} SET v = 'two' WHERE id = 2`);
    await expect(connection.query("XA END 'g1'")).rejects.toMatchObject({
      sqlState: expect.stringMatching(/^XAE0[47]$/),
    });
    await connection.end();
  });
}

/** The server says that a statement waits; there is no event for it. */
async function lockIsWaitedFor(px: ProxiedBackend): Promise<void> {
  const direct = await px.backend.direct(0);
  await until('a statement waits for a lock', async () => {
    const [rows] = await direct.query<RowDataPacket[]>('SHOW FULL PROCESSLIST');
    return rows.some((row) => String(row.Info).startsWith('UPDATE'));
  });
  await direct.end();
}
