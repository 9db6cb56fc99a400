import { describe, expect, it } from 'vitest';
import { goalsSection } from './document/goals-section.ts';
import type { AllFigures } from './figures.ts';
import type { Goal } from './goals.ts';
import { judge } from './judge.ts';
import type { Row } from './sql/summary.ts';

const conditions = {
  date: '2026-01-01',
  cores: 2,
  cpu: 'c',
  memoryGib: 8,
  versions: [],
  loadBefore: 0,
  command: 'npm run bench',
  rounds: 5,
};
const row = (target: string, connections: number, parts: Partial<Row> = {}): Row => ({
  workload: 'select_1',
  connections,
  target,
  queriesPerSecond: 100,
  p95Ms: 1,
  cpuMsPerThousand: null,
  rssMiB: null,
  grownMiB: null,
  toDirect: null,
  toHaproxy: null,
  cpuToHaproxy: null,
  ...parts,
});
const figures = (rows: readonly Row[]): AllFigures => ({
  figures: { bench: { conditions, seconds: 1, tables: 1, rowsPerTable: 1, rows, samples: [], unable: [] } },
  micro: {
    machine: '',
    results: ['10', '1,000', '100,000'].map((places, at) => ({
      name: `route: point select, ${places} places`,
      ns: 2000 * (at + 1),
      toYardstick: 1,
    })),
  },
});
const haproxy: Goal = {
  kind: 'sql',
  tables: ['bench'],
  workloads: ['select_1'],
  target: 'odp',
  quantity: 'throughput ÷ HAProxy',
  bound: { atLeast: 0.95 },
};

describe('verdicts', () => {
  it('a goal is met when every row is within it, one that was not measured is neither', () => {
    const verdict = (...ratios: (number | null)[]) =>
      judge([haproxy], figures(ratios.map((toHaproxy, at) => row('odp', at, { toHaproxy }))))[0]?.verdict;
    expect(verdict(0.95, 1)).toBe('met');
    expect(verdict(0.949, 1)).toBe('missed');
    expect(verdict(null)).toBe('not measured');
    expect(judge([{ kind: 'workers', bound: { atLeast: 1.8 } }], figures([]))[0]?.verdict).toBe('not measured');
  });

  it('a peer is beaten when every row is above its own', () => {
    const peer: Goal = { kind: 'peer', tables: ['bench'], peer: 'Gaea', quantity: 'throughput', bound: { above: 1 } };
    const rows = [row('gaea', 1), row('odp', 1, { queriesPerSecond: 150 }), row('gaea', 16), row('odp', 16)];
    expect(judge([peer], figures(rows))).toMatchObject([
      { verdict: 'missed', measured: [{ value: 1.5 }, { at: 'select_1, 16', value: 1 }] },
    ]);
    expect(judge([peer], figures(rows.slice(0, 2)))).toMatchObject([{ verdict: 'met' }]);
  });

  it('routes are judged by time and by growth', () => {
    const goals: Goal[] = [
      { kind: 'route-us', bound: { atMost: 5 } },
      { kind: 'route-growth', bound: { atMost: 3 } },
    ];
    expect(judge(goals, figures([]))).toMatchObject([
      { verdict: 'missed', measured: [{ at: '10', value: 2 }, { value: 4 }, { value: 6 }] },
      { verdict: 'met', measured: [{ value: 3 }] },
    ]);
  });

  it('the section tells how many are met', () => {
    expect(goalsSection(figures([]))).toMatch(/^\d+ met, \d+ missed, \d+ not measured\.$/m);
  });
});
