import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { until } from '../testing/proxy.ts';
import { errorLine, textRows } from '../testing/raw-client.ts';
import { CAP, COM, STATUS } from '../wire/constants.ts';
import { buildErr } from '../wire/err-packet.ts';
import { encodeVariableBlock } from '../wire/ob-variables.ts';
import { buildOk, parseOk } from '../wire/ok-packet.ts';
import { framePackets, PacketWriter } from '../wire/writer.ts';
import { closeScriptedPair, startScriptedPair } from './testing/scripted-pair.ts';
import {
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
  USUAL_SERVER_CAPABILITIES,
  when,
} from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

const ERROR = buildErr({ errno: 4038, sqlState: 'HY000', message: 'not master' });
const IN_TRANS = STATUS.AUTOCOMMIT | STATUS.IN_TRANS;

/** Sessions before servers whose every packet is written here. */
describe('sessions before scripted servers', () => {
  let one: ScriptedServer;
  let two: ScriptedServer;
  let proxy: SessionProxy;

  beforeEach(async () => {
    ({ one, two, proxy } = await startScriptedPair());
  });

  afterEach(async () => {
    await closeScriptedPair({ one, two, proxy });
  });

  const client = () => proxy.client({ database: 'd' });
  const first = async (reply: Promise<readonly { payload: Buffer }[]>): Promise<Buffer> =>
    (await reply)[0]?.payload ?? Buffer.alloc(0);
  /** Answers requests that begin so in another way than the usual one. */

  it('case B16 what a server says before it hangs up is never the answer to the next statement', async () => {
    const session = await client();
    await session.query('SELECT 1 FROM a');
    when(one, 'SELECT 2', ({ connection }) => {
      connection.send([buildErr({ errno: 4031, sqlState: 'HY000', message: 'idle too long' })], 0);
      connection.socket.end();
    });
    expect(textRows(await session.query('SELECT 2 FROM a'))).toEqual([['2']]);
    expect(two.log).toContain('QUERY SELECT 2 FROM a');
  });

  it('case B16 the same in a transaction is one error, and the transaction is over', async () => {
    const session = await client();
    when(one, 'BEGIN', ({ connection }) => connection.ok({ status: IN_TRANS }));
    when(one, 'UPDATE a', ({ connection }) => connection.ok({ status: IN_TRANS }));
    await session.query('BEGIN');
    await session.query('UPDATE a SET v = 1');
    when(one, 'SELECT 2', ({ connection }) => {
      connection.send([buildErr({ errno: 4031, sqlState: 'HY000', message: 'idle too long' })], 0);
      connection.socket.end();
    });
    const packets = await session.query('SELECT 2 FROM a');
    expect(packets[0]?.sequence).toBe(1);
    expect(errorLine(packets[0]?.payload)).toMatch(/^10014 .*transaction has ended/);
    expect(parseOk(await first(session.query('SET x = 1')), false).status & STATUS.IN_TRANS).toBe(0);
  });

  it('case B16 an idle connection that ends with a notice is dropped unnoticed', async () => {
    const session = await client();
    await session.query('SELECT 1 FROM a');
    for (const { socket } of one.connections) {
      socket.end(framePackets(buildErr({ errno: 4031, sqlState: 'HY000', message: 'idle too long' }), 0));
    }
    await until('the proxy has closed its side', () => one.connections.size === 0);
    expect(textRows(await session.query('SELECT 2 FROM a'))).toEqual([['2']]);
  });

  it.each([
    ['INSERT INTO a VALUES (1)'],
    ['UPDATE a SET v = v + 1'],
    ['SELECT v FROM a FOR UPDATE'],
    ['COMMIT'],
    ['CALL p()'],
  ])('case B67 %s, whose answer does not come, is sent once', async (text) => {
    const session = await client();
    await session.query('SELECT 1 FROM a');
    when(one, text, ({ connection }) => connection.socket.destroy());
    when(two, text, () => expect.unreachable());
    const packets = await session.query(text);
    expect(errorLine(packets[0]?.payload)).toMatch(/^10014 /);
    expect([...one.log, ...two.log].filter((line) => line.endsWith(text))).toEqual([`QUERY ${text}`]);
    expect(textRows(await session.query('SELECT 5'))).toEqual([['5']]);
  });

  it('case B67 a plain read is sent to another server, also when it was prepared', async () => {
    const session = await client();
    await session.query('SELECT 1 FROM a');
    when(one, 'SELECT 2', ({ connection }) => connection.socket.destroy());
    expect(textRows(await session.query('SELECT 2 FROM a'))).toEqual([['2']]);
    const prepared = ({ connection, command }: ScriptedRequest): void => {
      if (command === COM.STMT_PREPARE) {
        connection.send([new PacketWriter(12).u8(0).u32(connection.id).u16(0).u16(0).u8(0).u16(0).finish()]);
      }
    };
    when(one, 'SELECT 3', prepared);
    when(two, 'SELECT 3', prepared);
    session.command(COM.STMT_PREPARE, 'SELECT 3 FROM a');
    const id = (await session.packet()).payload.subarray(1, 5);
    const onExecute = one.onRequest;
    one.onRequest = (request) => {
      if (request.command === COM.STMT_EXECUTE) request.connection.socket.destroy();
      else onExecute(request);
    };
    session.command(COM.STMT_EXECUTE, Buffer.concat([id, Buffer.from([0, 1, 0, 0, 0])]));
    expect((await session.packet()).payload[0]).toBe(0x00);
    expect(two.log.filter((line) => line.startsWith('STMT_'))).toEqual([
      'STMT_PREPARE SELECT 3 FROM a',
      expect.stringMatching(/^STMT_EXECUTE/),
    ]);
  });

  it('case B67 a read of which the client has seen a part is not repeated: an error ends it', async () => {
    const session = await client();
    when(one, 'SELECT 2', ({ connection }) => {
      const definition = new PacketWriter(40).lenencString('def').zeros(3).lenencString('v').lenencString('v');
      const column = definition.u8(12).u16(45).u32(10).u8(0xfd).u16(0).u8(0).u16(0).finish();
      const eof = Buffer.from([0xfe, 0, 0, 2, 0]);
      connection.send([Buffer.from([1]), column, eof, Buffer.from([1, 0x37])]);
      setImmediate(() => connection.socket.destroy());
    });
    const packets = await session.query('SELECT 2 FROM a');
    expect(errorLine(packets.at(-1)?.payload)).toMatch(/^10014 /);
    expect(packets.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(textRows(await session.query('SELECT 5'))).toEqual([['5']]);
  });

  it('case B66 an error in a transaction is the client’s: nothing is done again', async () => {
    const session = await client();
    when(one, 'BEGIN', ({ connection }) => connection.ok({ status: IN_TRANS }));
    when(one, 'UPDATE a', ({ connection }) => connection.ok({ status: IN_TRANS }));
    await session.query('BEGIN');
    await session.query('UPDATE a SET v = 1');
    when(one, 'UPDATE a SET v = 2', ({ connection }) => connection.send([ERROR]));
    expect(errorLine(await first(session.query('UPDATE a SET v = 2')))).toBe('4038 not master');
    expect(two.log.filter((line) => line.includes('UPDATE'))).toEqual([]);
  });

  it('C10 the extra OK behind an error says that the transaction is over', async () => {
    await closeScriptedPair({ one, two, proxy });
    const variables = { ob_capability_flag: '0', autocommit: 'ON' };
    ({ one, two, proxy } = await startScriptedPair({ variables }));
    const session = await client();
    const extra = buildOk({ status: STATUS.AUTOCOMMIT });
    when(one, 'BEGIN', ({ connection }) => connection.ok({ status: IN_TRANS }));
    when(one, 'UPDATE a', ({ connection }) => connection.send([ERROR, extra]));
    when(two, 'UPDATE b', ({ connection }) => connection.ok());
    await session.query('BEGIN');
    expect(errorLine(await first(session.query('UPDATE a SET v = 1')))).toBe('4038 not master');
    await session.query('UPDATE b SET v = 1');
    expect(two.log).toContain('QUERY UPDATE b SET v = 1');
  });

  it.each([
    ['no information at all', Buffer.alloc(0)],
    ['an empty message and no state', Buffer.from([0])],
    ['an empty state', Buffer.from([0, 0])],
    ['an unknown type', Buffer.from([0, 5, 0x7f, 3, 1, 2, 3])],
    [
      'a database and a variable',
      encodeVariableBlock({ schema: 'other', system: [['time_zone', Buffer.from('+01:00')]] }),
    ],
    ['a value over 250 bytes', encodeVariableBlock({ system: [['init_connect', Buffer.alloc(300, 'x')]] })],
  ])('case B40 session state of %s', async (_what, tail) => {
    const session = await client();
    const status = STATUS.AUTOCOMMIT | STATUS.SESSION_STATE_CHANGED;
    when(one, 'SET q', ({ connection }) => connection.ok({ status, tail }));
    const ok = parseOk(await first(session.query('SET q = 1')), false);
    expect([ok.status, ok.state]).toEqual([STATUS.AUTOCOMMIT, null]);
    expect(textRows(await session.query('SELECT 5 FROM b'))).toEqual([['5']]);
  });

  it('case B32 B47 a variable that another server refuses does not keep the others, nor is it tried again', async () => {
    const session = await client();
    const status = STATUS.AUTOCOMMIT | STATUS.SESSION_STATE_CHANGED;
    const system: [string, Buffer][] = [
      ['good', Buffer.from('1')],
      ['bad', Buffer.from('2')],
      ['fine', Buffer.from('x')],
    ];
    when(one, 'SET q', ({ connection }) => connection.ok({ status, tail: encodeVariableBlock({ system }) }));
    await session.query('SET q = 1');
    const usual = two.onRequest;
    two.onRequest = (request) => {
      if (/^SET .*bad/.test(request.text)) request.connection.send([ERROR]);
      else usual(request);
    };
    for (let count = 0; count < 3; count++) {
      expect(textRows(await session.query('SELECT 5 FROM b'))).toEqual([['5']]);
    }
    expect(two.log.filter((line) => line.startsWith('QUERY SET'))).toEqual([
      "QUERY SET @@session.good = 1, @@session.bad = 2, @@session.fine = 'x'",
      'QUERY SET @@session.good = 1',
      'QUERY SET @@session.bad = 2',
      "QUERY SET @@session.fine = 'x'",
    ]);
  });

  it('case B47 one SET a server for each change', async () => {
    const session = await client();
    const status = STATUS.AUTOCOMMIT | STATUS.SESSION_STATE_CHANGED;
    const tail = encodeVariableBlock({ system: [['time_zone', Buffer.from('+01:00')]] });
    when(one, 'SET q', ({ connection }) => connection.ok({ status, tail }));
    await session.query('SET q = 1');
    for (let count = 0; count < 50; count++) {
      await session.query('SELECT 5 FROM a');
      await session.query('SELECT 5 FROM b');
    }
    expect([...one.log, ...two.log].filter((line) => line.startsWith('QUERY SET @@'))).toEqual([
      "QUERY SET @@session.time_zone = '+01:00'",
    ]);
  });

  it('R22 a reply that tells of the wrong server makes the table’s place be asked for anew', async () => {
    const session = await client();
    const status = STATUS.AUTOCOMMIT | STATUS.SESSION_STATE_CHANGED;
    const tail = encodeVariableBlock({ system: [['ob_proxy_partition_hit', Buffer.from('0')]] });
    when(one, 'UPDATE a', ({ connection }) => connection.ok({ status, tail }));
    await session.query('UPDATE a SET v = 1');
    expect(proxy.dirty).toEqual(['a']);
  });

  it('R4 a request asks for the place of its table once, whichever way it goes', async () => {
    const session = await client();
    const ways = [
      'SELECT 1 FROM a',
      'SELECT 2 FROM a',
      'SELECT /*+READ_CONSISTENCY(WEAK)*/ 1 FROM a',
      'SELECT 1 FROM nosuch',
    ];
    for (const text of ways) await session.query(text);
    expect(proxy.located.filter((table) => table !== '__all_dummy')).toEqual(['a', 'a', 'a', 'nosuch']);
  });

  it('a server that answers in the middle of a long request: the client gets the error when it has sent all', async () => {
    const session = await client();
    const usual = one.onRequest;
    for (const { socket } of one.connections) {
      socket.removeAllListeners('data');
      socket.once('data', () => {
        socket.write(framePackets(buildErr({ errno: 1153, sqlState: '08S01', message: 'packet too large' }), 1));
        socket.destroySoon();
      });
    }
    const packets = await session.query(`INSERT INTO a VALUES ('${'x'.repeat(3_000_000)}')`);
    expect(errorLine(packets[0]?.payload)).toMatch(/^(1153|10014) /);
    expect(packets[0]?.sequence).toBe(1);
    one.onRequest = usual;
    expect(textRows(await session.query('SELECT 5'))).toEqual([['5']]);
  });

  it('case B59 a server that dies while it is being sent a file: an error behind the client’s last packet', async () => {
    const session = await proxy.client({ database: 'd' });
    when(one, 'LOAD DATA', ({ connection }) => connection.send([Buffer.from('\xfbfile', 'latin1')]));
    session.command(COM.QUERY, "LOAD DATA LOCAL INFILE 'file' INTO TABLE a");
    expect((await session.packet()).payload.toString('latin1')).toBe('\xfbfile');
    for (const { socket } of one.connections) socket.destroy();
    await until('the proxy has noticed', () => one.connections.size === 0);
    session.write(framePackets(Buffer.from('line\n'), 2));
    session.write(framePackets(Buffer.alloc(0), 3));
    const { payload, sequence } = await session.packet();
    expect(errorLine(payload)).toMatch(/^10014 /);
    expect(sequence).toBe(4);
    expect(textRows(await session.query('SELECT 5'))).toEqual([['5']]);
  });

  it('C16 a reply that does not come ends at the time of the statement, one that streams does not', async () => {
    const session = await client();
    when(one, 'SELECT 2', () => undefined);
    session.command(COM.QUERY, 'SELECT 2 FROM a');
    await until('it has been sent', () => one.log.includes('QUERY SELECT 2 FROM a'));
    proxy.advance(29_000);
    proxy.advance(2000);
    expect(errorLine((await session.packet()).payload)).toMatch(/^10015 .*did not answer within 30000 ms/);
    expect(textRows(await session.query('SELECT 5'))).toEqual([['5']]);
  });

  it.each([
    ['a negotiable', 1040],
    ['a tenant’s', 5150],
    ['a starting server’s', 8001],
  ])('%s refusal of a log-in (%i) sends the client to another server', async (_what, errno) => {
    one.onLogin = (connection) => connection.send([buildErr({ errno, sqlState: 'HY000', message: 'not here' })], 2);
    for (let count = 0; count < 3; count++) {
      const session = await client();
      expect(textRows(await session.query('SELECT 5'))).toEqual([['5']]);
    }
    two.onLogin = one.onLogin;
    await expect(client()).rejects.toThrow(`${errno} not here`);
  });

  it('C2 the log-in is relayed: user and tenant, the client’s answer, and the scramble it was made with', async () => {
    const session = await proxy.client({
      user: 'u1@t1#c1',
      database: 'd',
      password: 'secret',
      attributes: [['evil', Buffer.from('x')]],
    });
    await session.query('SELECT 1 FROM a');
    await session.query('SELECT 1 FROM b');
    const logins = [...one.connections, ...two.connections].map(({ login }) => login);
    expect(logins.map(({ user }) => user)).toEqual(['u1@t1', 'u1@t1']);
    expect(logins[0]?.authAnswer.length).toBe(20);
    expect(logins[0]?.authAnswer.equals(logins[1]?.authAnswer ?? Buffer.alloc(0))).toBe(true);
    for (const { attributes } of logins) {
      const names = attributes.map(([attribute]) => attribute);
      expect(names).toEqual(expect.arrayContaining(['__mysql_client_type', '__proxy_scramble', '__client_session_id']));
      expect(names).not.toContain('evil');
    }
  });

  it('case B10 capabilities towards a server are those that this server has', async () => {
    const plain = await startScriptedServer({ capabilities: USUAL_SERVER_CAPABILITIES & ~CAP.MULTI_STATEMENTS });
    proxy.leaders.set('c', plain.address);
    const own = startSessionProxy([plain]);
    const session = await own.client({
      capabilities: 0xffffff & ~CAP.SSL & ~CAP.COMPRESS & ~CAP.CONNECT_WITH_DB & ~CAP.SESSION_TRACK,
    });
    expect(textRows(await session.query('SELECT 5'))).toEqual([['5']]);
    const [login] = [...plain.connections].map((connection) => connection.login);
    expect((login?.capabilities ?? 0) & (CAP.SSL | CAP.COMPRESS | CAP.MULTI_STATEMENTS)).toBe(0);
    own.close();
    await plain.close();
  });

  it('a fault of the proxy’s own ends the session it came up in, and no other', async () => {
    const [session, other] = [await client(), await client()];
    const classify = vi.spyOn(proxy.context.statements, 'classify').mockImplementationOnce(() => {
      throw new TypeError('made up');
    });
    session.command(COM.QUERY, 'SELECT 1');
    await session.closed;
    classify.mockRestore();
    expect(textRows(await other.query('SELECT 5'))).toEqual([['5']]);
    expect(proxy.log.filter((line) => line.startsWith('error a fault of the proxy'))).toHaveLength(1);
  });

  it('a fault while a server’s bytes are taken ends the client session as well', async () => {
    const session = await client();
    const [held] = [...proxy.context.registry];
    if (held === undefined) throw new Error('no session');
    vi.spyOn(held, 'requestDone').mockImplementationOnce(() => {
      throw new TypeError('made up');
    });
    session.command(COM.QUERY, 'SELECT 1');
    await session.closed;
    expect(one.connections.size + two.connections.size).toBeLessThan(2);
    expect(proxy.log.filter((line) => line.startsWith('error a fault of the proxy'))).toHaveLength(1);
  });

  it('a log-in that stays half sent is ended in time', async () => {
    const { RawClient } = await import('../testing/raw-client.ts');
    const half = await RawClient.connect(proxy.port);
    await half.flush(Buffer.from([50, 0, 0, 1, 1, 2]));
    proxy.advance(10_100);
    expect(errorLine((await half.packet()).payload)).toMatch(/^1043 .*too long/);
    await half.closed;
    expect([...proxy.context.registry]).toEqual([]);
  });

  it.each([
    ['a packet that ends too early', Buffer.from([3, 0, 0, 1, 0, 0, 0])],
    ['a column count without end', Buffer.from([1, 0, 0, 1, 0xff])],
    ['noise', Buffer.from([9, 9, 9, 1, 9, 9, 9])],
  ])('a server that answers with %s does not harm the session', async (_what, bytes) => {
    const session = await client();
    await session.query('SELECT 1 FROM a');
    when(one, 'UPDATE a', ({ connection }) => connection.socket.end(bytes));
    const [packet] = await session.query('UPDATE a SET v = 1');
    expect(errorLine(packet?.payload)).toMatch(/^(10014|1835) /);
    expect(textRows(await session.query('SELECT 5'))).toEqual([['5']]);
  });
});
