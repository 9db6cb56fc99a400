import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 200;

/**
 * Runs `work` while no other process of this machine holds the lock file, which carries its holder's process id. The
 * lock of a process that is gone is taken over.
 * @param {string} path
 * @param {(holder: number) => void} onWait told once when somebody else holds it
 * @param {() => Promise<void>} work
 */
export async function withLock(path, onWait, work) {
  mkdirSync(dirname(path), { recursive: true });
  let told = false;
  while (!take(path)) {
    const holder = readHolder(path);
    if (holder !== null && !isAlive(holder)) {
      removeLockOf(path, holder);
      continue;
    }
    if (!told && holder !== null) onWait(holder);
    told = holder !== null;
    await sleep(pollMs);
  }
  try {
    await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Links a complete file into place, so that nobody ever reads a lock without its holder. */
function take(path) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function readHolder(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Moves the lock away before looking at it, so that of several waiters only one removes it, and no newer one is lost. */
function removeLockOf(path, deadHolder) {
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readHolder(aside) !== deadHolder) linkSync(aside, path);
  rmSync(aside, { force: true });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
