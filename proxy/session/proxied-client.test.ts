import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../testing/proxy.ts';
import { errorLine, RawClient, textRows } from '../testing/raw-client.ts';
import { COM } from '../wire/constants.ts';
import { parseGreeting } from '../wire/handshake.ts';
import { PacketWriter } from '../wire/writer.ts';
import type { ClientSession } from './client-session.ts';
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

const SIGNATURE = '0d0a0d0a000d0a515549540a';
const V2 = Buffer.from(`${SIGNATURE}2111000c0a0000090a0000019c400b43`, 'hex');
const V2_LOCAL = Buffer.from(`${SIGNATURE}20000000`, 'hex');
const V1 = Buffer.from('PROXY TCP4 10.0.0.9 10.0.0.1 40000 2883\r\n', 'latin1');

describe('clients behind a load balancer', () => {
  let server: ScriptedServer;
  let proxy: SessionProxy;
  const clients: RawClient[] = [];

  const start = async (networks: string, more: Readonly<Record<string, string>> = {}): Promise<void> => {
    server = await startScriptedServer({ variables: { autocommit: '1' } });
    proxy = startSessionProxy([server], { proxy_protocol_networks: networks, ...more });
  };
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    proxy.close();
    await server.close();
  });

  /** A connection that has sent nothing and read nothing. */
  const open = async (): Promise<RawClient> => {
    const client = await RawClient.open(proxy.port);
    clients.push(client);
    return client;
  };
  const greeted = async (client: RawClient): Promise<RawClient> => {
    client.greeting = parseGreeting((await client.packet()).payload);
    return client;
  };
  const session = (): ClientSession => {
    const [only] = [...proxy.context.registry];
    if (only === undefined) throw new Error('there is no session');
    return only;
  };

  it.each([
    ['version 2', V2],
    ['version 1', V1],
  ])(
    'case B12 a header of %s in front of everything tells where the client is, to servers as well',
    async (_what, header) => {
      await start('127.0.0.1');
      const client = await open();
      client.write(header);
      await greeted(client);
      await client.login({ user: 'u1@t1#c1' });
      expect(session()).toMatchObject({ host: '10.0.0.9', port: 40_000, vip: { host: '10.0.0.1', port: 2883 } });
      const [connection] = [...server.connections];
      const told = connection?.login.attributes.find(([name]) => String(name) === '__client_ip');
      expect(String(told?.[1])).toBe('10.0.0.9');
      expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    },
  );

  it('case B12 b the header may come in pieces, and with the log-in in one', async () => {
    await start('127.0.0.0/8');
    const pieces = await greeted(await open());
    for (const byte of V2) await pieces.flush(Buffer.from([byte]));
    await pieces.login({ user: 'u1@t1#c1' });
    expect(session()).toMatchObject({ host: '10.0.0.9', port: 40_000 });
    pieces.destroy();
    await until('it is gone', () => proxy.context.registry.size === 0);
    const together = await greeted(await open());
    together.write(Buffer.concat([V2, together.loginFrame({ user: 'u1@t1#c1' })]));
    expect((await together.packet()).payload[0]).toBe(0);
    expect(session()).toMatchObject({ host: '10.0.0.9', port: 40_000 });
  });

  it('case B12 b its address counts for who may log in as root@proxysys', async () => {
    await start('127.0.0.1');
    const client = await greeted(await open());
    client.write(V2);
    // Without a password only the machine's own users are let in, and 10.0.0.9 is another machine.
    await expect(client.login({ user: 'root@proxysys' })).rejects.toThrow(/^1045 .*'10\.0\.0\.9'/);
  });

  it('case B12 c LOCAL keeps the real address, and the connection lives', async () => {
    await start('127.0.0.1');
    const client = await greeted(await open());
    client.write(V2_LOCAL);
    await client.login({ user: 'u1@t1#c1' });
    expect(session().host).toBe('127.0.0.1');
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
  });

  it('case B12 a who sends no header waits for nothing; who sends nothing is closed at the time limit of the log-in', async () => {
    await start('127.0.0.1');
    const direct = await greeted(await open());
    await direct.login({ user: 'u1@t1#c1' });
    expect(session().host).toBe('127.0.0.1');
    const silent = await greeted(await open());
    const half = await greeted(await open());
    await half.flush(V2.subarray(0, 20));
    await until('all are there', () => proxy.context.registry.size === 3);
    proxy.advance(10_100);
    for (const client of [silent, half]) {
      expect(errorLine((await client.packet()).payload)).toMatch(/^1043 .*log-in took too long/);
      await client.closed;
    }
    expect(textRows(await direct.query('SELECT 5'))).toEqual([['5']]);
  });

  it.each([
    ['version 2', V2],
    ['version 1', V1],
    ['LOCAL', V2_LOCAL],
  ])('case B12 d a header (%s) that nobody expects is answered with 1043, and the end', async (_what, header) => {
    await start('10.0.0.0/8');
    const client = await greeted(await open());
    client.write(header);
    expect(errorLine((await client.packet()).payload)).toMatch(
      /^1043 .*a PROXY header from 127\.0\.0\.1, not in proxy_protocol_networks/,
    );
    await client.closed;
    await until('nothing is left', () => proxy.context.registry.size === 0);
    expect(proxy.context.countConnection(0)).toBe(0);
  });

  it('case B12 what is put behind the log-in is no header', async () => {
    await start('127.0.0.1');
    const client = await greeted(await open());
    await client.login({ user: 'u1@t1#c1' });
    client.write(V1);
    await until('it waits for the rest', () => session().limits.awaited === 'rest-of-request');
    expect(session().host).toBe('127.0.0.1');
  });

  it('case B12 b the header’s address is the one that a white list is about, at every log-in of the connection', async () => {
    await start('127.0.0.1');
    const row = {
      level: 'LEVEL_TENANT',
      cluster: 'c1',
      vip: '',
      vport: 0,
      vid: -1,
      name: 'client_white_list',
    } as const;
    proxy.context.levels.setOverrides([
      { ...row, tenant: 't1', text: '10.0.0.0/24' },
      { ...row, tenant: 't2', text: '127.0.0.1' },
    ]);
    const through = await greeted(await open());
    through.write(V2);
    await through.login({ user: 'u1@t1#c1' });
    const direct = await greeted(await open());
    await expect(direct.login({ user: 'u1@t1#c1' })).rejects.toThrow(
      /^8205 Can not pass whitelist: nobody may log in to tenant 't1' of cluster 'c1' from 127\.0\.0\.1$/,
    );
    await direct.closed;
    for (const user of ['u1@t2#c1', 'u1@t3#c1', 'root@proxysys']) await (await greeted(await open())).login({ user });
    const asked = server.connections.size;
    through.command(COM.CHANGE_USER, new PacketWriter(64).nullString('u1@t2#c1').u8(0).nullString('').finish());
    expect(errorLine((await through.packet()).payload)).toMatch(/^8205 .*'t2'.* from 10\.0\.0\.9$/);
    await through.closed;
    await until('its server session is gone', () => server.connections.size === asked - 1);
  });
});
