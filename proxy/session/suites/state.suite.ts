import type { Connection, RowDataPacket } from 'mysql2/promise';
import { expect, it } from 'vitest';
import { type ProxiedBackend, readAt, runEverywhere, testDatabase } from '../../testing/backends.ts';
import { errorLine, RawClient, textRows, USUAL_CAPABILITIES } from '../../testing/raw-client.ts';
import { CAP } from '../../wire/constants.ts';
import { parseOk } from '../../wire/ok-packet.ts';

const READ_BACK =
  '@@sql_mode AS sql_mode, @@autocommit AS autocommit, @@time_zone AS time_zone, @@character_set_client AS client, ' +
  '@@character_set_connection AS connection, @@character_set_results AS results, @@collation_connection AS collation';

/** The driver's IGNORE_SPACE flag would change sql_mode at log-in. */
const LOGIN = { flags: ['-IGNORE_SPACE'] };

const WITH_DATABASE = USUAL_CAPABILITIES | CAP.CONNECT_WITH_DB;

/** Ways to compare a session behind the proxy with one past it. */
function comparisons(px: ProxiedBackend) {
  const direct = async (sets: readonly string[], what: string): Promise<Record<string, unknown>> => {
    const connection = await px.backend.direct(0);
    for (const set of sets) await connection.query(set);
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT ${what}`);
    await connection.end();
    return { ...rows[0] };
  };

  /** The same on both servers, and the same as on a connection past the proxy. */
  const holdsEverywhere = async (connection: Connection, sets: readonly string[], what: string): Promise<void> => {
    for (const set of sets) await connection.query(set);
    const expected = await direct(sets, what);
    for (const server of [1, 0, 1] as const) {
      expect(await readAt(px, connection, server, what)).toEqual(expected);
      // With autocommit off a read opens a transaction, which stays where it is.
      await connection.query('COMMIT');
    }
  };
  return { direct, holdsEverywhere };
}

/** What a session sets must hold on whichever server answers next (C1, C11, C12). */
export function stateSuite(px: ProxiedBackend): void {
  const { isOceanBase } = px.backend;
  const { direct, holdsEverywhere } = comparisons(px);

  it.each([
    ["SET @@session.sql_mode='ANSI_QUOTES'"],
    ["SET @@local.sql_mode='ANSI_QUOTES'"],
    ["SET SESSION sql_mode='ANSI_QUOTES'"],
    ["SET sql_mode := 'ANSI_QUOTES'"],
    ["SET `sql_mode` = 'ANSI_QUOTES'"],
    ["SET sql_mode=''"],
    ['SET autocommit=ON;'],
    ['SET autocommit = 0'],
    ['SET autocommit = true'],
    ['SET sql_mode = DEFAULT'],
    ["set/*c*/sql_mode/*c*/=/*c*/'ANSI_QUOTES'/*c*/;"],
    ["SET sql_mode='' # x"],
    ["/*!40103 SET TIME_ZONE='+00:00' */"],
    ["SET\t\n sql_mode\n=\t'ANSI_QUOTES'"],
    ["SET sql_mode='ANSI_QUOTES', time_zone='+03:00'"],
  ])('case B31 a spelling of SET holds on every server: %j', async (set) => {
    const connection = await px.connect(LOGIN);
    await holdsEverywhere(connection, [set], READ_BACK);
    await connection.end();
  });

  it('case B31 DEFAULT after another value', async () => {
    const connection = await px.connect(LOGIN);
    await holdsEverywhere(connection, ["SET sql_mode='ANSI_QUOTES'"], READ_BACK);
    await connection.query('SET sql_mode = DEFAULT');
    const expected = await direct([], READ_BACK);
    expect(await readAt(px, connection, 1, READ_BACK)).toEqual(expected);
    expect(await readAt(px, connection, 0, READ_BACK)).toEqual(expected);
    await connection.end();
  });

  it('case B32 a SET that fails leaves the values as they were', async () => {
    const connection = await px.connect(LOGIN);
    await connection.query("SET sql_mode='ANSI_QUOTES'");
    const before = await readAt(px, connection, 0, READ_BACK);
    await expect(connection.query("SET sql_mode='NOPE'")).rejects.toMatchObject({ errno: 1231 });
    await expect(connection.query("SET sql_mode='ANSI', nosuch=1")).rejects.toMatchObject({ errno: 1193 });
    const after = await readAt(px, connection, 0, READ_BACK);
    expect(await readAt(px, connection, 1, READ_BACK)).toEqual(after);
    if (!isOceanBase) expect(after).toEqual(before);
    await connection.end();
  });

  it.each([
    ['SET NAMES "gbk"'],
    ['SET NAMES binary'],
    ['SET NAMES DEFAULT'],
    ['SET CHARACTER SET latin1'],
    ['SET CHARSET gbk'],
    ['SET NAMES utf8mb4, @x=1'],
  ])('case B35 %s holds on every server', async (set) => {
    const connection = await px.connect(LOGIN);
    await holdsEverywhere(connection, [set], READ_BACK);
    await connection.end();
  });

  it('case B35 an unknown character set is refused and changes nothing', async () => {
    const connection = await px.connect(LOGIN);
    await connection.query('SET NAMES gbk');
    const before = await readAt(px, connection, 0, READ_BACK);
    await expect(connection.query('SET NAMES nosuch')).rejects.toMatchObject({ errno: 1115 });
    expect(await readAt(px, connection, 1, READ_BACK)).toEqual(before);
    await connection.end();
  });

  it.each([["SET time_zone='+05:30'"], ['SET time_zone="+00:00"'], ["SET time_zone='-03:00'"]])(
    'case B37 %s holds on every server',
    async (set) => {
      const connection = await px.connect(LOGIN);
      await holdsEverywhere(connection, [set], READ_BACK);
      await connection.end();
    },
  );

  it('case B37 B56 a SET that was prepared is taken as one that was sent as text', async () => {
    const connection = await px.connect(LOGIN);
    await connection.execute("SET time_zone='-03:00'");
    const values = [
      await readAt(px, connection, 0, '@@time_zone AS zone'),
      await readAt(px, connection, 1, '@@time_zone AS zone'),
    ];
    expect(values).toEqual([{ zone: '-03:00' }, { zone: '-03:00' }]);
    const other = await px.connect();
    expect(await readAt(px, other, 1, '@@time_zone AS zone')).toEqual(await direct([], '@@time_zone AS zone'));
    await Promise.all([connection.end(), other.end()]);
  });

  it('case B38 only the session part of a SET is the session’s; read-only variables are refused', async () => {
    const connection = await px.connect(LOGIN);
    const name = isOceanBase ? 'ob_trx_idle_timeout' : 'net_write_timeout';
    const value = isOceanBase ? 77000000 : 77;
    await connection.query(`SET SESSION ${name} = ${value}`);
    for (const server of [0, 1] as const) {
      expect(await readAt(px, connection, server, `@@session.${name} AS v`)).toEqual({ v: value });
    }
    await expect(connection.query("SET version='1'")).rejects.toMatchObject({ errno: isOceanBase ? 1229 : 1238 });
    const other = await px.connect();
    expect(await readAt(px, other, 0, `@@session.${name} AS v`)).toEqual(await direct([], `@@session.${name} AS v`));
    await Promise.all([connection.end(), other.end()]);
  });

  it('case B39 USE in its forms, and what fails, on every server', async () => {
    const connection = await px.connect({ ...LOGIN, multipleStatements: true });
    await runEverywhere(px, 'CREATE DATABASE IF NOT EXISTS `db-1`', 'CREATE DATABASE IF NOT EXISTS db2');
    const database = async (): Promise<unknown[]> => [
      (await readAt(px, connection, 0, 'DATABASE() AS d')).d,
      (await readAt(px, connection, 1, 'DATABASE() AS d')).d,
    ];
    await connection.query('/*c*/ USE `db-1` /*c*/;');
    expect(await database()).toEqual(['db-1', 'db-1']);
    await connection.query('use db2#c');
    expect(await database()).toEqual(['db2', 'db2']);
    await expect(connection.query('USE nosuch')).rejects.toMatchObject({ errno: 1049 });
    expect(await database()).toEqual(['db2', 'db2']);
    await connection.query(`USE ${testDatabase}; SELECT DATABASE()`);
    expect(await database()).toEqual([testDatabase, testDatabase]);
    await connection.changeUser({ database: 'db2', user: `${px.backend.user}#${px.backend.clusterName}` });
    expect(await database()).toEqual(['db2', 'db2']);
    await connection.end();
  });

  it('case B39 a database that was dropped meanwhile does not end the session', async () => {
    const connection = await px.connect(LOGIN);
    await runEverywhere(px, 'CREATE DATABASE gone');
    await readAt(px, connection, 0, '1');
    await connection.query('USE gone');
    await runEverywhere(px, 'DROP DATABASE gone');
    expect(await readAt(px, connection, 1, '5 AS five')).toEqual({ five: 5 });
    await expect(connection.query('SELECT * FROM nosuch')).rejects.toMatchObject({
      sqlState: expect.stringMatching(/^(3D000|42000|42S02)$/),
    });
    expect(await readAt(px, connection, 0, '5 AS five')).toEqual({ five: 5 });
    await connection.end();
  });

  it('case B41 autocommit follows the server’s flag, also when it is changed inside a text of several statements', async () => {
    const connection = await px.connect({ ...LOGIN, multipleStatements: true });
    await connection.query('SET autocommit=0; SELECT 1');
    for (const server of [1, 0] as const) {
      expect(await readAt(px, connection, server, '@@autocommit AS a')).toEqual({ a: 0 });
      await connection.query('COMMIT');
    }
    await connection.query('SET autocommit=1');
    for (const server of [1, 0] as const) {
      expect(await readAt(px, connection, server, '@@autocommit AS a')).toEqual({ a: 1 });
    }
    await connection.end();
  });

  it('case B43 R27 questions about the statement before meet its server, before any SET of the proxy there', async () => {
    const connection = await px.connect(LOGIN);
    const [, second] = px.tables;
    await readAt(px, connection, 0, '1');
    await connection.query("SET sql_mode=''");
    await connection.query(`UPDATE ${second} SET v = 'TWO' WHERE id = 2`);
    const [[count]] = await connection.query<RowDataPacket[]>('SELECT ROW_COUNT() AS n');
    expect(Number(count?.n)).toBe(1);
    await connection.query("SET time_zone='+01:00'");
    await connection.query(`INSERT INTO ${second} VALUES (900, REPEAT('x', 300))`);
    const [warnings] = await connection.query<RowDataPacket[]>('SHOW /*c*/ WARNINGS LIMIT 1');
    expect(warnings[0]).toMatchObject({ Level: 'Warning' });
    await connection.query(`DELETE FROM ${second} WHERE id = 900`);
    await expect(connection.query(`SELECT nosuch FROM ${second}`)).rejects.toMatchObject({ errno: 1054 });
    const [errors] = await connection.query<RowDataPacket[]>('SHOW ERRORS');
    expect(errors[0]).toMatchObject({ Code: 1054 });
    await connection.query(`UPDATE ${second} SET v = 'two' WHERE id = 2`);
    await connection.end();
  });

  it('case B43 FOUND_ROWS tells of the statement before', async () => {
    const connection = await px.connect(LOGIN);
    await readAt(px, connection, 0, '1');
    await connection.query(`SELECT SQL_CALC_FOUND_ROWS id FROM ${px.tables[1]} WHERE id <= 2 LIMIT 1`);
    const [[found]] = await connection.query<RowDataPacket[]>('SELECT FOUND_ROWS() AS n');
    expect(Number(found?.n)).toBe(2);
    await connection.end();
  });

  it('case B44 rows found or rows changed: each client gets what it asked for at log-in', async () => {
    const found = await px.connect({ flags: ['FOUND_ROWS'] });
    const changed = await px.connect({ flags: ['-FOUND_ROWS'] });
    for (const table of [px.tables[0], px.tables[1], px.tables[0]]) {
      const sql = `UPDATE ${table} SET v = v WHERE id = 1`;
      expect((await found.query(sql))[0]).toMatchObject({ affectedRows: 1 });
      expect((await changed.query(sql))[0]).toMatchObject({ affectedRows: 0 });
    }
    await Promise.all([found.end(), changed.end()]);
  });

  it.each([
    ['none', 0],
    ['FOUND_ROWS', CAP.FOUND_ROWS],
    ['IGNORE_SPACE', CAP.IGNORE_SPACE],
    ['INTERACTIVE', CAP.INTERACTIVE],
    ['MULTI_STATEMENTS', CAP.MULTI_STATEMENTS],
  ])('case B44 the flags of the log-in (%s) count on every server as they do past the proxy', async (_name, flags) => {
    const { servers, user, password } = px.backend;
    await runEverywhere(px, 'SET GLOBAL interactive_timeout = 12345');
    const login = { user, password, database: testDatabase, capabilities: WITH_DATABASE | flags };
    const past = await RawClient.connect(servers[0]?.port ?? 0);
    await past.login(login);
    // Another one beside it whose server sessions must not be taken for these.
    const other = await px.raw({ capabilities: WITH_DATABASE | (CAP.FOUND_ROWS & ~flags) });
    const through = await px.raw({ capabilities: WITH_DATABASE | flags });
    const outcomes = async (client: RawClient, table: string): Promise<string[]> => {
      const found: string[] = [];
      for (const sql of [
        `UPDATE ${table} SET v = v WHERE id = 1`,
        `SELECT COUNT (*) FROM ${table}`,
        `SELECT @@wait_timeout, @@sql_mode FROM ${table} LIMIT 1`,
        `SELECT 1 FROM ${table} LIMIT 1; SELECT 2`,
      ]) {
        const packets = await client.query(sql);
        const { payload } = packets[0] ?? { payload: Buffer.alloc(0) };
        if (payload[0] === 0xff) found.push(errorLine(payload).slice(0, 4));
        else if (payload[0] === 0x00) found.push(`${parseOk(payload, false).affectedRows} rows`);
        else if (sql.includes(';')) found.push(`${packets.length} packets`);
        else found.push(JSON.stringify(textRows(packets)));
      }
      return found;
    };
    const expected = await outcomes(past, px.tables[0]);
    for (const table of [px.tables[0], px.tables[1], px.tables[0], px.tables[1]]) {
      expect(await outcomes(through, table)).toEqual(expected);
      await outcomes(other, table);
    }
    expect(expected[0]).toBe(flags === CAP.FOUND_ROWS ? '1 rows' : '0 rows');
    // OceanBase keeps wait_timeout as it is, and counts interactive_timeout.
    if (flags === CAP.INTERACTIVE && !isOceanBase) expect(expected[2]).toContain('12345');
    for (const client of [past, other, through]) client.destroy();
    await runEverywhere(px, 'SET GLOBAL interactive_timeout = 28800');
  });
}

