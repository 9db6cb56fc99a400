/**
 * What failed, from the runners' JSON reports: told again at the end of a run, where somebody who has only its last lines
 * still finds it.
 * @typedef {{ where: string, name: string, message: string }} Failure
 */
import { relative } from 'node:path';
import { root } from '../set-up/paths.mjs';

/** Enough to see what was expected and where; the rest stands with the test. */
const MESSAGE_LINES = 12;

/** @param {any} report of vitest's json reporter, or null when it wrote none @returns {Failure[]} */
export function vitestFailures(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const where = relative(root, file.name);
    if (file.status === 'failed' && file.assertionResults.length === 0) {
      return [{ where, name: 'could not be loaded', message: file.message ?? '' }];
    }
    return file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({ where, name: fullName, message: failureMessages.join('\n') }));
  });
}

/** @param {any} report of Playwright's json reporter, or null when it wrote none @returns {Failure[]} */
export function playwrightFailures(report) {
  const ofSuite = (suite) => [
    ...(suite.suites ?? []).flatMap(ofSuite),
    ...(suite.specs ?? [])
      .filter(({ ok }) => !ok)
      .map((spec) => ({ where: `e2e/${spec.file}:${spec.line}`, name: spec.title, message: firstError(spec) })),
  ];
  return (report?.suites ?? []).flatMap(ofSuite);
}

/** @param {Failure} failure @returns {string} some lines, without colours */
export function failureText({ where, name, message }) {
  const lines = withoutColours(message).split('\n').slice(0, MESSAGE_LINES);
  return [`FAILED ${where}`, `  ${name}`, ...lines.map((line) => `    ${line}`)].join('\n');
}

function firstError(spec) {
  const errors = spec.tests.flatMap(({ results }) => results.flatMap(({ errors: found }) => found));
  return errors[0]?.message ?? '';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what makes terminals show colours begins with ESC
const withoutColours = (text) => text.replace(/\u001b\[[0-9;]*m/g, '');
