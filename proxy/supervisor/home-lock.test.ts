import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockHome } from './home-lock.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'odp-lock-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const lockFile = (): string => join(home, 'run', 'supervisor.pid');
const writeHolder = (pid: string): void => {
  mkdirSync(join(home, 'run'));
  writeFileSync(lockFile(), pid);
};

describe('the lock of a home folder', () => {
  it('is given back', () => {
    const unlock = lockHome(home);
    expect(existsSync(lockFile())).toBe(true);
    unlock();
    expect(existsSync(lockFile())).toBe(false);
  });

  it.each(['999999999', 'garbage', String(process.ppid)])(
    'left behind by a crash (%s) does not keep a start out',
    (pid) => {
      writeHolder(pid);
      expect(() => lockHome(home)).not.toThrow();
    },
  );
});
