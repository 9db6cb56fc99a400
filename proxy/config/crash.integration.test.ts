import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHistory } from '../history/history-store.ts';
import { ConfigStore } from './config-store.ts';

const rounds = 8;
const writerFile = fileURLToPath(new URL('./testing-writer.ts', import.meta.url));
const log = { warn: (_fields: object, text: string) => expect.unreachable(text) };

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'odp-crash-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs the writer, kills it somewhere in a change after `count` answered ones, and tells how far it said it came. */
async function writeAndKill(first: number, count: number, afterMs: number): Promise<{ tried: number; done: number }> {
  const writer = spawn(process.execPath, [writerFile, home, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => writer.once('close', resolve));
  const progress = { tried: first - 1, done: first - 1 };
  let isKilled = false;
  for await (const line of createInterface({ input: writer.stdout })) {
    const [word, number] = line.split(' ');
    progress[word === 'try' ? 'tried' : 'done'] = Number(number);
    if (isKilled || word !== 'try' || progress.done - first + 1 < count) continue;
    isKilled = true;
    await delay(afterMs);
    writer.kill('SIGKILL');
  }
  await ended;
  return progress;
}

it('case B116: killed at any instant, the value in force is the last one answered, with its history row', async () => {
  let first = 1;
  for (let round = 0; round < rounds; round += 1) {
    const { tried, done } = await writeAndKill(first, 1 + (round % 3), round / 3);
    const history = await openHistory(home, { log });
    const store = await ConfigStore.open({ history, log });
    const { text, revision } = store.parameter('client_max_connections');
    // Killed between the commit and the answer, the value may be the one being tried.
    expect([String(done), String(tried)]).toContain(text);
    const { rows, total } = await history.log.page({ parameter: 'client_max_connections' }, 1);
    expect(rows[0]?.newValue).toBe(text);
    expect(total).toBe(revision);
    const [check] = await history.database.$queryRawUnsafe<{ integrity_check: string }[]>('PRAGMA integrity_check');
    expect(check?.integrity_check).toBe('ok');
    await history.close();
    first = Number(text) + 1;
  }
});
