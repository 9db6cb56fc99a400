/** Writes the table of clients in README.md from what the tests run. */
import { clientTable } from '../proxy/testing/clients/steps.ts';
import { readText, writeDoc } from './doc-files.ts';

export const README = 'README.md';

/** The page with the text between its two marks replaced. */
export function fillClientTable(page: string): string {
  return page.replace(/(<!-- clients: begin -->\n).*?(<!-- clients: end -->)/s, (_all, begin: string, end: string) =>
    [begin, clientTable(), '\n', end].join(''),
  );
}

if (import.meta.main) await writeDoc(README, fillClientTable(await readText(README)));
