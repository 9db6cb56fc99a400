import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TableLocation } from '../../cluster/topology.ts';
import { LocationCache, type LocationCacheOptions, type ToldPlaces } from './location-cache.ts';
import type { LocationName } from './location-entry.ts';
import { RefreshBudget } from './refresh-budget.ts';

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

interface Call {
  readonly name: LocationName;
  readonly resolve: (location: TableLocation | null) => void;
  readonly reject: (error: Error) => void;
}

function setUp(options: Partial<LocationCacheOptions> = {}, refreshesPerSecond = 1000) {
  const clock = { nowMs: 0 };
  const calls: Call[] = [];
  const errors: unknown[] = [];
  const cache = new LocationCache({
    load: (name) => {
      const { promise, resolve, reject } = Promise.withResolvers<TableLocation | null>();
      const { tenant, database, table, tabletId } = name;
      calls.push({ name: { tenant, database, table, tabletId }, resolve, reject });
      return promise;
    },
    onLoadError: (error) => errors.push(error),
    nowMs: () => clock.nowMs,
    random: () => 0.5,
    maxBytes: () => 1_000_000,
    maxMissing: 100,
    negativeLifetimeMs: 1_000,
    minUpdateGapMs: () => 5_000,
    lifetimeMs: () => 0,
    usesOldMeanwhile: () => true,
    budget: new RefreshBudget(() => refreshesPerSecond),
    clusterVersion: () => 7,
    ...options,
  });
  const locate = (table = 'x') => cache.locate('t', 'd', { name: table });
  /** Servers say that the place of a table is wrong. */
  const doubt = (table = 'x') => {
    for (const entry of cache.entries())
      if (entry.table === table && entry.location !== null) cache.doubt(entry.location);
  };
  /** Asks for a table and has the cluster answer. */
  const know = async (address: string, table = 'x'): Promise<void> => {
    const asked = locate(table);
    calls.at(-1)?.resolve(locationAt(address));
    await asked;
  };
  /** The fetch that is in flight ends. */
  const settle = async (location: TableLocation | null | Error): Promise<void> => {
    const call = calls.at(-1);
    if (location instanceof Error) call?.reject(location);
    else call?.resolve(location);
    await new Promise(setImmediate);
  };
  const states = () => [...cache.entries()].map(({ table, state }) => `${table} ${state}`);
  return { cache, clock, calls, errors, locate, doubt, know, settle, states };
}

