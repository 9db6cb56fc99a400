/** Trees that look like the product's own, and whose generations do something else: for tests. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownTree } from './product.ts';

export interface SpoiltTree {
  readonly directory: string;
  remove(): void;
}

/** @param body of the generation's process */
export function spoiltTree(body: string): SpoiltTree {
  const directory = mkdtempSync(join(tmpdir(), 'odp-tree-'));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  };
  write('proxy/coordinator/main.ts', body);
  write('proxy/upgrade/types.ts', '');
  write('proxy/history/generated/client.ts', '');
  symlinkSync(join(ownTree, 'package.json'), join(directory, 'package.json'));
  symlinkSync(join(ownTree, 'node_modules'), join(directory, 'node_modules'));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
