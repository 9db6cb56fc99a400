import { describe, expect, it } from 'vitest';
import { parseSysbench } from './sysbench.ts';

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
