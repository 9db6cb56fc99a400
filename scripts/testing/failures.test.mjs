import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../set-up/paths.mjs';
import { failureText, playwrightFailures, vitestFailures } from './failures.mjs';

it('names the failed tests of a vitest report, and files that could not be loaded', () => {
  const report = {
    testResults: [
      {
        name: join(root, 'proxy/a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'a works', failureMessages: [] },
          { status: 'failed', fullName: 'a breaks', failureMessages: ['expected 1 to be 2'] },
        ],
      },
      { name: join(root, 'proxy/b.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
      { name: join(root, 'proxy/c.test.ts'), status: 'passed', assertionResults: [] },
    ],
  };
  expect(vitestFailures(report)).toEqual([
    { where: 'proxy/a.test.ts', name: 'a breaks', message: 'expected 1 to be 2' },
    { where: 'proxy/b.test.ts', name: 'could not be loaded', message: 'no such module' },
  ]);
  expect(vitestFailures(null)).toEqual([]);
});

it('names the failed tests of a Playwright report, nested ones too', () => {
  const spec = (title, ok, errors) => ({ title, ok, file: 'x.spec.ts', line: 7, tests: [{ results: [{ errors }] }] });
  const report = {
    suites: [
      { specs: [spec('fine', true, [])], suites: [{ specs: [spec('red', false, [{ message: 'no button' }])] }] },
    ],
  };
  expect(playwrightFailures(report)).toEqual([{ where: 'e2e/x.spec.ts:7', name: 'red', message: 'no button' }]);
  expect(playwrightFailures(null)).toEqual([]);
});

it('shortens what a failure says, and leaves colours out', () => {
  const message = ['\u001b[31mred\u001b[39m', ...Array.from({ length: 40 }, (_, line) => `line ${line}`)].join('\n');
  const text = failureText({ where: 'proxy/a.test.ts', name: 'a breaks', message });
  expect(text.split('\n').slice(0, 4)).toEqual(['FAILED proxy/a.test.ts', '  a breaks', '    red', '    line 0']);
  expect(text.split('\n')).toHaveLength(14);
});
