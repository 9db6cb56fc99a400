import { describe, expect, it } from 'vitest';
import { eventSpan, momentLink, pausedAt, rangeOf } from './overview-view.ts';

const view = { range: '', at: '', event: '', zone: '' };
const at = '2026-03-01T03:12:01.234Z';

describe('the Overview in its address', () => {
  it('takes what it cannot read as not given (case B113)', () => {
    expect(rangeOf(view)).toBe('15m');
    expect(rangeOf({ ...view, range: '1h' })).toBe('1h');
    expect(rangeOf({ ...view, range: '<img>' })).toBe('15m');
    expect(pausedAt({ ...view, at })).toBe(at);
    for (const bad of ['', 'yesterday', '2026-03-01', '2026-13-01T00:00:00Z', 'javascript:alert(1)Z']) {
      expect(pausedAt({ ...view, at: bad }), bad).toBeNull();
    }
  });

  it('a link to a moment has all that is shown, and nothing else', () => {
    const link = momentLink('http://odp:3000/?range=4h&at=x#content', { ...view, range: '1h', event: 'b7' }, at);
    expect(link).toBe(`http://odp:3000/?range=1h&at=${encodeURIComponent(at)}&event=b7`);
  });

  it('asks events of a live page from a moment that stays the same for minutes', () => {
    const nowMs = Date.parse('2026-03-01T03:22:00.000Z');
    expect(eventSpan('15m', null, nowMs)).toEqual({ from: '2026-03-01T03:05:00.000Z' });
    expect(eventSpan('15m', null, nowMs + 170_000)).toEqual(eventSpan('15m', null, nowMs));
  });

  it('asks those of a paused page up to that moment and with it', () => {
    expect(eventSpan('1h', at, 0)).toEqual({ from: '2026-03-01T02:12:01.234Z', to: '2026-03-01T03:12:01.235Z' });
  });
});
