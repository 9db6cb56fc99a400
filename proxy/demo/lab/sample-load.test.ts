import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LoadConnection } from './load-connection.ts';
import { SampleLoad } from './sample-load.ts';

const order = { host: '127.0.0.1', port: 2883, user: 'root@trade#obdemo', database: 'trade', forMs: 60_000 };

/** A load whose server is a function of the statement. */
function bench(answer: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>) {
  const statements: string[] = [];
  const counts = { opened: 0, destroyed: 0 };
  const open = async (): Promise<LoadConnection> => {
    counts.opened += 1;
    return {
      query: (sql) => {
        statements.push(sql);
        return answer(sql);
      },
      destroy: () => {
        counts.destroyed += 1;
      },
    };
  };
  const load = new SampleLoad(open, (hostName) => (hostName.startsWith('host-') ? hostName.slice(5) : null));
  return { load, statements, counts };
}

const works = async (sql: string) =>
  /^REPLACE|^CREATE/.test(sql)
    ? []
    : [{ host: sql.includes('WEAK') ? 'host-zone4' : 'host-zone1', here: 'host-zone2' }];

describe('sample load', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('closes a connection that had not logged in yet when it ended', async () => {
    const { promise, resolve } = Promise.withResolvers<LoadConnection>();
    const destroy = vi.fn();
    const load = new SampleLoad(
      () => promise,
      () => null,
    );
    load.start(order);
    await vi.advanceTimersByTimeAsync(100);
    load.stop();
    resolve({ query: works, destroy });
    await vi.advanceTimersByTimeAsync(0);
    expect(destroy).toHaveBeenCalledTimes(1);
  });

  it('writes, reads back and reads weakly, 20 statements a second, and ends by itself', async () => {
    const { load, statements, counts } = bench(works);
    expect(load.report()).toBeNull();
    load.start(order);
    await vi.advanceTimersByTimeAsync(10_000);
    const report = load.report();
    expect(report).toMatchObject({ running: true, waiting: 0, failures: [] });
    expect(report?.recent).toMatchObject({
      write: { failed: 0, zones: { zone1: expect.any(Number) } },
      read: { failed: 0, zones: { zone2: expect.any(Number) } },
      weak: { failed: 0, zones: { zone4: expect.any(Number) } },
    });
    expect(statements.filter((sql) => sql.startsWith('CREATE'))).toHaveLength(1);
    expect(statements.length).toBeGreaterThan(190);
    expect(statements.length).toBeLessThan(210);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(load.report()).toMatchObject({
      running: false,
      endsAt: new Date(Date.parse(report?.startedAt ?? '') + 60_000).toISOString(),
    });
    expect(counts.destroyed).toBe(counts.opened);
    const sent = statements.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(statements).toHaveLength(sent);
  });

  it('counts what fails, tries nothing again, and goes on over a new connection', async () => {
    let isDown = false;
    const { load, counts } = bench(async (sql) => {
      if (isDown) throw new Error('it has gone');
      return works(sql);
    });
    load.start(order);
    await vi.advanceTimersByTimeAsync(750);
    isDown = true;
    await vi.advanceTimersByTimeAsync(75);
    isDown = false;
    await vi.advanceTimersByTimeAsync(750);
    const report = load.report();
    const failed = Object.values(report?.total ?? {}).map((kind) => kind.failed);
    expect(failed.reduce((sum, count) => sum + count)).toBe(1);
    expect(report?.failures).toMatchObject([{ text: 'it has gone' }]);
    expect(counts).toEqual({ opened: 2, destroyed: 1 });
    load.stop();
    expect(load.report()?.running).toBe(false);
  });

  it('sends nothing more when all its connections wait, and says how many do', async () => {
    const { load, statements } = bench((sql) => (sql.startsWith('CREATE') ? works(sql) : new Promise(() => undefined)));
    load.start(order);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(load.report()?.waiting).toBe(16);
    expect(statements).toHaveLength(17);
    load.stop();
    expect(load.report()).toMatchObject({ running: false, waiting: 0 });
  });
});
