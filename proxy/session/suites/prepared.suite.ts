import type { RowDataPacket } from 'mysql2/promise';
import { expect, it } from 'vitest';
import { type ProxiedBackend, runEverywhere, serverOf, testDatabase } from '../../testing/backends.ts';
import { errorLine, RawClient, type RawPacket, textRows } from '../../testing/raw-client.ts';
import { CAP, COLUMN_TYPE, COM, STATUS } from '../../wire/constants.ts';
import { PacketWriter } from '../../wire/writer.ts';

interface Prepared {
  readonly id: number;
  readonly packets: readonly RawPacket[];
}

/** Prepared statements live at servers; clients must not notice which (C3, C4). */
export function preparedSuite(px: ProxiedBackend): void {
  const [first, second] = px.tables;
  const { isOceanBase } = px.backend;
  const addresses = px.backend.servers.map(({ address }) => address);

  it('case B50 statements of two servers are executed in turn, closed, and prepared again', async () => {
    const client = await px.raw();
    const a = await prepare(client, `SELECT v FROM ${first} WHERE id = ?`);
    const b = await prepare(client, `SELECT v FROM ${second} WHERE id = ?`);
    expect(a.id).not.toBe(b.id);
    for (const id of [1, 2, 3]) {
      expect(binaryText(await execute(client, a.id, [id]))).toBe(['one', 'two', 'three'][id - 1]);
      expect(binaryText(await execute(client, b.id, [id]))).toBe(['one', 'two', 'three'][id - 1]);
    }
    client.command(COM.STMT_CLOSE, idBytes(a.id));
    client.command(COM.STMT_CLOSE, idBytes(a.id));
    expect(errorLine((await execute(client, a.id, [1]))[0]?.payload)).toMatch(/^1243 .*\b\d+\b/);
    expect(errorLine((await execute(client, 0x7777, [1]))[0]?.payload)).toContain(String(0x7777));
    const again = await prepare(client, `SELECT v FROM ${first} WHERE id = ?`);
    expect([a.id, b.id]).not.toContain(again.id);
    expect(binaryText(await execute(client, again.id, [2]))).toBe('two');
    expect(binaryText(await execute(client, b.id, [2]))).toBe('two');
    client.destroy();
  });

  it('case B49 types of before hold for an EXECUTE without them, also at another server', async () => {
    const client = await px.raw();
    // Without a table the statement runs wherever the one before ran.
    const statement = await prepare(client, 'SELECT CONCAT(?, ?) AS v');
    await client.query(`SELECT 1 FROM ${first}`);
    expect(binaryText(await execute(client, statement.id, [7, 8]))).toBe('78');
    await client.query(`SELECT 1 FROM ${second}`);
    expect(binaryText(await execute(client, statement.id, [1, 2], { types: 'none' }))).toBe('12');
    await client.query(`SELECT 1 FROM ${first}`);
    expect(binaryText(await execute(client, statement.id, [3, 4], { types: 'none' }))).toBe('34');
    expect(binaryText(await execute(client, statement.id, [5, 6], { types: 'odd flag' }))).toBe('56');
    client.destroy();
  });

  it('case B49 an EXECUTE that is cut off is refused, and the statement goes on', async () => {
    const client = await px.raw();
    const statement = await prepare(client, 'SELECT CONCAT(?, ?) AS v');
    expect(binaryText(await execute(client, statement.id, [7, 8]))).toBe('78');
    client.command(COM.STMT_EXECUTE, Buffer.concat([idBytes(statement.id), Buffer.from([0, 1, 0, 0, 0, 0, 1])]));
    expect((await client.reply())[0]?.payload[0]).toBe(0xff);
    expect(binaryText(await execute(client, statement.id, [1, 2]))).toBe('12');
    client.destroy();
  });

  it('case B51 a table that changes, and one that is gone', async () => {
    const client = await px.raw();
    await runEverywhere(
      px,
      'DROP TABLE IF EXISTS odp.changing',
      'CREATE TABLE odp.changing (id bigint PRIMARY KEY)',
      'INSERT INTO odp.changing VALUES (1)',
    );
    await client.query(`SELECT 1 FROM ${first}`);
    const statement = await prepare(client, 'SELECT * FROM changing WHERE id = ?');
    const columns = async (): Promise<number | undefined> => (await execute(client, statement.id, [1]))[0]?.payload[0];
    expect(await columns()).toBe(1);
    await runEverywhere(px, "ALTER TABLE odp.changing ADD COLUMN v varchar(10) DEFAULT 'x'");
    expect(await columns()).toBe(2);
    await runEverywhere(px, 'DROP TABLE odp.changing');
    const [gone] = await execute(client, statement.id, [1]);
    expect(errorLine(gone?.payload)).toMatch(/^1146 /);
    expect(gone?.sequence).toBe(1);
    client.command(COM.STMT_CLOSE, idBytes(statement.id));
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    client.destroy();
  });

  it.each([[1], [7], [8], [9], [16], [17]])('case B52 %i parameters, some of them NULL', async (count) => {
    const client = await px.raw();
    const marks = Array.from({ length: count }, () => `IFNULL(?, 'n')`).join(', ');
    const statement = await prepare(client, `SELECT CONCAT(${marks}) AS v`);
    const alternating = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? null : index % 10));
    const expected = alternating.map((value) => value ?? 'n').join('');
    expect(binaryText(await execute(client, statement.id, alternating))).toBe(expected);
    const all = Array.from({ length: count }, () => null);
    expect(binaryText(await execute(client, statement.id, all))).toBe('n'.repeat(count));
    client.destroy();
  });

  it('case B53 long data in pieces, RESET, and CLOSE, which have no answers', async () => {
    const client = await px.raw();
    const statement = await prepare(client, 'SELECT CONCAT(?, ?) AS v');
    const piece = (parameter: number, text: string): void => {
      client.command(
        COM.STMT_SEND_LONG_DATA,
        Buffer.concat([idBytes(statement.id), Buffer.from([parameter, 0]), Buffer.from(text)]),
      );
    };
    for (const text of ['abc', '', 'abc']) piece(1, text);
    expect(binaryText(await execute(client, statement.id, ['x', longData]))).toBe('xabcabc');
    piece(1, 'forgotten');
    client.command(COM.STMT_RESET, idBytes(statement.id));
    expect((await client.packet()).payload[0]).toBe(0x00);
    expect(binaryText(await execute(client, statement.id, ['x', 'y']))).toBe('xy');
    piece(0, 'lost');
    client.command(COM.STMT_CLOSE, idBytes(statement.id));
    expect(textRows(await client.query('SELECT 1'))).toEqual([['1']]);
    client.destroy();
  });

  it('case B53 long data for a statement that was prepared at another server', async () => {
    const client = await px.raw();
    await client.query(`SELECT 1 FROM ${first}`);
    const statement = await prepare(client, 'SELECT ? AS v');
    await client.query(`SELECT 1 FROM ${second}`);
    client.command(
      COM.STMT_SEND_LONG_DATA,
      Buffer.concat([idBytes(statement.id), Buffer.from([0, 0]), Buffer.alloc(100_000, 'z')]),
    );
    await client.query(`SELECT 1 FROM ${first}`);
    const [, , , row] = await execute(client, statement.id, [longData]);
    expect(row?.payload.length).toBeGreaterThan(100_000);
    client.destroy();
  });

  it('case B04 case B54 a cursor: rows are fetched where it was opened', async () => {
    const client = await px.raw();
    const statement = await prepare(client, `SELECT id FROM ${second} ORDER BY id`);
    const opened = await execute(client, statement.id, [], { cursor: true });
    const mark = opened.at(-1)?.payload ?? Buffer.alloc(0);
    expect(mark.readUInt16LE(3) & STATUS.CURSOR_EXISTS).toBe(STATUS.CURSOR_EXISTS);
    expect(await fetch(client, statement.id, 1)).toMatchObject({ rows: 1, last: false });
    await client.query(`SELECT 1 FROM ${first}`);
    client.command(COM.PING);
    await client.packet();
    expect(await fetch(client, statement.id, 1)).toMatchObject({ rows: 1 });
    const rest = await fetch(client, statement.id, 100);
    expect(rest.rows).toBeGreaterThanOrEqual(1);
    client.command(COM.STMT_FETCH, Buffer.concat([idBytes(0x7777), idBytes(1)]));
    expect(errorLine((await client.packet()).payload)).toMatch(/^1243 /);
    const plain = await prepare(client, 'SELECT 1');
    client.command(COM.STMT_FETCH, Buffer.concat([idBytes(plain.id), idBytes(1)]));
    expect(errorLine((await client.packet()).payload)).toMatch(/^1421 /);
    client.destroy();
  });

  it('case B03 prepared statements in both styles of end marks', async () => {
    const offered = await offeredBy(px);
    for (const style of [0, CAP.DEPRECATE_EOF & offered]) {
      const client = await px.raw({
        capabilities: (0xff8f & ~0x8) | CAP.CONNECT_WITH_DB | CAP.PLUGIN_AUTH | CAP.MULTI_RESULTS | style,
      });
      client.command(COM.STMT_PREPARE, 'SELECT ? AS a, ? AS b');
      const packets = [await client.packet()];
      const wanted = style === 0 ? 1 + 2 + 1 + 2 + 1 : 1 + 2 + 2;
      while (packets.length < wanted) packets.push(await client.packet());
      expect(packets.map(({ sequence }) => sequence)).toEqual(packets.map((_, index) => index + 1));
      const id = packets[0]?.payload.readUInt32LE(1) ?? 0;
      const reply = await execute(client, id, [1, 2]);
      expect(reply.map(({ sequence }) => sequence)).toEqual(reply.map((_, index) => index + 1));
      expect(reply.filter(({ payload }) => payload[0] === 0xfe).map(({ payload }) => payload.length)).toEqual(
        style === 0 ? [5, 5] : [7],
      );
      client.destroy();
    }
  });

  it('case B55 statements prepared as text', async () => {
    const connection = await px.connect();
    await serverOf(px, connection, second);
    await connection.query(`PREPARE \`s1\` FROM 'SELECT v FROM ${first} WHERE id = ?'`);
    await connection.query('SET @k = 2');
    await serverOf(px, connection, first);
    const [rows] = await connection.query<RowDataPacket[]>('EXECUTE S1 USING @k');
    expect(rows).toEqual([{ v: 'two' }]);
    await connection.query('DEALLOCATE /*c*/ PREPARE s1');
    await expect(connection.query('EXECUTE s1 USING @k')).rejects.toMatchObject({ errno: 1243 });
    expect(await serverOf(px, connection, first)).toBe(addresses[0]);
    expect(await serverOf(px, connection, second)).toBe(addresses[1]);
    await connection.end();
  });

  it('case B56 what changes the session works, or is refused, by PREPARE as well', async () => {
    const client = await px.raw();
    const outcome = async (text: string): Promise<string> => {
      client.command(COM.STMT_PREPARE, text);
      const packet = await client.packet();
      if (packet.payload[0] === 0xff) return errorLine(packet.payload).slice(0, 4);
      const parameters = packet.payload.readUInt16LE(7);
      const columns = packet.payload.readUInt16LE(5);
      for (let left = parameters + columns + Number(parameters > 0) + Number(columns > 0); left > 0; left--) {
        await client.packet();
      }
      const id = packet.payload.readUInt32LE(1);
      const [reply] = await execute(
        client,
        id,
        Array.from({ length: parameters }, () => '5'),
      );
      return reply?.payload[0] === 0xff ? errorLine(reply.payload).slice(0, 4) : 'OK';
    };
    expect(await outcome('SELECT 1; SELECT 2')).toMatch(/^(1064|1235)$/);
    expect(await outcome('')).toMatch(/^(1065|1064)$/);
    expect(await outcome('SHOW PROXYSESSION')).toBe('1295');
    expect(await outcome('KILL QUERY 5')).toBe('1295');
    const began = await outcome('BEGIN');
    expect(began).toMatch(/^(OK|1295|8005)$/);
    if (began === 'OK') {
      await client.query(`UPDATE ${first} SET v = 'changed' WHERE id = 1`);
      await client.query(`SELECT 1 FROM ${second}`);
      expect(await outcome('ROLLBACK')).toBe('OK');
      expect(textRows(await client.query(`SELECT v FROM ${first} WHERE id = 1`))).toEqual([['one']]);
    }
    expect(await outcome('SET autocommit=0')).toBe('OK');
    expect(textRows(await client.query(`SELECT @@autocommit FROM ${second} LIMIT 1`))).toEqual([['0']]);
    client.destroy();
  });

  it('case B21 statements that the proxy answers itself are refused by PREPARE, and the session goes on', async () => {
    const client = await px.raw();
    const admin = await px.proxy.raw();
    await admin.login({ user: 'root@proxysys' });
    for (const [session, text] of [
      [client, 'SELECT PROXY_VERSION()'],
      [admin, 'SELECT PROXY_VERSION()'],
      [admin, "SHOW PROXYCONFIG LIKE 'listen_port'"],
    ] as const) {
      await expect(prepare(session, text), text).rejects.toThrow(/^1295 .*prepared statement protocol/);
    }
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    expect(textRows(await admin.query("SHOW PROXYCONFIG LIKE 'listen_port'"))[0]?.[0]).toBe('listen_port');
    for (const session of [client, admin]) session.destroy();
  });

  it('a text that is longer than what is kept of it is executed where it was prepared', async () => {
    const client = await px.raw();
    const long = `SELECT '${'x'.repeat(100_000)}' AS a, ? AS v`;
    const statement = await prepare(client, long);
    await execute(client, statement.id, [1]);
    await client.query(`SELECT 1 FROM ${first}`);
    await client.query(`SELECT 1 FROM ${second}`);
    const rows = await execute(client, statement.id, [2]);
    expect(rows.some(({ payload }) => payload.length > 100_000)).toBe(true);
    client.destroy();
  });

  it('case B01 an EXECUTE of more than 16 MiB', async () => {
    const client = await px.raw();
    const statement = await prepare(client, 'SELECT LENGTH(?) AS v');
    const [head] = await execute(client, statement.id, ['y'.repeat(17_000_000)]);
    if (isOceanBase && head?.payload[0] === 0xff) expect(errorLine(head.payload)).toMatch(/^(1153|4016|5\d+|1235) /);
    else expect(head?.payload[0]).toBe(1);
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    client.destroy();
  });
}

