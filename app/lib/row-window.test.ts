import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offsetsOf, rowWindow } from './row-window.ts';

const view = { height: 700, rowHeight: 52, count: 10_000 };

describe('row window', () => {
  it('draws a few dozen of 10,000 rows, wherever the list stands', () => {
    for (let scrollTop = 0; scrollTop <= 10_000 * 52 - 700; scrollTop += 997) {
      const { first, end } = rowWindow({ ...view, scrollTop });
      expect(end - first).toBeLessThanOrEqual(32);
      expect(first * 52).toBeLessThanOrEqual(scrollTop);
      expect(end * 52).toBeGreaterThanOrEqual(Math.min(10_000 * 52, scrollTop + 700));
    }
  });

  it('asks for one window or two', () => {
    expect(offsetsOf(rowWindow({ ...view, scrollTop: 0 }), 100)).toEqual([0]);
    expect(offsetsOf(rowWindow({ ...view, scrollTop: 95 * 52 }), 100)).toEqual([0, 100]);
    expect(offsetsOf(rowWindow({ ...view, scrollTop: 10_000 * 52 }), 100)).toEqual([9_900]);
    expect(offsetsOf(rowWindow({ ...view, count: 0, scrollTop: 0 }), 100)).toEqual([0]);
  });

  it('stays inside the list, whatever it is asked', () => {
    const integer = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(integer(1e6), integer(2000), integer(100), integer(20_000), (scrollTop, height, row, count) => {
        const { first, end } = rowWindow({ scrollTop, height, rowHeight: row + 1, count });
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(count);
        expect(first).toBeLessThanOrEqual(Math.max(0, count));
      }),
    );
  });
});
