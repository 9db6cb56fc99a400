import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../testing/proxy.ts';
import { errorLine, type RawClient, textRows } from '../testing/raw-client.ts';
import { COLUMN_TYPE, COM, STATUS } from '../wire/constants.ts';
import { buildErr } from '../wire/err-packet.ts';
import { encodeVariableBlock } from '../wire/ob-variables.ts';
import { parseOk } from '../wire/ok-packet.ts';
import { PacketWriter } from '../wire/writer.ts';
import { closeScriptedPair, startScriptedPair } from './testing/scripted-pair.ts';
import { type ScriptedRequest, type ScriptedServer, when } from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

const IN_TRANS = STATUS.AUTOCOMMIT | STATUS.IN_TRANS;
const CHANGED = STATUS.AUTOCOMMIT | STATUS.SESSION_STATE_CHANGED;
const REFUSED = buildErr({ errno: 1231, sqlState: '42000', message: 'not here' });

const idBytes = (id: number): Buffer => new PacketWriter(4).u32(id).finish();

/** Field cases of which the order of packets at the server is what matters. */
describe('field cases before scripted servers', () => {
  let one: ScriptedServer;
  let two: ScriptedServer;
  let proxy: SessionProxy;
  let session: RawClient;

  beforeEach(async () => {
    ({ one, two, proxy } = await startScriptedPair());
    session = await proxy.client({ database: 'd' });
    for (const server of [one, two]) {
      prepares(server);
      when(server, 'BEGIN', ({ connection }) => connection.ok({ status: IN_TRANS }));
      when(server, 'XA START', ({ connection }) => connection.ok({ status: IN_TRANS }));
    }
  });

  afterEach(async () => {
    await closeScriptedPair({ one, two, proxy });
  });

  /** Statements with one parameter; each server counts its ids for itself. */
  const prepares = (server: ScriptedServer): void => {
    const others = server.onRequest;
    let lastId = server === one ? 10 : 20;
    server.onRequest = (request) => {
      if (request.command !== COM.STMT_PREPARE) return others(request);
      const parameter = new PacketWriter(40).lenencString('def').zeros(4).lenencString('?').zeros(1);
      const definition = parameter.u8(12).u16(63).u32(0).u8(COLUMN_TYPE.VAR_STRING).u16(0).u8(0).u16(0).finish();
      const ok = new PacketWriter(12).u8(0).u32(++lastId).u16(0).u16(1).u8(0).u16(0).finish();
      request.connection.send([ok, definition, Buffer.from([0xfe, 0, 0, 2, 0])]);
    };
  };
  const prepare = async (text: string): Promise<number> => {
    session.command(COM.STMT_PREPARE, text);
    const [ok] = [await session.packet(), await session.packet(), await session.packet()];
    return ok.payload.readUInt32LE(1);
  };
  const execute = async (id: number): Promise<Buffer> => {
    session.command(COM.STMT_EXECUTE, Buffer.concat([idBytes(id), Buffer.from([0, 1, 0, 0, 0, 0, 1, 0xfd, 0])]));
    return (await session.reply())[0]?.payload ?? Buffer.alloc(0);
  };
  const longData = (id: number, piece: string | Buffer): void =>
    session.command(COM.STMT_SEND_LONG_DATA, Buffer.concat([idBytes(id), Buffer.from([0, 0]), Buffer.from(piece)]));
  /** Commands and texts that a server was sent since a mark. */
  const since = (server: ScriptedServer, mark: number): string[] =>
    server.log.slice(mark).map((line) => line.replace(/[^ -~]+/g, '·'));
  const statusOf = async (text: string): Promise<number> => {
    const [packet] = await session.query(text);
    return parseOk(packet?.payload ?? Buffer.alloc(0), false).status;
  };
  /** A variable is changed at the first server. */
  const change = async (name: string, value: string): Promise<void> => {
    const tail = encodeVariableBlock({ system: [[name, Buffer.from(value)]], user: [['u', Buffer.from('1')]] });
    when(one, `SET ${name}`, ({ connection }) => connection.ok({ status: CHANGED, tail }));
    await session.query('SELECT 1 FROM a');
    await session.query(`SET ${name} = 'x'`);
  };

  describe('bringing a server session up to date', () => {
    it('case B47 C11 takes one round trip: the server has it all before it answers the first of it', async () => {
      await session.query('SELECT 1 FROM b');
      await change('character_set_client', 'gbk');
      await session.query('USE other');
      const id = await prepare('UPDATE b SET v = ? WHERE id = 1');
      for (const { socket } of two.connections) socket.destroy();
      await until('it is gone', () => two.connections.size === 0);
      const usual = two.onRequest;
      const waiting: ScriptedRequest[] = [];
      two.onRequest = (request) => {
        waiting.push(request);
        if (waiting.length < 5) return;
        two.onRequest = usual;
        for (const held of waiting) usual(held);
      };
      const mark = two.log.length;
      await session.query('BEGIN');
      expect((await execute(id))[0]).toBe(0x00);
      expect(since(two, mark)).toEqual([
        'INIT_DB other',
        "QUERY SET @@session.character_set_client = 'gbk'",
        'QUERY SET @`u` = 1',
        'STMT_PREPARE UPDATE b SET v = ? WHERE id = 1',
        'QUERY BEGIN',
        expect.stringMatching(/^STMT_EXECUTE/),
      ]);
    });

    it('case B47 C12 takes nothing when it is up to date', async () => {
      await change('time_zone', '+01:00');
      await session.query('SELECT 1 FROM b');
      const marks = [one.log.length, two.log.length];
      for (let count = 0; count < 20; count++) {
        await session.query('SELECT 1 FROM a');
        await session.query('SELECT 1 FROM b');
      }
      expect([one.log.length, two.log.length]).toEqual(marks.map((mark) => mark + 20));
    });

    it('case B32 a value that is refused: what went out behind it is done again, with the others in place', async () => {
      await change('sql_mode', 'nosuch');
      when(two, "SET @@session.sql_mode = 'nosuch'", ({ connection }) => connection.send([REFUSED]));
      await session.query('BEGIN');
      const mark = two.log.length;
      expect(await statusOf('UPDATE b SET v = 1')).toBe(STATUS.AUTOCOMMIT);
      expect(since(two, mark).slice(-3)).toEqual([
        "QUERY SET @@session.sql_mode = 'nosuch'",
        'QUERY BEGIN',
        'QUERY UPDATE b SET v = 1',
      ]);
    });

    it('case B32 a SET whose outcome is not known is an error, and what is known holds', async () => {
      await change('time_zone', '+01:00');
      when(one, 'SET sql_mode', ({ connection }) => connection.socket.destroy());
      expect(errorLine((await session.query("SET sql_mode = 'ANSI'"))[0]?.payload)).toMatch(/^10014 /);
      const mark = two.log.length;
      await session.query('SELECT 1 FROM b');
      expect(since(two, mark)).toContain("QUERY SET @@session.time_zone = '+01:00', @`u` = 1");
    });
  });

  it('case B41 the last OK’s flag counts, an ERR changes nothing, and a switch sets it once', async () => {
    const tail = encodeVariableBlock({ system: [['autocommit', Buffer.from('0')]] });
    await session.query('SELECT 1 FROM b');
    await session.query('SELECT 1 FROM a');
    when(one, 'CALL p', ({ connection }) => connection.ok({ status: STATUS.SESSION_STATE_CHANGED, tail }));
    when(one, 'SELECT nosuch', ({ connection }) => connection.send([REFUSED]));
    expect((await statusOf('CALL p()')) & STATUS.AUTOCOMMIT).toBe(0);
    await session.query('SELECT nosuch FROM a');
    session.command(COM.PING);
    expect(parseOk((await session.packet()).payload, false).status & STATUS.AUTOCOMMIT).toBe(0);
    for (const server of [one, two]) when(server, 'UPDATE', ({ connection }) => connection.ok({ status: 0 }));
    const mark = two.log.length;
    for (let count = 0; count < 3; count++) await session.query('UPDATE b SET v = 1');
    expect(since(two, mark).filter((line) => line.includes('autocommit'))).toEqual([
      'QUERY SET @@session.autocommit = 0',
    ]);
  });

  it('case B43 when the server of the statement before is gone, a question about it is answered by another one', async () => {
    await session.query('UPDATE a SET v = 1');
    for (const { socket } of one.connections) socket.destroy();
    await until('it is gone', () => one.connections.size === 0);
    expect((await session.query('SHOW WARNINGS'))[0]?.payload[0]).toBe(0x00);
  });

  describe('case B45 temporary tables', () => {
    const serverOf = async (table: string): Promise<string> => {
      const marks = [one.log.length, two.log.length];
      await session.query(`SELECT 1 FROM ${table}`);
      return one.log.length > (marks[0] ?? 0) ? 'one' : 'two';
    };

    it.each([
      ['CREATE /*c*/ TEMPORARY TABLE tmp1(id int)', 'DROP TABLE tmp1'],
      ['CREATE TEMPORARY TABLE IF NOT EXISTS `tmp1` LIKE b', 'DROP /*c*/ TEMPORARY TABLE IF EXISTS d.tmp1;'],
      ['CREATE TEMPORARY TABLE other.tmp1 AS SELECT 1', 'DROP TABLES x, other.`tmp1` CASCADE'],
    ])('%s binds until %s', async (create, drop) => {
      await session.query('SELECT 1 FROM a');
      await session.query(create);
      expect(await serverOf('b')).toBe('one');
      await session.query('DROP TABLE another');
      expect(await serverOf('b')).toBe('one');
      await session.query(drop);
      expect(await serverOf('b')).toBe('two');
    });

    it.each([
      ['ALTER TABLE tmp1 RENAME TO tmp2', 'DROP TABLE tmp1'],
      ['DROP TABLE TMP1', 'DROP TABLE other.tmp1'],
      ['SELECT 1', 'DROP TABLE tmp1; CREATE TEMPORARY TABLE tmp1 (id int)'],
    ])('what may still be there binds on: %s; %s', async (first, then) => {
      await session.query('SELECT 1 FROM a');
      await session.query('CREATE TEMPORARY TABLE tmp1 (id int)');
      await session.query(first);
      await session.query(then);
      expect(await serverOf('b')).toBe('one');
    });

    it('a DROP that fails changes nothing', async () => {
      await session.query('SELECT 1 FROM a');
      await session.query('CREATE TEMPORARY TABLE tmp1 (id int)');
      when(one, 'DROP TABLE', ({ connection }) => connection.send([REFUSED]));
      await session.query('DROP TABLE tmp1');
      expect(await serverOf('b')).toBe('one');
    });
  });

  describe('case B63 a held BEGIN', () => {
    it.each([['START TRANSACTION READ ONLY'], ['BEGIN WORK'], ['begin /*c*/ ;']])(
      '%s goes as it is, before the first statement, to that one’s server',
      async (begin) => {
        await session.query('SELECT 1 FROM a');
        when(two, begin, ({ connection }) => connection.ok({ status: IN_TRANS }));
        const marks = [one.log.length, two.log.length] as const;
        await session.query(begin);
        await session.query('SELECT 1 FROM b');
        expect(since(one, marks[0])).toEqual([]);
        expect(since(two, marks[1]).slice(-2)).toEqual([`QUERY ${begin}`, 'QUERY SELECT 1 FROM b']);
      },
    );

    it('twice is once; ended, or left behind by a client that goes, it reaches no server', async () => {
      await session.query('SELECT 1 FROM b');
      const marks = [one.log.length, two.log.length] as const;
      expect([await statusOf('BEGIN'), await statusOf('COMMIT')]).toEqual([IN_TRANS, STATUS.AUTOCOMMIT]);
      await session.query('BEGIN');
      await session.query('BEGIN');
      await session.query('SELECT 1 FROM b');
      expect(since(two, marks[1])).toEqual(['QUERY BEGIN', 'QUERY SELECT 1 FROM b']);
      const other = await proxy.client({ database: 'd' });
      await other.query('BEGIN');
      const before = [...proxy.context.registry].length;
      other.destroy();
      await until('it is gone', () => [...proxy.context.registry].length < before);
      expect(since(one, marks[0])).toEqual([]);
    });

    it('a SET of user variables behind it does not decide the server, and reaches that of the transaction', async () => {
      await session.query('SELECT 1 FROM a');
      const marks = [one.log.length, two.log.length] as const;
      await session.query('BEGIN');
      expect(await statusOf("SET @a = 1, @b := 'it', @c=NULL;")).toBe(IN_TRANS);
      await session.query('UPDATE b SET v = @a');
      expect(since(one, marks[0])).toEqual([]);
      expect(since(two, marks[1]).slice(-3)).toEqual([
        'QUERY BEGIN',
        "QUERY SET @a = 1, @b := 'it', @c=NULL;",
        'QUERY UPDATE b SET v = @a',
      ]);
    });

    it('a SET is not lost when the transaction ends without a statement', async () => {
      await session.query('SELECT 1 FROM a');
      const mark = one.log.length;
      for (const text of ['BEGIN', 'SET @a = 1', 'COMMIT']) await session.query(text);
      expect(since(one, mark)).toEqual(['QUERY BEGIN', 'QUERY SET @a = 1', 'QUERY COMMIT']);
    });

    it.each([['SET @a = (SELECT 1)'], ['SET autocommit = 1'], ['SET @a = NOW()'], ["SET @a = 'x\\'"], ['SET @@b = 1']])(
      'what a server has to say something of is not held: %s',
      async (set) => {
        await session.query('SELECT 1 FROM a');
        const mark = one.log.length;
        await session.query('BEGIN');
        await session.query(set);
        expect(since(one, mark)).toEqual(['QUERY BEGIN', `QUERY ${set}`]);
      },
    );
  });

  describe('case B65 XA', () => {
    it.each([["XA START 'g1','b1',1"], ["xa begin X'01'"], ["XA START 'g'"]])(
      '%s is held and goes with the first statement',
      async (start) => {
        await session.query('SELECT 1 FROM a');
        when(two, start, ({ connection }) => connection.ok({ status: IN_TRANS }));
        when(two, 'UPDATE b', ({ connection }) => connection.ok({ status: IN_TRANS }));
        const marks = [one.log.length, two.log.length] as const;
        expect(await statusOf(start)).toBe(IN_TRANS);
        await session.query('UPDATE b SET v = 1');
        await session.query('UPDATE a SET v = 1');
        expect(since(one, marks[0])).toEqual([]);
        expect(since(two, marks[1]).slice(-3)).toEqual([
          `QUERY ${start}`,
          'QUERY UPDATE b SET v = 1',
          'QUERY UPDATE a SET v = 1',
        ]);
      },
    );

    it('COMMIT and BEGIN in it are the server’s to refuse', async () => {
      await session.query('SELECT 1 FROM a');
      const mark = one.log.length;
      when(one, 'COMMIT', ({ connection }) => connection.send([REFUSED]));
      await session.query("XA START 'g'");
      expect(errorLine((await session.query('COMMIT'))[0]?.payload)).toBe('1231 not here');
      expect(since(one, mark)).toEqual(["QUERY XA START 'g'", 'QUERY COMMIT']);
    });

    it('what is not plain, or with enable_xa_route off, goes at once where the statement before went', async () => {
      await session.query('SELECT 1 FROM a');
      const mark = one.log.length;
      await session.query("XA START 'g' RESUME");
      expect(since(one, mark)).toEqual(["QUERY XA START 'g' RESUME"]);
      const own = startSessionProxy([one], { enable_xa_route: 'False' });
      const other = await own.client({ database: 'd' });
      await other.query("XA START 'g'");
      expect(one.log.at(-1)).toBe("QUERY XA START 'g'");
      own.close();
    });

    it('one that is refused lets nothing run outside of it, until it is ended', async () => {
      await session.query('SELECT 1 FROM a');
      const mark = one.log.length;
      when(one, 'XA START', ({ connection }) => connection.send([REFUSED]));
      await session.query("XA START 'g'");
      for (const text of ['UPDATE a SET v = 1', 'UPDATE a SET v = 2', "XA END 'g'"]) {
        expect(errorLine((await session.query(text))[0]?.payload)).toBe('1231 not here');
      }
      await session.query('UPDATE a SET v = 3');
      expect(since(one, mark).filter((line) => line.includes('UPDATE'))).toEqual(['QUERY UPDATE a SET v = 3']);
    });
  });

  describe('case B53 long data', () => {
    it('waits for its EXECUTE and goes to that one’s server, in order', async () => {
      const id = await prepare('INSERT INTO a VALUES (?)');
      for (const piece of ['abc', '', 'abc']) longData(id, piece);
      for (const { socket } of one.connections) socket.destroy();
      await until('it is gone', () => one.connections.size === 0);
      const mark = one.log.length;
      expect((await execute(id))[0]).toBe(0x00);
      const sent = since(one, mark).filter((line) => line.startsWith('STMT'));
      expect(sent.map((line) => line.split(' ')[0])).toEqual([
        'STMT_PREPARE',
        'STMT_SEND_LONG_DATA',
        'STMT_SEND_LONG_DATA',
        'STMT_SEND_LONG_DATA',
        'STMT_EXECUTE',
      ]);
      expect(sent.map((line) => line.endsWith('abc'))).toEqual([false, true, false, true, false]);
      await execute(id);
      expect(since(one, mark).filter((line) => line.startsWith('STMT_SEND'))).toHaveLength(3);
    });

    it('is forgotten by RESET and CLOSE, which need no server', async () => {
      const id = await prepare('INSERT INTO a VALUES (?)');
      longData(id, 'lost');
      session.command(COM.STMT_RESET, idBytes(id));
      expect((await session.packet()).payload[0]).toBe(0x00);
      await execute(id);
      longData(id, 'lost');
      session.command(COM.STMT_CLOSE, idBytes(id));
      expect(textRows(await session.query('SELECT 5'))).toEqual([['5']]);
      expect(one.log.filter((line) => line.startsWith('STMT_SEND'))).toEqual([]);
    });

    it('that is more than is kept holds the statement to one server, with which it is lost', async () => {
      const id = await prepare('INSERT INTO a VALUES (?)');
      for (let count = 0; count < 6; count++) longData(id, Buffer.alloc(50_000, 'x'));
      await until('it has all', () => one.log.filter((line) => line.startsWith('STMT_SEND')).length === 6);
      for (const { socket } of one.connections) socket.destroy();
      await until('it is gone', () => one.connections.size === 0);
      expect(errorLine(await execute(id))).toMatch(/^10014 .*long data of statement/);
      expect((await execute(id))[0]).toBe(0x00);
    });
  });

  it('case B54 a cursor that dies with its server is an error, and the other one lives', async () => {
    for (const server of [one, two]) {
      const others = server.onRequest;
      server.onRequest = (request) => {
        const { connection, command } = request;
        const mark = (status: number): Buffer => Buffer.from([0xfe, 0, 0, status, 0]);
        if (command === COM.STMT_FETCH) connection.send([Buffer.from([0, 0, 1, 0x37]), mark(2)]);
        else if (command === COM.STMT_EXECUTE) {
          const column = new PacketWriter(40).lenencString('def').zeros(3).lenencString('v').lenencString('v');
          const definition = column.u8(12).u16(45).u32(10).u8(0xfd).u16(0).u8(0).u16(0).finish();
          connection.send([Buffer.from([1]), definition, mark(STATUS.AUTOCOMMIT | STATUS.CURSOR_EXISTS)]);
        } else others(request);
      };
    }
    const open = async (text: string): Promise<number> => {
      const id = await prepare(text);
      session.command(COM.STMT_EXECUTE, Buffer.concat([idBytes(id), Buffer.from([1, 1, 0, 0, 0, 0, 1, 0xfd, 0])]));
      for (let count = 0; count < 3; count++) await session.packet();
      return id;
    };
    const fetch = async (id: number): Promise<Buffer> => {
      session.command(COM.STMT_FETCH, Buffer.concat([idBytes(id), idBytes(1)]));
      const { payload } = await session.packet();
      if (payload[0] === 0x00) await session.packet();
      return payload;
    };
    const [first, second] = [await open('SELECT v FROM a WHERE id = ?'), await open('SELECT v FROM b WHERE id = ?')];
    for (const id of [first, second, first]) expect((await fetch(id))[0]).toBe(0x00);
    for (const { socket } of two.connections) socket.destroy();
    await until('it is gone', () => two.connections.size === 0);
    expect(errorLine(await fetch(second))).toMatch(/^10014 .*open cursor/);
    expect((await fetch(first))[0]).toBe(0x00);
    session.command(COM.STMT_CLOSE, idBytes(first));
    expect(errorLine(await fetch(first))).toMatch(/^1243 /);
    expect(errorLine(await fetch(second))).toMatch(/^1421 /);
  });
});
