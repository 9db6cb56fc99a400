/**
 * `npm run bench [-- options]`: installs what is missing and runs a benchmark on the proxy's Node: bench/main.ts, or that of
 * a folder; with --all every one, with the options that follow (--seconds, --rounds, --no-write).
 */
import { spawn } from 'node:child_process';
import { inTree, runtimeNode } from './set-up/paths.mjs';
import { setUp } from './set-up/steps.mjs';

/** Benchmarks of their own, by their option. */
const folders = ['workers', 'console', 'idle', 'micro'];
const everything = [[], ['--pin'], ['--backend', 'kernel'], ...folders.map((name) => [`--${name}`])];
const isAll = process.argv[2] === '--all';
const args = process.argv.slice(isAll ? 3 : 2);
const runs = isAll ? everything.map((own) => [...own, ...argsFor(own)]) : [args];
let isInterrupted = false;

try {
  const build = runs.some((own) => own.includes('--console'));
  await setUp((line) => console.log(`odp: ${line} …`), { build });
  for (const own of runs) {
    const began = Date.now();
    if (isAll) console.log(`\nnpm run bench -- ${own.join(' ')}`);
    // One that fails keeps no other from its turn.
    process.exitCode = (await run(own)) || process.exitCode;
    if (isAll) console.log(`took ${Math.round((Date.now() - began) / 1000)} s`);
    if (isInterrupted) break;
  }
} catch (error) {
  console.error(`odp: ${error.message}`);
  process.exitCode = 1;
}

/** Runs that are no longer or shorter take no `--seconds`. */
function argsFor(own) {
  const at = args.indexOf('--seconds');
  const hasNone = own.includes('--idle') || own.includes('--micro');
  return hasNone && at !== -1 ? args.toSpliced(at, 2) : args;
}

/** @returns what the benchmark ended with */
function run(own) {
  const folder = folders.filter((name) => own.includes(`--${name}`)).slice(0, 1);
  const child = spawn(runtimeNode(), [inTree('bench', ...folder, 'main.ts'), ...own], { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches both; the child then ends the database and the proxies first.
  const onInterrupt = () => {
    isInterrupted = true;
  };
  const onEnd = () => {
    isInterrupted = true;
    child.kill('SIGTERM');
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onEnd);
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onEnd);
      resolve(code ?? 1);
    });
  });
}
