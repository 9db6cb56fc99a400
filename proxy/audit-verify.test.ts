import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditVerify } from './audit-verify.ts';
import { type HistoryStore, openHistory } from './history/history-store.ts';

const log = { warn: (_fields: object, text: string) => expect.unreachable(text) };
const actor = { actor: 'op', source: 'console', origin: '', requestId: 'r' } as const;
let home: string;
let history: HistoryStore;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'odp-audit-'));
  history = await openHistory(home, { log });
  for (let count = 0; count < 3; count += 1) await history.log.add(actor, { action: 'login' });
});
afterEach(async () => {
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

async function verify(noted: { id: number; hash: string } | null = null): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await auditVerify({ home, noted }, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

describe('audit verify', () => {
  it('says that the chain of a running proxy holds, and what to note down', async () => {
    const { code, text } = await verify();
    expect(code).toBe(0);
    expect(text).toMatch(
      /^the history is intact.*\nentries {3}3, 1 signed checkpoints\nhead {6}3:[0-9a-f]{64}\nkey {7}[0-9a-f]{16}$/,
    );
    const hash = /3:([0-9a-f]{64})/.exec(text)?.[1] ?? '';
    await history.log.add(actor, { action: 'logout' });
    expect((await verify({ id: 3, hash })).code).toBe(0);
    expect(await verify({ id: 2, hash })).toMatchObject({ code: 1, text: expect.stringContaining('noted down') });
  });

  it('says where it breaks', async () => {
    await history.database.$executeRawUnsafe('DROP TRIGGER "HistoryRow_unchanged"');
    await history.database.$executeRawUnsafe(`UPDATE "HistoryRow" SET actor = 'nobody' WHERE id = 2`);
    const { code, text } = await verify();
    expect(code).toBe(1);
    expect(text).toMatch(/^THE HISTORY IS BROKEN\n {2}entry 2 does not fit the one before it/);
  });

  it('makes no database where there is none', async () => {
    const empty = join(home, 'empty');
    await expect(auditVerify({ home: empty, noted: null }, () => undefined)).rejects.toThrow(
      `there is no ${empty}/odp.db`,
    );
    expect(existsSync(empty)).toBe(false);
  });
});
