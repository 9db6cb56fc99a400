import { describe, expect, it } from 'vitest';
import { LoadNumbers } from './load-numbers.ts';

describe('numbers of the sample load', () => {
  it('count by kind, and for the last ten seconds where statements ran and how long they took', () => {
    const numbers = new LoadNumbers();
    numbers.note(1_000, { kind: 'weak', tookMs: 900, zone: 'zone4', failure: null });
    numbers.note(12_000, { kind: 'weak', tookMs: 2.04, zone: 'zone5', failure: null });
    numbers.note(12_500, { kind: 'weak', tookMs: 1, zone: 'zone5', failure: null });
    const written = numbers.note(12_500, { kind: 'write', tookMs: 3, zone: null, failure: null });
    expect(numbers.report(13_000).recent.write.zones).toEqual({});
    written.zone = 'zone1';
    const { total, recent, seconds } = numbers.report(13_000);
    expect(total).toEqual({ write: { ok: 1, failed: 0 }, read: { ok: 0, failed: 0 }, weak: { ok: 3, failed: 0 } });
    expect(recent.weak).toEqual({ ok: 2, failed: 0, slowestMs: 2, zones: { zone5: 2 } });
    expect(recent.write.zones).toEqual({ zone1: 1 });
    expect(seconds).toEqual([
      { at: '1970-01-01T00:00:01.000Z', ok: 1, failed: 0, slowestMs: 900 },
      { at: '1970-01-01T00:00:12.000Z', ok: 3, failed: 0, slowestMs: 3 },
    ]);
  });

  it('keep the last failures, and seconds for a minute; totals for good', () => {
    const numbers = new LoadNumbers();
    for (let turn = 1; turn <= 10; turn += 1) {
      numbers.note(turn * 1_000, { kind: 'read', tookMs: 1, zone: null, failure: `failure ${turn}` });
    }
    const { total, seconds, failures } = numbers.report(66_000);
    expect(total.read).toEqual({ ok: 0, failed: 10 });
    expect(seconds.map(({ at }) => at)).toEqual([7, 8, 9, 10].map((second) => new Date(second * 1_000).toISOString()));
    expect(failures).toHaveLength(8);
    expect(failures[0]).toEqual({ at: '1970-01-01T00:00:10.000Z', kind: 'read', text: 'failure 10' });
  });
});
