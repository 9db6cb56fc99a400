import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createConnection, type Server } from 'node:net';
import { dirname } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { errorText, OdpError } from '../errors/odp-error.ts';

/** Longest path of a Unix socket on Linux (sun_path has 108 bytes with its closing zero). */
const maxPathBytes = 107;

/**
 * Listens on a Unix socket that only the proxy's own account can open (mode 0600). A file left behind by a process that
 * was killed is removed; one that somebody answers on is not.
 * @throws OdpError INTERNAL when the path is too long, in use or not writable.
 */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw new OdpError('INTERNAL', {
      detail: `socket path ${path} has more than ${maxPathBytes} bytes; use a shorter home`,
    });
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await listen(server, path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' || (await isAnswered(path))) throw error;
      rmSync(path, { force: true });
      await listen(server, path);
    });
    chmodSync(path, 0o600);
  } catch (error) {
    throw new OdpError('INTERNAL', { detail: `cannot listen on ${path}: ${errorText(error)}` }, { cause: error });
  }
}

function listen(server: Server, path: string): Promise<void> {
  // The umask closes the moment between bind and chmod; worker threads may not set it.
  const umask = isMainThread ? process.umask(0o177) : undefined;
  try {
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } finally {
    if (umask !== undefined) process.umask(umask);
  }
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
