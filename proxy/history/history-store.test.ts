import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
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
