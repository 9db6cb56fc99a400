import type { RowDataPacket } from 'mysql2/promise';
import { afterAll, expect, it } from 'vitest';
import { prepareKernel, startKernel, type TestKernel } from '../testing/kernel.ts';
import { describeWith, type UnavailablePart } from '../testing/part.ts';
import { startProxy, type TestProxy, until } from '../testing/proxy.ts';
import { errorLine, type RawClient, textRows } from '../testing/raw-client.ts';
import { COM } from '../wire/constants.ts';

interface TwoProxies {
  readonly available: true;
  readonly kernel: TestKernel;
  readonly one: TestProxy;
  readonly two: TestProxy;
  close(): Promise<void>;
}

/** Two proxies before one genuine kernel, which knows their clients' ids. */
async function twoProxies(): Promise<TwoProxies | UnavailablePart> {
  const kernel = await startKernel();
  if (!kernel.available) return kernel;
  await prepareKernel(kernel);
  const start = (proxyId: number) =>
    startProxy({
      rsList: kernel.address,
      clusterName: 'obdemo',
      parameters: { client_session_id_version: 2, proxy_id: proxyId },
    });
  const [one, two] = await Promise.all([start(1), start(2)]);
  const close = async () => {
    await Promise.all([one.close(), two.close()]);
    await kernel.close();
  };
  return { available: true, kernel, one, two, close };
}

const proxies = await twoProxies();
afterAll(() => proxies.close());

describeWith(proxies, 'client_session_id_version 2: KILL and lists over several proxies', ({ kernel, one, two }) => {
  const user = 'root@sys#obdemo';
  const login = async (proxy: TestProxy): Promise<RawClient> => {
    const client = await proxy.raw();
    await client.login({ user });
    return client;
  };
  const idOf = (client: RawClient): number => client.greeting?.connectionId ?? 0;
  /** The server ends the statement (5066), if there is one, and the connection: the client sees first what comes first. */
  const ends = async (client: RawClient, told: Buffer | undefined): Promise<void> => {
    expect(errorLine(told)).toMatch(/^(4401|5066) /);
    if (errorLine(told).startsWith('5066')) {
      expect(errorLine((await client.query('SELECT 1'))[0]?.payload)).toMatch(/^4401 /);
    }
    await client.closed;
  };
  const isRunning = async (text: string): Promise<boolean> => {
    const killer = await two.connect({ user });
    const [rows] = await killer.query<RowDataPacket[]>('SHOW PROCESSLIST');
    await killer.end();
    return rows.some((row) => row.Info === text);
  };

  it('case B80 greeting, CONNECTION_ID() and every proxy’s list tell the same id', async () => {
    const [client, other] = [await login(one), await login(two)];
    expect(idOf(client) >>> 18).toBe(1);
    expect(textRows(await client.query('SELECT CONNECTION_ID()'))).toEqual([[String(idOf(client))]]);
    for (const list of ['SHOW PROCESSLIST', 'SHOW FULL PROCESSLIST']) {
      const ids = textRows(await other.query(list)).map(([id]) => id);
      expect(ids).toEqual(expect.arrayContaining([String(idOf(client)), String(idOf(other))]));
    }
    other.command(COM.PROCESS_INFO, '');
    expect(textRows(await other.reply()).map(([id]) => id)).toContain(String(idOf(client)));
    client.destroy();
    other.destroy();
  });

  it('case B80 C19 KILL QUERY of a statement at another proxy ends it, and its session goes on', async () => {
    const [target, killer] = [await login(one), await login(two)];
    target.command(COM.QUERY, 'SELECT SLEEP(50)');
    await until('it runs', () => isRunning('SELECT SLEEP(50)'));
    await killer.query(`KILL QUERY ${idOf(target)}`);
    await target.reply();
    expect(textRows(await target.query('SELECT 5'))).toEqual([['5']]);
    target.destroy();
    killer.destroy();
  });

  it('case B80 C19 KILL of a session at another proxy ends what its server runs for it', async () => {
    const [target, killer] = [await login(one), await login(two)];
    target.command(COM.QUERY, 'SELECT SLEEP(51)');
    await until('it runs', () => isRunning('SELECT SLEEP(51)'));
    const id = Buffer.alloc(4);
    id.writeUInt32LE(idOf(target));
    killer.command(COM.PROCESS_KILL, id);
    expect((await killer.packet()).payload[0]).toBe(0);
    await ends(target, (await target.packet()).payload);
    await until('it is over', async () => !(await isRunning('SELECT SLEEP(51)')));
    target.destroy();
    killer.destroy();
  });

  it('case B80 C19 KILL of an idle session at another proxy ends its client with the next statement', async () => {
    const [target, killer] = [await login(one), await login(two)];
    await killer.query(`KILL ${idOf(target)}`);
    await ends(target, (await target.query('SELECT 1'))[0]?.payload);
    killer.destroy();
  });

  it('case B80 C19 ids of nobody are unknown, and those of the own proxy are ended there, client and all', async () => {
    const [target, killer] = [await login(two), await login(two)];
    expect(errorLine((await killer.query(`KILL ${(1 << 18) + 9999}`))[0]?.payload)).toMatch(/^1094 /);
    await killer.query(`KILL ${idOf(target)}`);
    await target.closed;
    killer.destroy();
  });

  it('case B80 C19 a server’s own id means the session that has it', async () => {
    const [target, admin] = [await login(one), await one.admin()];
    const [rows] = await admin.query<RowDataPacket[]>(
      `SHOW PROXYSESSION ATTRIBUTE ${idOf(target)} LIKE 'server_sessid'`,
    );
    const serverId = Number(rows[0]?.value);
    expect(serverId).toBeGreaterThan(0x7fff_ffff);
    expect(kernel.available).toBe(true);
    await admin.query(`KILL ${serverId}`);
    await target.closed;
    await admin.end();
  });
});
