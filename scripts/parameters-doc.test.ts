import { expect, it } from 'vitest';
import { readText } from './doc-files.ts';
import { PARAMETERS_DOC, renderParametersDoc } from './parameters-doc.ts';

it('docs/parameters.md is up to date (npm run docs)', async () => {
  expect(await readText(PARAMETERS_DOC)).toBe(renderParametersDoc());
});
