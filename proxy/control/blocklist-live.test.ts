import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlBench, type EventReader } from './testing.ts';

const cluster = 'obdemo';
const a = '127.0.0.11:2881';
const b = '127.0.0.12:2881';

let bench: ControlBench;
let events: EventReader;
beforeEach(async () => {
  bench = await ControlBench.start();
  bench.blocklists.setServers(cluster, [{ address: a }, { address: b }]);
  await bench.history.blocklist.idle();
  events = await bench.events(await bench.userToken('v', 'viewer'));
  await events.next('overview');
});
afterEach(async () => {
  events.close();
  await bench.stop();
});

/** The first event tells everything, since nothing was told before. */
async function begin() {
  bench.blocklists.setServers(cluster, [{ address: a }, { address: b }]);
  return await events.next('blocklist');
}

describe('live event `blocklist`', () => {
  it('tells everything first, then only what has changed, with the listing and its reason', async () => {
    expect((await begin()).clusters).toMatchObject([
      { name: cluster, servers: [{ address: a }, { address: b }], removed: [] },
    ]);
    for (let count = 0; count < 5; count += 1) bench.blocklists.fail(cluster, b);
    let event = await events.next('blocklist');
    expect(event).toMatchObject({
      at: '2026-03-01T10:00:00.000Z',
      reload: false,
      clusters: [{ name: cluster, servers: [{ address: b, listings: [{ list: 'alive' }] }] }],
    });
    expect(event.clusters[0]?.servers).toHaveLength(1);
    // The row may be stored a moment after the state was sent.
    while (event.events.length === 0) event = await events.next('blocklist');
    expect(event.events).toMatchObject([{ id: 1, server: b, list: 'alive', change: 'listed' }]);
  });

  it('sends a storm in few events, the last state always', async () => {
    await begin();
    const startedAtMs = performance.now();
    for (let count = 0; count < 1_000; count += 1) bench.blocklists.fail(cluster, a);
    let sent = 1;
    while ((await events.next('blocklist')).clusters[0]?.servers[0]?.failures.total !== 1_000) sent += 1;
    expect(sent).toBeLessThanOrEqual(1 + (performance.now() - startedAtMs) / 250);
  });

  it('does not tell of probes that are answered', async () => {
    await begin();
    bench.blocklists.probe(cluster, a, true);
    // From unknown to DETECT_ALIVE is news, every further one is not.
    expect((await events.next('blocklist')).clusters[0]?.servers).toMatchObject([
      { address: a, finding: 'DETECT_ALIVE' },
    ]);
    bench.blocklists.probe(cluster, a, true);
    bench.blocklists.probe(cluster, b, false);
    expect((await events.next('blocklist')).clusters[0]?.servers.map(({ address }) => address)).toEqual([b]);
  });

  it('tells of failures that leave the window, of which nobody else tells', async () => {
    await begin();
    bench.blocklists.fail(cluster, a);
    expect((await events.next('blocklist')).clusters[0]?.servers[0]?.failures.inWindow).toBe(1);
    bench.pass(200_000);
    expect((await events.next('blocklist')).clusters[0]?.servers[0]?.failures).toMatchObject({
      inWindow: 0,
      buckets: [],
    });
  });

  it('tells of servers that leave, and asks for a new reading when too much has changed', async () => {
    await begin();
    bench.blocklists.setServers(cluster, [{ address: b }]);
    expect((await events.next('blocklist')).clusters).toMatchObject([{ name: cluster, servers: [], removed: [a] }]);
    const many = Array.from({ length: 400 }, (_, index) => ({ address: `10.0.${index >> 8}.${index & 255}:2881` }));
    bench.blocklists.setServers(cluster, many);
    expect(await events.next('blocklist')).toMatchObject({ reload: true, clusters: [], events: [] });
  });
});