/** Values that only whole databases take. */
export function databasePreparedSuite(px: ProxiedBackend): void {
  it('case B21 binary values pass byte by byte: a BLOB, a YEAR, the least TIME, a zero DATETIME', async () => {
    await runEverywhere(
      px,
      `CREATE TABLE IF NOT EXISTS ${testDatabase}.oddities (id int PRIMARY KEY, b blob, y year, t time, d datetime)`,
      "SET sql_mode = ''",
      `REPLACE INTO ${testDatabase}.oddities VALUES (1, x'0080fffe', 1901, '-838:59:59', '0000-00-00 00:00:00')`,
    );
    const { servers, user, password } = px.backend;
    const direct = await RawClient.connect(servers[0]?.port ?? 0);
    await direct.login({ user, password, database: testDatabase });
    const [past, through] = [direct, await px.raw()].map(async (session) => {
      const statement = await prepare(session, 'SELECT b, y, t, d FROM oddities WHERE id = ?');
      const packets = await execute(session, statement.id, [1]);
      session.destroy();
      // Number of columns, their definitions, the end of these, the row.
      return packets.slice(0, 7).map(({ payload }) => payload.toString('hex'));
    });
    expect(await through).toEqual(await past);
    expect((await through)?.[6]).toMatch(/^0000040080fffe6d07/);
  });
}

