/**
 * `npm start [-- options]`: sets up what is missing, then runs the proxy with the options given. Needs Node 20 or newer
 * and npm, nothing else.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inTree, runtimeNode } from './set-up/paths.mjs';
import { setUp } from './set-up/steps.mjs';

const args = process.argv.slice(2);

if (args.includes('-h') || args.includes('--help')) {
  process.stdout.write(readFileSync(inTree('docs', 'options.txt'), 'utf8'));
} else if (args.includes('-V') || args.includes('--version')) {
  process.stdout.write(`odp ${JSON.parse(readFileSync(inTree('package.json'), 'utf8')).version}\n`);
} else {
  try {
    const needsConsole = args[0] !== 'audit' && !args.includes('--no-console');
    await setUp((line) => console.log(`odp: ${line} …`), { build: needsConsole });
    runProxy(runtimeNode());
  } catch (error) {
    console.error(`odp: ${error.message}`);
    process.exitCode = 1;
  }
}

/** This process only stands between npm and the proxy: same streams, same signals, same exit code. */
function runProxy(node) {
  const child = spawn(node, [inTree('proxy', 'main.ts'), ...args], { stdio: 'inherit' });
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
