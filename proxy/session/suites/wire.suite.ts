import { expect, it } from 'vitest';
import { type ProxiedBackend, testDatabase } from '../../testing/backends.ts';
import { commandFrame, errorLine, type RawPacket, textRows } from '../../testing/raw-client.ts';
import { CAP, COM, STATUS } from '../../wire/constants.ts';
import { parseOk } from '../../wire/ok-packet.ts';

const CLASSIC =
  CAP.LONG_PASSWORD |
  CAP.LONG_FLAG |
  CAP.CONNECT_WITH_DB |
  CAP.PROTOCOL_41 |
  CAP.TRANSACTIONS |
  CAP.SECURE_CONNECTION |
  CAP.MULTI_STATEMENTS |
  CAP.MULTI_RESULTS |
  CAP.PS_MULTI_RESULTS |
  CAP.PLUGIN_AUTH |
  CAP.LOCAL_FILES;

const contiguous = (packets: readonly RawPacket[], first = 1): void => {
  expect(packets.map(({ sequence }) => sequence)).toEqual(packets.map((_, index) => (first + index) & 0xff));
};

/** What a client sees byte for byte. */
export function wireSuite(px: ProxiedBackend): void {
  const [first, second] = px.tables;
  const { isOceanBase } = px.backend;
  const raw = (capabilities: number = CLASSIC) => px.raw({ capabilities });

  it.each([[16777214], [16777215], [16777216], [33554430]])('case B01 a request of %i bytes', async (size) => {
    const client = await raw();
    const text = `SELECT LENGTH('${'a'.repeat(size - 1 - "SELECT LENGTH('')".length)}')`;
    const packets = await client.query(text);
    if (packets[0]?.payload[0] === 0xff) expect(errorLine(packets[0].payload)).toMatch(/^(1153|4016|5\d+|1235) /);
    else expect(textRows(packets)).toEqual([[String(text.length - "SELECT LENGTH('')".length)]]);
    // The first answer to several packets goes on with their numbers.
    expect(packets[0]?.sequence).toBe(size >= 33554430 ? 3 : size >= 16777215 ? 2 : 1);
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    client.destroy();
  });

  it('case B05 sequence ids wrap behind 255 and begin anew with each command', async () => {
    const client = await raw();
    const numbers = Array.from({ length: 300 }, (_, index) => `SELECT ${index}`).join(' UNION ALL ');
    const packets = await client.query(numbers);
    expect(packets.length).toBe(304);
    contiguous(packets);
    contiguous(await client.query('SELECT 1'));
    client.destroy();
  });

  it('case B05 the proxy’s own answers, too', async () => {
    const client = await px.proxy.raw();
    await client.login({ user: 'root@proxysys' });
    const packets = await client.query('SHOW PROXYCONFIG');
    contiguous(packets);
    contiguous(await client.query('PING PROXY'));
    client.destroy();
  });

  it('case B06 a byte at a time', async () => {
    const client = await raw();
    for (const byte of commandFrame(COM.QUERY, 'SELECT 42')) await client.flush(Buffer.from([byte]));
    expect(textRows(await client.reply())).toEqual([['42']]);
    client.destroy();
  });

  it('case B06 a log-in a byte at a time, and requests that come before its verdict', async () => {
    const { user, password, clusterName } = px.backend;
    const client = await px.proxy.raw();
    const login = client.loginFrame({ user: `${user}#${clusterName}`, password, database: testDatabase });
    for (const byte of login.subarray(0, 40)) await client.flush(Buffer.from([byte]));
    await client.flush(Buffer.concat([login.subarray(40), commandFrame(COM.QUERY, 'SELECT 1')]));
    client.write(commandFrame(COM.QUERY, 'SELECT 2'));
    client.write(commandFrame(COM.QUERY, 'SELECT 3'));
    expect((await client.packet()).payload[0]).toBe(0x00);
    expect(textRows(await client.reply())).toEqual([['1']]);
    expect(textRows(await client.reply())).toEqual([['2']]);
    expect(textRows(await client.reply())).toEqual([['3']]);
    client.destroy();
  });

  it('case B06 several requests in one piece are answered in order', async () => {
    const client = await raw();
    client.write(
      Buffer.concat([
        commandFrame(COM.QUERY, 'SELECT 1'),
        commandFrame(COM.PING),
        commandFrame(COM.QUERY, `SELECT 2 FROM ${second} LIMIT 1`),
        commandFrame(COM.STMT_CLOSE, Buffer.from([9, 0, 0, 0])),
        commandFrame(COM.QUERY, `SELECT 3 FROM ${first} LIMIT 1`),
        commandFrame(COM.QUERY, 'SELECT 4'),
      ]),
    );
    expect(textRows(await client.reply())).toEqual([['1']]);
    expect((await client.packet()).payload[0]).toBe(0x00);
    expect(textRows(await client.reply())).toEqual([['2']]);
    expect(textRows(await client.reply())).toEqual([['3']]);
    expect(textRows(await client.reply())).toEqual([['4']]);
    client.destroy();
  });

  it('a storm of pings from a client that does not read is held up, and answered when it reads', async () => {
    const client = await raw();
    client.pauseReading();
    const count = 400_000;
    const before = px.proxy.rssBytes();
    const storm = Buffer.concat(Array.from({ length: count / 100 }, () => commandFrame(COM.PING)));
    const sent: Promise<void>[] = [];
    for (let index = 0; index < 100; index++) sent.push(client.flush(storm));
    await client.flush(Buffer.alloc(0));
    client.resumeReading();
    for (let index = 0; index < count; index++) {
      const { payload } = await client.packet();
      if (payload[0] !== 0) throw new Error(`answer ${index} is ${payload.toString('hex')}`);
    }
    await Promise.all(sent);
    // In TLS each answer is a record with buffers of its own, freed when the collector comes by.
    expect(px.proxy.rssBytes() - before).toBeLessThan(px.tls ? 120e6 : 60e6);
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    client.destroy();
  });

  it.each([[''], [';'], [' '], ['-- x'], ['/* x */'], ['#x'], ['/*! */']])(
    'case B07 a text without a statement, %j, is the server’s to answer',
    async (text) => {
      const client = await raw();
      const [packet] = await client.query(text);
      expect([0x00, 0xff]).toContain(packet?.payload[0]);
      if (packet?.payload[0] === 0xff) expect(errorLine(packet.payload)).toMatch(/^(1065|1064) /);
      client.command(COM.PING);
      expect((await client.packet()).payload[0]).toBe(0x00);
      client.destroy();
    },
  );

  it('case B13 several statements in a text are switched on and off, at every server', async () => {
    const client = await raw(CLASSIC & ~CAP.MULTI_STATEMENTS);
    const both = `SELECT 1 FROM ${first} LIMIT 1; SELECT 2`;
    const bothAtOther = `SELECT 1 FROM ${second} LIMIT 1; SELECT 2`;
    const setOption = async (value: number): Promise<void> => {
      client.command(COM.SET_OPTION, Buffer.from([value, 0]));
      const { payload } = await client.packet();
      expect([0x00, 0xfe]).toContain(payload[0]);
    };
    if (!isOceanBase) expect(errorLine((await client.query(both))[0]?.payload)).toMatch(/^1064 /);
    await setOption(0);
    for (const text of [both, bothAtOther, both]) {
      const packets = await client.query(text);
      expect(packets.length).toBe(10);
      contiguous(packets);
    }
    await setOption(1);
    if (isOceanBase) return client.destroy();
    for (const text of [both, bothAtOther]) expect(errorLine((await client.query(text))[0]?.payload)).toMatch(/^1064 /);
    client.destroy();
  });

  it('case B14 rarely used commands', async () => {
    const client = await raw();
    client.command(COM.FIELD_LIST, `${first}\0`);
    const fields: RawPacket[] = [];
    do fields.push(await client.packet());
    while (fields.at(-1)?.payload[0] !== 0xfe && fields.at(-1)?.payload[0] !== 0xff);
    contiguous(fields);
    expect(fields.length).toBe(isOceanBase ? fields.length : 3);
    client.command(COM.STATISTICS);
    expect((await client.packet()).payload.toString('latin1')).toMatch(/Uptime|Threads|Active/i);
    client.command(COM.PROCESS_KILL, Buffer.from([0xff, 0xff, 0xff, 0x7f]));
    expect(errorLine((await client.packet()).payload)).toMatch(/^1094 /);
    client.command(0x7f);
    expect(errorLine((await client.packet()).payload)).toMatch(/^1047 /);
    client.command(COM.INIT_DB, testDatabase);
    expect((await client.packet()).payload[0]).toBe(0x00);
    client.command(COM.INIT_DB, 'nosuch');
    expect(errorLine((await client.packet()).payload)).toMatch(/^(1049|1044) /);
    expect(textRows(await client.query('SELECT DATABASE()'))).toEqual([[testDatabase]]);
    client.destroy();
  });

  it('case B15 the greeting offers what the proxy can do', async () => {
    const client = await px.proxy.raw();
    const { capabilities = 0, scramble = Buffer.alloc(0) } = client.greeting ?? {};
    const wanted = CAP.MULTI_STATEMENTS | CAP.MULTI_RESULTS | CAP.PS_MULTI_RESULTS | CAP.LOCAL_FILES | CAP.PLUGIN_AUTH;
    expect(capabilities & wanted).toBe(wanted);
    expect(capabilities & (CAP.SSL | CAP.COMPRESS)).toBe(px.tls ? CAP.SSL : 0);
    expect(scramble.includes(0)).toBe(false);
    client.destroy();
  });

  it('case B03 both styles of end marks, for text, empty results, errors', async () => {
    const offered = await offeredBy(px);
    for (const style of [0, CAP.DEPRECATE_EOF & offered]) {
      const client = await raw(CLASSIC | style);
      for (const text of ['SELECT 1', `SELECT * FROM ${first} WHERE id = -1`, `SELECT * FROM ${second}`]) {
        const packets = await client.query(text);
        contiguous(packets);
        const marks = packets.filter(({ payload }) => payload[0] === 0xfe);
        expect(marks.map(({ payload }) => payload.length)).toEqual(style === 0 ? [5, 5] : [7]);
      }
      client.destroy();
    }
  });

  it('case B57 several statements: all at one server, stopped by the first error', async () => {
    const client = await raw();
    expect((await client.query('SELECT 1;SELECT 2')).length).toBe(10);
    expect((await client.query(`SELECT ';';SELECT 2 -- ;`)).length).toBe(10);
    const packets = await client.query(`SELECT 1; SELECT nosuch; INSERT INTO ${first} VALUES (920, 'x')`);
    expect(packets.at(-1)?.payload[0]).toBe(0xff);
    expect(textRows(await client.query(`SELECT id FROM ${first} WHERE id = 920`))).toEqual([]);
    const begun = await client.query(`BEGIN; INSERT INTO ${first} VALUES (921, 'x'); SELECT 1`);
    expect((begun.at(-1)?.payload.readUInt16LE(3) ?? 0) & STATUS.IN_TRANS).toBe(STATUS.IN_TRANS);
    await client.query('ROLLBACK');
    expect(textRows(await client.query(`SELECT id FROM ${first} WHERE id = 921`))).toEqual([]);
    client.destroy();
  });

  it('requests that are refused while they still come in leave the connection usable', async () => {
    const client = await raw();
    client.write(commandFrame(COM.INIT_DB, 'x'.repeat(200_000)));
    expect(errorLine((await client.packet()).payload)).toMatch(/^1835 /);
    client.write(commandFrame(COM.STMT_EXECUTE, Buffer.alloc(200_000, 7)));
    expect(errorLine((await client.packet()).payload)).toMatch(/^1243 /);
    client.write(commandFrame(COM.STMT_SEND_LONG_DATA, Buffer.alloc(200_000, 7)));
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    client.destroy();
  });

  it.each([
    ['an empty packet', Buffer.from([0, 0, 0, 0])],
    ['half a header', Buffer.from([1, 0])],
    ['a header without its body', Buffer.from([200, 0, 0, 0, 3])],
  ])('%s, then the end of the connection, harms nobody', async (_name, bytes) => {
    const client = await raw();
    await client.flush(bytes);
    client.end();
    await client.closed;
    const other = await raw();
    expect(textRows(await other.query('SELECT 5'))).toEqual([['5']]);
    other.destroy();
  });

  it('case B17 what a client has not read of a result is nobody else’s', async () => {
    const client = await raw();
    const text = Array.from({ length: 200 }, () => `SELECT REPEAT('x', 60000)`).join(' UNION ALL ');
    client.command(COM.QUERY, text);
    await client.packet();
    client.reset();
    const other = await raw();
    expect(textRows(await other.query('SELECT 2'))).toEqual([['2']]);
    other.destroy();
  });

  it('status flags in the OK of a statement without a result', async () => {
    const client = await raw();
    const [packet] = await client.query(`UPDATE ${first} SET v = v WHERE id = 1`);
    const ok = parseOk(packet?.payload ?? Buffer.alloc(0), false);
    expect(ok.status & STATUS.SESSION_STATE_CHANGED).toBe(0);
    expect(ok.status & STATUS.AUTOCOMMIT).toBe(STATUS.AUTOCOMMIT);
    client.destroy();
  });
}

/** Capabilities of the proxy's greeting. */
async function offeredBy(px: ProxiedBackend): Promise<number> {
  const client = await px.proxy.raw();
  client.destroy();
  return client.greeting?.capabilities ?? 0;
}