/** What only OceanBase servers tell a proxy of: user variables, LAST_INSERT_ID, and what is set in any spelling. */
export function oceanBaseStateSuite(px: ProxiedBackend): void {
  const { holdsEverywhere } = comparisons(px);

  it.each([["SET @@sql_mode='ANSI_QUOTES'"], ['SET @@autocommit = 0']])(
    'case B31 a spelling of SET holds on every server: %j',
    async (set) => {
      const connection = await px.connect(LOGIN);
      await holdsEverywhere(connection, [set], READ_BACK);
      await connection.end();
    },
  );

  it('case B35 SET NAMES with a collation holds on every server', async () => {
    const connection = await px.connect(LOGIN);
    await holdsEverywhere(connection, ["SET NAMES 'utf8mb4' COLLATE 'utf8mb4_bin'"], READ_BACK);
    await connection.end();
  });

  it('C11 SHOW PROXYSESSION VARIABLES tells what has changed, and where the cluster lets it be set', async () => {
    const connection = await px.connect(LOGIN);
    await connection.query("SET @a = 'x', ob_query_timeout = 11000000");
    const shown = async (form: string): Promise<unknown[][]> => {
      const [rows] = await connection.query<RowDataPacket[][]>({
        sql: `SHOW PROXYSESSION VARIABLES ${form}`,
        rowsAsArray: true,
      });
      return rows;
    };
    expect(await shown('LOCAL')).toEqual([
      ['ob_query_timeout', '11000000', 'changed sys var', 'hot modified vars', ' && global_scope && session_scope'],
      ['a', "'x'", 'user var', 'cold modified vars', ''],
    ]);
    const [license] = await shown("ALL LIKE 'license'");
    expect(license?.slice(2)).toEqual(['sys var', 'cold modified vars', ' && global_scope && readonly']);
    await connection.end();
  });

  it('case B29 LAST_INSERT_ID is the same on every server', async () => {
    const connection = await px.connect(LOGIN);
    await runEverywhere(
      px,
      `CREATE TABLE IF NOT EXISTS ${testDatabase}.auto (id bigint AUTO_INCREMENT PRIMARY KEY, v int)`,
    );
    await readAt(px, connection, 0, '1');
    const [inserted] = await connection.query(`INSERT INTO auto (v) VALUES (1)`);
    const { insertId } = inserted as { insertId: number };
    expect(insertId).toBeGreaterThan(0);
    for (const server of [0, 1, 0] as const) {
      const { id } = await readAt(px, connection, server, 'LAST_INSERT_ID() AS id');
      expect(Number(id)).toBe(insertId);
    }
    await connection.end();
  });

  it('case B33 user variables that are set by expressions have the same values and types everywhere', async () => {
    const connection = await px.connect(LOGIN);
    const [, second] = px.tables;
    await readAt(px, connection, 1, '1');
    await connection.query("SET @m = 'ANSI_QUOTES'");
    await connection.query('SET @a = 5, @n = NULL, @f = 1.5, @big = 18446744073709551615');
    await connection.query('SET sql_mode = @m');
    await connection.query(`SET @b = (SELECT COUNT(*) FROM ${second})`);
    await connection.query('SELECT 7 INTO @d');
    const what = '@a AS a, @n AS n, @f AS f, @big AS big, @b AS b, @d AS d, @@sql_mode AS mode';
    const at1 = await readAt(px, connection, 1, what);
    expect(at1).toMatchObject({ a: 5, n: null, d: 7, mode: 'ANSI_QUOTES' });
    expect(await readAt(px, connection, 0, what)).toEqual(at1);
    expect(await readAt(px, connection, 1, what)).toEqual(at1);
    await connection.end();
  });

  it('case B34 user variables with awkward names and values', async () => {
    const connection = await px.connect(LOGIN);
    await readAt(px, connection, 1, '1');
    await connection.query(
      `SET @\`a\`=1, @\`c\`\`d\`=2, @e.f$=3, @g=REPEAT('x',70000), @h=X'00ff27', @i='it''s \\\\ "q"', @j='日本 語'`,
    );
    const what = '@A AS a, @`c``d` AS c, @E.F$ AS e, LENGTH(@g) AS g, HEX(@h) AS h, @i AS i, @j AS j, HEX(@j) AS jx';
    const expected = { a: 1, c: 2, e: 3, g: 70000, h: '00FF27', i: 'it\'s \\ "q"', j: '日本 語' };
    expect(await readAt(px, connection, 1, what)).toMatchObject(expected);
    expect(await readAt(px, connection, 0, what)).toMatchObject(expected);
    await connection.end();
  });

  it('case B34 B36 user variables set in another character set', async () => {
    const connection = await px.connect(LOGIN);
    await readAt(px, connection, 1, '1');
    await connection.query('SET NAMES gbk');
    await connection.query(`SET @g = X'd55c'`);
    await connection.query({ sql: `SET @h = CONVERT(X'e6978ee69cac' USING utf8mb4)` });
    const what = 'HEX(@g) AS g, HEX(CONVERT(@h USING utf8mb4)) AS h, @@character_set_client AS cs';
    const at1 = await readAt(px, connection, 1, what);
    expect(at1).toEqual({ g: 'D55C', h: 'E6978EE69CAC', cs: 'gbk' });
    expect(await readAt(px, connection, 0, what)).toEqual(at1);
    await connection.end();
  });

  it('case B47 what the statements before an error have changed is known everywhere', async () => {
    const connection = await px.connect({ ...LOGIN, multipleStatements: true });
    await readAt(px, connection, 0, '1');
    await expect(connection.query('SET @a=1; SELECT nosuch')).rejects.toMatchObject({ errno: 1054 });
    expect(await readAt(px, connection, 1, '@a AS a')).toEqual({ a: 1 });
    expect(await readAt(px, connection, 0, '@a AS a')).toEqual({ a: 1 });
    await connection.end();
  });
}

