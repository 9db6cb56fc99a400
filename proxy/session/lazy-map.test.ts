import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LazyMap } from './lazy-map.ts';

describe('a lazy map', () => {
  it('is a Map in all that is done with it', () => {
    const step = fc.record({
      kind: fc.constantFrom('set' as const, 'delete' as const, 'clear' as const),
      key: fc.integer({ min: 0, max: 3 }),
      value: fc.integer(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const [lazy, map] = [new LazyMap<number, number>(), new Map<number, number>()];
        for (const { kind, key, value } of steps) {
          if (kind === 'set') {
            lazy.set(key, value);
            map.set(key, value);
          } else if (kind === 'delete') {
            lazy.delete(key);
            map.delete(key);
          } else {
            lazy.clear();
            map.clear();
          }
          expect([...lazy]).toEqual([...map]);
          expect([...lazy.keys()]).toEqual([...map.keys()]);
          expect([...lazy.values()]).toEqual([...map.values()]);
          expect([lazy.size, lazy.get(key), lazy.has(key)]).toEqual([map.size, map.get(key), map.has(key)]);
        }
      }),
    );
  });
});
