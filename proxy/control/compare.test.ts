import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompareSide } from './contract.ts';
import { ControlBench } from './testing.ts';

let bench: ControlBench;
let token: string;
beforeEach(async () => {
  bench = await ControlBench.start();
  token = await bench.userToken('op', 'dba');
});
afterEach(() => bench.stop());

const scope = { level: 'LEVEL_TENANT', cluster: 'c1', tenant: 't1', vip: '', vport: 0 } as const;
const now: CompareSide = { kind: 'now' };

const change = (body: object) =>
  bench.call('POST', '/v1/parameters', { token, body: { changes: [], reason: 'a try', ...body } });
const set = async (name: string, value: string) => {
  const { revision } = bench.store.parameter(name as 'enable_congestion');
  expect((await change({ changes: [{ name, value, baseRevision: revision }] })).status).toBe(200);
};
const setLevel = (value: string | null, baseRevision: number) =>
  change({ overrides: [{ name: 'proxy_idc_name', scope, value, baseRevision }] });
const compare = async (from: CompareSide, to: CompareSide) =>
  (await bench.call('POST', '/v1/parameters/compare', { token, body: { from, to } })).json;
const newestEntry = async (): Promise<number> =>
  (await bench.call('GET', '/v1/history?action=parameter.change&limit=1', { token })).json.rows[0].id;
const file = (parameters: Record<string, string>, levels?: object[]): CompareSide =>
  ({ kind: 'file', file: { format: 'odp-configuration', formatVersion: 1, parameters, levels } }) as CompareSide;

describe('two configurations side by side', () => {
  it('two points in time, by entry and by time; what never changed is not listed', async () => {
    await set('congestion_fail_window', '60s');
    const first = await newestEntry();
    bench.pass(60_000);
    await set('congestion_fail_window', '90s');
    await set('enable_congestion', 'false');
    await setLevel('idc1', 0);
    expect(await compare({ kind: 'entry', id: 0 }, { kind: 'entry', id: first })).toMatchObject({
      from: { entry: 0, at: null, complete: true },
      to: { entry: first, at: '2026-03-01T10:00:00.000Z', complete: true },
      differences: [{ name: 'congestion_fail_window', scope: null, from: '120s', to: '60s' }],
    });
    const byTime = await compare({ kind: 'time', at: '2026-03-01T10:00:30.000Z' }, now);
    expect(byTime.from.entry).toBe(first);
    expect(byTime.differences).toMatchObject([
      { name: 'enable_congestion', scope: null, from: 'True', to: 'false' },
      { name: 'congestion_fail_window', scope: null, from: '60s', to: '90s' },
      { name: 'proxy_idc_name', scope, from: null, to: 'idc1' },
    ]);
  });

  it('case B104: a change that was refused is in the history, and never was a value', async () => {
    await set('congestion_fail_window', '60s');
    await change({ changes: [{ name: 'congestion_fail_window', value: '2h', baseRevision: 1 }] });
    const refused = await newestEntry();
    const { differences } = await compare({ kind: 'entry', id: refused }, now);
    expect(differences).toEqual([]);
    const undo = { from: now, to: { kind: 'undo', id: refused } };
    expect((await bench.call('POST', '/v1/parameters/compare', { token, body: undo })).status).toBe(400);
  });

  it('says when the history of that time is not whole any more', async () => {
    await set('congestion_fail_window', '60s');
    const first = await newestEntry();
    await set('congestion_fail_window', '90s');
    await set('congestion_fail_window', '95s');
    await bench.history.database.$executeRawUnsafe('DROP TRIGGER "HistoryRow_kept"');
    await bench.history.database.historyRow.delete({ where: { id: first + 1 } });
    expect((await compare({ kind: 'entry', id: first }, now)).from.complete).toBe(false);
    expect((await compare({ kind: 'entry', id: first + 2 }, now)).from.complete).toBe(true);
  });

  it('the same meaning in other letters is no difference', async () => {
    const { differences } = await compare(now, file({ ENABLE_CONGESTION: 'on', congestion_fail_window: '2m' }));
    expect(differences).toEqual([]);
  });

  it('case B115: secrets are in no comparison and in no file', async () => {
    const before = await newestEntryOrZero();
    await set('observer_sys_password', 'hunter2-secret');
    const { differences, from } = await compare({ kind: 'entry', id: before }, now);
    expect(differences).toEqual([]);
    expect(from.skipped).toEqual([{ name: 'observer_sys_password', reason: 'a secret: it has been changed since' }]);
    const exported = await bench.call('GET', '/v1/parameters/file', { token });
    expect(exported.json.secrets).toContain('observer_sys_password');
    expect(exported.text).not.toContain(bench.store.parameter('observer_sys_password').text);
    expect(exported.text).not.toContain('hunter2');
  });
});

const newestEntryOrZero = async (): Promise<number> =>
  (await bench.call('GET', '/v1/history?limit=1', { token })).json.rows[0]?.id ?? 0;

