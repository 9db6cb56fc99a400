/** A folder that is taken for a tree of the product: for tests of upgrades. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownTree } from './product.ts';

export interface TemporaryTree {
  readonly directory: string;
  remove(): void;
}

/** Has the packages of this tree, and nothing else yet. */
export function temporaryTree(): TemporaryTree {
  const directory = mkdtempSync(join(tmpdir(), 'odp-tree-'));
  symlinkSync(join(ownTree, 'node_modules'), join(directory, 'node_modules'));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** @param name relative to the tree; its folders are made */
export function writeIn({ directory }: TemporaryTree, name: string, text: string): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), text);
}
