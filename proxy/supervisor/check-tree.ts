/** What can be said of a tree before a generation is started from it. */
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { treeMd5 } from '../coordinator/tree-md5.ts';
import { errorText } from '../errors/odp-error.ts';

/** A tree that no generation can be started from. */
export interface UnusableTree {
  readonly status: 'UNAVAILABLE_BINARY' | 'CHECK_BIN_MD5_FAIL';
  readonly text: string;
}

/** Files that a generation cannot do without; what is made in a tree says how. */
const needed = [
  ['proxy/coordinator/main.ts', 'it is no tree of the proxy'],
  ['proxy/upgrade/types.ts', 'its version knows no upgrades'],
  ['node_modules/zod', 'its packages are not installed: run `npm start -- upgrade` there'],
  ['proxy/history/generated/client.ts', 'its database client is not made: run `npm start -- upgrade` there'],
] as const;

/**
 * @param md5 what the tree's checksum must be; null: any
 * @returns what is wrong with it; null: nothing that can be seen from outside
 */
export function checkTree(directory: string, md5: string | null): UnusableTree | null {
  const unusable = (why: string): UnusableTree => ({ status: 'UNAVAILABLE_BINARY', text: `${directory}: ${why}` });
  // Whoever orders it stands elsewhere than the supervisor.
  if (!isAbsolute(directory)) return unusable('give its absolute path');
  try {
    return lookAt(directory, md5, unusable);
  } catch (error) {
    // Nobody knows what a directory holds that somebody else names: the supervisor must outlive it.
    return unusable(`it cannot be read: ${errorText(error)}`);
  }
}

function lookAt(directory: string, md5: string | null, unusable: (why: string) => UnusableTree): UnusableTree | null {
  for (const [file, why] of needed) if (!existsSync(join(directory, file))) return unusable(why);
  const name = nameOf(join(directory, 'package.json'));
  if (name !== nameOf(new URL('../../package.json', import.meta.url))) {
    return unusable(`its package is ${name ?? 'not named'}, not this product`);
  }
  if (md5 === null) return null;
  const found = treeMd5(directory);
  return found === md5 ? null : { status: 'CHECK_BIN_MD5_FAIL', text: `${directory}: its MD5 is ${found}, not ${md5}` };
}

function nameOf(manifest: string | URL): string | undefined {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }).name;
}

/** The Node that a tree brings; else the one that runs here. */
export function nodeOf(directory: string): string {
  const bundled = join(directory, 'node_modules', '.bin', 'node');
  return existsSync(bundled) ? bundled : process.execPath;
}
