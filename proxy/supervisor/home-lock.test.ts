import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

  it('keeps a second proxy out, and names the first', async () => {
    const other = spawn(process.execPath, ['-e', "console.log('up'); setInterval(() => undefined, 1000)", 'main.ts']);
    try {
      await once(other.stdout, 'data');
      writeHolder(String(other.pid));
      expect(() => lockHome(home)).toThrow(`${home} is in use by the proxy with pid ${other.pid}`);
    } finally {
      other.kill();
      await once(other, 'exit');
    }
  });

  it('is refused in a folder that cannot be one, by name', () => {
    const file = join(home, 'a file');
    writeFileSync(file, '');
    expect(() => lockHome(file)).toThrow(`ODP_HOME ${file} cannot be used: ENOTDIR`);
  });

  it('is refused where the path leaves no room for a Unix socket', () => {
    const room = 107 - '/run/control.sock'.length;
    const fits = home.padEnd(room, '/x');
    expect(() => lockHome(fits)).not.toThrow();
    expect(() => lockHome(`${fits}yy`)).toThrow(`ODP_HOME ${fits}yy is 2 bytes too long`);
  });
});
