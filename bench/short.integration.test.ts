import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findProgram } from '../proxy/testing/find-program.ts';
import { describeWith, unavailable } from '../proxy/testing/part.ts';
import { parseOptions } from './sql/options.ts';

const run = promisify(execFile);
const available = { available: true as const, close: async () => undefined };
const partOf = (isThere: boolean, reason: string) => (isThere ? available : unavailable(reason));
const missing = ['mariadbd', 'sysbench'].filter((program) => findProgram(program) === null);
const consoleBuild = fileURLToPath(new URL('../.next/odp-stamp', import.meta.url));

/** What a benchmark says, whatever its figures: only one that does not come to its end fails. */
async function said(folder: string, ...args: string[]): Promise<string> {
  const main = fileURLToPath(new URL(`${folder}main.ts`, import.meta.url));
  return (await run(process.execPath, [main, ...args], { timeout: 300_000 })).stdout;
}

describeWith(partOf(missing.length === 0, `${missing.join(' and ')} not installed`), 'npm run bench', () => {
  it('--short runs every workload through the proxy and tells its figures', async () => {
    const stdout = await said('', '--short', '--targets', 'direct,odp');
    for (const workload of parseOptions([])?.workloads ?? []) {
      expect(stdout).toMatch(new RegExp(`^\\| ${workload} \\| \\d+ \\| ODP \\| \\d+ `, 'm'));
    }
  }, 320_000);
});

describeWith(available, 'npm run bench -- --workers', () => {
  it('--short compares two workers with one, and counts the sessions of each', async () => {
    const stdout = await said('workers/', '--short');
    expect(stdout).toMatch(/^\| point select \| 64 \| \d+ \| \d+ /m);
    expect(stdout).toMatch(/^Of 100 sessions the two workers had \d+ and \d+\.$/m);
  }, 320_000);
});

describeWith(partOf(existsSync(consoleBuild), 'the console is not built'), 'npm run bench -- --console', () => {
  it('--short measures with ten pages open and without', async () => {
    const stdout = await said('console/', '--short');
    expect(stdout).toMatch(/10 pages, 50 idle sessions, 20 servers/);
    expect(stdout).toMatch(/^\| all on the same cores \| \d+ \| \d+ /m);
  }, 320_000);
});
