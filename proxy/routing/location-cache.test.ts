import { describe, expect, it } from 'vitest';
import type { TableLocation } from '../cluster/topology.ts';
import { LocationCache } from './location-cache.ts';

function locationAt(address: string): TableLocation {
  return {
    tenant: 't',
    database: 'd',
    table: 'x',
    tableId: '1',
    partitionCount: 1,
    schemaVersion: '1',
    replicas: [{ address, role: 'leader' }],
  };
}

function setUp(maxEntries = 10) {
  const clock = { nowMs: 0 };
  const calls: string[] = [];
  const answers: { resolve: (location: TableLocation | null) => void; reject: (error: Error) => void }[] = [];
  const errors: unknown[] = [];
  const cache = new LocationCache({
    load: (tenant, database, table) => {
      calls.push(`${tenant}/${database}/${table}`);
      const { promise, resolve, reject } = Promise.withResolvers<TableLocation | null>();
      answers.push({ resolve, reject });
      return promise;
    },
    nowMs: () => clock.nowMs,
    maxEntries,
    negativeLifetimeMs: 10_000,
    minUpdateGapMs: () => 5_000,
    onLoadError: (error) => errors.push(error),
  });
  return { cache, clock, calls, answers, errors };
}

describe('location cache', () => {
  it('asks once for many requests at the same time', async () => {
    const { cache, calls, answers } = setUp();
    expect(cache.get('t', 'd', 'x')).toBeUndefined();
    const loads = [cache.load('t', 'd', 'x'), cache.load('t', 'd', 'x'), cache.load('t', 'd', 'x')];
    expect(cache.get('t', 'd', 'x')).toBeUndefined();
    const location = locationAt('a');
    answers[0]?.resolve(location);
    expect(await Promise.all(loads)).toEqual([location, location, location]);
    expect(calls).toEqual(['t/d/x']);
    expect(cache.get('t', 'd', 'x')).toBe(location);
  });

  it('R22 case B76 uses a dirty entry while it is fetched anew, and not too often', async () => {
    const { cache, clock, calls, answers } = setUp();
    const first = cache.load('t', 'd', 'x');
    answers[0]?.resolve(locationAt('a'));
    await first;
    cache.markDirty('t', 'd', 'x');
    expect(cache.get('t', 'd', 'x')).toEqual(locationAt('a'));
    expect(calls).toHaveLength(1);
    clock.nowMs = 5_000;
    expect(cache.get('t', 'd', 'x')).toEqual(locationAt('a'));
    expect(cache.get('t', 'd', 'x')).toEqual(locationAt('a'));
    expect(calls).toHaveLength(2);
    const refreshed = cache.load('t', 'd', 'x');
    answers[1]?.resolve(locationAt('b'));
    await refreshed;
    expect(cache.get('t', 'd', 'x')).toEqual(locationAt('b'));
    expect(calls).toHaveLength(2);
  });

  it('keeps a mark that is set during the fetch', async () => {
    const { cache, clock, calls, answers } = setUp();
    const first = cache.load('t', 'd', 'x');
    cache.markDirty('t', 'd', 'x');
    answers[0]?.resolve(locationAt('a'));
    await first;
    clock.nowMs = 6_000;
    cache.get('t', 'd', 'x');
    expect(calls).toHaveLength(2);
  });

  it('case B76 asks for a missing table only once per life time', async () => {
    const { cache, clock, calls, answers } = setUp();
    const load = cache.load('t', 'd', 'nosuch');
    answers[0]?.resolve(null);
    expect(await load).toBeNull();
    for (let request = 0; request < 1000; request += 1) expect(cache.get('t', 'd', 'nosuch')).toBeNull();
    expect(calls).toHaveLength(1);
    clock.nowMs = 10_000;
    expect(cache.get('t', 'd', 'nosuch')).toBeUndefined();
  });

  it('case B76 falls back for a while when nobody answers', async () => {
    const { cache, clock, answers, errors } = setUp();
    const load = cache.load('t', 'd', 'x');
    answers[0]?.reject(new Error('timed out'));
    expect(await load).toBeNull();
    expect(errors).toHaveLength(1);
    expect(cache.get('t', 'd', 'x')).toBeNull();
    clock.nowMs = 10_000;
    expect(cache.get('t', 'd', 'x')).toBeUndefined();
  });

  it('keeps the old place when a refresh fails', async () => {
    const { cache, clock, answers } = setUp();
    const load = cache.load('t', 'd', 'x');
    answers[0]?.resolve(locationAt('a'));
    await load;
    cache.markDirty('t', 'd', 'x');
    clock.nowMs = 5_000;
    cache.get('t', 'd', 'x');
    const refresh = cache.load('t', 'd', 'x');
    answers[1]?.reject(new Error('timed out'));
    expect(await refresh).toEqual(locationAt('a'));
    expect(cache.get('t', 'd', 'x')).toEqual(locationAt('a'));
  });

  it('is bounded', async () => {
    const { cache, answers } = setUp(3);
    for (let table = 0; table < 10; table += 1) {
      const load = cache.load('t', 'd', `x${table}`);
      answers[table]?.resolve(null);
      await load;
    }
    expect(cache.size).toBe(3);
    cache.markDirty('t', 'd', 'x0');
    expect(cache.get('t', 'd', 'x0')).toBeUndefined();
    expect(cache.get('t', 'd', 'x9')).toBeNull();
  });
});
