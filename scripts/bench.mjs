/** `npm run bench [-- options]`: installs what is missing and runs bench/main.ts, or with --micro bench/micro/main.ts, on the proxy's Node. */
import { spawn } from 'node:child_process';
import { inTree, runtimeNode } from './set-up/paths.mjs';
import { setUp } from './set-up/steps.mjs';

try {
  await setUp((line) => console.log(`odp: ${line} …`), { build: false });
  const child = spawn(
    runtimeNode(),
    [inTree('bench', ...(process.argv.includes('--micro') ? ['micro'] : []), 'main.ts'), ...process.argv.slice(2)],
    { stdio: 'inherit' },
  );
  // A terminal's Ctrl-C reaches both; the child then ends the database and the proxies first.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  console.error(`odp: ${error.message}`);
  process.exitCode = 1;
}
