import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findProgram } from '../proxy/testing/find-program.ts';
import { describeWith, unavailable } from '../proxy/testing/part.ts';
import { parseOptions } from './options.ts';

const run = promisify(execFile);
const missing = ['mariadbd', 'sysbench'].filter((program) => findProgram(program) === null);
const programs =
  missing.length === 0
    ? { available: true as const, close: async () => undefined }
    : unavailable(`${missing.join(' and ')} not installed`);

describeWith(programs, 'npm run bench', () => {
  it('--short runs every workload through the proxy and tells its figures, whatever they are', async () => {
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const { stdout } = await run(process.execPath, [main, '--short', '--targets', 'direct,odp'], { timeout: 300_000 });
    for (const workload of parseOptions([])?.workloads ?? []) {
      expect(stdout).toMatch(new RegExp(`^\\| ${workload} \\| \\d+ \\| ODP \\| \\d+ `, 'm'));
    }
  }, 320_000);
});
