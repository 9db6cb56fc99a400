import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const module = fileURLToPath(new URL('worker-heaps.ts', import.meta.url));
/** What a thread runs: it makes garbage, and tells how large its young generation has become. */
const thread = `
  const { getHeapSpaceStatistics } = process.getBuiltinModule('node:v8');
  let kept = [];
  for (let round = 0; round < 400_000; round += 1) kept = round % 1000 === 0 ? [] : [...kept.slice(-9), { round }];
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
`;
/** What the process runs that has started the thread. */
const program = `
  import { once } from 'node:events';
  import { Worker } from 'node:worker_threads';
  import { makeRoomInNewHeaps } from ${JSON.stringify(module)};
  makeRoomInNewHeaps();
  const tell = "process.getBuiltinModule('node:worker_threads').parentPort.postMessage(young);";
  const [inThread] = await once(new Worker(${JSON.stringify(thread)} + tell, { eval: true }), 'message');
  ${thread}
  console.log(JSON.stringify([inThread, young]));
`;

describe('the heaps of workers', () => {
  it('have room in a process whose own is small', async () => {
    const options = ['--max-semi-space-size=1', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e'];
    const { stdout } = await run(process.execPath, [...options, program]);
    const [inThread, inProcess] = JSON.parse(stdout) as number[];
    expect(inThread).toBeGreaterThanOrEqual(8 * 2 ** 20);
    expect(inProcess).toBeLessThanOrEqual(2 * 2 ** 20);
  });
});
