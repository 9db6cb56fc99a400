import { expect, it } from 'vitest';
import { readText } from './doc-files.ts';
import {
  fillTestColumn,
  idsInTitle,
  REQUIREMENTS_DOC,
  renderRequirementsDoc,
  requirementIds,
  testsByRequirement,
} from './requirements-doc.ts';

it.each([
  ['B12 is tried again', ['B12']],
  ['B16–B21 R7 has every parameter', ['B16', 'B17', 'B18', 'B19', 'B20', 'B21', 'R7']],
  ['relays the answer (C2), C4', ['C2', 'C4']],
  ['R13-15 in order', ['R13', 'R14', 'R15']],
  ['case B23: a field case is another thing', []],
  ['cases B20, B21 and R2', ['R2']],
  ['case B7 d: and B1', ['B1']],
  ['B03 B04 are field cases', []],
  ['B25 and C20 and R29 do not exist', []],
])('finds the ids in the title %j', (title, ids) => {
  expect(idsInTitle(title)).toEqual(ids);
});

it('reads titles and the ids in tables of cases, and nothing else', () => {
  const text = [
    "// R1 isn't named by a comment",
    "it('B1 a title', () => send('R3'));",
    "describe.each([[1, (a)]])('C3 %s', () => 0);",
    "it.each([['B2 is', 1], ['R4 R5: x', 2], ['C1', 3]])('%s', () => 0);",
    "it(\"says it's (R6)\", () => call('a text with B9 inside'));",
  ].join('\n');
  const tests = testsByRequirement([{ path: 'proxy/a.test.ts', text }]);
  expect([...tests.keys()].sort()).toEqual(['B1', 'B2', 'C3', 'R4', 'R5', 'R6']);
});

it('fills the column between its marks', () => {
  const tests = new Map([['B1', ['proxy/x/a.test.ts', 'e2e/b.spec.ts']]]);
  expect(fillTestColumn('| B1 | <!-- tests B1 -->old<!-- / --> | <!-- tests B2 -->gone<!-- / -->', tests)).toBe(
    '| B1 | <!-- tests B1 -->[a](../proxy/x/a.test.ts), [b](../e2e/b.spec.ts)<!-- / --> | <!-- tests B2 --><!-- / -->',
  );
});

it('docs/requirements.md is up to date (npm run docs)', async () => {
  expect(await readText(REQUIREMENTS_DOC)).toBe(await renderRequirementsDoc());
});

it('docs/requirements.md has every requirement once, with a state, and a test for all that is done', async () => {
  const rows = [
    ...(await readText(REQUIREMENTS_DOC)).matchAll(/^\| (\w+) \|.*\| (.*?) \| <!-- tests (\w+) -->(.*)<!--/gm),
  ];
  expect(rows.map(([, id]) => id)).toEqual(requirementIds);
  for (const [, id, state, marked, tests] of rows) {
    expect(marked).toBe(id);
    expect(['done', 'partly', 'later']).toContain(state);
    if (state === 'done') expect(tests, `${id} is done, so a test names it`).not.toBe('');
  }
});
