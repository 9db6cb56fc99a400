import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlBench } from './testing.ts';

let bench: ControlBench;
beforeEach(async () => {
  bench = await ControlBench.start(20);
});
afterEach(() => bench.stop());

const sqlChange = (name: string, value: string) =>
  bench.store.change({
    changes: [{ name, value }],
    actor: 'root@127.0.0.1',
    source: 'sql',
    origin: '127.0.0.1',
    reason: '',
    requestId: 'r',
  });

describe('live events', () => {
  it('greets, shows the overview, and tells changes made from a MySQL client', async () => {
    const events = await bench.events(await bench.userToken('v', 'viewer'));
    expect(await events.next('hello')).toMatchObject({ version: '0.0.0-test' });
    expect((await events.next('overview')).overview.proxy.enableCongestion).toBe(true);
    await sqlChange('enable_congestion', 'off');
    expect((await events.next('history')).row).toMatchObject({
      parameter: 'enable_congestion',
      actor: 'root@127.0.0.1',
    });
    expect((await events.next('parameter')).parameter).toMatchObject({ name: 'enable_congestion', value: 'off' });
    events.close();
  });

  it('sends pings in silence', async () => {
    const events = await bench.events(await bench.userToken('v', 'viewer'));
    expect((await events.next('ping')).at).toBe('2026-03-01T10:00:00.000Z');
    expect((await events.next('ping')).type).toBe('ping');
    events.close();
  });

  it('sends overviews at most four times a second, the last one always', async () => {
    const events = await bench.events(await bench.userToken('v', 'viewer'));
    await events.next('overview');
    for (let count = 1; count <= 1000; count += 1) bench.setProxy({ rssBytes: count });
    expect((await events.next('overview')).overview.proxy.rssBytes).toBe(1000);
    const firstAt = performance.now();
    bench.setProxy({ rssBytes: 2000 });
    expect((await events.next('overview')).overview.proxy.rssBytes).toBe(2000);
    expect(performance.now() - firstAt).toBeGreaterThan(200);
    events.close();
  });

  it('case B112: ends with its log-in, whether logged out, idle too long or disabled', async () => {
    const loggedOut = await bench.userToken('a', 'viewer');
    const first = await bench.events(loggedOut);
    await bench.call('POST', '/v1/logout', { token: loggedOut });
    await first.closed;
    const second = await bench.events(await bench.userToken('b', 'viewer'));
    await bench.history.database.user.update({ where: { name: 'b' }, data: { disabled: true } });
    await second.closed;
    const third = await bench.events(await bench.userToken('c', 'viewer'));
    bench.pass(12 * 3_600_000);
    await third.closed;
  });

  it('is refused without a log-in', async () => {
    await expect(bench.events('nonsense')).rejects.toThrow('status 401');
  });

  it('drops a reader that does not read, and keeps the others', async () => {
    const slowToken = await bench.userToken('slow', 'viewer');
    const good = await bench.events(await bench.userToken('good', 'viewer'));
    const slow = request({
      socketPath: bench.socketPath,
      path: '/v1/events',
      agent: false,
      headers: { authorization: `Bearer ${slowToken}` },
    });
    const dropped = new Promise<void>((resolve) => {
      slow.on('error', () => resolve());
      slow.on('response', (response) => {
        response.socket.pause();
        response.on('error', () => resolve());
        response.on('close', () => resolve());
      });
    });
    slow.end();
    const isDropped = () => bench.logged.some((line) => line.includes('reader is too slow'));
    for (let round = 0; round < 2000 && !isDropped(); round += 1) {
      await sqlChange('init_sql', `${'x'.repeat(4000)}${round}`);
      await good.next('parameter');
    }
    expect(isDropped()).toBe(true);
    slow.destroy();
    await dropped;
    good.close();
  }, 30_000);
});
