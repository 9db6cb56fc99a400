/** `npm run chaos [-- options]`: installs what is missing and runs bench/chaos/main.ts on the proxy's Node. */
import { spawn } from 'node:child_process';
import { inTree, runtimeNode } from './set-up/paths.mjs';
import { setUp } from './set-up/steps.mjs';

try {
  await setUp((line) => console.log(`odp: ${line} …`), { build: false });
  const [first, ...rest] = process.argv.slice(2);
  // One that is not about servers.
  const isUpgrade = first === 'upgrade';
  const main = isUpgrade ? inTree('bench', 'chaos', 'upgrade', 'main.ts') : inTree('bench', 'chaos', 'main.ts');
  const args = [main, ...(isUpgrade ? rest : process.argv.slice(2))];
  const child = spawn(runtimeNode(), args, { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches both; the child then ends faults, servers and the proxy first.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  console.error(`odp: ${error.message}`);
  process.exitCode = 1;
}
