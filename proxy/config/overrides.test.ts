import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HistoryStore, openHistory } from '../history/history-store.ts';
import type { ConfigOverride, OverrideScope } from './config-level.ts';
import { type ChangeRequest, ConfigStore } from './config-store.ts';
import { ConfigView } from './config-view.ts';
import { LeveledConfig } from './leveled-config.ts';
import type { OverrideChange } from './plan-overrides.ts';

let home: string;
let history: HistoryStore;
let store: ConfigStore;
let told: (readonly ConfigOverride[])[];
const log = { warn: () => undefined };

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'odp-levels-'));
  await open();
});

afterEach(async () => {
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

async function open(): Promise<void> {
  history = await openHistory(home, { log });
  store = await ConfigStore.open({ history, log });
  told = [];
  store.onOverridesApplied((overrides) => {
    told.push(overrides);
  });
}

async function restart(): Promise<void> {
  await history.close();
  await open();
}

const none = { cluster: '', tenant: '', vip: '', vport: 0, vid: -1 };
const scopes: Readonly<Record<'cluster' | 'tenant' | 'vip', OverrideScope>> = {
  cluster: { ...none, level: 'LEVEL_CLUSTER', cluster: 'c1' },
  tenant: { ...none, level: 'LEVEL_TENANT', cluster: 'c1', tenant: 't1' },
  vip: { ...none, level: 'LEVEL_VIP', cluster: 'c1', tenant: 't1', vip: '10.0.0.1', vport: 2883 },
};

const set = (scope: OverrideScope, value: string | null, more: Partial<OverrideChange> = {}): OverrideChange => ({
  name: 'proxy_idc_name',
  scope,
  value,
  ...more,
});

function request(overrides: readonly OverrideChange[], changes: ChangeRequest['changes'] = []): ChangeRequest {
  return { changes, overrides, actor: 'op', source: 'console', origin: '192.0.2.7', reason: 'a try', requestId: 'r1' };
}

/** What a session of t1 in c1 that came in at 10.0.0.1:2883 has. */
function inForce(): string {
  const levels = new LeveledConfig(new ConfigView(store.texts()), store.overrideTexts());
  const vip = { host: '10.0.0.1', port: 2883 };
  return levels.view({ clusterName: 'c1', tenant: 't1', vip }).text('proxy_idc_name');
}

const historyRows = async () =>
  (await history.log.page({}, 50)).rows.map(({ scope, oldValue, newValue }) => [scope, oldValue, newValue]).reverse();

/** Parameter, scope, wanted value and error of what was not done. */
const refusedRows = async () =>
  (await history.log.page({}, 50)).rows
    .filter(({ outcome }) => outcome === 'refused' || outcome === 'failed')
    .map(({ parameter, scope, newValue, failure }) => [parameter, scope, newValue, failure.split(':')[0]])
    .reverse();

describe('values for parts of the sessions', () => {
  it('case B96: are kept with where, who, old and new, told before the answer, and there after a restart', async () => {
    await store.change(request([set(scopes.cluster, 'a'), set(scopes.tenant, 'b')]));
    await store.change(request([set(scopes.tenant, 'c'), set(scopes.cluster, 'a')]));
    expect(told.map((overrides) => overrides.map(({ text }) => text))).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
    await restart();
    expect(inForce()).toBe('c');
    await store.change(request([set(scopes.tenant, null)]));
    expect(inForce()).toBe('a');
    expect(await historyRows()).toEqual([
      ['cluster=c1', null, 'a'],
      ['tenant=t1 cluster=c1', null, 'b'],
      ['tenant=t1 cluster=c1', 'b', 'c'],
      ['tenant=t1 cluster=c1', 'c', null],
    ]);
    await restart();
    expect(store.overrides().map(({ scope, text }) => [scope, text])).toEqual([[scopes.cluster, 'a']]);
  });

  it('case B96: any order of settings and removals gives what the narrowest that is left says', async () => {
    const step = fc.record({ level: fc.constantFrom('cluster', 'tenant', 'vip'), remove: fc.boolean() });
    let counter = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const existing = store.overrides().map(({ scope }) => set(scope, null));
        await store.change(request(existing));
        const model = new Map<string, string>();
        for (const { level, remove } of steps) {
          const change = set(scopes[level as 'vip'], remove ? null : `idc${++counter}`);
          const outcome = store.change(request([change]));
          if (remove && !model.has(level)) await expect(outcome).rejects.toMatchObject({ code: 'NOT_FOUND' });
          else await outcome;
          if (remove) model.delete(level);
          else model.set(level, String(change.value));
          expect(inForce()).toBe(model.get('vip') ?? model.get('tenant') ?? model.get('cluster') ?? '');
        }
      }),
      { numRuns: 15 },
    );
  });

  it('case B96: of many changes all are made or none is', async () => {
    const bad = { ...set(scopes.tenant, '7x'), name: 'obproxy_read_only' };
    await expect(
      store.change(request([set(scopes.cluster, 'a'), bad], [{ name: 'proxy_idc_name', value: 'g' }])),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    expect([store.overrides(), inForce(), told]).toEqual([[], '', []]);
    expect(await refusedRows()).toEqual([
      ['proxy_idc_name', '', 'g', 'INVALID_PARAMETER'],
      ['proxy_idc_name', 'cluster=c1', 'a', 'INVALID_PARAMETER'],
      ['obproxy_read_only', 'tenant=t1 cluster=c1', '7x', 'INVALID_PARAMETER'],
    ]);
    await history.database.$executeRawUnsafe(
      `CREATE TRIGGER full BEFORE INSERT ON "ParameterOverride" BEGIN SELECT RAISE(FAIL, 'disk is full'); END`,
    );
    await expect(
      store.change(request([set(scopes.cluster, 'a')], [{ name: 'proxy_idc_name', value: 'g' }])),
    ).rejects.toMatchObject({ code: 'STORE_FAILED', message: expect.stringContaining('disk is full') });
    expect([store.overrides(), inForce(), told, (await refusedRows()).length]).toEqual([[], '', [], 5]);
    await restart();
    expect([store.overrides(), inForce()]).toEqual([[], '']);
  });

  it('case B95: a level that the parameter does not have, an unknown name, a bad value and a row given twice are refused', async () => {
    const refused: [Partial<OverrideChange>, string][] = [
      [{ name: 'enable_congestion' }, 'PARAMETER_NOT_ALTERABLE'],
      [{ name: 'proxy_idc_nme' }, 'UNKNOWN_PARAMETER'],
      [{ name: 'mysql_version', value: 'five' }, 'INVALID_PARAMETER'],
      [{ name: 'obproxy_read_only', value: '2' }, 'INVALID_PARAMETER'],
      [{ scope: { ...scopes.tenant, cluster: '' } }, 'INVALID_ARGUMENT'],
    ];
    for (const [part, code] of refused) {
      await expect(store.change(request([{ ...set(scopes.tenant, 'a'), ...part }]))).rejects.toMatchObject({ code });
    }
    await expect(
      store.change(request([set(scopes.tenant, 'a'), set({ ...scopes.tenant, cluster: 'C1' }, 'b')])),
    ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('given twice') });
    expect((await refusedRows()).map((row) => row[3])).toEqual([
      ...refused.map(([, code]) => code),
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
    ]);
    expect((await historyRows()).length).toBe(refused.length + 2);
  });

  it('a change based on an older row is refused, also when the row was removed and made anew', async () => {
    await store.change(request([set(scopes.tenant, 'a', { baseRevision: 0 })]));
    const [first] = store.overrides();
    await store.change(request([set(scopes.tenant, null)]));
    await store.change(request([set(scopes.tenant, 'b', { mustBeNew: true })]));
    const stale = set(scopes.tenant, 'c', { baseRevision: first?.revision });
    await expect(store.change(request([stale]))).rejects.toMatchObject({ code: 'STALE_REVISION' });
    const again = set(scopes.tenant, 'c', { mustBeNew: true });
    await expect(store.change(request([again]))).rejects.toMatchObject({ code: 'DUPLICATE_ROW' });
    expect(inForce()).toBe('b');
  });

  it('case B93: takes over what another process has changed, and tries again', async () => {
    await store.change(request([set(scopes.cluster, 'a'), set(scopes.tenant, 'b')]));
    const other = await ConfigStore.open({ history, log });
    await other.change(request([set(scopes.tenant, 'other'), set(scopes.cluster, null), set(scopes.vip, 'v')]));
    await store.change(request([set(scopes.tenant, 'mine')]));
    expect(store.overrides().map(({ text }) => text)).toEqual(['mine', 'v']);
    expect((await historyRows()).at(-1)).toEqual(['tenant=t1 cluster=c1', 'other', 'mine']);
  });

  it('case B99: passwords of clusters are kept as hashes and shown as stars', async () => {
    const change = { ...set(scopes.cluster, 'secret'), name: 'observer_sys_password' };
    await store.change(request([change]));
    expect(store.overrides()[0]?.text).toBe('e5e9fa1ba31ecd1ae84f75caaa474f3a663f05f4');
    expect(await historyRows()).toEqual([['cluster=c1', null, '(changed)']]);
  });

  it('stored rows that this version cannot use are left out with a warning', async () => {
    await store.change(request([set(scopes.tenant, 'a'), { ...set(scopes.tenant, '1'), name: 'obproxy_read_only' }]));
    await history.database.$executeRawUnsafe(`UPDATE "ParameterOverride" SET value = '9' WHERE value = '1'`);
    await restart();
    expect(store.overrides().map(({ text }) => text)).toEqual(['a']);
  });
});