describe('location cache', () => {
  it('asks once for many requests at the same time', async () => {
    const { cache, calls, locate, states } = setUp();
    const asked = [locate(), locate(), locate()];
    expect(states()).toEqual(['x BUILDING']);
    const location = locationAt('a');
    calls[0]?.resolve(location);
    expect(await Promise.all(asked)).toEqual([location, location, location]);
    expect(calls).toHaveLength(1);
    expect(locate()).toBe(location);
    expect(states()).toEqual(['x AVAIL']);
    expect(cache.counters()).toMatchObject({ hits: 1, misses: 1, lookups: 1, refreshes: 0, entries: 1 });
  });

  it('R22 case B76 uses the old place while the new one is fetched, at once on feedback and then not too often', async () => {
    const { clock, calls, locate, know, settle, states, doubt } = setUp();
    await know('a');
    doubt();
    expect(calls).toHaveLength(2);
    expect(states()).toEqual(['x UPDATING']);
    expect(locate()).toEqual(locationAt('a'));
    await settle(locationAt('b'));
    expect(locate()).toEqual(locationAt('b'));
    doubt();
    clock.nowMs = 4_999;
    expect(locate()).toEqual(locationAt('b'));
    expect(states()).toEqual(['x DIRTY']);
    expect(calls).toHaveLength(2);
    clock.nowMs = 5_000;
    expect(locate()).toEqual(locationAt('b'));
    expect(calls).toHaveLength(3);
  });

  it('requests wait for what is in doubt when they are told to', async () => {
    const { calls, locate, know, doubt } = setUp({ usesOldMeanwhile: () => false });
    await know('a');
    doubt();
    const asked = [locate(), locate()];
    expect(asked.every((place) => place instanceof Promise)).toBe(true);
    calls[1]?.resolve(locationAt('b'));
    expect(await Promise.all(asked)).toEqual([locationAt('b'), locationAt('b')]);
    expect(calls).toHaveLength(2);
  });

  it('keeps a doubt that comes during the fetch', async () => {
    const { clock, calls, locate, know, settle, doubt } = setUp();
    await know('a');
    doubt();
    doubt();
    await settle(locationAt('b'));
    clock.nowMs = 6_000;
    locate();
    expect(calls).toHaveLength(3);
  });

  it('case B76 asks for a missing table only once per life time', async () => {
    const { clock, calls, locate } = setUp();
    const asked = locate('nosuch');
    calls[0]?.resolve(null);
    expect(await asked).toBeNull();
    for (let request = 0; request < 1000; request += 1) expect(locate('nosuch')).toBeNull();
    expect(calls).toHaveLength(1);
    clock.nowMs = 1_000;
    expect(locate('nosuch')).toBeInstanceOf(Promise);
  });

  it('case B76 a thousand names that do not exist are bounded, and cost known tables nothing', async () => {
    const { cache, calls, locate, know, states } = setUp({ maxMissing: 10 });
    await know('a');
    for (let table = 0; table < 1000; table += 1) {
      const asked = locate(`nosuch${table}`);
      calls.at(-1)?.resolve(null);
      await asked;
    }
    expect(cache.counters().entries).toBe(11);
    expect(states()[0]).toBe('x AVAIL');
  });

  it('case B76 falls back for a while when nobody answers', async () => {
    const { clock, errors, locate, settle } = setUp();
    const asked = locate();
    await settle(new Error('timed out'));
    expect(await asked).toBeNull();
    expect(errors).toHaveLength(1);
    expect(locate()).toBeNull();
    clock.nowMs = 1_000;
    expect(locate()).toBeInstanceOf(Promise);
  });

  it('R22 case B76 a table made anew: its partitions go; a doubt about what has been replaced counts no more', async () => {
    const { cache, calls, locate, know, settle, states } = setUp();
    await know('a');
    const partition = cache.locatePartition(locationAt('a'), { tabletId: '20', name: 'p0' });
    calls.at(-1)?.resolve(locationAt('b'));
    const old = await partition;
    if (old === null) throw new Error('no place');
    expect(states()).toEqual(['x AVAIL', 'x AVAIL']);
    cache.doubt(old);
    expect(calls.slice(2).map(({ name }) => name.tabletId)).toEqual(['20', '0']);
    calls[2]?.resolve(null);
    await settle({ ...locationAt('c'), tableId: '2' });
    expect(states()).toEqual(['x AVAIL']);
    expect(locate()).toMatchObject({ tableId: '2' });
    cache.doubt(old);
    expect(cache.counters()).toMatchObject({ doubts: 2, lookups: 4, entries: 1 });
    expect(states()).toEqual(['x AVAIL']);
  });

  it('a confirmed place tells when', async () => {
    const { cache, clock, locate, know } = setUp();
    await know('a');
    const place = locate();
    if (place === null || place instanceof Promise) throw new Error('no place');
    clock.nowMs = 77;
    cache.confirm(place);
    expect([...cache.entries()][0]?.validAtMs).toBe(77);
  });

  it('keeps the old place, in doubt, when a refresh fails; drops it when the table is gone', async () => {
    const { clock, locate, know, settle, states, doubt } = setUp();
    await know('a');
    doubt();
    await settle(new Error('timed out'));
    expect(states()).toEqual(['x DIRTY']);
    expect(locate()).toEqual(locationAt('a'));
    clock.nowMs = 5_000;
    locate();
    await settle(null);
    expect(locate()).toBeNull();
  });

  it('an entry is in doubt from a random half to the whole of its life time on', async () => {
    const { clock, calls, locate, know } = setUp({ lifetimeMs: (kind) => (kind === 'table' ? 10_000 : 0) });
    await know('a');
    clock.nowMs = 7_499;
    locate();
    expect(calls).toHaveLength(1);
    clock.nowMs = 7_500;
    expect(locate()).toEqual(locationAt('a'));
    expect(calls).toHaveLength(2);
  });

  it('what is to expire does so between half of the time and all of it, and only what is meant', async () => {
    const { cache, clock, calls, locate, know } = setUp();
    await know('a', 'x');
    await know('b', 'y');
    cache.expireWithin(({ table }) => table === 'x', 60_000);
    clock.nowMs = 44_999;
    locate('x');
    expect(calls).toHaveLength(2);
    clock.nowMs = 45_000;
    for (const table of ['x', 'y']) locate(table);
    expect(calls.slice(2).map(({ name }) => name.table)).toEqual(['x']);
  });

  it('what was told is told again without a look-up, until the slice of time is over or something happens to it', async () => {
    const { cache, clock, locate, know, settle, doubt } = setUp({ lifetimeMs: () => 1_000 });
    await know('a');
    const place = locate();
    if (place === null || place instanceof Promise) throw new Error('it is not known');
    const told = cache.told(place, place);
    if (told === null) throw new Error('it was not told');
    const { hits } = cache.counters();
    expect(cache.tellAgain(told)).toBe(true);
    expect(cache.counters().hits).toBe(hits + 1);
    clock.nowMs = 255;
    expect(cache.tellAgain(told)).toBe(true);
    clock.nowMs = 256;
    expect(cache.tellAgain(told)).toBe(false);
    locate();
    const later = cache.told(place, place);
    if (later === null) throw new Error('it was not told');
    doubt();
    expect(cache.tellAgain(later)).toBe(false);
    await settle(locationAt('b'));
    locate();
    expect(cache.tellAgain(later)).toBe(false);
    expect(cache.told(place, place)).toBeNull();
    // Its age is looked at with every use in the slice in which it may come to be in doubt.
    clock.nowMs = 770;
    const aging = locate();
    if (aging === null || aging instanceof Promise) throw new Error('it is not known');
    expect(cache.told(aging, aging)).toBeNull();
  });

  it('refreshes are limited per second, first look-ups are not', async () => {
    const { clock, calls, locate, know, settle, doubt } = setUp({ minUpdateGapMs: () => 0 }, 2);
    for (const table of ['x', 'y', 'z']) await know('a', table);
    for (const table of ['x', 'y', 'z']) doubt(table);
    expect(calls).toHaveLength(5);
    clock.nowMs = 1_000;
    locate('z');
    await settle(locationAt('b'));
    expect(calls.at(-1)?.name.table).toBe('z');
    expect(locate('z')).toEqual(locationAt('b'));
  });

  it('a refresh by hand minds no limit', async () => {
    const { cache, calls, know, settle } = setUp({}, 0);
    await know('a');
    const name = { tenant: 't', database: 'd', table: 'x', tabletId: '0' };
    for (const address of ['b', 'c']) {
      const done = cache.refresh(name);
      await settle(locationAt(address));
      expect((await done)?.location).toEqual(locationAt(address));
    }
    expect(calls).toHaveLength(3);
    expect(cache.refresh({ ...name, table: 'y' })).toBeNull();
  });

  it('is bounded in bytes: what was used longest ago goes first', async () => {
    const limit = { bytes: 3_000 };
    const { cache, clock, know, locate, states } = setUp({ maxBytes: () => limit.bytes });
    for (let table = 0; table < 10; table += 1) {
      clock.nowMs += 1_000;
      await know('a', `x${table}`);
      locate('x0');
    }
    const { bytes, entries, evictions } = cache.counters();
    expect(bytes).toBeLessThanOrEqual(limit.bytes);
    expect(entries).toBeGreaterThan(1);
    expect(evictions).toBe(10 - entries);
    expect(states()).toContain('x0 AVAIL');
    limit.bytes = 1;
    cache.shrink();
    expect(states()).toEqual(['x0 AVAIL']);
  });

  it('whatever happens in whatever order, no two fetches of one name are in flight, sizes add up and waiters are told', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('locate' as const), table: fc.integer({ min: 0, max: 4 }), isHeld: fc.boolean() }),
      fc.record({ kind: fc.constant('part' as const), table: fc.integer({ min: 0, max: 4 }), isHeld: fc.boolean() }),
      fc.record({ kind: fc.constant('dirty' as const), table: fc.integer({ min: 0, max: 4 }) }),
      fc.record({ kind: fc.constant('refresh' as const), table: fc.integer({ min: 0, max: 4 }) }),
      fc.record({ kind: fc.constant('answer' as const), how: fc.constantFrom('found', 'missing', 'failed') }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000, 10_000) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.boolean(), async (steps, usesOld) => {
        const { cache, clock, calls, doubt } = setUp({
          maxBytes: () => 1_500,
          maxMissing: 2,
          lifetimeMs: () => 8_000,
          usesOldMeanwhile: () => usesOld,
        });
        const inFlight: Call[] = [];
        let seen = 0;
        const asked: unknown[] = [];
        const names = Array.from({ length: 5 }, (_, at) => ({ name: `x${at}` }));
        const parts = names.map((_, at) => ({ name: 'p', tabletId: String(20 + at) }));
        /** What is told at once is what stands in the cache, by whatever way it was found. */
        const ask = (place: ReturnType<typeof cache.locate>, table: string, tabletId: string): void => {
          asked.push(place);
          if (place instanceof Promise) return;
          const entry = [...cache.entries()].find((other) => other.table === table && other.tabletId === tabletId);
          expect(entry?.location).toBe(place);
          const told = place === null ? null : cache.told(place, place);
          if (told !== null) kept.push(told);
        };
        const kept: ToldPlaces[] = [];
        /** Whatever would be told again is in the cache as it was, and neither in doubt nor too old. */
        const checkKept = (): void => {
          const entries = new Set(cache.entries());
          for (const told of kept) {
            if (!cache.tellAgain(told)) continue;
            expect(entries.has(told.ofPlace)).toBe(true);
            expect(told.ofPlace.location).toBe(told.place);
            expect(told.ofPlace.state).toBe('AVAIL');
            expect(told.ofPlace.expiresAtMs).toBeGreaterThan(clock.nowMs);
          }
        };
        const answer = async (how: string): Promise<void> => {
          const call = inFlight.shift();
          if (how === 'failed') call?.reject(new Error('no answer'));
          else call?.resolve(how === 'found' ? locationAt('a') : null);
          await new Promise(setImmediate);
        };
        for (const current of steps) {
          if (current.kind === 'locate') {
            const name = names[current.table] ?? { name: '' };
            ask(cache.locate('t', 'd', current.isHeld ? name : { ...name }), name.name, '0');
          } else if (current.kind === 'part') {
            const part = parts[current.table] ?? { name: '', tabletId: '' };
            const table = { ...locationAt('a'), table: `x${current.table}` };
            ask(cache.locatePartition(table, current.isHeld ? part : { ...part }), table.table, part.tabletId);
          } else if (current.kind === 'dirty') doubt(`x${current.table}`);
          else if (current.kind === 'refresh') {
            void cache.refresh({ tenant: 't', database: 'd', table: `x${current.table}`, tabletId: '0' });
          } else if (current.kind === 'answer') await answer(current.how);
          else clock.nowMs += current.ms;
          checkKept();
          inFlight.push(...calls.slice(seen));
          seen = calls.length;
          const fetched = inFlight.map(({ name }) => `${name.table} ${name.tabletId}`);
          expect(new Set(fetched).size).toBe(fetched.length);
          const entries = [...cache.entries()];
          const counters = cache.counters();
          expect(counters.entries).toBe(entries.length);
          expect(counters.bytes).toBe(entries.reduce((sum, { bytes }) => sum + bytes, 0));
          for (const { loading, state, table, tabletId } of entries) {
            expect(loading !== null).toBe(state === 'BUILDING' || state === 'UPDATING');
            expect(loading !== null).toBe(fetched.includes(`${table} ${tabletId}`));
          }
        }
        while (inFlight.length > 0) await answer('found');
        await Promise.all(asked);
        expect(cache.counters().bytes).toBeLessThanOrEqual(1_500 + 1_000);
      }),
      { numRuns: 60 },
    );
  });
});
