/**
 * The numbers of the runners' JSON reports. A run that ended badly without a single failed test (a file that could not
 * be loaded, a crash, a time limit) counts one failure, so that it never looks green.
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/** @returns {Counts} of a step that is one test by itself */
export const single = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

/** @param {any} report of vitest's json reporter, or null when it wrote none @returns {Counts} */
export function vitestCounts(report, ok) {
  if (report === null) return single(false);
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return neverGreen(counts, ok);
}

/** @param {any} report of Playwright's json reporter, or null when it wrote none @returns {Counts} */
export function playwrightCounts(report, ok) {
  if (report === null) return single(false);
  const { expected, unexpected, flaky, skipped } = report.stats;
  return neverGreen({ passed: expected, failed: unexpected + flaky, skipped }, ok);
}

/** @param {any} report of `playwright test --list`: every test of it is skipped @returns {Counts} */
export function listedAsSkipped(report) {
  const count = (suite) =>
    (suite.suites ?? []).reduce((sum, inner) => sum + count(inner), 0) +
    (suite.specs ?? []).reduce((sum, spec) => sum + spec.tests.length, 0);
  return { passed: 0, failed: 0, skipped: count(report) };
}

/** @param {Counts[]} all @returns {Counts} */
export function total(all) {
  const sum = (key) => all.reduce((value, counts) => value + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

function neverGreen(counts, ok) {
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}
