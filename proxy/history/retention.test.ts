import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chainRows } from './chain/begin-chain.ts';
import { chainHead } from './chain/checkpoint.ts';
import { type HistoryStore, openHistory } from './history-store.ts';
import { checkRetention } from './retention.ts';

const log = { warn: (fields: object, text: string) => expect.unreachable(`${text}: ${JSON.stringify(fields)}`) };
const now = () => new Date('2026-06-01T00:00:00Z');
let home: string;
let history: HistoryStore;

async function open(retention: object): Promise<void> {
  history = await openHistory(home, { log, now, retention });
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'odp-retention-'));
});
afterEach(async () => {
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

async function addRows(count: number, parameter: string, at: string): Promise<void> {
  const behind = await chainHead(history.database);
  await history.database.$executeRaw`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})
    INSERT INTO "HistoryRow" (at, action, actor, source, origin, parameter, oldValue, newValue, reason, requestId)
    SELECT ${at}, 'parameter.change', 'a', 'sql', '', ${parameter}, '', i, '', '' FROM n`;
  await chainRows(history.database, behind);
}

describe('case B107: retention', () => {
  it('keeps the newest rows, and the last one of each parameter in any case', async () => {
    await open({ maxRows: 1000 });
    await addRows(3, 'proxy_idc_name', '2026-05-01T00:00:00.000+00:00');
    await addRows(5000, 'init_sql', '2026-05-02T00:00:00.000+00:00');
    expect(await history.log.prune()).toBe(4002);
    expect((await history.log.page({}, 1)).total).toBe(1001);
    const kept = await history.log.page({ parameter: 'proxy_idc_name' }, 10);
    expect(kept.rows.map((row) => row.newValue)).toEqual(['2']);
    expect(await history.log.prune()).toBe(0);
  });

  it('removes what is too old, while rows are added', async () => {
    await open({ maxAgeDays: 30 });
    await addRows(2000, '', '2026-04-01T00:00:00.000+00:00');
    await addRows(10, 'init_sql', '2026-05-31T00:00:00.000+00:00');
    const actor = { actor: 'a', source: 'console', origin: '', requestId: 'r' } as const;
    await Promise.all([
      history.log.prune(),
      ...Array.from({ length: 20 }, () => history.log.add(actor, { action: 'login' })),
    ]);
    expect((await history.log.page({}, 1)).total).toBe(30);
  });

  it('prunes by itself after many rows', async () => {
    await open({ maxRows: 10 });
    const actor = { actor: 'a', source: 'console', origin: '', requestId: 'r' } as const;
    for (let count = 0; count < 501; count += 1) await history.log.add(actor, { action: 'login' });
    await history.close();
    await open({ maxRows: 10 });
    expect((await history.log.page({}, 1)).total).toBeLessThan(200);
  });

  it('refuses settings that make no sense', async () => {
    await open({});
    for (const maxRows of [0, -1, 1.5, Number.NaN]) {
      expect(() => checkRetention({ maxRows }), String(maxRows)).toThrow(/maxRows = .* is not a whole number above 0/);
    }
    await expect(openHistory(home, { log, retention: { maxAgeDays: 0 } })).rejects.toThrow('maxAgeDays = 0');
  });
});
