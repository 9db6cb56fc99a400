/** `npm run bench [-- options]`: installs what is missing and runs a benchmark on the proxy's Node: bench/main.ts, or that of a folder. */
import { spawn } from 'node:child_process';
import { inTree, runtimeNode } from './set-up/paths.mjs';
import { setUp } from './set-up/steps.mjs';

/** Benchmarks of their own, by their option. */
const folders = ['micro', 'idle'];
const folder = folders.filter((name) => process.argv.includes(`--${name}`)).slice(0, 1);

try {
  await setUp((line) => console.log(`odp: ${line} …`), { build: false });
  const child = spawn(runtimeNode(), [inTree('bench', ...folder, 'main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // A terminal's Ctrl-C reaches both; the child then ends the database and the proxies first.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  console.error(`odp: ${error.message}`);
  process.exitCode = 1;
}
