import type { RowDataPacket } from 'mysql2/promise';
import { expect, it } from 'vitest';
import { type ProxiedBackend, readAt, runEverywhere, serverOf, testDatabase } from '../../testing/backends.ts';
import { errorLine, RawClient, type RawPacket, textRows } from '../../testing/raw-client.ts';
import { CAP, COM } from '../../wire/constants.ts';

const LOGIN = { flags: ['-IGNORE_SPACE'] };

/** Spellings and corners of field cases, on servers that know all of MySQL's own ways. */
export function mariaDbFieldCases(px: ProxiedBackend): void {
  const [first, second] = px.tables;
  const addresses = px.backend.servers.map(({ address }) => address);
  const hex = (packets: readonly RawPacket[]): string[] => packets.map(({ payload }) => payload.toString('hex'));

  it.each([
    ["SET LOCAL sql_mode = 'ANSI_QUOTES'", 'sql_mode'],
    ['SET autocommit = DEFAULT', 'autocommit'],
    ["SET @@local.time_zone := '+03:00'", 'time_zone'],
    ['SET time_zone = "SYSTEM"', 'time_zone'],
  ])('case B31 case B35 case B37 %s holds on every server', async (set, name) => {
    const direct = await px.backend.direct(0);
    await direct.query(set);
    const [[expected]] = await direct.query<RowDataPacket[]>(`SELECT @@${name} AS v`);
    await direct.end();
    const connection = await px.connect(LOGIN);
    await readAt(px, connection, 0, '1');
    await connection.query(set);
    for (const server of [1, 0] as const) {
      expect(await readAt(px, connection, server, `@@${name} AS v`)).toEqual({ ...expected });
    }
    await connection.end();
  });

  it('case B37 a SET that was prepared as text is taken like one that was sent', async () => {
    const connection = await px.connect(LOGIN);
    await readAt(px, connection, 0, '1');
    await connection.query("PREPARE s FROM 'SET time_zone = ?'");
    await connection.query("SET @z = '-03:00'");
    await connection.query('EXECUTE s USING @z');
    await connection.query('DEALLOCATE PREPARE s');
    for (const server of [1, 0] as const) {
      expect(await readAt(px, connection, server, '@@time_zone AS z')).toEqual({ z: '-03:00' });
    }
    await connection.end();
  });

  it('case B38 of SET GLOBAL and SESSION in one statement only the session’s part goes along', async () => {
    const connection = await px.connect(LOGIN);
    await readAt(px, connection, 0, '1');
    const [[before]] = await connection.query<RowDataPacket[]>('SELECT @@global.net_read_timeout AS g');
    await connection.query('SET GLOBAL net_read_timeout = 77, SESSION net_write_timeout = 78');
    expect(await readAt(px, connection, 1, '@@net_write_timeout AS w, @@net_read_timeout AS r')).toEqual({
      w: 78,
      r: before?.g,
    });
    await readAt(px, connection, 0, '1');
    await connection.query('SET GLOBAL net_read_timeout = DEFAULT');
    await connection.end();
  });

  it('case B46 LOCK TABLES and a lock taken by a prepared statement hold the session until their release', async () => {
    const connection = await px.connect(LOGIN);
    await readAt(px, connection, 1, '1');
    await connection.query(`LOCK TABLES ${second} WRITE`);
    await expect(connection.query(`SELECT * FROM ${first}`)).rejects.toMatchObject({ errno: 1100 });
    await connection.query('UNLOCK TABLES');
    expect(await serverOf(px, connection, first)).toBe(addresses[0]);
    await connection.execute("SELECT GET_LOCK('prepared', 1)");
    expect(await serverOf(px, connection, second)).toBe(addresses[0]);
    const [[released]] = await connection.execute<RowDataPacket[]>("SELECT RELEASE_LOCK('prepared') AS ok");
    expect(Number(released?.ok)).toBe(1);
    expect(await serverOf(px, connection, second)).toBe(addresses[1]);
    await connection.end();
  });

  it('case B52 as many parameters as there can be, and one more', async () => {
    const client = await px.raw();
    const text = (count: number): string => `SELECT 1 IN (${Array.from({ length: count }, () => '?').join(',')})`;
    client.command(COM.STMT_PREPARE, text(65_536));
    expect(errorLine((await client.packet()).payload)).toMatch(/^1390 /);
    client.command(COM.STMT_PREPARE, text(65_535));
    expect((await client.packet()).payload.readUInt16LE(7)).toBe(65_535);
    client.destroy();
    const other = await px.raw();
    expect(textRows(await other.query('SELECT 5'))).toEqual([['5']]);
    other.destroy();
  });

  it.each([
    ['SELECT 1;;SELECT 2'],
    ['SELECT 1;SELECT 2;'],
    ["SELECT ';'; SELECT 2 -- ;"],
    ['SELECT ";", 1 AS `a;b`; /* ; */ # x '],
    ['SELECT 1; SELECT nosuch; SELECT 3'],
    [';SELECT 1'],
    ['/* x */; SELECT 1'],
  ])('case B57 %s: as from one server', async (text) => {
    const direct = await RawClient.connect(px.backend.servers[0]?.port ?? 0);
    await direct.login({ user: px.backend.user, database: testDatabase });
    const client = await px.raw();
    expect(hex(await client.query(text))).toEqual(hex(await direct.query(text)));
    expect(hex(await client.query('SELECT 5'))).toEqual(hex(await direct.query('SELECT 5')));
    client.destroy();
    direct.destroy();
  });

  it.each([
    ['no results', 'SET @p = 1'],
    ['an error behind a result', 'SELECT 1; SELECT * FROM nosuch'],
    ['a variable', 'SET time_zone = "+05:00"; SELECT 2'],
    ['a transaction that begins', `START TRANSACTION; UPDATE ${second} SET v = v WHERE id = 1; SELECT 3`],
  ])('case B58 CALL with %s: as from one server, and what it leaves behind is known', async (what, body) => {
    await runEverywhere(
      px,
      `DROP PROCEDURE IF EXISTS ${testDatabase}.p3`,
      `CREATE PROCEDURE ${testDatabase}.p3() BEGIN ${body}; END`,
    );
    const direct = await RawClient.connect(px.backend.servers[1]?.port ?? 0);
    await direct.login({ user: px.backend.user, database: testDatabase });
    const client = await px.raw();
    await client.query(`SELECT 1 FROM ${second}`);
    await direct.query(`SELECT 1 FROM ${second}`);
    const expected = hex(await direct.query('CALL p3()'));
    // Else its locks would be in the way.
    direct.destroy();
    expect(hex(await client.query('CALL p3()'))).toEqual(expected);
    const at = what === 'a transaction that begins' ? addresses[1] : addresses[0];
    const [row] = textRows(await client.query(`SELECT w.server, @@time_zone FROM ${first} k, whoami w LIMIT 1`));
    expect(row?.[0]).toBe(at);
    if (what === 'a variable') expect(row?.[1]).toBe('+05:00');
    client.destroy();
  });

  it('case B58 a prepared CALL with an OUT parameter', async () => {
    await runEverywhere(
      px,
      `DROP PROCEDURE IF EXISTS ${testDatabase}.p4`,
      `CREATE PROCEDURE ${testDatabase}.p4(OUT x int) BEGIN SET x = 42; SELECT 1; END`,
    );
    const run = async (client: RawClient): Promise<string[]> => {
      client.command(COM.STMT_PREPARE, 'CALL p4(?)');
      const id = (await client.packet()).payload.readUInt32LE(1);
      for (let count = 0; count < 2; count++) await client.packet();
      const body = Buffer.alloc(4 + 5 + 1 + 1 + 2);
      body.writeUInt32LE(id, 0);
      body.writeUInt32LE(1, 5);
      body.set([1, 1, 0x06], 9);
      client.command(COM.STMT_EXECUTE, body);
      const packets = await client.reply();
      expect(packets.map(({ sequence }) => sequence)).toEqual(packets.map((_, index) => index + 1));
      expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
      client.destroy();
      return hex(packets);
    };
    const capabilities = CAP.MULTI_RESULTS | CAP.PS_MULTI_RESULTS | CAP.PROTOCOL_41 | CAP.SECURE_CONNECTION;
    const options = { capabilities: capabilities | CAP.CONNECT_WITH_DB | CAP.PLUGIN_AUTH };
    const direct = await RawClient.connect(px.backend.servers[0]?.port ?? 0);
    await direct.login({ user: px.backend.user, database: testDatabase, ...options });
    const expected = await run(direct);
    expect(expected.filter((packet) => packet.startsWith('fe')).length).toBeGreaterThanOrEqual(4);
    expect(await run(await px.raw(options))).toEqual(expected);
  });

  it('case B65 a prepared branch outlives its client, is listed, and is ended by another session', async () => {
    const xid = "X'67',X'01',7";
    const client = await px.raw();
    await client.query(`SELECT 1 FROM ${second}`);
    for (const text of [
      `XA START ${xid}`,
      `UPDATE ${second} SET v = 'xa' WHERE id = 3`,
      `XA END ${xid}`,
      `XA PREPARE ${xid}`,
    ]) {
      expect((await client.query(text))[0]?.payload[0], text).toBe(0x00);
    }
    client.destroy();
    const other = await px.connect(LOGIN);
    await serverOf(px, other, second);
    const [branches] = await other.query<RowDataPacket[]>('XA RECOVER');
    expect(branches).toHaveLength(1);
    await other.query(`XA ROLLBACK ${xid}`);
    const [[row]] = await other.query<RowDataPacket[]>(`SELECT v FROM ${second} WHERE id = 3`);
    expect(row).toEqual({ v: 'three' });
    await other.end();
  });

  it('case B65 a held XA START tells its flags as the server does', async () => {
    const texts = [
      "XA START 'h'",
      `UPDATE ${second} SET v = v WHERE id = 1`,
      'COMMIT',
      "XA END 'h'",
      "XA ROLLBACK 'h'",
    ];
    const run = async (client: RawClient): Promise<string[][]> => {
      const replies: string[][] = [];
      await client.query(`SELECT 1 FROM ${second}`);
      for (const text of texts) replies.push(hex(await client.query(text)));
      client.destroy();
      return replies;
    };
    const direct = await RawClient.connect(px.backend.servers[1]?.port ?? 0);
    await direct.login({ user: px.backend.user, database: testDatabase });
    const expected = await run(direct);
    expect(await run(await px.raw())).toEqual(expected);
  });
}
