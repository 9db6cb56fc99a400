import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { treeMd5 } from '../coordinator/tree-md5.ts';
import { spoiltTree } from '../testing/spoilt-tree.ts';
import type { TemporaryTree } from '../testing/temporary-tree.ts';
import { checkTree } from './check-tree.ts';

let tree: TemporaryTree;
beforeEach(() => {
  tree = spoiltTree('');
});
afterEach(() => tree.remove());

describe('case B92: a directory that somebody names for an upgrade', () => {
  const isUnusable = (text: RegExp) => ({ status: 'UNAVAILABLE_BINARY', text: expect.stringMatching(text) });

  it('is looked at from its root on, with a slash behind it or not', () => {
    const md5 = treeMd5(tree.directory);
    expect(checkTree(tree.directory, md5)).toBeNull();
    expect(checkTree(`${tree.directory}/`, md5)).toBeNull();
    expect(checkTree('somewhere/else', null)).toEqual(isUnusable(/absolute path/));
  });

  it('is unusable, and no fault of the supervisor, when what is in it cannot be read', () => {
    const manifest = join(tree.directory, 'package.json');
    rmSync(manifest);
    expect(checkTree(tree.directory, null)).toEqual(isUnusable(/cannot be read: ENOENT/));
    writeFileSync(manifest, '{ "name": ');
    expect(checkTree(tree.directory, null)).toEqual(isUnusable(/cannot be read/));
    writeFileSync(manifest, 'null');
    expect(checkTree(tree.directory, null)).toEqual(isUnusable(/cannot be read/));
  });
});
