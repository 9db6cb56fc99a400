import { expect, it } from 'vitest';
import { readText } from './doc-files.ts';
import { FAULTS_DOC, renderFaultsDoc } from './faults-doc.ts';

it('docs/faults.md is up to date (npm run docs)', async () => {
  expect(await readText(FAULTS_DOC)).toBe(renderFaultsDoc());
});
