/** Holds the tree to its one-way order of rooms, and CONTRIBUTING.md to its map of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Room, rooms } from './testing/rooms.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const codeFolders = ['proxy', 'app', 'e2e', 'bench', 'scripts'].filter((folder) => existsSync(join(root, folder)));
const impureModules =
  /^(node:)?(net|tls|dgram|http|https|fs|fs\/promises|child_process|worker_threads|cluster)$|^mysql2/;
const ignoredFolders = new Set(['node_modules', 'data', 'test-results', 'playwright-report']);

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** Path below the root for a relative import, null for a package. */
  readonly target: string | null;
}

const files = codeFolders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.startsWith('proxy/history/generated/')),
);
const imports = files.flatMap(importsOf);
/** Tests, suites that tests run on several backends, and parts that only tests use: `proxy/testing/`, a room's `testing/`. */
const isTest = (file: string) => /\.test\.(ts|mjs)$|[.-]suite\.ts$|\/testing\//.test(file);

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s(?:[^'"`;=(]*\bfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  );
  return [...statements].map((match) => {
    const specifier = match[1] ?? match[2] ?? '';
    return { file, specifier, target: targetOf(file, specifier) };
  });
}

function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('@/')) return `app/${specifier.slice(2)}`;
  if (!specifier.startsWith('.')) return null;
  return relative(root, join(root, dirname(file), specifier));
}

function roomOf(path: string): Room | undefined {
  return rooms
    .filter((room) => path.startsWith(`${room.path}/`))
    .filter((room) => room.path !== 'proxy' || dirname(path) === 'proxy')
    .at(0);
}

function mayImport(from: Room, to: Room, target: string): boolean {
  if (from === to) return true;
  if ((from.imports ?? []).some((allowed) => target === allowed || target.startsWith(`${allowed}/`))) return true;
  return from.rank !== null && to.rank !== null && to.rank < from.rank;
}

describe('rooms', () => {
  it('every file is in a room of the table', () => {
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  it('imports go only downwards', () => {
    const wrong = imports.filter(({ file, target }) => {
      if (target === null) return false;
      const from = roomOf(file);
      const to = roomOf(target);
      if (from === undefined || to === undefined) return true;
      // Tests may use whatever part they need; that the product does not use testing/ is the next test's matter.
      return !isTest(file) && !mayImport(from, to, target);
    });
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('the product never imports proxy/testing or a test', () => {
    const product = imports.filter(({ file }) => /^(proxy|app)\//.test(file) && !isTest(file));
    const wrong = product.filter(({ target }) => target !== null && isTest(target));
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('pure rooms open no sockets, files or processes', () => {
    const wrong = imports.filter(
      ({ file, specifier }) => roomOf(file)?.pure === true && !isTest(file) && impureModules.test(specifier),
    );
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('relative imports in proxy/ name their file with its ending, as Node needs it', () => {
    const wrong = imports.filter(
      ({ file, specifier }) =>
        file.startsWith('proxy/') && specifier.startsWith('.') && !/\.(ts|mjs|json)$/.test(specifier),
    );
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });
});

describe('CONTRIBUTING.md', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const lines = page.matchAll(/^\| `([^`]+)\/` \| (.+) \|$/gm);
  const map = new Map([...lines].map((match) => [match[1] ?? '', match[2] ?? '']));

  it('has one line for each room, with its purpose', () => {
    expect(Object.fromEntries(map)).toEqual(Object.fromEntries(rooms.map(({ path, purpose }) => [path, purpose])));
  });

  it('has a line for every folder at the top and in proxy/', () => {
    const foldersIn = (parent: string) =>
      readdirSync(join(root, parent), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !ignoredFolders.has(entry.name))
        .filter((entry) => readdirSync(join(root, parent, entry.name)).length > 0)
        .map((entry) => join(parent, entry.name));
    expect([...foldersIn('.'), ...foldersIn('proxy')].filter((folder) => !map.has(folder))).toEqual([]);
  });
});