/** Stands for a parameter whose value has gone before as long data. */
const longData = Symbol('long data');
type Value = number | string | null | typeof longData;

const idBytes = (id: number): Buffer => new PacketWriter(4).u32(id).finish();

async function prepare(client: RawClient, text: string): Promise<Prepared> {
  client.command(COM.STMT_PREPARE, text);
  const packets = [await client.packet()];
  const payload = packets[0]?.payload ?? Buffer.alloc(0);
  if (payload[0] === 0xff) throw new Error(errorLine(payload));
  const columns = payload.readUInt16LE(5);
  const parameters = payload.readUInt16LE(7);
  const count = columns + parameters + Number(columns > 0) + Number(parameters > 0);
  while (packets.length < count + 1) packets.push(await client.packet());
  return { id: payload.readUInt32LE(1), packets };
}

async function execute(
  client: RawClient,
  id: number,
  values: readonly Value[],
  { types = 'sent', cursor = false }: { types?: 'sent' | 'none' | 'odd flag'; cursor?: boolean } = {},
): Promise<RawPacket[]> {
  const writer = new PacketWriter(64)
    .u32(id)
    .u8(cursor ? 1 : 0)
    .u32(1);
  if (values.length > 0) {
    const nulls = Buffer.alloc((values.length + 7) >> 3);
    for (const [index, value] of values.entries()) {
      if (value === null) nulls[index >> 3] = (nulls[index >> 3] ?? 0) | (1 << (index & 7));
    }
    writer.bytes(nulls).u8(types === 'none' ? 0 : types === 'sent' ? 1 : 0xff);
    if (types !== 'none') {
      for (const value of values) {
        writer.u8(typeof value === 'number' ? COLUMN_TYPE.LONGLONG : COLUMN_TYPE.VAR_STRING).u8(0);
      }
    }
    for (const value of values) {
      if (typeof value === 'number') writer.u64(BigInt(value));
      else if (typeof value === 'string') writer.lenencString(value);
    }
  }
  client.command(COM.STMT_EXECUTE, writer.finish());
  return await client.reply();
}

/** The one text value of a binary result set with one column and one row (classic end marks). */
function binaryText(packets: readonly RawPacket[]): string {
  if (packets[0]?.payload[0] === 0xff) throw new Error(errorLine(packets[0].payload));
  const row = packets[3]?.payload ?? Buffer.alloc(0);
  return row.toString('utf8', 3);
}

async function fetch(client: RawClient, id: number, count: number): Promise<{ rows: number; last: boolean }> {
  client.command(COM.STMT_FETCH, Buffer.concat([idBytes(id), idBytes(count)]));
  for (let rows = 0; ; rows++) {
    const { payload } = await client.packet();
    if (payload[0] === 0xff) throw new Error(errorLine(payload));
    if (payload[0] === 0xfe) return { rows, last: (payload.readUInt16LE(3) & STATUS.LAST_ROW_SENT) !== 0 };
  }
}

/** Capabilities of the proxy's greeting. */
async function offeredBy(px: ProxiedBackend): Promise<number> {
  const client = await px.proxy.raw();
  client.destroy();
  return client.greeting?.capabilities ?? 0;
}
