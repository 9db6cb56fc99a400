import { describe, expect, it } from 'vitest';
import { parameterTable } from '../../proxy/config/parameter-table.ts';
import { paletteScore } from './palette-score.ts';

const best = (typed: string): string | undefined =>
  parameterTable
    .map(({ name, info, group }) => ({ name, score: paletteScore(name, typed, [info, group]) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)[0]?.name;

describe('the palette finds a parameter', () => {
  it('by its name, its beginning, parts of it in any order, and its initials', () => {
    expect(best('congestion_fail_window')).toBe('congestion_fail_window');
    expect(best('congestion_fail_w')).toBe('congestion_fail_window');
    expect(best('window fail')).toBe('congestion_fail_window');
    expect(best('cfw')).toBe('congestion_fail_window');
  });

  it('by what is said about it, but not by letters strewn over that', () => {
    expect(paletteScore('a', 'blocklist', ['on the blocklist'])).toBe(0.3);
    expect(paletteScore('a', 'btt', ['on the blocklist'])).toBe(0);
  });

  it('and every one of them by its own name first', () => {
    for (const { name } of parameterTable) expect(best(name)).toBe(name);
  });
});