/** What the kernel does not have in MySQL mode: temporary tables and locks by name. */
export function mariaDbStateSuite(px: ProxiedBackend): void {
  it('case B45 a temporary table keeps its session at its server', async () => {
    const connection = await px.connect(LOGIN);
    const [first, second] = px.tables;
    await connection.query(`SELECT * FROM ${second}`);
    await connection.query('CREATE /*c*/ TEMPORARY TABLE tmp1 (id int)');
    await connection.query('INSERT INTO tmp1 VALUES (1)');
    await connection.query(`SELECT * FROM ${first}`);
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT t.id FROM tmp1 t JOIN ${second} k ON k.id = t.id`);
    expect(rows).toEqual([{ id: 1 }]);
    await connection.end();
  });

  it('case B46 what holds a lock stays at its server until it lets go', async () => {
    const connection = await px.connect(LOGIN);
    const [first] = px.tables;
    await readAt(px, connection, 1, '1');
    const [[taken]] = await connection.query<RowDataPacket[]>("SELECT GET_LOCK('odp', 1) AS ok");
    expect(Number(taken?.ok)).toBe(1);
    await connection.query(`SELECT * FROM ${first}`);
    const [[released]] = await connection.query<RowDataPacket[]>("SELECT RELEASE_LOCK('odp') AS ok");
    expect(Number(released?.ok)).toBe(1);
    expect(await readAt(px, connection, 0, '1 AS one')).toEqual({ one: 1 });
    await connection.query('SELECT 1 AS `get_lock(`');
    expect(await readAt(px, connection, 1, '1 AS one')).toEqual({ one: 1 });
    await connection.end();
  });
}
