import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Prisma } from './generated/client.ts';
import { rowsQuery } from './history-query.ts';
import type { HistoryFilter } from './history-row.ts';
import { type HistoryStore, openHistory } from './history-store.ts';

const log = { warn: (_fields: object, text: string) => expect.unreachable(text) };
const actor = { actor: 'op', role: 'operator', source: 'console', origin: '192.0.2.7', requestId: 'r' } as const;
let home: string;
let history: HistoryStore;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'odp-query-'));
  history = await openHistory(home, { log });
});
afterAll(async () => {
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

/** How SQLite would go about a page, in its own words. */
async function planOf(filter: HistoryFilter, before: number | undefined): Promise<string> {
  const rows = await history.database.$queryRaw<{ detail: string }[]>(
    Prisma.sql`EXPLAIN QUERY PLAN ${rowsQuery(filter, 51, before)}`,
  );
  return rows.map(({ detail }) => detail).join('; ');
}

describe('case B108: pages of a million rows', () => {
  const week = { from: '2026-01-01T00:00:00Z', to: '2026-01-08T00:00:00Z' };
  it.each<[string, HistoryFilter, RegExp]>([
    ['everything', {}, /^SEARCH row USING INTEGER PRIMARY KEY \(rowid<\?\)$/],
    [
      'a parameter',
      { parameter: 'init_sql' },
      /^SEARCH row USING INDEX HistoryRow_parameter_id_idx \(parameter=\? AND id<\?\)$/,
    ],
    ['a person', { actor: 'op', source: 'console' }, /INDEX HistoryRow_actor_id_idx \(actor=\? AND id<\?\)$/],
    ['a token', { token: 'nightly', actor: 'op' }, /INDEX HistoryRow_token_id_idx \(token=\? AND id<\?\)$/],
    ['an address', { origin: '192.0.2.7', role: 'viewer' }, /INDEX HistoryRow_origin_id_idx \(origin=\? AND id<\?\)$/],
    ['an action', { action: 'login', outcome: 'done' }, /INDEX HistoryRow_action_id_idx \(action=\? AND id<\?\)$/],
    ['an outcome', { outcome: 'refused', source: 'sql' }, /INDEX HistoryRow_outcome_id_idx \(outcome=\? AND id<\?\)$/],
    ['a role', { role: 'viewer' }, /INDEX HistoryRow_role_id_idx \(role=\? AND id<\?\)$/],
    ['a door', { source: 'sql' }, /INDEX HistoryRow_source_id_idx \(source=\? AND id<\?\)$/],
    ['a request', { requestId: 'r', parameter: 'x' }, /INDEX HistoryRow_requestId_id_idx \(requestId=\? AND id<\?\)$/],
    [
      'a time',
      week,
      /^SEARCH row USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\).*COVERING INDEX HistoryRow_at_idx/,
    ],
    [
      'a word',
      { text: 'window', source: 'sql' },
      /^SCAN found VIRTUAL TABLE INDEX \d+:M.*; SEARCH row USING INTEGER PRIMARY KEY/,
    ],
  ])('are led by an index and not sorted: %s', async (_what, filter, plan) => {
    const found = await planOf(filter, 500_000);
    expect(found).toMatch(plan);
    expect(found).not.toMatch(/TEMP B-TREE|SCAN row|SCAN "?HistoryRow"?(?! USING COVERING)/);
  });
});

describe('full text', () => {
  const found = async (text: string) => (await history.log.page({ text }, 10)).rows.map(({ newValue }) => newValue);

  it('finds every word, in any column and case, whatever its letters', async () => {
    await history.log.add(actor, { action: 'parameter.change', parameter: 'init_sql', newValue: "SET NAMES '100%_x'" });
    await history.log.add(actor, { action: 'parameter.change', newValue: '数据库的名字', reason: 'Because of "it"' });
    await history.log.add({ ...actor, requestId: 'sql-77-1' }, { action: 'login', newValue: 'other' });
    expect(await found('set NAMES')).toEqual(["SET NAMES '100%_x'"]);
    expect(await found('names set')).toEqual(["SET NAMES '100%_x'"]);
    expect(await found('100%_')).toEqual(["SET NAMES '100%_x'"]);
    expect(await found('100_')).toEqual([]);
    expect(await found('数据库')).toEqual(['数据库的名字']);
    expect(await found('名字')).toEqual(['数据库的名字']);
    expect(await found('because "it"')).toEqual(['数据库的名字']);
    expect(await found('sql-77')).toEqual(['other']);
    expect(await found('init_sql')).toHaveLength(1);
    expect(await found('nowhere')).toEqual([]);
  });

  it('rows that the retention rule removes are not found any more', async () => {
    await history.database.historyCheckpoint.updateMany({ data: { removedId: 3 } });
    await history.database.historyRow.deleteMany({ where: { newValue: 'other' } });
    expect(await found('sql-77')).toEqual([]);
    await history.log.add({ ...actor, requestId: 'sql-78-1' }, { action: 'login', newValue: 'newer' });
    expect(await found('sql-7')).toEqual(['newer']);
  });
});

describe('in how many workers a change is in force', () => {
  it('stands beside the change, and rows of its own only when they are asked for', async () => {
    const first = { ...actor, requestId: 'r1' };
    await history.log.add(first, { action: 'parameter.change', parameter: 'a', newValue: '1', outcome: 'persisted' });
    await history.log.add(first, { action: 'parameter.apply', outcome: 'applied', workers: { applied: 2, total: 2 } });
    // Ids of requests may come again in another life of the proxy: the first row behind the change counts.
    await history.log.add(first, { action: 'parameter.change', parameter: 'a', newValue: '2', outcome: 'persisted' });
    const entry = { action: 'parameter.apply', outcome: 'failed', failure: 'worker 1 is gone' } as const;
    await history.log.add(first, { ...entry, workers: { applied: 1, total: 2 } });
    await history.log.add(actor, { action: 'parameter.change', parameter: 'a', newValue: '3', outcome: 'persisted' });
    const { rows, total } = await history.log.page({ parameter: 'a' }, 10);
    expect(rows.map((row) => [row.newValue, row.workersApplied, row.workersTotal, row.failure])).toEqual([
      ['3', null, null, ''],
      ['2', 1, 2, 'worker 1 is gone'],
      ['1', 2, 2, ''],
    ]);
    expect(total).toBe(3);
    expect((await history.log.page({ action: 'parameter.apply' }, 10)).total).toBe(2);
  });
});

describe('rows of several actions', () => {
  const filter: HistoryFilter = {
    actions: ['cluster.change', 'session.kill'],
    from: '2026-01-01T00:00:00Z',
    to: '2100-01-01T00:00:00Z',
  };

  it('are found by the index of the actions, not by looking through all rows of a time (case B108)', async () => {
    const plan = await planOf(filter, undefined);
    expect(plan).toMatch(/^SEARCH row USING INDEX HistoryRow_action_id_idx \(action=\? AND id>\? AND id<\?\)/);
  });

  it('are those of each of them, newest first', async () => {
    await history.log.add(actor, { action: 'session.kill', newValue: '7' });
    await history.log.add(actor, { action: 'login' });
    await history.log.add(actor, { action: 'cluster.change', reason: 'zone z1: ACTIVE → MERGE' });
    const { rows, total } = await history.log.page(filter, 10);
    expect(rows.map(({ action }) => action)).toEqual(['cluster.change', 'session.kill']);
    expect(total).toBe(2);
  });
});
