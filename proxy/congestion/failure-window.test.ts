import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FailureWindow } from './failure-window.ts';

describe('FailureWindow', () => {
  it('B11 forgets what is older than the window without being told of anything new', () => {
    const window = new FailureWindow(100, 0);
    for (const atMs of [0, 50, 100]) window.add(atMs);
    expect([100, 101, 150, 151, 201].map((nowMs) => window.count(nowMs))).toEqual([3, 2, 2, 1, 0]);
  });

  it('a failure newer than the asking clock still counts', () => {
    const window = new FailureWindow(100, 0);
    window.add(500);
    expect(window.count(450)).toBe(1);
  });

  it('B18 does not count what happened before it was restarted', () => {
    const window = new FailureWindow(100, 0);
    window.add(10);
    window.restart(20, 50);
    expect([window.add(19), window.add(20), window.count(70), window.count(71)]).toEqual([false, true, 1, 0]);
  });

  it('counts no further than ten thousand: its memory is bounded', () => {
    const window = new FailureWindow(100, 0);
    for (let count = 0; count < 10_050; count += 1) window.add(count / 1000);
    expect(window.count(11)).toBe(10_000);
  });

  it('draws the window in equal parts that add up to the count', () => {
    const window = new FailureWindow(100, 0);
    for (const atMs of [9, 10, 19, 20, 60, 110]) window.add(atMs);
    expect(window.histogram(110, 5)).toEqual([3, 0, 1, 0, 1]);
  });

  it('counts what a naive filter counts, whatever the order', () => {
    const times = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 60 });
    fc.assert(
      fc.property(
        times,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 300 }),
        (told, windowMs, later) => {
          const window = new FailureWindow(windowMs, 0);
          let newest = 0;
          for (const [index, atMs] of told.entries()) {
            window.add(atMs);
            newest = Math.max(newest, atMs);
            const naive = told.slice(0, index + 1).filter((time) => time >= newest - windowMs).length;
            expect(window.count(atMs)).toBe(naive);
          }
          const naive = told.filter((time) => time >= newest + later - windowMs).length;
          expect(window.count(newest + later)).toBe(naive);
          expect(window.histogram(newest + later, 7).reduce((sum, count) => sum + count, 0)).toBe(naive);
        },
      ),
    );
  });
});
