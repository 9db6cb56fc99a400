/** Trees that look like the product's own, and whose generations do something else: for tests. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ownTree } from './product.ts';
import { type TemporaryTree, temporaryTree, writeIn } from './temporary-tree.ts';

/** @param body of the generation's process */
export function spoiltTree(body: string): TemporaryTree {
  const tree = temporaryTree();
  writeIn(tree, 'proxy/coordinator/main.ts', body);
  writeIn(tree, 'proxy/upgrade/types.ts', '');
  writeIn(tree, 'proxy/history/generated/client.ts', '');
  symlinkSync(join(ownTree, 'package.json'), join(tree.directory, 'package.json'));
  return tree;
}
