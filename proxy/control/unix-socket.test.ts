import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenOnSocket } from './unix-socket.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'odp-socket-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const close = (server: ReturnType<typeof createServer>) => new Promise((resolve) => server.close(resolve));

describe('listenOnSocket', () => {
  it('takes over a file that a killed process left behind, makes missing directories', async () => {
    const path = join(directory, 'run', 'control.sock');
    const first = createServer();
    await listenOnSocket(first, path);
    await close(first);
    writeFileSync(path, '');
    const second = createServer();
    await listenOnSocket(second, path);
    await close(second);
  });

  it('refuses a path in use and one that is too long', async () => {
    const path = join(directory, 'control.sock');
    const first = createServer();
    await listenOnSocket(first, path);
    await expect(listenOnSocket(createServer(), path)).rejects.toThrow(/cannot listen on .*EADDRINUSE/);
    await close(first);
    await expect(listenOnSocket(createServer(), join(directory, 'x'.repeat(120)))).rejects.toThrow(
      /more than 107 bytes/,
    );
  });
});
