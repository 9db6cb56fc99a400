import { expect, it } from 'vitest';
import { listedAsSkipped, playwrightCounts, single, total, vitestCounts } from './reports.mjs';

const vitestReport = (extra) => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ status: 'passed', assertionResults: [{}, {}, {}] }],
  ...extra,
});

it('counts skipped and to-do tests of vitest as skipped', () => {
  expect(vitestCounts(vitestReport(), true)).toEqual({ passed: 3, failed: 0, skipped: 2 });
});

it('counts a test file that could not be loaded as a failure', () => {
  const unloaded = { status: 'failed', assertionResults: [] };
  const report = vitestReport({ testResults: [unloaded] });
  expect(vitestCounts(report, false).failed).toBe(1);
});

it('is never green when the runner ended badly', () => {
  expect(vitestCounts(vitestReport(), false).failed).toBe(1);
  expect(vitestCounts(null, true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(playwrightCounts(null, false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(playwrightCounts({ stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 0 } }, false).failed).toBe(1);
});

it('counts a flaky browser test as failed', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 };
  expect(playwrightCounts({ stats }, false)).toEqual({ passed: 4, failed: 2, skipped: 2 });
});

it('counts every listed browser test as skipped when there is no browser', () => {
  const suites = [{ specs: [{ tests: [{}, {}] }], suites: [{ specs: [{ tests: [{}] }] }] }];
  expect(listedAsSkipped({ suites })).toEqual({ passed: 0, failed: 0, skipped: 3 });
});

it('sums all steps', () => {
  expect(total([single(true), single(false), { passed: 5, failed: 0, skipped: 2 }])).toEqual({
    passed: 6,
    failed: 1,
    skipped: 2,
  });
});
