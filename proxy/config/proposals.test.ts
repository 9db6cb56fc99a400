import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HistoryStore, openHistory } from '../history/history-store.ts';
import { type ChangeRequest, ConfigStore } from './config-store.ts';
import type { ParameterChange } from './plan-changes.ts';
import type { OverrideChange } from './plan-overrides.ts';
import { type Person, Proposals } from './proposals.ts';
import { ScheduledReverts } from './scheduled-reverts.ts';

const hourMs = 3_600_000;
const begin = Date.parse('2026-03-01T10:00:00.000Z');
const log = { warn: () => undefined };

const person = (actor: string, accountId: number): Person => ({
  accountId,
  actor: { actor, role: 'dba', source: 'console', origin: '192.0.2.7', requestId: `by-${actor}` },
});
const alice = person('alice', 1);
const bob = person('bob', 2);

let home: string;
let nowMs: number;
let history: HistoryStore;
let store: ConfigStore;
let reverts: ScheduledReverts;
let proposals: Proposals;
const now = () => new Date(nowMs);

async function open(startOptions: { name: string; value: string }[] = []): Promise<void> {
  history = await openHistory(home, { log, now });
  store = await ConfigStore.open({ history, log, now, startOptions });
  reverts = await ScheduledReverts.open(history, store, now);
  proposals = new Proposals({ history, store, reverts, now });
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'odp-proposals-'));
  nowMs = begin;
  await open([{ name: 'four_eyes_parameters', value: 'Enable_Congestion;observer_sys_password' }]);
});
afterEach(async () => {
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

const request = (changes: readonly ParameterChange[], overrides: readonly OverrideChange[] = []): ChangeRequest => ({
  ...alice.actor,
  changes,
  overrides,
  reason: 'maintenance of zone 2',
});
const off = request([{ name: 'enable_congestion', value: 'false', baseRevision: 0 }]);

async function proposed(wanted: ChangeRequest = off, revertAfterMs: number | null = null): Promise<number> {
  const { proposal, changed } = await proposals.change(wanted, alice, revertAfterMs);
  expect(changed).toEqual([]);
  return proposal?.id ?? 0;
}
const rows = async (filter: Parameters<HistoryStore['log']['page']>[0] = {}) =>
  (await history.log.page(filter, 200)).rows;
const text = () => store.parameter('enable_congestion').text;

describe('a change that needs a second person', () => {
  it('waits as a whole, with a history entry for each parameter, and is made when somebody else approves it', async () => {
    const told: number[] = [];
    proposals.onChanged((id) => told.push(id));
    const id = await proposed(
      request([
        { name: 'enable_congestion', value: 'false' },
        { name: 'congestion_fail_window', value: '60s' },
      ]),
    );
    expect(text()).toBe('True');
    const reason = `proposal ${id} of alice: maintenance of zone 2`;
    expect(await rows({ action: 'proposal.create' })).toMatchObject([
      { parameter: 'congestion_fail_window', oldValue: '120s', newValue: '60s', actor: 'alice', reason },
      { parameter: 'enable_congestion', oldValue: 'True', newValue: 'false', actor: 'alice', reason },
    ]);
    await proposals.approve(id, bob, 'seen and agreed');
    expect(text()).toBe('false');
    expect(store.parameter('congestion_fail_window').text).toBe('60s');
    expect(await proposals.find(id)).toMatchObject({
      state: 'approved',
      decidedBy: 'bob',
      decisionReason: 'seen and agreed',
    });
    const made = await rows({ action: 'parameter.change', parameter: 'enable_congestion' });
    expect(made).toMatchObject([
      {
        actor: 'bob',
        outcome: 'persisted',
        reason: `proposal ${id} of alice: maintenance of zone 2; approved by bob: seen and agreed`,
      },
    ]);
    expect(await rows({ action: 'proposal.approve' })).toMatchObject([
      { actor: 'bob', reason: `proposal ${id} of alice: seen and agreed`, requestId: made[0]?.requestId },
    ]);
    expect(told).toEqual([id, id]);
  });

  it('is refused over every other door, and the refusal is an entry that tells the way', async () => {
    const sql = { ...off, source: 'sql', actor: 'root@proxysys', reason: 'ALTER PROXYCONFIG' } as const;
    await expect(store.change(sql)).rejects.toThrow(
      'enable_congestion: a second person is needed (four_eyes_parameters). Propose the change on the console, at Configuration, and have somebody else approve it',
    );
    expect(await rows({ action: 'parameter.change', outcome: 'refused' })).toMatchObject([
      { parameter: 'enable_congestion', actor: 'root@proxysys', failure: expect.stringContaining('FOUR_EYES_NEEDED') },
    ]);
    expect(text()).toBe('True');
  });

  it('is none when nothing would change or nothing of it is named', async () => {
    expect(await proposals.change(request([{ name: 'enable_congestion', value: 'True' }]), alice, null)).toMatchObject({
      proposal: null,
      unchanged: ['enable_congestion'],
    });
    const made = await proposals.change(request([{ name: 'congestion_fail_window', value: '60s' }]), alice, null);
    expect(made).toMatchObject({ proposal: null, changed: [{ text: '60s' }] });
  });

  it('is checked when it is proposed', async () => {
    const bad = request([{ name: 'enable_congestion', value: 'perhaps' }]);
    await expect(proposals.change(bad, alice, null)).rejects.toThrow('use true or false');
    expect(await proposals.list()).toEqual([]);
    expect(await rows({ outcome: 'refused' })).toHaveLength(1);
  });

  it('is not approved by the one who proposed it, and stays open then', async () => {
    const id = await proposed();
    await expect(proposals.approve(id, alice, 'mine')).rejects.toThrow('somebody else has to approve it');
    await expect(proposals.withdraw(id, bob, 'no')).rejects.toThrow('nobody else withdraws it');
    expect(await proposals.find(id)).toMatchObject({ state: 'waiting', decidedBy: null });
    expect(text()).toBe('True');
  });

  it('ends when it is refused or withdrawn, and cannot be approved afterwards', async () => {
    const [first, second] = [await proposed(), await proposed()];
    await proposals.refuse(first, bob, 'not now');
    await proposals.withdraw(second, alice, 'a mistake');
    await expect(proposals.approve(first, bob, 'after all')).rejects.toThrow('refused by bob');
    await expect(proposals.approve(second, bob, 'after all')).rejects.toThrow('withdrawn by alice');
    expect((await rows({})).slice(0, 2)).toMatchObject([
      { action: 'proposal.withdraw', actor: 'alice', reason: `proposal ${second} of alice: a mistake` },
      { action: 'proposal.refuse', actor: 'bob', parameter: 'enable_congestion' },
    ]);
    expect((await proposals.list()).map(({ id, state }) => `${id} ${state}`)).toEqual([
      `${second} withdrawn`,
      `${first} refused`,
    ]);
  });

  it('is decided once when two people decide at the same time', async () => {
    const id = await proposed();
    const outcomes = await Promise.allSettled([
      proposals.approve(id, bob, 'yes'),
      proposals.refuse(id, person('carol', 3), 'no'),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { state } = await proposals.find(id);
    expect(text()).toBe(state === 'approved' ? 'false' : 'True');
    const decided = (await rows()).filter(({ action }) => /^proposal\.(approve|refuse)$/.test(action));
    expect(decided).toHaveLength(1);
  });

  it('case B101: cannot be approved when a parameter of it has moved, and says which and how', async () => {
    const id = await proposed(
      request([
        { name: 'enable_congestion', value: 'false' },
        { name: 'congestion_fail_window', value: '60s' },
      ]),
    );
    await store.change({ ...bob.actor, changes: [{ name: 'congestion_fail_window', value: '90s' }], reason: 'other' });
    await expect(proposals.approve(id, bob, 'yes')).rejects.toThrow('congestion_fail_window changed after it was made');
    const [first, second] = (await proposals.find(id)).changes.map((change) => proposals.moved(change));
    expect([first, second]).toEqual([null, { value: '90s', by: 'bob', at: now() }]);
    expect(text()).toBe('True');
  });

  it('is over after a day: the history says so once, and nothing has changed', async () => {
    const id = await proposed();
    nowMs += 24 * hourMs - 1;
    await proposals.expire();
    expect((await proposals.find(id)).state).toBe('waiting');
    nowMs += 1;
    await expect(proposals.approve(id, bob, 'late')).rejects.toThrow('expired by odp');
    await proposals.expire();
    await proposals.expire();
    expect(await proposals.find(id)).toMatchObject({ state: 'expired', decidedBy: 'odp' });
    expect(await rows({ action: 'proposal.expire' })).toMatchObject([{ actor: 'odp', source: 'system' }]);
    expect(text()).toBe('True');
  });

  it('goes back by itself without a second approval, and nobody alone lets it stay', async () => {
    const id = await proposed(off, hourMs);
    nowMs += 2 * hourMs;
    await proposals.approve(id, bob, 'for an hour');
    const [revert] = reverts.list();
    expect(revert?.dueAt).toEqual(new Date(nowMs + hourMs));
    await expect(reverts.cancel(revert?.id ?? 0, alice.actor, 'longer')).rejects.toThrow(
      'goes back as two have agreed',
    );
    nowMs += hourMs;
    await reverts.runDue();
    expect(text()).toBe('True');
  });

  it('may be for a part of the sessions, and to take such a value away', async () => {
    const scope = { level: 'LEVEL_TENANT', cluster: 'c1', tenant: 't1', vip: '', vport: 0, vid: -1 } as const;
    const set = await proposed(request([], [{ name: 'observer_sys_password', scope, value: 'first' }]));
    await proposals.approve(set, bob, 'yes');
    expect(store.overrides('observer_sys_password')).toMatchObject([
      { scope, text: expect.stringMatching(/^[0-9a-f]{40}$/) },
    ]);
    const remove = await proposed(request([], [{ name: 'observer_sys_password', scope, value: null }]));
    await proposals.approve(remove, bob, 'yes');
    expect(store.overrides('observer_sys_password')).toEqual([]);
  });

  it('case B115: holds no password, and of a decided one nothing is left', async () => {
    const secret = request([{ name: 'observer_sys_password', value: 'quiet-harbour' }]);
    const [refused, approved] = [await proposed(secret), await proposed(secret)];
    await proposals.refuse(refused, bob, 'no');
    expect((await proposals.find(refused)).changes).toMatchObject([{ oldValue: '******', newValue: '******' }]);
    const [waiting] = (await proposals.find(approved)).changes;
    expect(waiting?.newValue).toMatch(/^[0-9a-f]{40}$/);
    await proposals.approve(approved, bob, 'yes');
    expect(store.parameter('observer_sys_password').text).toBe(waiting?.newValue);
    const everything = JSON.stringify([await rows(), await history.database.proposal.findMany()]);
    expect(everything).not.toContain('quiet-harbour');
    expect(everything).not.toContain(waiting?.newValue);
  });

  it('waits over a restart', async () => {
    const id = await proposed();
    await history.close();
    await open();
    await proposals.approve(id, bob, 'yes');
    expect(text()).toBe('false');
  });

  it('is one of a hundred at most', async () => {
    const id = await proposed();
    const { id: _, ...one } = await history.database.proposal.findUniqueOrThrow({ where: { id } });
    await history.database.proposal.createMany({ data: Array.from({ length: 99 }, () => one) });
    await expect(proposals.change(off, alice, null)).rejects.toThrow('100 proposals are waiting already');
  });
});

describe('which parameters need a second person', () => {
  it('the list itself, as soon as it names any: nobody switches the rule off alone', async () => {
    const id = await proposed(request([{ name: 'four_eyes_parameters', value: '' }]));
    await proposals.approve(id, bob, 'no longer wanted');
    await store.change(off);
    expect(text()).toBe('false');
    await store.change(request([{ name: 'four_eyes_parameters', value: '*' }]));
    await expect(store.change(request([{ name: 'listen_port', value: '3000' }]))).rejects.toThrow('listen_port');
  });

  it('names nothing that is no parameter', async () => {
    const list = request([{ name: 'four_eyes_parameters', value: 'enable_congestoin' }]);
    await expect(proposals.change(list, alice, null)).rejects.toThrow(
      "'enable_congestoin' is neither a parameter nor *",
    );
  });

  it('a start option asks nobody, and the history has an entry of that for each', async () => {
    await history.close();
    await open([
      { name: 'enable_congestion', value: 'false' },
      { name: 'congestion_fail_window', value: '60s' },
    ]);
    expect(text()).toBe('false');
    expect(await rows({ action: 'proposal.bypass' })).toMatchObject([
      { parameter: 'enable_congestion', actor: 'start options', source: 'start' },
    ]);
  });

  it('what the proxy sets back itself needs nobody: an order that was carried out', async () => {
    const id = await proposed(request([{ name: 'four_eyes_parameters', value: '*' }]));
    await proposals.approve(id, bob, 'yes');
    const back = request([{ name: 'refresh_rslist', value: 'True' }]);
    await expect(store.change(back)).rejects.toThrow('a second person is needed');
    expect((await store.change({ ...back, consent: 'set-back' })).changed).toHaveLength(1);
  });
});
