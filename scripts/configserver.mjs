/** `npm run configserver [-- options]`: installs what is missing and runs proxy/demo/config-server/main.ts on the proxy's Node. */
import { spawn } from 'node:child_process';
import { inTree, runtimeNode } from './set-up/paths.mjs';
import { setUp } from './set-up/steps.mjs';

try {
  await setUp((line) => console.log(`odp: ${line} …`), { build: false });
  const args = [inTree('proxy', 'demo', 'config-server', 'main.ts'), ...process.argv.slice(2)];
  const child = spawn(runtimeNode(), args, { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches both; the child then ends its clusters first.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  console.error(`odp: ${error.message}`);
  process.exitCode = 1;
}
