import { describe, expect, it } from 'vitest';
import { markdownTable, median, replaceSection, type Sample, summarise } from './report.ts';
import { parseSysbench } from './sysbench.ts';

const sample = (target: Sample['target'], round: number, queriesPerSecond: number): Sample => ({
  target,
  workload: 'read_write',
  connections: 16,
  round,
  queriesPerSecond,
  p95Ms: 1,
  cpuMsPerThousand: target === 'direct' ? null : 20,
  rssBytes: target === 'direct' ? null : 64 * 2 ** 20,
});

describe('benchmark report', () => {
  it('takes the middle value, or the mean of the two middle ones', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('gives medians over the rounds and ratios to the same load on the others', () => {
    const rows = summarise([
      ...[90, 110, 100].map((value, round) => sample('haproxy', round, value)),
      ...[100, 300, 200].map((value, round) => sample('direct', round, value)),
      ...[80, 50, 70].map((value, round) => sample('odp', round, value)),
    ]);
    expect(
      rows.map(({ target, queriesPerSecond, toDirect, toHaproxy }) => [target, queriesPerSecond, toDirect, toHaproxy]),
    ).toEqual([
      ['direct', 200, 1, 2],
      ['haproxy', 100, 0.5, 1],
      ['odp', 70, 0.35, 0.7],
    ]);
    expect(rows.map(({ rssMiB }) => rssMiB)).toEqual([null, 64, 64]);
    expect(markdownTable(rows).split('\n').at(-1)).toBe(
      '| read_write | 16 | ODP | 70 | 1.00 | 20.0 | 64 | 0.35 | 0.70 |',
    );
  });

  it('leaves out the ratio to what was not measured', () => {
    expect(summarise([sample('odp', 1, 10)]).map(({ toDirect, toHaproxy }) => [toDirect, toHaproxy])).toEqual([
      [null, null],
    ]);
  });

  it('replaces what stands between the marks, and nothing else', () => {
    const page = 'before\n<!-- bench: start -->\nold\n<!-- bench: end -->\nafter\n';
    const replaced = replaceSection(page, 'new');
    expect(replaced).toBe('before\n<!-- bench: start -->\n\nnew\n\n<!-- bench: end -->\nafter\n');
    expect(replaceSection(replaced, 'new')).toBe(replaced);
    expect(() => replaceSection('no marks', 'new')).toThrow('bench: start');
  });
});

describe('sysbench report', () => {
  const report = `SQL statistics:
    transactions:                        12345  (1234.41 per sec.)
    queries:                             246900 (24688.20 per sec.)
    ignored errors:                      2      (0.20 per sec.)
    reconnects:                          0      (0.00 per sec.)
Latency (ms):
         95th percentile:                        1.27
`;

  it('is read by its labels', () => {
    expect(parseSysbench(report)).toEqual({
      queries: 246900,
      queriesPerSecond: 24688.2,
      transactions: 12345,
      transactionsPerSecond: 1234.41,
      p95Ms: 1.27,
      errors: 2,
    });
  });

  it('is refused when a figure is missing', () => {
    expect(() => parseSysbench('FATAL: error 2003')).toThrow('queries');
  });
});
