import { expect, it } from 'vitest';
import { heldRows } from './held-order.ts';

const row = (key: string, value = 0) => ({ key, value });

it('rows that are held keep their places, show what is new of them, and stay when they are gone', () => {
  const held = heldRows([row('b'), row('a')], [row('new'), row('a', 7)]);
  expect(held.rows).toEqual([
    { key: 'b', value: 0, isGone: true },
    { key: 'a', value: 7, isGone: false },
  ]);
  expect(held.waiting).toBe(1);
});

it('nothing waits while nothing has come', () => {
  expect(heldRows([row('a')], [row('a')])).toEqual({ rows: [{ key: 'a', value: 0, isGone: false }], waiting: 0 });
});
