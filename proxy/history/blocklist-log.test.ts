import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredEvidence, StoredParameters } from './blocklist-evidence.ts';
import { failureRetention, transitionRetention } from './blocklist-log.ts';
import type { NewFailure, NewTransition, StoredTransition } from './blocklist-row.ts';
import { type HistoryStore, openHistory } from './history-store.ts';

let home: string;
let history: HistoryStore;
let warned: string[];
const startMs = Date.parse('2026-06-01T00:00:00.123Z');
let nowMs = startMs;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'odp-blocklist-'));
  nowMs = startMs;
  warned = [];
  history = await openHistory(home, {
    log: { warn: (fields, text) => warned.push(`${text} ${JSON.stringify(fields)}`) },
    now: () => new Date(nowMs),
  });
});
afterEach(async () => {
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

const parameters: StoredParameters = {
  enabled: true,
  failureThreshold: 5,
  failWindowMs: 120_000,
  retryIntervalMs: 20_000,
  minKeepMs: 20_000,
  minConnectTimeoutMs: 100,
  detectFailThreshold: 3,
  detectMode: 1,
};
const transition = (change: Partial<NewTransition> = {}): NewTransition => ({
  cluster: 'obdemo',
  address: '127.0.0.11:2881',
  zone: 'zone1',
  list: 'alive',
  change: 'listed',
  wallAtMs: startMs,
  listedForMs: null,
  evidence: { kind: 'success', sessionId: 7 },
  parameters,
  ...change,
});
const failure = (change: Partial<NewFailure> = {}): NewFailure => ({
  cluster: 'obdemo',
  address: '127.0.0.11:2881',
  kind: 'connect-timeout',
  wallAtMs: startMs,
  tookMs: 100.25,
  errno: 4013,
  detail: 'no answer',
  sessionId: 4_294_967_295,
  digest: 'select ? from t',
  ...change,
});
async function failuresSince(at: number, cluster = 'obdemo') {
  const found = [];
  for await (const row of history.blocklist.failures(cluster, new Date(at))) found.push(row);
  return found;
}

describe('transitions', () => {
  const evidences: StoredEvidence[] = [
    { kind: 'view', state: 'INACTIVE', zoneState: 'ACTIVE', reason: 'status inactive' },
    { kind: 'probes', probes: [{ ok: false, wallAtMs: startMs, tookMs: 5000.5, detail: 'no result' }] },
    {
      kind: 'failures',
      failures: [
        { kind: 'server-error', wallAtMs: 1, tookMs: 2.5, errno: 8001, detail: 'x', sessionId: 3, digest: 'd' },
      ],
    },
    { kind: 'success', sessionId: 0 },
    { kind: 'parameters', changed: ['failureThreshold'] },
    { kind: 'hand', actor: 'admin', reason: 'repaired' },
    { kind: 'removed' },
  ];

  it.each(evidences.map((evidence) => [evidence.kind, evidence] as const))('keep evidence: %s', async (_, evidence) => {
    history.blocklist.addTransition(transition({ evidence, change: 'released', listedForMs: 3_000_000_000.25 }));
    await history.blocklist.idle();
    expect(await history.blocklist.page({}, 10)).toEqual({
      rows: [
        {
          id: 1,
          at: new Date(startMs),
          cluster: 'obdemo',
          address: '127.0.0.11:2881',
          zone: 'zone1',
          list: 'alive',
          change: 'released',
          listedForMs: 3_000_000_000.25,
          evidence,
          parameters,
        },
      ],
      total: 1,
      nextBefore: null,
    });
  });

  it('are told once written, in the order of their ids', async () => {
    const told: StoredTransition[] = [];
    const end = history.blocklist.onAdded((row) => told.push(row));
    for (let count = 0; count < 120; count += 1) history.blocklist.addTransition(transition({ zone: `z${count}` }));
    expect(told).toEqual([]);
    await history.blocklist.idle();
    expect(told.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    expect(told.map(({ zone }) => zone)).toEqual(Array.from({ length: 120 }, (_, index) => `z${index}`));
    expect(told[0]).toEqual((await history.blocklist.page({}, 1, 2)).rows[0]);
    end();
  });

  it('case B105 case B108: are paged by id, stable while rows are added and whatever the clock did', async () => {
    for (let count = 0; count < 10; count += 1) {
      history.blocklist.addTransition(transition({ wallAtMs: startMs - count * 1_000 }));
    }
    await history.blocklist.idle();
    const first = await history.blocklist.page({}, 4);
    expect(first).toMatchObject({ total: 10, nextBefore: 7 });
    expect(first.rows.map(({ id }) => id)).toEqual([10, 9, 8, 7]);
    history.blocklist.addTransition(transition());
    await history.blocklist.idle();
    const second = await history.blocklist.page({}, 4, 7);
    expect(second.rows.map(({ id }) => id)).toEqual([6, 5, 4, 3]);
    expect((await history.blocklist.page({}, 4, 3)).nextBefore).toBeNull();
  });

  it('are found by cluster, server, list, change and time', async () => {
    const add = (change: Partial<NewTransition>) => history.blocklist.addTransition(transition(change));
    add({ cluster: 'a', list: 'status' });
    add({ cluster: 'b', address: '[fd00::1]:2881', change: 'released', wallAtMs: startMs + 1_000 });
    add({ cluster: 'b', list: 'detection', wallAtMs: startMs + 2_000 });
    await history.blocklist.idle();
    const ids = async (filter: object) => (await history.blocklist.page(filter, 10)).rows.map(({ id }) => id);
    expect(await ids({ cluster: 'b' })).toEqual([3, 2]);
    expect(await ids({ cluster: 'B' })).toEqual([]);
    expect(await ids({ cluster: 'b', server: '[fd00::1]:2881' })).toEqual([2]);
    expect(await ids({ list: 'status' })).toEqual([1]);
    expect(await ids({ change: 'listed' })).toEqual([3, 1]);
    expect(await ids({ from: '2026-06-01T00:00:01.123Z', to: '2026-06-01T00:00:02.123Z' })).toEqual([2]);
  });

  it('tell who was listed at a time, and what came after', async () => {
    const add = (change: Partial<NewTransition>) => history.blocklist.addTransition(transition(change));
    add({ address: 'a' });
    add({ address: 'b' });
    add({ address: 'a', change: 'released', wallAtMs: startMs + 1_000 });
    add({ address: 'b', change: 'released', wallAtMs: startMs + 5_000 });
    add({ address: 'b', list: 'status' });
    add({ address: 'd', cluster: 'other' });
    await history.blocklist.idle();
    const rows = [];
    for await (const row of history.blocklist.transitionsSince('obdemo', new Date(startMs + 2_000))) rows.push(row);
    expect(rows.map(({ address, list, change }) => [address, list, change])).toEqual([
      ['b', 'alive', 'listed'],
      ['a', 'alive', 'released'],
      ['b', 'status', 'listed'],
      ['b', 'alive', 'released'],
    ]);
  });

  it('that were open when the process ended are closed at the next start', async () => {
    history.blocklist.addTransition(transition({ address: 'a' }));
    history.blocklist.addTransition(transition({ address: 'a', list: 'status' }));
    history.blocklist.addTransition(transition({ address: 'b' }));
    history.blocklist.addTransition(transition({ address: 'b', change: 'released', listedForMs: 5 }));
    await history.blocklist.idle();
    await history.blocklist.takeOver([]);
    await history.blocklist.takeOver([]);
    const { rows } = await history.blocklist.page({}, 10);
    expect(rows.slice(0, -4).map(({ address, list, change, evidence }) => [address, list, change, evidence])).toEqual([
      ['a', 'status', 'released', { kind: 'restart' }],
      ['a', 'alive', 'released', { kind: 'restart' }],
    ]);
    expect(rows[0]).toMatchObject({ listedForMs: null, parameters, at: new Date(nowMs) });
  });

  it('go on over a takeover: only what differs from the lists is written, and what happens meanwhile comes after it', async () => {
    const { blocklist } = history;
    for (const address of ['gone', 'same']) blocklist.addTransition(transition({ address }));
    await blocklist.giveAway();
    blocklist.addTransition(transition({ address: 'of another process' }));
    nowMs += 1_000;
    const taken = blocklist.takeOver([transition({ address: 'same' }), transition({ address: 'new' })]);
    blocklist.addTransition(transition({ address: 'new', change: 'released', listedForMs: 5 }));
    const again = blocklist.takeOver([transition({ address: 'same' })]);
    blocklist.addTransition(transition({ address: 'same', change: 'released', listedForMs: 9 }));
    await Promise.all([taken, again]);
    const { rows } = await blocklist.page({}, 10);
    expect(rows.toReversed().map(({ address, change, at }) => [address, change, at.getTime() - startMs])).toEqual([
      ['gone', 'listed', 0],
      ['same', 'listed', 0],
      ['gone', 'released', 1_000],
      ['new', 'listed', 1_000],
      ['new', 'released', 0],
      ['same', 'released', 0],
    ]);
  });

  it('of another version, or damaged, come without what cannot be read', async () => {
    for (let count = 0; count < 4; count += 1) history.blocklist.addTransition(transition());
    await history.blocklist.idle();
    const { database } = history;
    await database.$executeRaw`UPDATE "BlocklistTransition" SET evidenceFormat = 2 WHERE id = 1`;
    await database.$executeRaw`UPDATE "BlocklistTransition" SET evidence = '{"kind":"success"}' WHERE id = 2`;
    await database.$executeRaw`UPDATE "BlocklistTransition" SET evidence = '{' WHERE id = 3`;
    await database.$executeRaw`UPDATE "BlocklistTransition" SET parameters = '[]' WHERE id = 4`;
    const { rows } = await history.blocklist.page({}, 10);
    expect(rows.map(({ evidence, parameters: values }) => [evidence !== null, values !== null])).toEqual([
      [true, false],
      [false, true],
      [false, true],
      [false, false],
    ]);
  });
});

describe('failures', () => {
  it('of a span and a cluster come oldest first', async () => {
    for (let count = 0; count < 450; count += 1) {
      history.blocklist.addFailure(failure({ wallAtMs: startMs + count, detail: `f${count}` }));
    }
    history.blocklist.addFailure(failure({ cluster: 'other', wallAtMs: startMs + 1_000 }));
    await history.blocklist.idle();
    const found = await failuresSince(startMs + 100);
    expect(found).toHaveLength(350);
    expect(found[0]).toEqual({ id: 101, ...failure({ wallAtMs: startMs + 100, detail: 'f100' }) });
    expect(found.at(-1)?.detail).toBe('f449');
    expect(await failuresSince(startMs, 'other')).toHaveLength(1);
  });

  it('keep the beginning of a long statement', async () => {
    history.blocklist.addFailure(failure({ digest: 'x'.repeat(100_000), detail: 'y'.repeat(5_000) }));
    await history.blocklist.idle();
    const [row] = await failuresSince(0);
    expect([row?.digest.length, row?.detail.length]).toEqual([1_000, 1_000]);
  });
});

describe('case B107: bounds', () => {
  const countOf = async (table: 'blocklistTransition' | 'serverFailure') =>
    table === 'serverFailure' ? history.database.serverFailure.count() : history.database.blocklistTransition.count();
  const prune = async () => {
    for (const prunable of history.blocklist.prunables) await prunable.prune();
  };

  it('old rows go in batches', async () => {
    history.blocklist.addTransition(transition());
    for (let count = 0; count < 1_200; count += 1) history.blocklist.addFailure(failure());
    await history.blocklist.close();
    nowMs += failureRetention.maxAgeDays * 86_400_000 + 1;
    await prune();
    expect(await countOf('serverFailure')).toBe(0);
    expect(await countOf('blocklistTransition')).toBe(1);
    nowMs += transitionRetention.maxAgeDays * 86_400_000;
    await prune();
    expect(await countOf('blocklistTransition')).toBe(0);
  });

  it('the newest stay when there are too many', async () => {
    const extra = 700;
    const { maxRows } = failureRetention;
    await history.database.$executeRaw`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${maxRows + extra})
      INSERT INTO "ServerFailure" (at, cluster, server, kind, tookMs, errno, detail, sessionId, digest)
      SELECT '2026-06-01T00:00:00.000+00:00', 'c', 's', 'k', 0, 0, '', 0, '' FROM n`;
    await prune();
    expect(await countOf('serverFailure')).toBe(maxRows);
    const oldest = await history.database.serverFailure.findFirst({ orderBy: { id: 'asc' } });
    expect(Number(oldest?.id)).toBe(extra + 1);
  });

  it('a storm is cut, counted and logged, and later rows are kept', async () => {
    for (let count = 0; count < 20_000; count += 1) history.blocklist.addFailure(failure({ detail: `f${count}` }));
    const { failures } = history.blocklist.dropped;
    expect(failures).toBeGreaterThan(10_000);
    await history.blocklist.close();
    expect(warned).toEqual([`server failures were lost: they could not be stored fast enough {"rows":${failures}}`]);
    const kept = await failuresSince(0);
    expect(kept).toHaveLength(20_000 - failures);
    expect(kept.at(-1)?.detail).toBe('f19999');
  });

  it('a database that refuses is told once, and holds nobody up', async () => {
    // The clean-up at the start must not meet the missing table.
    await prune();
    await history.database.$executeRaw`ALTER TABLE "ServerFailure" RENAME TO "Away"`;
    const failed = new Promise<void>((resolve) => {
      const look = () => (warned.length > 0 ? resolve() : setImmediate(look));
      look();
    });
    history.blocklist.addFailure(failure());
    await failed;
    await history.database.$executeRaw`ALTER TABLE "Away" RENAME TO "ServerFailure"`;
    history.blocklist.addFailure(failure());
    await history.blocklist.close();
    expect(await failuresSince(0)).toHaveLength(2);
    expect(warned).toEqual([
      expect.stringMatching(/^server failures could not be stored; trying again .*ServerFailure/),
    ]);
  });
});
