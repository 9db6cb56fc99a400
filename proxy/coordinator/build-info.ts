import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildInfo } from '../command/services.ts';
import { treeMd5 } from './tree-md5.ts';

const tree = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
let known: BuildInfo | null = null;

/** What this process was started from, as it was when somebody first asked: hashing a tree is not done for nothing. */
export function buildInfo(): BuildInfo {
  known ??= {
    md5: treeMd5(tree),
    revision: revisionOf(join(tree, '.git')),
    // The last thing that is made of a tree before it can run.
    builtAt: statSync(join(tree, 'proxy/history/generated/client.ts')).mtime.toISOString(),
  };
  return known;
}

/** Commit of a Git tree; empty: it is none, or has its history elsewhere. */
function revisionOf(git: string): string {
  const head = read(join(git, 'HEAD'));
  const ref = /^ref: (\S+)/.exec(head)?.[1];
  return ref === undefined ? head : read(join(git, ref));
}

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '');
