import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHistory } from './history-store.ts';

it('keeps its files for the owner only, also in a home that others may enter', async () => {
  const home = mkdtempSync(join(tmpdir(), 'odp-home-'));
  const history = await openHistory(home, { log: { warn: (_fields, text) => expect.unreachable(text) } });
  await history.log.add({ actor: 'a', source: 'system', origin: '', requestId: 'r' }, { action: 'login' });
  const modes = readdirSync(home).map((name) => [name, statSync(join(home, name)).mode & 0o777]);
  expect(modes.map(([name]) => name)).toContain('odp.db');
  expect(modes.every(([, mode]) => mode === 0o600)).toBe(true);
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

it('a step that is told twice at once is written once', async () => {
  const home = mkdtempSync(join(tmpdir(), 'odp-home-'));
  const log = { warn: (_fields: object, text: string) => expect.unreachable(text) };
  const history = await openHistory(home, { log });
  const actor = { actor: 'odp', source: 'system', origin: '', requestId: 'upgrade-1-1-1' } as const;
  const rows = await Promise.all([1, 2].map(() => history.log.addOnce(actor, { action: 'upgrade.step' })));
  expect(rows.filter((row) => row !== null)).toHaveLength(1);
  expect((await history.log.page({}, 10)).rows).toHaveLength(1);
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

it('a key of the history that cannot be read keeps nobody from starting, and is not replaced', async () => {
  const home = mkdtempSync(join(tmpdir(), 'odp-home-'));
  const warnings: string[] = [];
  const log = { warn: (_fields: object, text: string) => void warnings.push(text) };
  await (await openHistory(home, { log })).close();
  expect(readdirSync(home).filter((name) => name.startsWith('audit.key'))).toEqual(['audit.key']);
  writeFileSync(join(home, 'audit.key'), '');
  const history = await openHistory(home, { log });
  expect(history.auditKey).toBeNull();
  expect(warnings[0]).toContain('the key of the history is missing');
  await history.close();
  expect(statSync(join(home, 'audit.key')).size).toBe(0);
  // Nothing is signed yet: whose file that is only people can tell.
  const fresh = mkdtempSync(join(tmpdir(), 'odp-home-'));
  writeFileSync(join(fresh, 'audit.key'), '');
  await expect(openHistory(fresh, { log })).rejects.toMatchObject({
    code: 'STORE_UNUSABLE',
    message: expect.stringContaining('audit.key'),
  });
  for (const one of [home, fresh]) rmSync(one, { recursive: true, force: true });
});
