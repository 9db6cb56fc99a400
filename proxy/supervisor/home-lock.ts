import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Longest path of a Unix socket on Linux: sun_path has 108 bytes with its closing zero. */
const MAX_SOCKET_PATH_BYTES = 107;

/**
 * Takes a home folder for this process: two proxies that wrote the same files would undo each other's changes.
 * @returns how to give it back
 * @throws Error that names the folder, and what is wrong with it or the process that has it
 */
export function lockHome(home: string): () => void {
  const directory = join(home, 'run');
  const pathBytes = Buffer.byteLength(join(directory, 'control.sock'));
  if (pathBytes > MAX_SOCKET_PATH_BYTES) {
    const excess = pathBytes - MAX_SOCKET_PATH_BYTES;
    throw new Error(`ODP_HOME ${home} is ${excess} bytes too long: the paths of the sockets in it would not fit`);
  }
  const file = join(directory, 'supervisor.pid');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(home, constants.W_OK);
    return take(home, file);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Error(`ODP_HOME ${home} cannot be used: ${error.message}`);
  }
}

function take(home: string, file: string): () => void {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (!isSystemError(error) || error.code !== 'EEXIST') throw error;
      const holder = Number(readFileSync(file, 'utf8'));
      if (isOdpProcess(holder)) {
        throw new Error(
          `${home} is in use by the proxy with pid ${holder}: stop it, or set ODP_HOME to another folder`,
        );
      }
      rmSync(file, { force: true });
    }
  }
}

/** A file left by a crash names a pid that is gone, or that some other program has now. */
function isOdpProcess(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.ts');
  } catch (error) {
    return isSystemError(error) && error.code === 'EPERM';
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
