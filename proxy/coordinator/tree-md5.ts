import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What a generation is made of; packages are told by the lock file. */
const parts = ['package.json', 'package-lock.json', 'prisma', 'proxy', 'app'] as const;
/** Made in the tree from the rest. */
const isMade = (name: string): boolean => name.includes('history/generated');

/** MD5 over the names and contents of a tree's files, 32 hex digits: SHOW PROXYINFO BINARY and the check of an upgrade. */
export function treeMd5(directory: string): string {
  const hash = createHash('md5');
  for (const name of parts.flatMap((part) => filesOf(directory, part)).sort()) {
    const content = readFileSync(join(directory, name));
    hash.update(`${name}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function filesOf(directory: string, part: string): string[] {
  const path = join(directory, part);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [part];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter((name) => !isMade(name));
}
