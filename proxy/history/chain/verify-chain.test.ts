import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectDriver } from '../database.ts';
import { type HistoryStore, openHistory } from '../history-store.ts';
import { migrateDatabase } from '../migrate.ts';
import { verifyChain } from './verify-chain.ts';

const log = { warn: (fields: object, text: string) => expect.unreachable(`${text}: ${JSON.stringify(fields)}`) };
const startMs = Date.parse('2026-06-01T00:00:00Z');
let nowMs = startMs;
const now = () => new Date(nowMs);
const actor = { actor: 'op', source: 'console', origin: '192.0.2.7', requestId: 'r' } as const;
let home: string;
let history: HistoryStore;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'odp-chain-'));
  nowMs = startMs;
  history = await openHistory(home, { log, now });
});
afterEach(async () => {
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

const verify = (noted?: { id: number; hash: string }) =>
  verifyChain(history.database, { key: history.auditKey, noted });
const add = (parameter: string, newValue: string) =>
  history.log.add(actor, { action: 'parameter.change', parameter, newValue });

/** What somebody with the database file does. */
async function tamper(...statements: string[]): Promise<void> {
  await history.database.$executeRawUnsafe('DROP TRIGGER IF EXISTS "HistoryRow_unchanged"');
  await history.database.$executeRawUnsafe('DROP TRIGGER IF EXISTS "HistoryRow_kept"');
  for (const statement of statements) await history.database.$executeRawUnsafe(statement);
}

const breaks = async () => (await verify()).breaks.map(({ what }) => what);

describe('chain of the history', () => {
  it('holds for any text, and its head proves what stands before it', async () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 200 }), 100);
    for (const text of texts) await add('init_sql', text);
    const report = await verify();
    expect(report).toMatchObject({ state: 'intact', rows: 100, headId: 100, removedId: 0, breaks: [] });
    await add('init_sql', 'one more');
    expect(await verify({ id: 100, hash: report.headHash })).toMatchObject({ state: 'intact', headId: 101 });
    expect(await verify({ id: 99, hash: report.headHash })).toMatchObject({
      breaks: [{ id: 99, what: 'entry 99 has another hash than the one noted down' }],
    });
    expect((await verify({ id: 500, hash: report.headHash })).breaks).toMatchObject([{ id: 500 }]);
  });

  it('case B93: two processes write one chain, at the same time', async () => {
    const store = new URL('../history-store.ts', import.meta.url).href;
    const script = `
      const { openHistory } = await import(${JSON.stringify(store)});
      const history = await openHistory(${JSON.stringify(home)}, { log: console });
      process.stdout.write('open');
      for (let count = 0; count < 50; count += 1) {
        await history.log.add(${JSON.stringify(actor)}, { action: 'parameter.change', newValue: 'other ' + count });
      }
      await history.close();`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(other, 'exit');
    await once(other.stdout, 'data');
    for (let count = 0; count < 50; count += 1) await add('init_sql', `this ${count}`);
    expect(await ended).toEqual([0, null]);
    expect(await verify()).toMatchObject({ state: 'intact', rows: 100, headId: 100 });
  }, 30_000);

  it('tells the first entry that was altered, removed or put in', async () => {
    for (let count = 1; count <= 10; count += 1) await add('init_sql', String(count));
    await tamper(`UPDATE "HistoryRow" SET actor = 'nobody' WHERE id = 4`);
    expect(await breaks()).toEqual([
      'entry 4 does not fit the one before it: it, or what stands before it, was altered',
    ]);
    await tamper(`UPDATE "HistoryRow" SET actor = 'op' WHERE id = 4`, 'DELETE FROM "HistoryRow" WHERE id IN (6, 7)');
    expect(await breaks()).toEqual(['entry 8 does not fit the one before it: entries 6 to 7 are missing']);
    await tamper(
      `INSERT INTO "HistoryRow" (at, action, actor, source, origin, parameter, reason, requestId)
       VALUES ('2026-06-01T00:00:00.000+00:00', 'login', 'x', 'console', '', '', '', '')`,
    );
    expect((await breaks()).at(-1)).toBe('entry 11 is not part of the chain');
  });

  it('a chain that was made anew does not fit what was sealed', async () => {
    for (let count = 1; count <= 5; count += 1) await add('init_sql', String(count));
    nowMs += 3_600_000;
    await history.log.prune();
    await tamper(`UPDATE "HistoryRow" SET hash = '${'a'.repeat(64)}' WHERE id = 5`);
    expect(await breaks()).toEqual([
      'entry 5 does not fit the one before it: it, or what stands before it, was altered',
      'entry 5 is not the one sealed',
    ]);
    await tamper(
      'DELETE FROM "HistoryRow" WHERE id = 5',
      `UPDATE sqlite_sequence SET seq = 4 WHERE name = 'HistoryRow'`,
    );
    expect(await breaks()).toEqual(['entries 5 to 5, once sealed, are missing']);
  });

  it('tells that the end is missing, and that checkpoints were forged or taken away', async () => {
    for (let count = 1; count <= 3; count += 1) await add('init_sql', String(count));
    await tamper('DELETE FROM "HistoryRow" WHERE id = 3');
    expect(await breaks()).toEqual(['entries 3 to 3 at the end are missing']);
    await tamper('UPDATE "HistoryCheckpoint" SET "keptRows" = 7');
    expect((await breaks())[0]).toMatch(
      /^1 checkpoints are not signed with the key [0-9a-f]{16}, the first of 2026-06-01/,
    );
    await tamper('DELETE FROM "HistoryCheckpoint"');
    expect((await breaks())[0]).toBe('the checkpoint with which the chain begins is missing');
  });

  it('rows are not changed or removed by mistake', async () => {
    await add('init_sql', '1');
    const { historyRow } = history.database;
    await expect(historyRow.updateMany({ data: { reason: 'x' } })).rejects.toThrow();
    await expect(historyRow.deleteMany()).rejects.toThrow();
    expect(await verify()).toMatchObject({ state: 'intact', rows: 1 });
  });

  it('the key is readable by its owner only; a lost one is told and not replaced', async () => {
    const file = join(home, 'audit.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, 'utf8');
    await history.close();
    rmSync(file);
    const warnings: string[] = [];
    const warn = (_fields: object, text: string) => warnings.push(text);
    history = await openHistory(home, { log: { warn }, now });
    expect(warnings[0]).toMatch(/^the key of the history is missing/);
    await expect(history.log.prune()).rejects.toThrow('the key that signs checkpoints is missing');
    expect((await breaks())[0]).toMatch(/^the key is missing/);
    expect(before).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });

  it('rows of an older version are chained when the chain begins', async () => {
    const old = mkdtempSync(join(tmpdir(), 'odp-chain-old-'));
    const shipped = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
    for (const name of ['20261130090000_init', '20261201020000_blocklists', '20261201050000_config_levels']) {
      mkdirSync(join(old, 'migrations', name), { recursive: true });
      cpSync(join(shipped, name), join(old, 'migrations', name), { recursive: true });
    }
    const file = join(old, 'odp.db');
    await migrateDatabase(file, join(old, 'migrations'));
    const driver = await connectDriver(file);
    await driver.executeScript(`
      WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 1203)
      INSERT INTO "HistoryRow" (id, at, action, actor, source, origin, parameter, newValue, reason, requestId)
      SELECT i, '2026-05-01T00:00:00.000+00:00', CASE i % 2 WHEN 0 THEN 'login.failed' ELSE 'parameter.change' END,
        'op', 'sql', '', 'init_sql', i, '', '' FROM n WHERE i <> 700`);
    await driver.dispose();
    const upgraded = await openHistory(old, { log, now });
    await upgraded.log.add(actor, { action: 'login' });
    const report = await verifyChain(upgraded.database, { key: upgraded.auditKey });
    expect(report).toMatchObject({ state: 'intact', rows: 1201, headId: 1204 });
    const { rows } = await upgraded.log.page({ text: '1202' }, 5);
    expect(rows).toMatchObject([{ id: 1202, outcome: 'refused' }]);
    await upgraded.close();
    rmSync(old, { recursive: true, force: true });
  });
});

