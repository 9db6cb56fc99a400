import { describe, expect, it } from 'vitest';
import { afterFailure, type Failures, failureCount, isLocked, noFailures } from './lock-out.ts';

const minuteMs = 60_000;
const startMs = Date.parse('2026-03-01T10:00:00.000Z');
const at = (minutes: number) => new Date(startMs + minutes * minuteMs);
const none: Failures = { ...noFailures, failedAt: null, failedFrom: '' };
const failing = (minutes: readonly number[], from = none) =>
  minutes.reduce((failures, minute) => afterFailure(failures, at(minute), '192.0.2.1'), from);

describe('lock-out', () => {
  it('locks for 15 minutes with the tenth wrong password of a quarter of an hour', () => {
    const nine = failing(Array(9).fill(0));
    expect(isLocked(nine, at(0))).toBe(false);
    const ten = failing([14], nine);
    expect(ten).toMatchObject({ failedLogins: 10, failedAt: at(14), failedFrom: '192.0.2.1', lockedUntil: at(29) });
    expect(isLocked(ten, at(28.9))).toBe(true);
    expect(isLocked(ten, at(29))).toBe(false);
  });

  it('counts anew when the first one is long ago', () => {
    const late = failing([15], failing(Array(9).fill(0)));
    expect(late).toMatchObject({ failedLogins: 1, failedSince: at(15), lockedUntil: null });
    expect(failureCount(late, at(29))).toBe(1);
    expect(failureCount(late, at(30))).toBe(0);
  });

  it('is not made longer by going on, and begins anew after its end', () => {
    const locked = failing(Array(10).fill(0));
    const more = failing([10], locked);
    expect(more).toEqual({ ...locked, failedAt: at(10) });
    expect(failing([15], more)).toMatchObject({ failedLogins: 1, lockedUntil: null });
  });
});
