import { describe, expect, it } from 'vitest';
import { sqlTable } from '../document/sql-section.ts';
import { type Sample, summarise } from './summary.ts';

const sample = (target: string, round: number, queriesPerSecond: number): Sample => ({
  target,
  workload: 'read_write',
  connections: 16,
  round,
  queriesPerSecond,
  p95Ms: 1,
  cpuMsPerThousand: target === 'direct' ? null : queriesPerSecond / 10,
  rssBytes: target === 'direct' ? null : 64 * 2 ** 20,
  grownBytes: target === 'direct' ? null : 2 ** 20,
});

describe('benchmark summary', () => {
  it('gives medians over the rounds, and medians of the ratios within each round', () => {
    const rows = summarise([
      ...[90, 110, 100].map((value, round) => sample('haproxy', round, value)),
      ...[100, 300, 200].map((value, round) => sample('direct', round, value)),
      ...[80, 50, 70].map((value, round) => sample('odp', round, value)),
    ]);
    expect(rows.map(({ target, queriesPerSecond }) => [target, queriesPerSecond])).toEqual([
      ['direct', 200],
      ['haproxy', 100],
      ['odp', 70],
    ]);
    // Round by round 0.8, 0.17 and 0.35 of the direct connection, 0.89, 0.45 and 0.7 of HAProxy.
    expect(rows.map(({ toDirect, toHaproxy, cpuToHaproxy }) => [toDirect, toHaproxy, cpuToHaproxy])).toEqual([
      [1, 2, null],
      [0.5, 1, 1],
      [0.35, 0.7, 0.7],
    ]);
    expect(sqlTable(rows).split('\n').at(-1)).toBe(
      '| read_write | 16 | ODP | 70 | 1.00 | 7.0 | 64 | 1 | 0.35 | 0.70 | 0.70 |',
    );
  });

  it('leaves out the ratio to what was not measured, and lists peers between HAProxy and this proxy', () => {
    expect(summarise([sample('odp', 1, 10)])[0]).toMatchObject({ toDirect: null, toHaproxy: null, cpuToHaproxy: null });
    const order = summarise(['odp', 'other', 'haproxy', 'direct'].map((target) => sample(target, 1, 10)));
    expect(order.map(({ target }) => target)).toEqual(['direct', 'haproxy', 'other', 'odp']);
  });
});
