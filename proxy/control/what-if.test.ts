import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlBench } from './testing.ts';
import { defaultCongestion } from './testing-blocklists.ts';
import { whatIf } from './what-if.ts';

const cluster = 'obdemo';
const a = '127.0.0.11:2881';
const b = '127.0.0.12:2881';

let bench: ControlBench;
let viewer: string;
beforeEach(async () => {
  bench = await ControlBench.start();
  viewer = await bench.userToken('v', 'viewer');
  bench.blocklists.setServers(cluster, [{ address: a }, { address: b }]);
});
afterEach(() => bench.stop());

/** Failures a minute apart: never five within two minutes. */
function slowFailures(count: number): void {
  for (let done = 0; done < count; done += 1) {
    bench.blocklists.fail(cluster, a);
    bench.pass(60_000);
  }
}
async function ask(parameters: object, change: object = {}) {
  await bench.history.blocklist.idle();
  const body = { cluster, hours: 2, parameters, ...change };
  return await bench.call('POST', '/v1/blocklist/what-if', { token: viewer, body });
}

describe('POST /v1/blocklist/what-if', () => {
  it('B17 B18 says who would have been listed under other parameters', async () => {
    slowFailures(4);
    const { json } = await ask({ congestion_failure_threshold: '3', congestion_fail_window: '180s' });
    expect(json).toMatchObject({
      from: '2026-03-01T08:04:00.000Z',
      to: '2026-03-01T10:04:00.000Z',
      parameters: { ...defaultCongestion, failureThreshold: 3, failWindowMs: 180_000 },
      failures: 4,
      unreadable: 0,
      was: [],
    });
    expect(json.would[0]).toMatchObject({
      server: a,
      list: 'alive',
      listedAt: '2026-03-01T10:02:00.000Z',
      reason: '3 failures within 180s: 3 × server-error 4013; the last: no memory',
    });
    expect((await ask({})).json.would).toEqual([]);
  });

  it('shows beside it what really happened, on every list, also what began before the span', async () => {
    bench.blocklists.setServers(cluster, [{ address: a }, { address: b, state: 'INACTIVE' }]);
    bench.pass(7_200_000);
    for (let count = 0; count < 5; count += 1) bench.blocklists.fail(cluster, a);
    bench.pass(30_000);
    bench.blocklists.tell(cluster, (blocklist) => blocklist.success(a, bench.blocklists.now(), 9));
    const { json } = await ask({ congestion_failure_threshold: '6' }, { hours: 1 });
    expect(json.was).toEqual([
      {
        server: b,
        list: 'status',
        listedAt: '2026-03-01T10:00:00.000Z',
        releasedAt: null,
        reason: 'the cluster says INACTIVE, zone ACTIVE: status INACTIVE',
        releaseReason: null,
      },
      {
        server: a,
        list: 'alive',
        listedAt: '2026-03-01T12:00:00.000Z',
        releasedAt: '2026-03-01T12:00:30.000Z',
        reason: '5 failures within 120s: 5 × server-error 4013; the last: no memory',
        releaseReason: 'a request worked there (session 9)',
      },
    ]);
    expect(json.would.map(({ server, list }: { server: string; list: string }) => [server, list])).toEqual([
      [b, 'status'],
    ]);
  });

  it('counts what was kept by another version, and goes on without it', async () => {
    slowFailures(4);
    await bench.history.blocklist.idle();
    await bench.history.database.$executeRaw`UPDATE "ServerFailure" SET kind = 'new-kind' WHERE id = 4`;
    expect((await ask({ congestion_failure_threshold: '2' })).json).toMatchObject({ failures: 3, unreadable: 1 });
  });

  it.each([
    [{ parameters: { congestion_fail_window: '2h' } }, 'congestion_fail_window'],
    [{ parameters: { min_keep_congestion_interval: 'long' } }, 'min_keep_congestion_interval'],
    [{ parameters: { enable_congestion: 'false' } }, 'parameters'],
    [{ hours: 25 }, 'hours'],
    [{ hours: 0 }, 'hours'],
  ])('case B94 refuses %j', async (change, field) => {
    expect((await ask({}, change)).json).toMatchObject({ status: 400, invalid: [{ field }] });
  });

  it('knows no other cluster', async () => {
    expect((await ask({}, { cluster: 'nosuch' })).status).toBe(404);
  });

  it('gives up what takes too long', async () => {
    const question = { cluster, hours: 1, parameters: defaultCongestion, inForce: defaultCongestion, toWallAtMs: 0 };
    await expect(whatIf(bench.history.blocklist, question, 0)).rejects.toMatchObject({ code: 'TOO_MUCH_TO_REPLAY' });
  });
});
