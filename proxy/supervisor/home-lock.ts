import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Takes a home folder for this process: two proxies that wrote the same files would undo each other's changes.
 * @returns how to give it back
 * @throws Error that names the process that has it
 */
export function lockHome(home: string): () => void {
  const directory = join(home, 'run');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'supervisor.pid');
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
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
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
