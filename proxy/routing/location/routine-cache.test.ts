import { describe, expect, it } from 'vitest';
import type { Routine } from '../../cluster/routine-lookup.ts';
import type { RoutineName } from '../../sql/statement-info.ts';
import { RoutineCache } from './routine-cache.ts';
import { mergeRoutineViews, routineView } from './routine-view.ts';

const routine = (name: string, routeSql = 'select * from t'): Routine => ({
  database: 'shop',
  packageName: '',
  name,
  routineId: '7',
  routineType: 1,
  schemaVersion: '1',
  routeSql,
});
const named = (name: string, ...qualifiers: string[]): RoutineName => ({ qualifiers, name });

function setUp(limits: { maxBytes?: number; maxMissing?: number } = {}) {
  const world = { nowMs: 0, loads: 0, errors: 0, answer: (name: string): Routine | null => routine(name) };
  const cache = new RoutineCache({
    load: async (_tenant, _database, { name }) => {
      world.loads += 1;
      return world.answer(name);
    },
    onLoadError: () => {
      world.errors += 1;
    },
    nowMs: () => world.nowMs,
    maxBytes: () => limits.maxBytes ?? 1_000_000,
    maxMissing: limits.maxMissing ?? 100,
    lifetimeMs: 60_000,
    negativeLifetimeMs: 1_000,
    retryAfterMs: 10_000,
    clusterVersion: () => 3,
  });
  const get = (name: string) => cache.get('trade', 'shop', named(name));
  const shown = () => [...cache.known()].map((entry) => `${entry.routine?.name} ${entry.state}`);
  return { cache, world, get, shown };
}
const unreachable = () => {
  throw new Error('nobody answers');
};

describe('RoutineCache', () => {
  it('asks once, however many wait, and then tells at once', async () => {
    const { world, get, shown } = setUp();
    const [left, right] = await Promise.all([get('p'), get('p')]);
    expect(left).toBe(right);
    expect(get('p')).toBe(left);
    expect(world.loads).toBe(1);
    expect(shown()).toEqual(['p AVAIL']);
  });

  it('keeps names, databases and tenants apart', async () => {
    const { cache, world } = setUp();
    await cache.get('trade', 'shop', named('p'));
    await cache.get('trade', 'shop', named('p', 'a'));
    await cache.get('trade', 'other', named('p'));
    await cache.get('else', 'shop', named('p'));
    expect(world.loads).toBe(4);
  });

  it('believes "no such procedure" for a second', async () => {
    const { world, get, shown } = setUp();
    world.answer = () => null;
    expect(await get('p')).toBeNull();
    world.nowMs = 999;
    expect(get('p')).toBeNull();
    expect(shown()).toEqual([]);
    world.nowMs = 1_000;
    world.answer = routine;
    expect(await get('p')).toMatchObject({ name: 'p' });
    expect(world.loads).toBe(2);
  });

  it('after its life time the old one is used while it is fetched anew', async () => {
    const { world, get, shown } = setUp();
    const old = await get('p');
    world.nowMs = 60_000;
    expect(get('p')).toBe(old);
    expect(shown()).toEqual(['p UPDATING']);
    await Promise.resolve();
    await Promise.resolve();
    expect(get('p')).not.toBe(old);
    expect(get('p')).toEqual(old);
    expect(world.loads).toBe(2);
  });

  it('a failure leaves what was known, and nobody is asked for a while', async () => {
    const { cache, world, get, shown } = setUp();
    world.answer = unreachable;
    expect(await get('q')).toBeNull();
    expect(get('q')).toBeNull();
    world.answer = routine;
    const old = await get('p');
    cache.doubtBefore(0);
    expect(shown()).toEqual(['p DIRTY']);
    world.answer = unreachable;
    expect(get('p')).toBe(old);
    await Promise.resolve();
    await Promise.resolve();
    expect(get('p')).toBe(old);
    expect(shown()).toEqual(['p DIRTY']);
    expect(world).toMatchObject({ loads: 3, errors: 2 });
  });

  it('drops those used longest ago when memory runs out, and invented names by number', async () => {
    const { cache, world, get, shown } = setUp({ maxBytes: 1_500, maxMissing: 3 });
    for (const name of ['a', 'b', 'c', 'd']) await get(name);
    expect(shown()).toEqual(['d AVAIL', 'c AVAIL']);
    const { bytes } = cache;
    world.answer = () => null;
    for (let turn = 0; turn < 1_000; turn++) await get(`nope${turn}`);
    expect(cache.bytes).toBeLessThan(bytes + 4 * 600);
    expect(shown()).toEqual(['d AVAIL', 'c AVAIL']);
  });
});

describe('views of procedures', () => {
  it('LIKE is of the name, or of up to five names', async () => {
    const { cache, get } = setUp();
    await get('order_count');
    const [entry] = cache.known();
    if (entry === undefined) throw new Error('it is not cached');
    const isShown = (like: string | null) => routineView(entry, 'obdemo', like, 0, 0) !== null;
    for (const like of [null, 'order%', '%', 'obdemo', 'ob% trade shop', 'obdemo trade shop  order_count']) {
      expect(isShown(like), String(like)).toBe(true);
    }
    for (const like of ['order', 'obdemo shop', 'obdemo trade shop pkg order_count']) expect(isShown(like)).toBe(false);
  });

  it('one of each, the newest, in the order of their names', async () => {
    const { cache, world, get } = setUp();
    await get('b');
    await get('a');
    const views = () => [...cache.known()].flatMap((entry) => routineView(entry, 'c', null, 0, 0) ?? []);
    const before = views();
    world.nowMs = 60_000;
    world.answer = (name) => routine(name, 'select * from u');
    get('a');
    await Promise.resolve();
    await Promise.resolve();
    const merged = mergeRoutineViews([views(), before]);
    expect(merged.map(({ name, routeSql }) => `${name}: ${routeSql}`)).toEqual([
      'a: select * from u',
      'b: select * from t',
    ]);
  });
});