describe('the configuration as a file', () => {
  it('is exported whole, audited, and brought back by one change', async () => {
    await set('congestion_fail_window', '60s');
    await setLevel('idc1', 0);
    const exported = await bench.call('GET', '/v1/parameters/file', { token });
    expect(exported.headers['content-disposition']).toMatch(/attachment; filename="odp-configuration.json"/);
    expect(exported.json).toMatchObject({
      format: 'odp-configuration',
      formatVersion: 1,
      parameters: { congestion_fail_window: '60s', enable_congestion: 'True' },
      levels: [{ ...scope, name: 'proxy_idc_name', value: 'idc1' }],
    });
    const history = await bench.call('GET', '/v1/history?action=configuration.export', { token });
    expect(history.json.rows).toMatchObject([{ actor: 'op' }]);

    await set('congestion_fail_window', '90s');
    await setLevel('idc2', bench.store.overrides()[0]?.revision ?? 0);
    const dryRun = await compare(now, { kind: 'file', file: exported.json });
    expect(dryRun).toMatchObject({
      refusal: null,
      differences: [
        { name: 'congestion_fail_window', scope: null, from: '90s', to: '60s', baseRevision: 2, problem: null },
        { name: 'proxy_idc_name', scope, from: 'idc2', to: 'idc1', problem: null },
      ],
    });
    expect(bench.store.parameter('congestion_fail_window').text).toBe('90s');
    const [parameter, level] = dryRun.differences;
    const answer = await change({
      reason: 'back to the file',
      changes: [{ name: parameter.name, value: parameter.to, baseRevision: parameter.baseRevision }],
      overrides: [{ name: level.name, scope: level.scope, value: level.to, baseRevision: level.baseRevision }],
    });
    expect(answer.status).toBe(200);
    expect((await compare(now, { kind: 'file', file: exported.json })).differences).toEqual([]);
    const { rows } = (await bench.call('GET', '/v1/history?action=parameter.change&limit=2', { token })).json;
    expect(rows[0].requestId).toBe(rows[1].requestId);
  });

  it('case B106: a level that SQL has set, or a file writes in other letters, is based on what there is', async () => {
    // As the rows of SQL have their columns: in another order.
    const written = { level: 'LEVEL_TENANT', tenant: 't1', cluster: 'c1', vip: '', vport: 0, vid: -1 } as const;
    const actor = { actor: 'root', source: 'sql', origin: '', requestId: 's1', reason: 'REPLACE' } as const;
    await bench.store.change({
      ...actor,
      changes: [],
      overrides: [{ name: 'proxy_idc_name', scope: written, value: 'idc1' }],
    });
    const revision = bench.store.overrides()[0]?.revision;
    for (const cluster of ['c1', 'C1']) {
      const levels = [{ ...scope, cluster, name: 'proxy_idc_name', value: 'idc2' }];
      const { differences } = await compare(now, file({}, levels));
      expect(differences).toMatchObject([{ from: 'idc1', to: 'idc2', baseRevision: revision }]);
    }
  });

  it('case B95, B118: what this version does not know or take is named, and the rest can be taken', async () => {
    const { differences, to } = await compare(
      now,
      file(
        { enable_congestoin: 'true', app_name: 'x', congestion_retry_interval: '2h', congestion_fail_window: '60s' },
        [{ ...scope, tenant: '', name: 'proxy_idc_name', value: 'idc1' }],
      ),
    );
    expect(to.skipped).toMatchObject([
      { name: 'enable_congestoin', reason: 'this version does not have it' },
      { name: 'proxy_idc_name', reason: expect.stringContaining('LEVEL_TENANT needs a tenant_name') },
    ]);
    const problems = Object.fromEntries(
      differences.map(({ name, problem }: { name: string; problem: string | null }) => [name, problem]),
    );
    expect(problems).toEqual({
      app_name: 'can only be set by a start option',
      congestion_retry_interval: 'out of range [1s,1h]',
      congestion_fail_window: null,
    });
  });

  it('what its parts leave out is left alone; a file of another kind is refused', async () => {
    await setLevel('idc1', 0);
    expect((await compare(now, file({ congestion_fail_window: '120s' }))).differences).toEqual([]);
    expect((await compare(now, file({}, []))).differences).toMatchObject([{ scope, from: 'idc1', to: null }]);
    const other = { kind: 'file', file: { format: 'something', formatVersion: 1, parameters: {} } };
    expect((await bench.call('POST', '/v1/parameters/compare', { token, body: { from: now, to: other } })).status).toBe(
      400,
    );
  });

  it('the dry run looks at everything together', async () => {
    const both = file({ rootservice_list: '', obproxy_config_server_url: '' });
    const { refusal } = await compare(now, file({ proxy_id: '300', client_session_id_version: '1' }));
    expect(refusal).toMatch(/proxy_id must be set to less than 255/);
    expect((await compare(now, both)).refusal).toBeNull();
  });
});

describe('undoing what a request changed', () => {
  it('is the configuration now with all that the request changed as it was before', async () => {
    await set('congestion_fail_window', '60s');
    await change({
      changes: [
        { name: 'congestion_fail_window', value: '90s', baseRevision: 1 },
        { name: 'enable_congestion', value: 'false', baseRevision: 0 },
      ],
      overrides: [{ name: 'proxy_idc_name', scope, value: 'idc1', baseRevision: 0 }],
    });
    const entry = await newestEntry();
    await set('congestion_failure_threshold', '7');
    const { differences } = await compare(now, { kind: 'undo', id: entry });
    expect(differences).toHaveLength(3);
    expect(differences).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'congestion_fail_window', from: '90s', to: '60s', baseRevision: 2 }),
        expect.objectContaining({ name: 'enable_congestion', from: 'false', to: 'True' }),
        expect.objectContaining({ name: 'proxy_idc_name', scope, from: 'idc1', to: null }),
      ]),
    );
    const none = { from: now, to: { kind: 'undo', id: 99_999 } };
    expect((await bench.call('POST', '/v1/parameters/compare', { token, body: none })).status).toBe(400);
  });
});
