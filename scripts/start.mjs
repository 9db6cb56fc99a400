/**
 * `npm start [-- options]`: sets up what is missing, then runs the proxy with the options given. Needs Node 20 or newer
 * and npm, nothing else.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inTree, root, runtimeNode } from './set-up/paths.mjs';
import { setUp } from './set-up/steps.mjs';

const args = process.argv.slice(2);
/** Orders to a proxy that runs: nothing is made for them but what an upgrade needs. */
const orders = ['upgrade', 'restart', 'commit', 'rollback', 'status'];

if (args.includes('-h') || args.includes('--help')) {
  process.stdout.write(readFileSync(inTree('docs', 'options.txt'), 'utf8'));
} else if (args.includes('-V') || args.includes('--version')) {
  process.stdout.write(`odp ${JSON.parse(readFileSync(inTree('package.json'), 'utf8')).version}\n`);
} else if (args[0] === 'upgrade' && otherTree(args[1]) !== null) {
  // That tree sets itself up, and has the running proxy go over to it.
  const rest = [inTree('scripts', 'start.mjs').replace(root, otherTree(args[1])), 'upgrade', ...args.slice(2)];
  runProxy(process.execPath, rest);
} else {
  try {
    const isOrder = orders.includes(args[0]);
    if (!isOrder || args[0] === 'upgrade') {
      const needsConsole = args[0] !== 'audit' && !args.includes('--no-console');
      await setUp((line) => console.log(`odp: ${line} …`), { build: needsConsole });
    }
    runProxy(runtimeNode(), [inTree('proxy', 'main.ts'), ...args]);
  } catch (error) {
    console.error(`odp: ${error.message}`);
    process.exitCode = 1;
  }
}

/** The tree that is named, as a path that ends like `root`; null: it is this one, or none is named. */
function otherTree(path) {
  if (path === undefined || path.startsWith('-')) return null;
  const tree = join(resolve(path), '/');
  return tree === root ? null : tree;
}

/** This process only stands between npm and the proxy: same streams, same signals, same exit code. */
function runProxy(node, rest) {
  const child = spawn(node, rest, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal's Ctrl-C reaches the proxy by itself.
    const reachedIt = signal === 'SIGINT' && process.stdin.isTTY;
    process.on(signal, () => reachedIt || child.kill(signal));
  }
  child.once('error', (error) => {
    console.error(`odp: ${node} could not be run: ${error.message}`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    // The default action of the same signal ends this process the way the proxy ended.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
