import { expect, it } from 'vitest';
import { fillClientTable, README } from './clients-doc.ts';
import { readText } from './doc-files.ts';

it('the table of clients in README.md is up to date (npm run docs)', async () => {
  const page = await readText(README);
  expect(page).toContain('<!-- clients: begin -->');
  expect(page).toBe(fillClientTable(page));
});
