import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../testing/proxy.ts';
import { errorLine, type RawClient, textRows } from '../testing/raw-client.ts';
import { CAP, COM, STATUS } from '../wire/constants.ts';
import { buildErr } from '../wire/err-packet.ts';
import { encodeVariableBlock } from '../wire/ob-variables.ts';
import { framePackets } from '../wire/writer.ts';
import { type ScriptedServer, startScriptedServer, when } from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

const LOGIN_VARIABLES = { wait_timeout: '100', interactive_timeout: '200' };
const IN_TRANS = STATUS.AUTOCOMMIT | STATUS.IN_TRANS;

/** What a session waits for, and how long; the clock is moved by hand. */
describe('time limits of a client session', () => {
  let server: ScriptedServer;
  let proxy: SessionProxy;

  beforeEach(async () => {
    server = await startScriptedServer({ variables: LOGIN_VARIABLES });
    proxy = startSessionProxy([server]);
  });

  afterEach(async () => {
    proxy.close();
    await server.close();
  });

  /** SET name = n is answered as an OBServer does. */
  const takesSet = (name: string, status: number = STATUS.AUTOCOMMIT): void =>
    when(server, `SET ${name}`, ({ connection, text }) => {
      const value = Buffer.from(text.split('= ')[1] ?? '');
      connection.ok({
        status: status | STATUS.SESSION_STATE_CHANGED,
        tail: encodeVariableBlock({ system: [[name, value]] }),
      });
    });
  const gone = (): Promise<void> =>
    until('nothing is open at the server', () => server.connections.size === 0 && proxy.context.registry.size === 0);

  it.each([
    ['wait_timeout', 0, STATUS.AUTOCOMMIT],
    ['wait_timeout', 0, IN_TRANS],
    ['interactive_timeout', CAP.INTERACTIVE, STATUS.AUTOCOMMIT],
  ])(
    'case B90 SET %s = 2 (client flags %i, status %i) closes an idle client, and its server sessions',
    async (name, flags, status) => {
      takesSet(name, status);
      const client = await proxy.client({
        capabilities: (0xffffff & ~CAP.SSL & ~CAP.COMPRESS & ~CAP.CONNECT_WITH_DB & ~CAP.INTERACTIVE) | flags,
      });
      proxy.advance(99_000);
      await client.query(`SET ${name} = 2`);
      proxy.advance(1900);
      await client.query('SELECT 5');
      proxy.advance(1900);
      expect(proxy.context.registry.size).toBe(1);
      proxy.advance(200);
      await client.closed;
      await gone();
    },
  );

  it('case B90 the limits of the log-in count until they are set: wait_timeout, or interactive_timeout', async () => {
    const flags = 0xffffff & ~CAP.SSL & ~CAP.COMPRESS & ~CAP.CONNECT_WITH_DB;
    const client = await proxy.client({ capabilities: flags & ~CAP.INTERACTIVE });
    const interactive = await proxy.client({ capabilities: flags | CAP.INTERACTIVE });
    proxy.advance(100_100);
    await client.closed;
    expect(textRows(await interactive.query('SELECT 5'))).toEqual([['5']]);
    proxy.advance(200_100);
    await interactive.closed;
    await gone();
  });

  it('a session whose server tells no variables has default_inactivity_timeout', async () => {
    const silent = await startScriptedServer();
    const own = startSessionProxy([silent], { default_inactivity_timeout: '7s' });
    const client = await own.client();
    own.advance(6900);
    client.command(COM.PING);
    await client.packet();
    own.advance(6900);
    expect(own.context.registry.size).toBe(1);
    own.advance(200);
    await client.closed;
    own.close();
    await silent.close();
  });

  it('a running statement is no idleness', async () => {
    takesSet('wait_timeout');
    const client = await proxy.client();
    await client.query('SET wait_timeout = 2');
    let answer: (() => void) | null = null;
    when(server, 'SELECT 7', ({ connection }) => {
      answer = () => connection.value('7');
    });
    client.command(COM.QUERY, 'SELECT 7');
    await until('the server has it', () => answer !== null);
    proxy.advance(20_000);
    const reply = client.reply();
    (answer as unknown as () => void)();
    expect(textRows(await reply)).toEqual([['7']]);
  });

  it('C15 case B90 ob_query_timeout: the server’s own error comes first, and is relayed', async () => {
    takesSet('ob_query_timeout');
    const client = await proxy.client();
    await client.query('SET ob_query_timeout = 1000000');
    when(server, 'SELECT 7', ({ connection }) => {
      proxy.advance(3000);
      connection.send([buildErr({ errno: 4012, sqlState: 'HY000', message: 'Timeout' })]);
    });
    expect(errorLine((await client.query('SELECT 7'))[0]?.payload)).toBe('4012 Timeout');
    when(server, 'SELECT 8', () => undefined);
    client.command(COM.QUERY, 'SELECT 8');
    await until('the server has it', () => server.log.includes('QUERY SELECT 8'));
    proxy.advance(20_900);
    expect(proxy.log.filter((line) => line.includes('did not answer'))).toEqual([]);
    proxy.advance(200);
    expect(errorLine((await client.packet()).payload)).toMatch(/^10015 .*21000 ms/);
  });

  it('C15 case B90 a transaction that the server ends for idleness: its error is relayed', async () => {
    const client = await proxy.client();
    when(server, 'UPDATE', ({ connection }) => connection.ok({ status: IN_TRANS }));
    when(server, 'INSERT', ({ connection }) => {
      connection.send([buildErr({ errno: 6002, sqlState: '40000', message: 'Transaction rollbacked' })]);
    });
    await client.query('UPDATE a SET v = 1');
    expect(errorLine((await client.query('INSERT INTO a VALUES (1)'))[0]?.payload)).toBe('6002 Transaction rollbacked');
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
  });

  it.each([
    ['a request begun', (client: RawClient) => client.write(Buffer.from([9, 0, 0, 0, COM.QUERY, 0x53]))],
    ['a packet header begun', (client: RawClient) => client.write(Buffer.from([9, 0]))],
    [
      'a long request begun',
      (client: RawClient) =>
        client.write(framePackets(Buffer.from(`\x03SELECT '${'x'.repeat(200_000)}'`), 0).subarray(0, 150_000)),
    ],
  ])('net_read_timeout: %s and never sent whole', async (_what, begin) => {
    takesSet('net_read_timeout');
    const client = await proxy.client();
    await client.query('SET net_read_timeout = 3');
    begin(client);
    await until('it has come', () =>
      [...proxy.context.registry].every(({ limits }) => limits.awaited === 'rest-of-request'),
    );
    proxy.advance(2900);
    expect(proxy.context.registry.size).toBe(1);
    proxy.advance(200);
    expect(errorLine((await client.packet()).payload)).toMatch(/^1159 .*for 3 s/);
    await client.closed;
    await gone();
  });

  it('net_read_timeout counts anew with every piece of a long request', async () => {
    takesSet('net_read_timeout');
    const client = await proxy.client();
    await client.query('SET net_read_timeout = 3');
    const frame = framePackets(Buffer.from(`\x03SELECT '${'x'.repeat(400_000)}'`), 0);
    const [session] = [...proxy.context.registry];
    for (let at = 0; at < frame.length; at += 100_000) {
      const before = session?.limits.sinceMs;
      await client.flush(frame.subarray(at, at + 100_000));
      await until(
        'it has come',
        () => session?.limits.sinceMs !== before || session?.limits.awaited === 'next-request',
      );
      proxy.advance(2000);
    }
    expect((await client.packet()).payload[0]).toBe(1);
  });

  it('C16 net_write_timeout: a client that does not take its rows is let go, and the server stops', async () => {
    takesSet('net_write_timeout');
    const client = await proxy.client();
    await client.query('SET net_write_timeout = 4');
    when(server, 'SELECT rows', ({ connection, text }) => connection.value(text.repeat(3_000_000)));
    client.pauseReading();
    client.command(COM.QUERY, 'SELECT rows');
    await until('the client is what is waited for', () =>
      [...proxy.context.registry].every(({ limits }) => limits.awaited === 'client-reads'),
    );
    proxy.advance(3900);
    expect(proxy.context.registry.size).toBe(1);
    proxy.advance(200);
    await gone();
  });
});
