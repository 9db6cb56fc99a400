import { describe, expect, it } from 'vitest';
import { Deadlines, type DeadlineTarget } from './deadlines.ts';

describe('deadlines', () => {
  it('fire once, on the first tick past them, and not when disarmed', () => {
    let nowMs = 0;
    const deadlines = new Deadlines(() => nowMs);
    const fired: string[] = [];
    const target = (name: string, deadlineAtMs: number): DeadlineTarget => ({
      deadlineAtMs,
      onDeadline: () => fired.push(name),
    });
    const disarmed = target('disarmed', 50);
    for (const one of [target('early', 50), target('late', 500), disarmed]) deadlines.register(one);
    disarmed.deadlineAtMs = Number.POSITIVE_INFINITY;
    nowMs = 100;
    deadlines.tick();
    deadlines.tick();
    expect(fired).toEqual(['early']);
    nowMs = 500;
    deadlines.tick();
    expect(fired).toEqual(['early', 'late']);
  });
});
