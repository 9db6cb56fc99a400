import { describe, expect, it } from 'vitest';
import type { Traffic } from '../../proxy/control/contract.ts';
import { topOf, zoneRates } from './zone-rates.ts';

const fromMs = Date.parse('2026-03-01T03:00:00.000Z');
const traffic = (statements: (number | null)[], errors: (number | null)[], stepMs = 5_000): Traffic => ({
  at: '2026-03-01T03:15:00.000Z',
  from: new Date(fromMs).toISOString(),
  stepMs,
  since: '2026-03-01T03:00:00.000Z',
  zones: [{ cluster: 'c', zone: 'z1', statements, errors }],
});
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('rates of zones', () => {
  it('are counts by the length of a point, and gaps where nothing is known', () => {
    const [zone] = zoneRates(traffic([null, 50, 100], [null, 0, 5]));
    expect(zone?.points.map(({ statements, errors }) => [statements, errors])).toEqual([
      [null, null],
      [10, 0],
      [20, 1],
    ]);
    expect(zone?.points[1]?.atMs).toBe(fromMs + 7_500);
    expect(zone?.last).toEqual({ statements: 15, errors: 0.5 });
    expect(topOf(zone === undefined ? [] : [zone], 'statements')).toBe(20);
  });

  it('are in trouble with a twentieth of errors in the last minute, since it began', () => {
    const quiet = times(12, 0);
    expect(zoneRates(traffic(times(24, 100), [...quiet, ...times(12, 4)]))[0]?.trouble).toBeNull();
    const [zone] = zoneRates(traffic(times(24, 100), [...times(8, 0), ...times(16, 10)]));
    expect(zone?.trouble).toEqual({ share: 0.1, since: new Date(fromMs + 8 * 5_000).toISOString() });
  });

  it('are in no trouble for a few errors of a few statements, nor for nothing', () => {
    expect(zoneRates(traffic(times(12, 1), [...times(11, 0), 1]))[0]?.trouble).toBeNull();
    expect(zoneRates(traffic(times(12, 0), times(12, 0)))[0]?.trouble).toBeNull();
    expect(zoneRates(traffic([null], [null]))[0]).toMatchObject({ last: null, trouble: null });
  });

  it('a server that cannot be had is all errors, though no statement went there', () => {
    const [zone] = zoneRates(traffic([...times(6, 10), ...times(6, 0)], [...times(6, 0), ...times(6, 20)]));
    expect(zone?.trouble).toMatchObject({ share: 1, since: new Date(fromMs + 6 * 5_000).toISOString() });
  });
});