describe('case B107: retention of a chain', () => {
  it('what stays verifies, also when more is removed later, and a break is never removed', async () => {
    await history.close();
    history = await openHistory(home, { log, now, retention: { maxRows: 20 } });
    await add('proxy_idc_name', 'first');
    for (let count = 2; count <= 60; count += 1) await add('init_sql', String(count));
    expect(await history.log.prune()).toBe(39);
    expect(await verify()).toMatchObject({ state: 'intact', rows: 21, removedId: 40, keptRows: 1, headId: 60 });
    await add('proxy_idc_name', 'second');
    expect(await history.log.prune()).toBe(2);
    expect(await verify()).toMatchObject({ state: 'intact', rows: 20, removedId: 41, keptRows: 0 });
    for (let count = 0; count < 10; count += 1) await history.log.add(actor, { action: 'login' });
    await history.log.prune();
    expect(await verify()).toMatchObject({ state: 'intact', rows: 20, removedId: 51 });

    await tamper(`UPDATE "HistoryRow" SET reason = 'x' WHERE id = 52`);
    for (let count = 0; count < 10; count += 1) await history.log.add(actor, { action: 'login' });
    await expect(history.log.prune()).rejects.toThrow('entry 52 of the history does not fit');
    expect(await verify()).toMatchObject({ state: 'broken', removedId: 51, breaks: [{ id: 52 }] });
  });

  it('kept rows cannot be altered either, and everything may be removed', async () => {
    await add('init_sql', '1');
    await history.close();
    const later = () => new Date('2028-06-01T00:00:00Z');
    history = await openHistory(home, { log, now: later, retention: { maxAgeDays: 30 } });
    await history.log.prune();
    expect(await verify()).toMatchObject({ state: 'intact', rows: 1, removedId: 1, keptRows: 1 });
    await add('init_sql', '2');
    await history.log.prune();
    expect(await verify()).toMatchObject({ state: 'intact', rows: 1, removedId: 1, keptRows: 0, headId: 2 });
    await history.close();
    const muchLater = () => new Date('2032-06-01T00:00:00Z');
    history = await openHistory(home, { log, now: muchLater, retention: { maxAgeDays: 30 } });
    await history.log.prune();
    await tamper(`UPDATE "HistoryRow" SET newValue = '3' WHERE id = 2`);
    expect(await breaks()).toEqual(['the entries kept up to 2 are not those of the last checkpoint']);
    await add('init_sql', '4');
    await expect(history.log.prune()).rejects.toThrow('not those that were kept');
  });
});
