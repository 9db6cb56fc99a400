import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'odp-demo-main-'));
const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
  rmSync(home, { recursive: true, force: true });
});

function start(...options: string[]) {
  const child = spawn(process.execPath, [entry, '--home', home, '--base', '127.78.0.11', '--port', '0', ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  ended.push(() => child.kill('SIGKILL'));
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, exit };
}

async function firstLine(child: ReturnType<typeof start>['child']): Promise<unknown> {
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  throw new Error('the demo said nothing');
}

describe('the demo process', () => {
  it('says ready once all servers listen, and stops on SIGTERM', async () => {
    const { child, exit } = start('--socket', join(home, 'faults.sock'));
    expect(await firstLine(child)).toMatchObject({
      event: 'ready',
      clusterName: 'obdemo',
      servers: [{ zone: 'zone1' }, { zone: 'zone2' }, { zone: 'zone3' }, { zone: 'zone4' }, { zone: 'zone5' }],
      socket: join(home, 'faults.sock'),
    });
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('stops when its parent is gone', async () => {
    const { child, exit } = start();
    await firstLine(child);
    child.stdin.end();
    expect(await exit).toBe(0);
  });

  it('names a bad option', async () => {
    const { exit } = start('--port', '70000');
    expect(await exit).toBe(1);
  });
});
