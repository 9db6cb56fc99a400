import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HistoryStore, openHistory } from '../history/history-store.ts';
import { type AppliedChange, type ChangeRequest, ConfigStore } from './config-store.ts';
import { requireEverywhere } from './part-outcome.ts';

let home: string;
let history: HistoryStore;
let warnings: string[];
const log = { warn: (_fields: object, text: string) => warnings.push(text) };

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'odp-config-'));
  warnings = [];
  history = await openHistory(home, { log });
});

afterEach(async () => {
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

/** A second start on the same home. */
async function reopen(startOptions: { name: string; value: string }[] = []): Promise<ConfigStore> {
  await history.close();
  history = await openHistory(home, { log });
  return ConfigStore.open({ history, log, startOptions });
}

function request(name: string, value: string, baseRevision?: number): ChangeRequest {
  return {
    changes: [{ name, value, ...(baseRevision === undefined ? {} : { baseRevision }) }],
    actor: 'root@127.0.0.1',
    source: 'sql',
    origin: '127.0.0.1',
    reason: 'a try',
    requestId: 'r1',
  };
}

const historyRows = async () => (await history.log.page({}, 200)).rows;

describe('ConfigStore', () => {
  it('keeps a change with its history row and puts it in force before it answers', async () => {
    const store = await ConfigStore.open({ history, log });
    const order: string[] = [];
    store.onApplied(async (changes) => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${changes[0]?.name}=${changes[0]?.text}`);
    });
    const result = await store.change(request('enable_congestion', 'false'));
    order.push('answered');
    expect(order).toEqual(['enable_congestion=false', 'answered']);
    expect(result.changed[0]).toMatchObject({ text: 'false', revision: 1, changedBy: 'root@127.0.0.1' });
    expect(await historyRows()).toMatchObject([
      {
        action: 'parameter.change',
        parameter: 'enable_congestion',
        oldValue: 'True',
        newValue: 'false',
        source: 'sql',
      },
    ]);
    expect((await reopen()).texts().enable_congestion).toBe('false');
  });

  it('case B95: names in any case, unknown ones refused, a value for the next start waits', async () => {
    const store = await ConfigStore.open({ history, log });
    const applied: AppliedChange[] = [];
    store.onApplied((changes) => {
      applied.push(...changes);
    });
    await store.change(request('ENABLE_CONGESTION', 'false'));
    await expect(store.change(request('enable_congestoin', 'true'))).rejects.toMatchObject({
      code: 'UNKNOWN_PARAMETER',
    });
    await store.change(request('listen_port', '3000'));
    expect(store.parameter('listen_port')).toMatchObject({ text: '2883', storedText: '3000' });
    expect(applied.map((change) => change.name)).toEqual(['enable_congestion']);
    const restarted = await reopen();
    expect(restarted.parameter('listen_port')).toMatchObject({ text: '3000', storedText: '3000' });
  });

  it('case B96: a change that cannot be written is not in force anywhere', async () => {
    const store = await ConfigStore.open({ history, log });
    let told = 0;
    store.onApplied(() => {
      told += 1;
    });
    await history.database.$executeRawUnsafe(
      `CREATE TRIGGER no_audit BEFORE INSERT ON "HistoryRow" BEGIN SELECT RAISE(FAIL, 'disk is full'); END`,
    );
    const failed = store.change(request('congestion_fail_window', '60s'));
    await expect(failed).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('disk is full'),
    });
    expect(store.parameter('congestion_fail_window')).toMatchObject({ text: '120s', revision: 0 });
    expect(told).toBe(0);
    await history.database.$executeRawUnsafe('DROP TRIGGER no_audit');
    expect(await history.database.parameter.count()).toBe(0);
    await store.change(request('congestion_fail_window', '60s'));
    expect(store.parameter('congestion_fail_window').text).toBe('60s');
  });

  it('case B96: in how many workers a change is in force stands in the history, also when one fails', async () => {
    const store = await ConfigStore.open({ history, log });
    let failure: string | null = null;
    store.onApplied(() => [
      { worker: 0, failure: null },
      { worker: 1, failure },
    ]);
    expect((await store.change(request('enable_congestion', 'false'))).workers).toHaveLength(2);
    failure = 'worker 1 is gone';
    const { workers } = await store.change(request('enable_congestion', 'true'));
    expect(workers[1]).toEqual({ worker: 1, failure });
    expect(() => requireEverywhere(workers)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
    const rows = (await history.log.page({ action: 'parameter.apply' }, 5)).rows;
    expect(rows.map((row) => [row.outcome, row.workersApplied, row.workersTotal, row.failure])).toEqual([
      ['failed', 1, 2, 'worker 1 is gone'],
      ['applied', 2, 2, ''],
    ]);
    expect((await historyRows()).map(({ outcome }) => outcome)).toEqual(['persisted', 'persisted']);
  });

  it('case B96: a full disk refuses changes until there is room again', async () => {
    const store = await ConfigStore.open({ history, log });
    const pragma = async (text: string) =>
      Object.values((await history.database.$queryRawUnsafe<object[]>(text))[0] ?? {});
    const [pages] = await pragma('PRAGMA page_count');
    await pragma(`PRAGMA max_page_count = ${pages}`);
    let refused: unknown;
    let kept = 'True';
    for (let round = 0; refused === undefined && round < 200; round += 1) {
      const value = 'x'.repeat(2000) + round;
      await store.change(request('init_sql', value)).then(
        () => {
          kept = value;
        },
        (error: unknown) => {
          refused = error;
        },
      );
    }
    expect(refused).toMatchObject({ code: 'STORE_FAILED', message: expect.stringContaining('full') });
    expect(store.parameter('init_sql').text).toBe(kept);
    await expect(store.change(request('init_sql', 'y'.repeat(4000)))).rejects.toMatchObject({ code: 'STORE_FAILED' });
    await pragma(`PRAGMA max_page_count = ${Number(pages) + 1000}`);
    await store.change(request('init_sql', 'z'.repeat(4000)));
    expect((await historyRows())[0]).toMatchObject({ oldValue: kept, newValue: 'z'.repeat(4000) });
  });

  it('case B101: an older page cannot overwrite; an unchanged value writes nothing', async () => {
    const store = await ConfigStore.open({ history, log });
    await store.change(request('congestion_fail_window', '60s', 0));
    await expect(store.change(request('congestion_fail_window', '300s', 0))).rejects.toMatchObject({
      code: 'STALE_REVISION',
      message: expect.stringMatching(/changed to '60s' by root@127.0.0.1 .*revision 0, it is now 1/),
    });
    const same = await store.change(request('congestion_fail_window', '60s', 1));
    expect(same).toEqual({ changed: [], unchanged: ['congestion_fail_window'], workers: [] });
    expect(store.parameter('congestion_fail_window')).toMatchObject({ text: '60s', revision: 1 });
    expect(await historyRows()).toMatchObject([
      { outcome: 'refused', oldValue: '60s', newValue: '300s', failure: expect.stringMatching(/^STALE_REVISION: /) },
      { outcome: 'persisted', oldValue: '120s', newValue: '60s', failure: '' },
    ]);
  });

  it('case B101: all changes of a request are made or none', async () => {
    const store = await ConfigStore.open({ history, log });
    const changes = [
      { name: 'congestion_fail_window', value: '60s' },
      { name: 'congestion_retry_interval', value: '61m' },
    ];
    await expect(store.change({ ...request('x', ''), changes })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(store.parameter('congestion_fail_window').text).toBe('120s');
  });

  it('case B93: the newer value of another process is seen, and no change is lost', async () => {
    const store = await ConfigStore.open({ history, log });
    const otherHistory = await openHistory(home, { log });
    const other = await ConfigStore.open({ history: otherHistory, log });
    await other.change(request('congestion_fail_window', '60s'));
    await expect(store.change(request('congestion_fail_window', '300s', 0))).rejects.toMatchObject({
      code: 'STALE_REVISION',
    });
    await store.change(request('congestion_fail_window', '90s'));
    expect(store.parameter('congestion_fail_window')).toMatchObject({ text: '90s', revision: 2 });
    await otherHistory.close();
  });

  it('case B105: five changes within a moment keep their order while the clock goes back', async () => {
    let nowMs = Date.parse('2026-01-01T12:00:00Z');
    const store = await ConfigStore.open({ history, log, now: () => new Date(nowMs) });
    for (const [index, value] of ['10s', '20s', '30s', '40s', '50s'].entries()) {
      if (index === 2) nowMs -= 3_600_000;
      await store.change(request('congestion_fail_window', value));
    }
    const first = await history.log.page({}, 2);
    const second = await history.log.page({}, 2, first.nextBefore ?? 0);
    const third = await history.log.page({}, 2, second.nextBefore ?? 0);
    const values = [...first.rows, ...second.rows, ...third.rows].map((row) => row.newValue);
    expect(values).toEqual(['50s', '40s', '30s', '20s', '10s']);
    expect(third.nextBefore).toBeNull();
  });

  it('case B115: passwords stand nowhere in clear text and their mask keeps the old value', async () => {
    const store = await ConfigStore.open({ history, log });
    await store.change(request('obproxy_sys_password', 'hunter2-secret'));
    await store.change(request('observer_sys_password1', 'hunter2-secret'));
    await store.change(request('inspector_password', 'hunter2-secret'));
    expect(store.parameter('obproxy_sys_password').text).toMatch(/^[0-9a-f]{40}$/);
    const before = store.parameter('obproxy_sys_password').text;
    expect((await store.change(request('obproxy_sys_password', '******'))).changed).toEqual([]);
    expect(store.parameter('obproxy_sys_password').text).toBe(before);
    await expect(
      store.change(request('obproxy_config_server_url', 'mysql://u:hunter2-secret@10.0.0.9/db')),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMETER', message: expect.not.stringContaining('hunter2') });
    for (const url of ['http://u:first@hunter2-secret@10.0.0.9/', '//u:hunter2-secret@10.0.0.9/']) {
      await expect(store.change(request('obproxy_config_server_url', url))).rejects.toMatchObject({
        message: expect.not.stringContaining('hunter2'),
      });
    }
    const rows = (await historyRows()).slice(2);
    expect(rows.map((row) => [row.oldValue, row.newValue])).toEqual([
      ['', 'mysql://******@10.0.0.9/db'],
      ...Array(3).fill(['******', '(changed)']),
    ]);
    // Neither a secret that is refused nor what may be one, given to a name that is misspelt.
    await expect(store.change(request('obproxy_sys_password', 'hunter2\nsecret'.repeat(9_000)))).rejects.toThrow();
    await expect(store.change(request('obproxy_sys_pasword', 'hunter2-secret'))).rejects.toThrow();
    const refused = (await historyRows()).filter((row) => row.outcome === 'refused');
    expect(refused.map((row) => row.newValue)).toEqual([
      '******',
      '******',
      '//******@10.0.0.9/',
      'http://******@10.0.0.9/',
      'mysql://******@10.0.0.9/db',
    ]);
    for (const file of readdirSync(home)) {
      expect(readFileSync(join(home, file)).includes('hunter2')).toBe(false);
    }
  });

  it('case B116: twenty parallel saves beside a long list all succeed, each written once', async () => {
    const store = await ConfigStore.open({ history, log });
    const names = store
      .parameters()
      .filter((status) => status.spec.type === 'bool' && status.spec.name !== 'enable_proxy_scramble')
      .slice(0, 20)
      .map((status) => status.spec.name);
    const saves = names.map((name) => store.change(request(name, 'off')));
    await Promise.all([...saves, historyRows(), historyRows()]);
    expect((await historyRows()).map((row) => row.parameter).sort()).toEqual([...names].sort());
  });

  it('takes start options over stored values and records them only when they differ', async () => {
    const store = await ConfigStore.open({ history, log });
    await store.change(request('proxy_idc_name', 'idc1'));
    const options = [
      { name: 'proxy_idc_name', value: 'idc2' },
      { name: 'app_name', value: 'trade' },
      { name: 'Listen_Port', value: '3001' },
      { name: 'listen_port', value: '3002' },
    ];
    const second = await reopen(options);
    expect(second.texts()).toMatchObject({ proxy_idc_name: 'idc2', app_name: 'trade', listen_port: '3002' });
    expect((await historyRows()).filter((row) => row.source === 'start')).toHaveLength(3);
    await reopen(options);
    expect((await historyRows()).filter((row) => row.source === 'start')).toHaveLength(3);
  });

  it('refuses an unknown or bad start option, and app_name while running', async () => {
    const open = (name: string, value: string) => ConfigStore.open({ history, log, startOptions: [{ name, value }] });
    await expect(open('nosuch', '1')).rejects.toMatchObject({ code: 'UNKNOWN_PARAMETER' });
    await expect(open('listen_port', '80')).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    const store = await ConfigStore.open({ history, log });
    await expect(store.change(request('app_name', 'x'))).rejects.toMatchObject({ code: 'PARAMETER_NOT_ALTERABLE' });
  });

  it('ignores stored rows it does not know or cannot read, with a warning', async () => {
    const row = { revision: 1, changedAt: new Date(), changedBy: 'x' };
    await history.database.parameter.createMany({
      data: [
        { name: 'from_the_future', value: '1', ...row },
        { name: 'congestion_fail_window', value: 'soon', ...row },
      ],
    });
    const store = await ConfigStore.open({ history, log });
    expect(store.parameter('congestion_fail_window')).toMatchObject({ text: '120s', revision: 1 });
    expect(warnings).toHaveLength(2);
  });

  it('has MEMORY items at their default after a restart', async () => {
    const store = await ConfigStore.open({ history, log });
    await store.change(request('refresh_rslist', 'true'));
    expect(store.texts().refresh_rslist).toBe('true');
    const restarted = await reopen();
    expect(restarted.texts().refresh_rslist).toBe('False');
    await restarted.change(request('refresh_rslist', 'true'));
    expect(restarted.parameter('refresh_rslist')).toMatchObject({ text: 'true', revision: 2 });
  });

  it('checks the configuration as a whole', async () => {
    const store = await ConfigStore.open({ history, log });
    await expect(store.change(request('proxy_service_mode', 'server'))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(store.change(request('proxy_id', '300'))).rejects.toMatchObject({ code: 'PROXY_ID_TOO_LARGE' });
    await expect(store.change(request('rootservice_list', '10.0.0.1'))).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    });
    await store.change(request('rootservice_list', '10.0.0.1:2881;[fd00::1]:2881'));
  });

  it.each(['zlib:0', 'ZLIB:9', ' zlib : 3', ''])('takes %j for compression_algorithm', async (text) => {
    const store = await ConfigStore.open({ history, log });
    await store.change(request('compression_algorithm', text));
    expect(store.parameter('compression_algorithm').text).toBe(text);
  });

  it.each(['zlib', 'zlib:10', 'zlib:-1', 'zstd:3', '6', 'off'])(
    'refuses %j for compression_algorithm',
    async (text) => {
      const store = await ConfigStore.open({ history, log });
      await expect(store.change(request('compression_algorithm', text))).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
        message: expect.stringContaining('use zlib:0 (none) to zlib:9 (small), or nothing'),
      });
    },
  );

  it('answers with an error when a listener fails, the change being stored', async () => {
    const store = await ConfigStore.open({ history, log });
    store.onApplied(() => {
      throw new Error('worker 2 is silent');
    });
    await expect(store.change(request('enable_congestion', 'off'))).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('worker 2 is silent'),
    });
    expect(store.texts().enable_congestion).toBe('off');
  });
});
