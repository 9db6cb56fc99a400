import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../testing/proxy.ts';
import { errorLine, RawClient, textRows } from '../testing/raw-client.ts';
import { COM, STATUS } from '../wire/constants.ts';
import { buildErr } from '../wire/err-packet.ts';
import { makeRoom } from './connection-limit.ts';
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

const MANY = 1000;
/** So many at a time: a listener's queue has an end. */
const AT_ONCE = 100;

/** Limits of the number of connections; the clock is moved by hand. */
describe('client_max_connections', () => {
  let server: ScriptedServer;
  let proxy: SessionProxy;

  const start = async (parameters: Readonly<Record<string, string>>): Promise<void> => {
    server = await startScriptedServer();
    proxy = startSessionProxy([server], parameters);
  };
  const stop = async (): Promise<void> => {
    proxy.close();
    await server.close();
  };
  const count = (): number => proxy.context.countConnection(0);
  const untilAllGone = (): Promise<void> =>
    until(
      'nobody is counted',
      () => count() === 0 && proxy.context.registry.size === 0 && server.connections.size === 0,
    );
  /** Does it for a thousand clients, some at a time. */
  const manyTimes = async (one: () => Promise<void>): Promise<void> => {
    for (let done = 0; done < MANY; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, one));
  };

  describe('refusing', () => {
    beforeEach(() => start({ client_max_connections: '5' }));
    afterEach(stop);

    it('case B89 the sixth client is refused at once with the reference’s 1203, root@proxysys is let in', async () => {
      const clients = [];
      for (let index = 0; index < 5; index++) clients.push(await proxy.client());
      await expect(proxy.client()).rejects.toThrow(/^1203 Too many sessions/);
      const admin = await proxy.client({ user: 'root@proxysys' });
      await until('the refused one is gone', () => count() === 6);
      admin.destroy();
      clients[0]?.destroy();
      await until('a place is free', () => count() === 4);
      await proxy.client();
      expect(server.connections.size).toBe(5);
    });
  });

  describe('counting', () => {
    beforeEach(() => start({}));
    afterEach(stop);

    it('case B89 a thousand log-ins with wrong passwords leave nothing counted', async () => {
      const refusal = buildErr({ errno: 1045, sqlState: '42000', message: 'Access denied' });
      server.onLogin = (connection) => connection.send([refusal], 2);
      await manyTimes(() => expect(proxy.client()).rejects.toThrow(/^1045 /));
      await untilAllGone();
    });

    it('case B89 a thousand connections closed before the greeting is read leave nothing counted', async () => {
      await manyTimes(async () => (await RawClient.open(proxy.port)).destroy());
      await untilAllGone();
    });

    it('case B89 a thousand log-ins half sent are closed at the time limit of the log-in', async () => {
      const clients: RawClient[] = [];
      await manyTimes(async () => {
        const client = await RawClient.connect(proxy.port);
        clients.push(client);
        await client.flush(Buffer.from([50, 0, 0, 1, 1, 2, 3]));
      });
      await until('all are there', () => count() === MANY);
      proxy.advance(9900);
      expect(count()).toBe(MANY);
      proxy.advance(200);
      for (const client of clients) expect(errorLine((await client.packet()).payload)).toMatch(/^1043 /);
      await Promise.all(clients.map((client) => client.closed));
      await untilAllGone();
    });
  });

  it('case B89 0 is no limit', async () => {
    await start({ client_max_connections: '0' });
    await proxy.client();
    await proxy.client();
    await stop();
  });

  describe('enable_client_connection_lru_disconnect', () => {
    beforeEach(() => start({ client_max_connections: '3', enable_client_connection_lru_disconnect: 'True' }));
    afterEach(stop);

    /** Clients that have been idle since one after the other. */
    const three = async (): Promise<[RawClient, RawClient, RawClient]> => {
      const clients: [RawClient, RawClient, RawClient] = [
        await proxy.client(),
        await proxy.client(),
        await proxy.client(),
      ];
      for (const client of clients) {
        proxy.advance(1000);
        await client.query('SELECT 5');
        await until('it waits', () => [...proxy.context.registry].every(({ active }) => !active));
      }
      return clients;
    };

    it('case B89 a new client is let in, and the one idle longest goes without a word', async () => {
      const [first, second, third] = await three();
      proxy.advance(1000);
      await second.query('SELECT 5');
      proxy.advance(1000);
      const fourth = await proxy.client();
      await first.closed;
      await proxy.client();
      await third.closed;
      for (const client of [second, fourth]) expect(textRows(await client.query('SELECT 6'))).toEqual([['6']]);
      expect(count()).toBe(3);
    });

    it('case B89 who is in a transaction or waits for an answer stays, above the limit too, until it is idle', async () => {
      const [first, second, third] = await three();
      server.onRequest = ({ connection, text }) => {
        if (text === 'UPDATE a SET v = 1') connection.ok({ status: STATUS.AUTOCOMMIT | STATUS.IN_TRANS });
        else if (text === 'COMMIT') connection.ok();
      };
      await first.query('UPDATE a SET v = 1');
      for (const client of [second, third]) client.command(COM.QUERY, 'SELECT 9');
      await until('both are asked', () => server.log.filter((line) => line === 'QUERY SELECT 9').length === 2);
      const fourth = await proxy.client();
      const admin = await proxy.client({ user: 'root@proxysys' });
      expect(count()).toBe(5);
      await first.query('COMMIT');
      makeRoom(proxy.context);
      await Promise.all([first.closed, fourth.closed]);
      expect(count()).toBe(3);
      admin.destroy();
    });
  });
});
