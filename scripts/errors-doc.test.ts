import { expect, it } from 'vitest';
import { errorTable } from '../proxy/errors/table.ts';
import { readText } from './doc-files.ts';
import { ERRORS_DOC, renderErrorsDoc } from './errors-doc.ts';

it('docs/errors.md is up to date (npm run docs)', async () => {
  expect(await readText(ERRORS_DOC)).toBe(renderErrorsDoc());
});

it('gives each error of our own a number of its own', () => {
  const own = Object.values(errorTable).flatMap(({ errno }) => (errno >= 10_900 ? [errno] : []));
  expect(own).toHaveLength(new Set(own).size);
});
