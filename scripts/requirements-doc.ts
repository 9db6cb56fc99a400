/** Fills the test column of docs/requirements.md: which test files name each requirement id in their titles. */
import { readdir } from 'node:fs/promises';
import { inTree, readText, writeDoc } from './doc-files.ts';

export const REQUIREMENTS_DOC = 'docs/requirements.md';

/** How many requirements each letter has. */
const lastNumbers = { B: 24, R: 28, C: 19 } as const;
type Letter = keyof typeof lastNumbers;

/** Every id, in the order of the page: B1 … B24, R1 … R28, C1 … C19. */
export const requirementIds: readonly string[] = (Object.keys(lastNumbers) as Letter[]).flatMap((letter) =>
  Array.from({ length: lastNumbers[letter] }, (_, index) => `${letter}${index + 1}`),
);

export interface TestFile {
  /** From the root of the tree. */
  readonly path: string;
  readonly text: string;
}

/** Titles of tests, and cells of `it.each` tables that begin with an id and go on. A literal never spans lines. */
const titlePattern =
  /\b(?:it|test|describe)(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g;
const cellPattern = /(['"`])((?:[BRC]\d{1,2}(?:[–-][BRC]?\d{1,2})?(?:, | )?)+(?=[ :])(?:\\.|(?!\1)[^\\\n])*)\1/g;
/** Field cases have B numbers too: `case B94`, `cases B25, B26`; those below ten are written `B04`. */
const casePattern = /\bcases? B\d+(?: ?[a-z]\b)?(?:(?:,| and|–|-) ?B\d+)*/gi;
const idPattern = /\b([BRC])([1-9]\d?)(?:[–-]\1?(\d{1,2}))?\b/g;

/** The requirement ids that a test title names; `B16–B21` and `R13-15` name all between. */
export function idsInTitle(title: string): string[] {
  const ids = [...title.replace(casePattern, '').matchAll(idPattern)].flatMap(([, letter, first, last]) => {
    const from = Number(first);
    const count = Math.max(1, Number(last ?? first) - from + 1);
    return Array.from({ length: count }, (_, index) => `${letter}${from + index}`);
  });
  return ids.filter((id) => requirementIds.includes(id));
}

/** Paths of the test files that show each requirement, sorted. */
export function testsByRequirement(files: readonly TestFile[]): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const titles = [...text.matchAll(titlePattern), ...text.matchAll(cellPattern)].map((match) => match[2] ?? '');
    for (const id of titles.flatMap(idsInTitle)) {
      const paths = found.get(id) ?? new Set();
      found.set(id, paths.add(path));
    }
  }
  return new Map([...found].map(([id, paths]) => [id, [...paths].sort()]));
}

/** The page with the text between `<!-- tests B1 -->` and `<!-- / -->` replaced by links, for every id. */
export function fillTestColumn(page: string, tests: ReadonlyMap<string, readonly string[]>): string {
  return page.replace(/(<!-- tests (\w+) -->).*?(<!-- \/ -->)/g, (_all, open: string, id: string, close: string) => {
    const links = (tests.get(id) ?? []).map((path) => `[${baseName(path)}](../${path})`);
    return `${open}${links.join(', ')}${close}`;
  });
}

/** The page as it should be now. */
export async function renderRequirementsDoc(): Promise<string> {
  return fillTestColumn(await readText(REQUIREMENTS_DOC), testsByRequirement(await readTestFiles()));
}

async function readTestFiles(): Promise<TestFile[]> {
  const folders = ['proxy', 'app', 'e2e', 'scripts'];
  const lists = await Promise.all(folders.map((folder) => readdir(inTree(folder), { recursive: true })));
  const paths = lists
    .flatMap((names, index) => names.map((name) => `${folders[index]}/${name}`))
    .filter((path) => /[.-](test|spec|suite)\.tsx?$/.test(path) && path !== 'scripts/requirements-doc.test.ts');
  return await Promise.all(paths.map(async (path) => ({ path, text: await readText(path) })));
}

function baseName(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.(integration\.)?(test|spec|suite)\.tsx?$/, '');
}

if (import.meta.main) await writeDoc(REQUIREMENTS_DOC, await renderRequirementsDoc());
