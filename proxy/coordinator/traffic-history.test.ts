import { describe, expect, it } from 'vitest';
import { trafficSchema } from '../control/contract.ts';
import type { WorkerReport } from '../worker/calls.ts';
import { MAX_ZONES, SLOTS, STEP_MS, TrafficHistory } from './traffic-history.ts';

const start = Date.UTC(2026, 0, 2, 3, 0, 0);

/** A report of one cluster: `[requests, errors]` by server address. */
function report(servers: Record<string, [number, number]>, cluster = 'c'): WorkerReport {
  const counters = Object.entries(servers).map(([address, [requests, errors]]) => [
    address,
    { serverSessions: 1, requests, errors },
  ]);
  return {
    clientSessions: 1,
    serverSessions: 1,
    requests: 0,
    errors: 0,
    clusters: { [cluster]: { clientSessions: 1, logins: 1, servers: Object.fromEntries(counters) } },
    locations: {},
  };
}

const nothing = report({});

/** A history whose clock the test moves; the zone of a server is the part of its address before the dash. */
function aHistory() {
  const clock = { nowMs: start };
  const history = new TrafficHistory(
    () => clock.nowMs,
    (_cluster, address) => address.split('-')[0] ?? '',
  );
  return { clock, history };
}

describe('traffic by zone', () => {
  it('adds up the servers of a zone and all workers, by what their counters grew', () => {
    const { clock, history } = aHistory();
    clock.nowMs = start + 2_000;
    const first = report({ 'z1-a': [10, 1], 'z1-b': [5, 0], 'z2-a': [7, 7] });
    history.add(0, nothing, first);
    history.add(0, first, report({ 'z1-a': [14, 1], 'z1-b': [5, 0], 'z2-a': [7, 7] }));
    history.add(1, nothing, report({ 'z1-a': [100, 2] }));
    clock.nowMs = start + STEP_MS + 1_500;
    const traffic = history.window({ minutes: 15 });
    expect(trafficSchema.parse(traffic)).toEqual(traffic);
    expect(traffic.stepMs).toBe(STEP_MS);
    expect(traffic.zones.map(({ zone, statements, errors }) => [zone, statements.at(-1), errors.at(-1)])).toEqual([
      ['z1', 119, 3],
      ['z2', 7, 7],
    ]);
    // Nothing is known of what was before the start.
    expect(traffic.zones[0]?.statements.at(-2)).toBeNull();
    expect(Date.parse(traffic.from) + 180 * STEP_MS).toBe(start + STEP_MS);
  });

  it('tells a piece of time only when everything in it has been reported', () => {
    const { clock, history } = aHistory();
    clock.nowMs = start + 4_999;
    history.add(0, nothing, report({ 'z1-a': [1, 0] }));
    clock.nowMs = start + STEP_MS + 1_499;
    expect(history.window({ minutes: 1 }).zones[0]?.statements.at(-1)).toBeNull();
    clock.nowMs += 1;
    expect(history.window({ minutes: 1 }).zones[0]?.statements.at(-1)).toBe(1);
  });

  it('shares a report that reaches over a border out, so that even traffic stays even', () => {
    const { clock, history } = aHistory();
    clock.nowMs = start + STEP_MS + 250;
    history.add(0, nothing, report({ 'z1-a': [100, 0] }));
    clock.nowMs = start + 2 * STEP_MS + 1_500;
    expect(history.window({ minutes: 1 }).zones[0]?.statements.slice(-2)).toEqual([75, 25]);
  });

  it('counts on after a worker or the clock began anew', () => {
    const { clock, history } = aHistory();
    history.add(0, report({ 'z1-a': [1000, 9] }), report({ 'z1-a': [3, 1] }));
    clock.nowMs = start - 3_600_000;
    history.add(0, report({ 'z1-a': [3, 1] }), report({ 'z1-a': [5, 1] }));
    clock.nowMs = start + STEP_MS + 1_500;
    expect(history.window({ minutes: 1 }).zones[0]).toMatchObject({ statements: expect.arrayContaining([5]) });
  });

  it('answers longer spans with longer points, which lie at the same times whenever they are asked for', () => {
    const { clock, history } = aHistory();
    for (let second = 1; second <= 600; second++) {
      clock.nowMs = start + second * 1_000;
      history.add(0, report({ 'z1-a': [second - 1, 0] }), report({ 'z1-a': [second, 0] }));
    }
    clock.nowMs = start + 602_000;
    const hour = history.window({ minutes: 60 });
    expect(hour.stepMs).toBe(20_000);
    expect(hour.zones[0]?.statements.slice(-30).every((count) => count === 20)).toBe(true);
    const earlier = history.window({ minutes: 60, to: new Date(start + 311_000).toISOString() });
    expect(Date.parse(earlier.from) + 180 * 20_000).toBe(start + 300_000);
    expect(earlier.zones[0]?.statements.slice(-15).every((count) => count === 20)).toBe(true);
  });

  it('forgets what is older than its ring, and takes no more memory for 500 servers or ever new zones', () => {
    const { clock, history } = aHistory();
    const many = Array.from({ length: 500 }, (_, index): [string, [number, number]] => [`z${index}-a`, [1, 0]]);
    history.add(0, nothing, report(Object.fromEntries(many)));
    clock.nowMs = start + STEP_MS + 1_500;
    const zones = history.window({ minutes: 1 }).zones;
    expect(zones).toHaveLength(MAX_ZONES + 1);
    expect(zones.at(-1)).toMatchObject({ cluster: '', zone: '' });
    expect(zones.at(-1)?.statements.at(-1)).toBe(500 - MAX_ZONES);
    // Zones of which nothing is left make room for others.
    clock.nowMs = start + (SLOTS + 2) * STEP_MS + 2_000;
    history.add(0, nothing, report({ 'new-a': [2, 0] }));
    clock.nowMs += STEP_MS + 1_500;
    const later = history.window({ minutes: 1 }).zones;
    expect(later.map(({ zone }) => zone)).toEqual(['new']);
    expect(later[0]?.statements.at(-1)).toBe(2);
    expect(history.window({ minutes: 1, to: new Date(start).toISOString() }).zones[0]?.statements.at(-1)).toBeNull();
  });
});
