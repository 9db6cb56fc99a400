import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryRow } from './contract.ts';
import { ControlBench } from './testing.ts';

let bench: ControlBench;
let token: string;
beforeEach(async () => {
  bench = await ControlBench.start();
  token = await bench.userToken('op', 'dba');
});
afterEach(() => bench.stop());

/** Adds `count` rows, a second apart, in one statement. */
async function addRows(count: number, part: Partial<HistoryRow> = {}): Promise<void> {
  const row = { parameter: 'congestion_fail_window', reason: '', newValue: null, actor: null, ...part };
  await bench.history.database.$executeRaw`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})
    INSERT INTO "HistoryRow" (at, action, actor, source, origin, parameter, oldValue, newValue, reason, requestId)
    SELECT strftime('%Y-%m-%dT%H:%M:%S.000+00:00', '2026-01-01', '+' || i || ' seconds'), 'parameter.change',
      coalesce(${row.actor}, 'user' || (i % 3)), CASE i % 2 WHEN 0 THEN 'console' ELSE 'sql' END, '192.0.2.1',
      ${row.parameter}, i || 's', coalesce(${row.newValue}, (i + 1) || 's'), ${row.reason}, 'r' || i
    FROM n`;
}

const list = (query: string) => bench.call('GET', `/v1/history${query}`, { token });

describe('history', () => {
  it('case B108: pages keep their order while rows are added, with total and next', async () => {
    await addRows(250);
    const first = (await list('')).json;
    expect(first).toMatchObject({ total: 251 });
    expect(first.rows).toHaveLength(50);
    await addRows(5);
    const ids: number[] = first.rows.map((row: HistoryRow) => row.id);
    let before: number | null = first.nextBefore;
    while (before !== null) {
      const page = (await list(`?limit=200&before=${before}`)).json;
      ids.push(...page.rows.map((row: HistoryRow) => row.id));
      before = page.nextBefore;
    }
    expect(new Set(ids).size).toBe(251);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    for (const bad of ['limit=1e9', 'limit=-1', 'limit=abc', 'limit=201', 'before=x', 'from=yesterday']) {
      expect((await list(`?${bad}`)).status, bad).toBe(400);
    }
    expect((await list('?before=1')).json.rows).toEqual([]);
  });

  it('case B108: a hundred thousand rows are paged and filtered', async () => {
    await addRows(100_000);
    expect((await list('?limit=200')).json.total).toBe(100_000);
    expect((await list('?text=99998s')).json.total).toBe(2);
  }, 30_000);

  it('filters by every field; days are half open; % and _ are plain characters', async () => {
    await addRows(10);
    await addRows(1, { parameter: 'init_sql', newValue: '100%_x', reason: 'Because', actor: 'root@10.0.0.1' });
    const total = async (query: string) => (await list(query)).json.total;
    expect(await total('?parameter=INIT_SQL')).toBe(1);
    expect(await total('?actor=user1')).toBe(3);
    expect(await total('?source=sql')).toBe(5);
    expect(await total('?action=logout')).toBe(0);
    expect(await total('?from=2026-01-01T00:00:02Z&to=2026-01-01T00:00:05Z')).toBe(3);
    expect(await total('?text=100%25_')).toBe(1);
    expect(await total('?text=%25%25')).toBe(0);
    expect(await total('?text=because')).toBe(1);
  });

  it('case B114: the download is RFC 4180 with formulas made harmless, filtered and ordered like the list', async () => {
    const awkward = ['=HYPERLINK("http://x","y")', '+1', '-1s', '@SUM(1)', '\tx', 'a,"b"\nc', '数据库😀'];
    for (const newValue of awkward) await addRows(1, { newValue, parameter: 'init_sql' });
    await addRows(3);
    const csv = await bench.call('GET', '/v1/history.csv?parameter=init_sql', { token });
    expect(csv.headers['content-type']).toMatch(/^text\/csv; charset=utf-8/);
    expect(csv.text.startsWith('\uFEFFid,at,action,actor,')).toBe(true);
    const rows = parseCsv(csv.text.slice(1));
    const cells = rows.slice(1).map((row) => row[8]);
    expect(cells).toEqual([...awkward].reverse().map((text) => (/^[=+\-@\t]/.test(text) ? `'${text}` : text)));
    expect(rows.every((row) => row.length === 19)).toBe(true);
    const listed = (await list('?parameter=init_sql')).json.rows.map((row: HistoryRow) => String(row.id));
    expect(rows.slice(1).map((row) => row[0])).toEqual(listed);
  });

  it('case B104: a download is in the history; no route edits or deletes rows', async () => {
    await bench.call('GET', '/v1/history.csv?actor=x', { token });
    expect((await list('?action=history.export')).json.rows).toMatchObject([{ actor: 'op', reason: 'actor=x' }]);
    for (const method of ['DELETE', 'PATCH', 'PUT', 'POST']) {
      expect((await bench.call(method, '/v1/history', { token, body: {} })).status).toBe(404);
    }
  });
});

describe('download as JSON', () => {
  it('case B114: has exactly the rows of the filter, in order and unaltered, with their hashes', async () => {
    await addRows(700, { newValue: '=1+1', parameter: 'init_sql' });
    await addRows(3);
    const json = await bench.call('GET', '/v1/history.json?parameter=init_sql', { token });
    expect(json.headers['content-disposition']).toBe('attachment; filename="odp-history.json"');
    expect(json.json).toHaveLength(700);
    expect(json.json.slice(0, 200)).toEqual((await list('?parameter=init_sql&limit=200')).json.rows);
    expect(json.json[0]).toMatchObject({ newValue: '=1+1', role: '', outcome: 'done', hash: '' });
    expect((await bench.call('GET', '/v1/history.json?parameter=nothing', { token })).json).toEqual([]);
    expect((await list('?action=history.export')).json.total).toBe(2);
  });
});

describe('the chain over the control API', () => {
  const chain = (method = 'GET', path = '/v1/history/chain') =>
    bench.call(method, path, { token, ...(method === 'POST' ? { body: {} } : {}) });

  it('is looked at when somebody asks, and again when it is told to', async () => {
    expect((await chain()).json).toMatchObject({ state: 'unknown', progress: { rows: 0 } });
    await bench.history.chain.idle();
    const first = (await chain()).json;
    expect(first).toMatchObject({ state: 'intact', progress: null, error: null, report: { rows: 1, breaks: [] } });
    expect(first.keyFingerprint).toMatch(/^[0-9a-f]{16}$/);
    await addRows(1);
    expect((await chain()).json).toEqual(first);
    await chain('POST', '/v1/history/verify');
    await bench.history.chain.idle();
    expect((await chain()).json).toMatchObject({
      state: 'broken',
      report: { breakCount: 1, breaks: [{ id: 2, what: 'entry 2 is not part of the chain' }] },
    });
    expect(bench.logged.some((line) => line.startsWith('the chain of the history is broken'))).toBe(true);
  });

  it('a look that is old is renewed', async () => {
    await chain();
    await bench.history.chain.idle();
    bench.pass(600_000);
    expect((await chain()).json.progress).not.toBeNull();
    await bench.history.chain.idle();
    expect((await chain()).json.checkedAt).toBe('2026-03-01T10:10:00.000Z');
  });
});

/** A strict RFC 4180 reader. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
