import { describe, expect, it } from 'vitest';
import { growthOf, HISTORY_MS, type LoadSample, ratesOf, withSample } from './load-history.ts';

const sample = (atMs: number, counters: Record<string, number>): LoadSample => ({
  atMs,
  counters: new Map(Object.entries(counters)),
});

describe('counters of the last minutes', () => {
  it('give rates of several together, and their share', () => {
    const history = [sample(0, { a: 10, b: 1 }), sample(2000, { a: 14, b: 3 }), sample(4000, { a: 14, b: 5 })];
    expect(ratesOf(history, ['a', 'b'])).toEqual([
      { atMs: 2000, rate: 3 },
      { atMs: 4000, rate: 1 },
    ]);
    expect(growthOf(history, ['a'])).toBe(4);
    expect(growthOf(history.slice(0, 1), ['a'])).toBeNull();
  });

  it('give no rate across a restart of the proxy', () => {
    const history = [sample(0, { a: 10 }), sample(2000, { a: 2 })];
    expect(ratesOf(history, ['a'])).toEqual([{ atMs: 2000, rate: null }]);
    expect(growthOf(history, ['a'])).toBeNull();
  });

  it('are kept for five minutes, not too near to one another', () => {
    let history: readonly LoadSample[] = [];
    for (let atMs = 0; atMs <= 2 * HISTORY_MS; atMs += 500) history = withSample(history, sample(atMs, {}));
    expect(history.length).toBeLessThanOrEqual(HISTORY_MS / 2000 + 1);
    expect(history[0]?.atMs).toBe(HISTORY_MS);
  });
});
