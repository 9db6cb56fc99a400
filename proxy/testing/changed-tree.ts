/** Copies of the product's own tree that differ from it as another version does: for tests of upgrades. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownTree } from './product.ts';

export interface ChangedTree {
  readonly directory: string;
  remove(): void;
}

/** What a version differs in: file, and its text made from that of this tree (empty for a file that is not there). Null: the file or folder is not there. */
type Changes = Readonly<Record<string, ((text: string) => string) | null>>;

/** A whole tree that a generation can be started from; packages are those of this one. */
export function changedTree(version: string, changes: Changes): ChangedTree {
  const directory = mkdtempSync(join(tmpdir(), 'odp-version-'));
  for (const part of ['proxy', 'prisma', 'package.json']) {
    cpSync(join(ownTree, part), join(directory, part), { recursive: true });
  }
  symlinkSync(join(ownTree, 'node_modules'), join(directory, 'node_modules'));
  const all = { ...changes, 'package.json': replaced(/"version": "[^"]*"/, `"version": "${version}"`) };
  for (const [name, change] of Object.entries(all)) {
    const path = join(directory, name);
    if (change === null) {
      rmSync(path, { recursive: true });
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, change(textOf(join(ownTree, name))));
  }
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** A change that must meet something. @throws Error what it looks for is not in the text */
export function replaced(what: string | RegExp, by: string): (text: string) => string {
  return (text) => {
    const changed = text.replace(what, by);
    if (changed === text) throw new Error(`nothing to replace: ${String(what)}`);
    return changed;
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
