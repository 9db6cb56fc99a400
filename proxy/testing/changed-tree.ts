/** Copies of the product's own tree that differ from it as another version does: for tests of upgrades. */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownTree } from './product.ts';
import { type TemporaryTree, temporaryTree, writeIn } from './temporary-tree.ts';

/** What a version differs in: file, and its text made from that of this tree (empty for a file that is not there). Null: the file or folder is not there. */
type Changes = Readonly<Record<string, ((text: string) => string) | null>>;

/** A whole tree that a generation can be started from; packages are those of this one. */
export function changedTree(version: string, changes: Changes): TemporaryTree {
  const tree = temporaryTree();
  for (const part of ['proxy', 'prisma', 'package.json']) {
    cpSync(join(ownTree, part), join(tree.directory, part), { recursive: true });
  }
  const all = { ...changes, 'package.json': replaced(/"version": "[^"]*"/, `"version": "${version}"`) };
  for (const [name, change] of Object.entries(all)) {
    if (change === null) rmSync(join(tree.directory, name), { recursive: true });
    else writeIn(tree, name, change(textOf(join(ownTree, name))));
  }
  return tree;
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
