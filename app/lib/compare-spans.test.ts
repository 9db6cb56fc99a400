import { describe, expect, it } from 'vitest';
import type { ListingSpan } from '../../proxy/control/contract.ts';
import { compareSpans, spanMs, totalsOf } from './compare-spans.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString();
const span = (
  server: string,
  from: number,
  until: number | null,
  list: ListingSpan['list'] = 'alive',
): ListingSpan => ({
  server,
  list,
  listedAt: at(from),
  releasedAt: until === null ? null : at(until),
  reason: '',
  releaseReason: null,
});

describe('compareSpans', () => {
  it('pairs listings of one server and list that overlap, and keeps the rest apart, in the order of time', () => {
    const [early, late, other] = [span('a', 1, 5), span('a', 20, 30), span('b', 2, 3)];
    const [longer, detection] = [span('a', 3, 9), span('a', 21, 22, 'detection')];
    expect(compareSpans([late, early, other], [longer, detection], at(60))).toEqual([
      { was: early, would: longer },
      { was: other, would: null },
      { was: late, would: null },
      { was: null, would: detection },
    ]);
  });

  it('pairs each listing once', () => {
    const [one, two] = [span('a', 1, 3), span('a', 5, 8)];
    const whole = span('a', 1, 10);
    expect(compareSpans([one, two], [whole], at(60))).toEqual([
      { was: one, would: whole },
      { was: two, would: null },
    ]);
  });

  it('takes a listing that is still open as lasting to the end', () => {
    expect(compareSpans([span('a', 1, null)], [span('a', 50, 55)], at(60))).toHaveLength(1);
  });
});

describe('spanMs and totalsOf', () => {
  it('count only what lies within the span asked for', () => {
    expect(spanMs(span('a', 0, 10), at(5), at(60))).toBe(5 * 60_000);
    expect(spanMs(span('a', 50, null), at(5), at(60))).toBe(10 * 60_000);
    expect(totalsOf([span('a', 0, 10), span('a', 50, null), span('b', 20, 21)], at(5), at(60))).toEqual({
      listings: 3,
      servers: 2,
      totalMs: 16 * 60_000,
    });
  });
});
