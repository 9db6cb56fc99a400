import { createSecureContext } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../testing/certificates.ts';
import { until } from '../../testing/proxy.ts';
import { errorLine, type RawClient, textRows } from '../../testing/raw-client.ts';
import { COM, STATUS } from '../../wire/constants.ts';
import { parseOk } from '../../wire/ok-packet.ts';
import { PacketWriter } from '../../wire/writer.ts';
import { type ScriptedServer, startScriptedServer, when } from '../testing/scripted-server.ts';
import { startTwoGenerations, type TwoGenerations } from '../testing/two-generations.ts';

const IN_TRANS = STATUS.AUTOCOMMIT | STATUS.IN_TRANS;

describe('client sessions that go to another generation', () => {
  let one: ScriptedServer;
  let two: ScriptedServer;
  let both: TwoGenerations;

  beforeEach(async () => {
    one = await startScriptedServer();
    two = await startScriptedServer();
    both = startTwoGenerations([one, two]);
    for (const { proxy } of [both.old, both.next]) {
      proxy.leaders.set('a', one.address);
      proxy.leaders.set('b', two.address);
    }
  });

  afterEach(async () => {
    both.close();
    await Promise.all([one.close(), two.close()]);
  });

  const client = (): Promise<RawClient> => both.old.proxy.client({ database: 'd' });
  const move = async (): Promise<void> => {
    const { old, next } = both;
    const count = next.received.length;
    old.handOver.begin([next.path]);
    await until('it has moved', () => next.received.length > count && old.proxy.context.registry.size === 0);
  };
  const logins = (): number => one.connections.size + two.connections.size;

  it('C8 C17 an idle session moves with its connections and knows all that it knew', async () => {
    const session = await client();
    await session.query('SELECT 1 FROM a');
    await session.query('SELECT 1 FROM b');
    const before = both.old.session();
    const connections = logins();
    await move();
    const after = both.next.session();
    expect(after.id).toBe(before.id);
    expect([after.user, after.tenant, after.clusterName, after.database, after.host, after.port, after.vip]).toEqual([
      'u1',
      't1',
      'c1',
      'd',
      before.host,
      before.port,
      before.vip,
    ]);
    await until('the old one has let go', () => before.closed);
    expect(textRows(await session.query('SELECT 2 FROM a'))).toEqual([['2']]);
    expect(textRows(await session.query('SELECT 3 FROM b'))).toEqual([['3']]);
    // The same connections, and nothing was set or asked again on them.
    expect(logins()).toBe(connections);
    expect(one.log.at(-1)).toBe('QUERY SELECT 2 FROM a');
    expect(one.log.at(-2)).toBe('QUERY SELECT 1 FROM a');
    expect(both.old.handOver.state()).toEqual({ moved: 1, refused: 0, connected: 1, waiting: [] });
  });

  it('C8 C17 and back again: a rollback', async () => {
    const session = await client();
    await session.query('SELECT 1 FROM a');
    const { id } = both.old.session();
    await move();
    await both.old.handOver.stop();
    both.next.handOver.begin([both.old.path]);
    await until('it is back', () => both.old.received.length === 1 && both.next.proxy.context.registry.size === 0);
    expect(both.old.session().id).toBe(id);
    expect(textRows(await session.query('SELECT 2 FROM a'))).toEqual([['2']]);
    // Its id is not given out a second time.
    await client();
    expect([...both.old.proxy.context.registry].map((each) => each.id)).toEqual([id, id + 1]);
  });

  it('C8 C17 a session in a transaction moves between two statements', async () => {
    when(one, 'UPDATE', ({ connection }) => connection.ok({ status: IN_TRANS }));
    when(one, 'BEGIN', ({ connection }) => connection.ok({ status: IN_TRANS }));
    when(one, 'SELECT 9', ({ connection }) => connection.ok({ status: IN_TRANS }));
    const session = await client();
    await session.query('BEGIN');
    await session.query('UPDATE a SET v = 1');
    await move();
    expect(both.next.session().inTransaction).toBe(true);
    const { log } = one;
    const sent = log.length;
    // Table b's leader is the other server, but the transaction stays where it is.
    await session.query('SELECT 9 FROM b');
    await session.query('COMMIT');
    expect(log.slice(sent)).toEqual(['QUERY SELECT 9 FROM b', 'QUERY COMMIT']);
    expect(both.next.session().inTransaction).toBe(false);
    expect(both.next.session().transactionCount).toBe(1);
  });

  it('C8 C17 a transaction that has reached no server yet moves as well', async () => {
    const session = await client();
    await session.query('BEGIN');
    await session.query('SET @a = 1');
    await move();
    await session.query('SELECT 1 FROM b');
    expect(two.log.slice(-3)).toEqual(['QUERY BEGIN', 'QUERY SET @a = 1', 'QUERY SELECT 1 FROM b']);
  });

  it('C17 a session with a temporary table, a lock or a text prepared moves with the server session that has it', async () => {
    const session = await client();
    await session.query('CREATE TEMPORARY TABLE a (v INT)');
    await session.query("SELECT GET_LOCK('l', 1)");
    await session.query("PREPARE s FROM 'SELECT 1'");
    const before = both.old.session();
    const { pins } = before.servers;
    expect(pins.names.length).toBe(2);
    await move();
    const after = both.next.session();
    expect(after.servers.pins).toEqual(pins);
    expect(after.servers.pinned?.address).toBe(before.servers.pinned?.address ?? one.address);
    await session.query('SELECT 4 FROM b');
    expect(two.log).not.toContain('QUERY SELECT 4 FROM b');
    await session.query('DROP TABLE a');
    await session.query("SELECT RELEASE_LOCK('l')");
    await session.query('DEALLOCATE PREPARE s');
    expect(after.servers.pinned).toBeNull();
  });

  it('C17 what asks about the statement before meets it', async () => {
    const session = await client();
    await session.query('SELECT 1 FROM b');
    await move();
    await session.query('SHOW WARNINGS');
    expect(two.log.at(-1)).toBe('QUERY SHOW WARNINGS');
  });

  describe('prepared statements', () => {
    const sent: string[] = [];

    beforeEach(() => {
      sent.length = 0;
      for (const server of [one, two]) {
        const others = server.onRequest;
        server.onRequest = (request) => {
          const { connection, command, payload } = request;
          if (command === COM.STMT_PREPARE) {
            return connection.send([
              new PacketWriter(12).u8(0).u32(connection.id).u16(0).u16(1).u8(0).u16(0).finish(),
              Buffer.from('the parameter'),
              Buffer.from([0xfe, 0, 0, 2, 0]),
            ]);
          }
          if (command < COM.STMT_PREPARE || command > COM.STMT_FETCH) return others(request);
          sent.push(`${command} ${payload.toString('hex', 1)}`);
          if (command === COM.STMT_EXECUTE && payload[5] === 1) {
            connection.ok({ status: STATUS.AUTOCOMMIT | STATUS.CURSOR_EXISTS });
          } else if (command !== COM.STMT_SEND_LONG_DATA && command !== COM.STMT_CLOSE) connection.ok();
        };
      }
    });

    const prepare = async (session: RawClient): Promise<Buffer> => {
      session.command(COM.STMT_PREPARE, 'SELECT ? FROM a');
      const { payload } = await session.packet();
      await session.packet();
      await session.packet();
      return payload.subarray(1, 5);
    };
    /** One parameter of type LONG. */
    const execute = (id: Buffer, types: boolean, cursor = 0): Buffer =>
      Buffer.concat([id, Buffer.from([cursor, 1, 0, 0, 0, 0, types ? 1 : 0, ...(types ? [3, 0] : []), 7, 0, 0, 0])]);

    it('C17 keep their ids, and the types that were sent before', async () => {
      const session = await client();
      const id = await prepare(session);
      session.command(COM.STMT_EXECUTE, execute(id, true));
      await session.packet();
      await move();
      sent.length = 0;
      session.command(COM.STMT_EXECUTE, execute(id, false));
      await session.packet();
      // The server's own id, and no types: it knows them.
      const [connection] = [...one.connections];
      const serverId = Buffer.alloc(4);
      serverId.writeUInt32LE(connection?.id ?? 0);
      expect(sent).toEqual([`${COM.STMT_EXECUTE} ${execute(serverId, false).toString('hex')}`]);
      const second = await prepare(session);
      expect(second.readUInt32LE()).toBe(id.readUInt32LE() + 1);
    });

    it('C17 an open cursor goes on', async () => {
      const session = await client();
      const id = await prepare(session);
      session.command(COM.STMT_EXECUTE, execute(id, true, 1));
      await session.packet();
      await move();
      sent.length = 0;
      expect(both.next.session().prepared.find(id.readUInt32LE())?.hasCursor).toBe(true);
      session.command(COM.STMT_RESET, id);
      await session.packet();
      expect(sent.map((line) => line.split(' ')[0])).toEqual([String(COM.STMT_RESET)]);
    });

    it('C17 long data that waits for its EXECUTE goes along', async () => {
      const session = await client();
      const id = await prepare(session);
      session.command(COM.STMT_SEND_LONG_DATA, Buffer.concat([id, Buffer.from([0, 0]), Buffer.from('piece')]));
      // A reply tells that it has been taken.
      session.command(COM.PING);
      await session.packet();
      await move();
      sent.length = 0;
      session.command(COM.STMT_EXECUTE, execute(id, true));
      await session.packet();
      expect(sent.map((line) => line.split(' ')[0])).toEqual([
        String(COM.STMT_SEND_LONG_DATA),
        String(COM.STMT_EXECUTE),
      ]);
      expect(Buffer.from(sent[0]?.split(' ')[1] ?? '', 'hex').toString()).toContain('piece');
    });

    it('C17 a cursor whose server session is lost is told as lost by the other generation too', async () => {
      const session = await client();
      const id = await prepare(session);
      session.command(COM.STMT_EXECUTE, execute(id, true, 1));
      await session.packet();
      for (const { socket } of one.connections) socket.destroy();
      await until('its end is noticed', () => both.old.session().servers.size === 0);
      await move();
      session.command(COM.STMT_FETCH, Buffer.concat([id, Buffer.from([1, 0, 0, 0])]));
      expect(errorLine((await session.packet()).payload)).toMatch(/^10014 .*cursor/);
    });
  });

  it('C17 a busy session moves behind its request, and what it has sent on goes along', async () => {
    let answer = (): void => undefined;
    let asked = false;
    when(one, 'SELECT 1', ({ connection }) => {
      asked = true;
      answer = () => connection.value('1');
    });
    const session = await client();
    session.command(COM.QUERY, 'SELECT 1 FROM a');
    session.command(COM.QUERY, 'SELECT 2 FROM b');
    session.command(COM.QUERY, 'SELECT 3 FROM a');
    await until('it is asked', () => asked);
    both.old.handOver.begin([both.next.path]);
    both.old.handOver.tick();
    expect(both.old.handOver.state().waiting).toMatchObject([
      { user: 'u1@t1#c1', reason: 'a request is being served' },
    ]);
    // The channel has to stand before the request ends: else the session would go a tick later.
    await until('the channel stands', () => both.old.handOver.state().connected === 1);
    answer();
    expect(textRows(await session.reply())).toEqual([['1']]);
    expect(textRows(await session.reply())).toEqual([['2']]);
    expect(textRows(await session.reply())).toEqual([['3']]);
    expect(both.next.received.length).toBe(1);
    expect(both.old.proxy.context.registry.size).toBe(0);
  });

  it('C17 part of a request that has come goes along with the session', async () => {
    const session = await client();
    const frame = Buffer.concat([Buffer.from([12, 0, 0, 0, COM.QUERY]), Buffer.from('SELECT 5 ab')]);
    session.write(frame.subarray(0, 7));
    await until('it is there', () => both.old.session().unserved().length === 7);
    await move();
    session.write(frame.subarray(7));
    expect(textRows(await session.reply())).toEqual([['5']]);
  });

  it('C17 a session still logging in waits, and moves behind its log-in', async () => {
    for (const server of [one, two]) server.onLogin = () => undefined;
    const logging = client();
    await until('it asks a server', () => logins() > 0);
    both.old.handOver.begin([both.next.path]);
    await until('the channel stands', () => both.old.handOver.state().connected === 1);
    expect(both.old.handOver.state().waiting).toMatchObject([{ user: '', reason: 'it is logging in' }]);
    for (const server of [one, two]) server.onLogin = null;
    const [connection] = [...one.connections, ...two.connections];
    connection?.send([okPayload()], 2);
    const session = await logging;
    await until('it has moved', () => both.next.received.length === 1);
    expect(textRows(await session.query('SELECT 5'))).toEqual([['5']]);
  });

  it('C17 a client over TLS stays, and that is told; the others go', async () => {
    both.close();
    const authority = makeCertificate('authority');
    const { certificate, key } = makeCertificate('proxy', authority);
    const forClients = createSecureContext({ cert: certificate, key });
    both = startTwoGenerations([one, two], {}, { forClients, forServers: null, required: false });
    const inTls = await both.old.proxy.client({ tls: true });
    const plain = await client();
    both.old.handOver.begin([both.next.path]);
    await until('one has moved', () => both.next.received.length === 1);
    expect(both.old.handOver.state().waiting).toMatchObject([{ reason: 'its client is connected over TLS' }]);
    expect(textRows(await inTls.query('SELECT 1'))).toEqual([['1']]);
    expect(textRows(await plain.query('SELECT 2'))).toEqual([['2']]);
    expect([both.old, both.next].map(({ proxy }) => proxy.context.registry.size)).toEqual([1, 1]);
  });

  it('C17 the time for which a client has been idle goes along', async () => {
    await client();
    both.old.proxy.advance(100_000);
    await move();
    const { limits } = both.next.session();
    expect([limits.awaited, limits.waitedMs]).toEqual(['next-request', 100_000]);
  });

  it('C17 many sessions spread over the workers of the other side', async () => {
    const clients = await Promise.all(Array.from({ length: 12 }, client));
    for (const [index, each] of clients.entries()) await each.query(`SELECT ${index}`);
    const third = startTwoGenerations([one, two]);
    const sessions = [...both.old.proxy.context.registry];
    for (const session of sessions) session.holdRequests();
    both.old.handOver.begin([both.next.path, third.next.path]);
    await until('both can be reached', () => both.old.handOver.state().connected === 2);
    for (const session of sessions) session.letRequestsBegin();
    both.old.handOver.tick();
    await until('all have moved', () => both.old.proxy.context.registry.size === 0);
    await until('they are there', () => both.next.received.length + third.next.received.length === 12);
    expect([both.next, third.next].every(({ received }) => received.length > 0)).toBe(true);
    for (const [index, each] of clients.entries()) {
      expect(textRows(await each.query(`SELECT ${index}`))).toEqual([[String(index)]]);
    }
    third.close();
  });

  it('C17 from the next order on sessions go where that says', async () => {
    const third = startTwoGenerations([one, two]);
    const session = await client();
    both.old.proxy.context.registry.find(both.old.session().id)?.holdRequests();
    both.old.handOver.begin([both.next.path]);
    await until('the first can be reached', () => both.old.handOver.state().connected === 1);
    both.old.handOver.begin([third.next.path]);
    both.old.session().letRequestsBegin();
    both.old.handOver.tick();
    await until('it has moved', () => third.next.received.length === 1);
    expect(both.next.received).toEqual([]);
    expect(both.old.handOver.state().connected).toBe(1);
    expect(textRows(await session.query('SELECT 1'))).toEqual([['1']]);
    third.close();
  });

  it('C17 what was lost and not told yet is told by the other generation', async () => {
    when(one, 'UPDATE', ({ connection }) => connection.ok({ status: IN_TRANS }));
    const session = await client();
    await session.query('BEGIN');
    await session.query('UPDATE a SET v = 1');
    for (const { socket } of one.connections) socket.destroy();
    await until('its end is noticed', () => both.old.session().loss.text !== null);
    await move();
    expect(errorLine((await session.query('SELECT 1 FROM a'))[0]?.payload)).toMatch(/^10014 .*transaction has ended/);
    expect(
      parseOk((await session.query('SET x = 1'))[0]?.payload ?? Buffer.alloc(0), false).status & STATUS.IN_TRANS,
    ).toBe(0);
  });
});

const okPayload = (): Buffer => Buffer.from([0, 0, 0, 2, 0, 0, 0]);
