/** Two generations change the configuration side by side, each in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHistory } from '../history/history-store.ts';
import { ConfigStore } from './config-store.ts';

const writerFile = fileURLToPath(new URL('./testing-writer.ts', import.meta.url));
const log = { warn: (_fields: object, text: string) => expect.unreachable(text) };
const changes = 50;

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'odp-writers-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function write(first: number): Promise<unknown> {
  const args = [writerFile, home, String(first), String(first + changes - 1)];
  const [code] = await once(spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit');
  return code;
}

it('case B93: of two processes that change one parameter, every change is made and kept once, and the newest is in force', async () => {
  // The file is there before both want to make it.
  await (await openHistory(home, { log })).close();
  const firsts = [1, 10_001];
  expect(await Promise.all(firsts.map(write))).toEqual([0, 0]);
  const history = await openHistory(home, { log });
  const store = await ConfigStore.open({ history, log });
  const { text, revision } = store.parameter('client_max_connections');
  const rows = [];
  for await (const row of history.log.stream({ parameter: 'client_max_connections' })) rows.push(row);
  expect(rows[0]?.newValue).toBe(text);
  expect(revision).toBe(rows.length);
  const wanted = firsts.flatMap((first) => Array.from({ length: changes }, (_, index) => first + index));
  expect(rows.map(({ newValue }) => Number(newValue)).sort((a, b) => a - b)).toEqual(wanted);
  // Each follows the one before it: nothing was overwritten unseen.
  for (const [index, { oldValue }] of rows.entries()) {
    if (index + 1 < rows.length) expect(oldValue).toBe(rows[index + 1]?.newValue);
  }
  await history.close();
});
