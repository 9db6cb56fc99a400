import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fingerprint, withImports } from './fingerprint.mjs';
import { withLock } from './lock.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'odp-set-up-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name, text) => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
};

it('a fingerprint changes with content and names, and not with time', () => {
  write('a/one', '1');
  const first = fingerprint([folder]);
  write('a/one', '1');
  expect(fingerprint([folder])).toBe(first);
  write('a/one', '2');
  expect(fingerprint([folder])).not.toBe(first);
  write('a/one', '1');
  write('a/two', '');
  expect(fingerprint([folder])).not.toBe(first);
});

it('a fingerprint tells a boundary between files from content', () => {
  write('a', 'xb');
  write('b', '');
  const first = fingerprint([join(folder, 'a'), join(folder, 'b')]);
  write('a', 'x');
  write('b', 'b');
  expect(fingerprint([join(folder, 'a'), join(folder, 'b')])).not.toBe(first);
});

it('follows relative imports', () => {
  write('entry.ts', "import { z } from 'zod';\nimport { a } from './sub/a.ts';\n");
  write('sub/a.ts', "export { b } from '../b.ts';\n");
  write('b.ts', "import './entry.ts';\nexport const b = 1;\n");
  expect(
    withImports(join(folder, 'entry.ts'))
      .map((file) => file.slice(folder.length + 1))
      .sort(),
  ).toEqual(['b.ts', 'entry.ts', 'sub/a.ts']);
});

it('side by side, one process at a time holds the lock', async () => {
  const lock = join(folder, 'lock');
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const worker = join(folder, 'worker.mjs');
  writeFileSync(
    worker,
    `import { appendFileSync } from 'node:fs';
     import { setImmediate } from 'node:timers/promises';
     import { withLock } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'lock.mjs')).href)};
     for (let turn = 0; turn < 3; turn += 1) {
       await withLock(${JSON.stringify(lock)}, () => {}, async () => {
         appendFileSync(${JSON.stringify(log)}, '(');
         for (let pause = 0; pause < 20; pause += 1) await setImmediate();
         appendFileSync(${JSON.stringify(log)}, ')');
       });
     }`,
  );
  const workers = Array.from({ length: 4 }, () => spawn(process.execPath, [worker], { stdio: 'inherit' }));
  const codes = await Promise.all(workers.map((child) => new Promise((done) => child.once('exit', done))));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(readFileSync(log, 'utf8')).toBe('()'.repeat(12));
});

it('takes over the lock of a process that is gone', async () => {
  const lock = join(folder, 'lock');
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(lock, String(pid));
  let done = false;
  await withLock(
    lock,
    () => undefined,
    async () => {
      done = true;
    },
  );
  expect(done).toBe(true);
});
