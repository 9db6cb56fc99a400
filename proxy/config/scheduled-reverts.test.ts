import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HistoryStore, openHistory } from '../history/history-store.ts';
import { type ChangeRequest, ConfigStore } from './config-store.ts';
import { ScheduledReverts } from './scheduled-reverts.ts';

const minuteMs = 60_000;
const begin = Date.parse('2026-03-01T10:00:00.000Z');
const log = { warn: () => undefined };
const admin = { actor: 'admin', source: 'console', origin: '192.0.2.7' } as const;

let home: string;
let nowMs: number;
let history: HistoryStore;
let store: ConfigStore;
let reverts: ScheduledReverts;
const now = () => new Date(nowMs);

async function open(): Promise<void> {
  history = await openHistory(home, { log, now });
  store = await ConfigStore.open({ history, log, now });
  reverts = await ScheduledReverts.open(history, store, now);
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'odp-reverts-'));
  nowMs = begin;
  await open();
});
afterEach(async () => {
  await history.close();
  rmSync(home, { recursive: true, force: true });
});

const request = (values: Record<string, string>, requestId = 'r1'): ChangeRequest => ({
  ...admin,
  requestId,
  reason: 'maintenance',
  changes: Object.entries(values).map(([name, value]) => ({ name, value })),
});
const inMinutes = (minutes: number): Date => new Date(nowMs + minutes * minuteMs);
const rows = async () => (await history.log.page({}, 200)).rows;

describe('a change that goes back by itself', () => {
  it('goes back when its time has come, as one change, not before', async () => {
    await reverts.change(request({ enable_congestion: 'false', congestion_fail_window: '60s' }), inMinutes(30));
    nowMs += 30 * minuteMs - 1;
    await reverts.runDue();
    expect(store.parameter('enable_congestion').text).toBe('false');
    nowMs += 1;
    await reverts.runDue();
    expect(store.parameter('enable_congestion')).toMatchObject({ text: 'True', changedBy: 'odp', revision: 2 });
    expect(store.parameter('congestion_fail_window').text).toBe('120s');
    expect(reverts.list()).toEqual([]);
    const [last, before] = await rows();
    expect(last).toMatchObject({
      action: 'parameter.change',
      source: 'system',
      oldValue: '60s',
      newValue: '120s',
      reason: 'goes back by itself, as admin asked at 2026-03-01T10:00:00.000Z: maintenance',
    });
    expect(before?.requestId).toBe(last?.requestId);
  });

  it('may be made again while one is to come: it still goes back to what there was before the first', async () => {
    await reverts.change(request({ congestion_fail_window: '60s' }), inMinutes(30));
    await reverts.change(request({ congestion_fail_window: '90s' }, 'r2'), inMinutes(60));
    expect(reverts.list()).toMatchObject([{ change: 'r2', value: '120s' }]);
    expect((await rows()).map(({ action }) => action)).toContain('revert.cancel');
    nowMs += 30 * minuteMs;
    await reverts.runDue();
    expect(store.parameter('congestion_fail_window').text).toBe('90s');
    nowMs += 30 * minuteMs;
    await reverts.runDue();
    expect(store.parameter('congestion_fail_window').text).toBe('120s');
    expect(reverts.list()).toEqual([]);
  });

  it('is kept over a restart, and what came due meanwhile is done then', async () => {
    await reverts.change(request({ enable_congestion: 'false' }), inMinutes(30));
    await history.close();
    nowMs += 90 * minuteMs;
    await open();
    expect(store.parameter('enable_congestion').text).toBe('false');
    expect(reverts.list()).toMatchObject([{ name: 'enable_congestion', value: 'True', setBy: 'admin' }]);
    await reverts.runDue();
    expect(store.parameter('enable_congestion').text).toBe('True');
  });

  it('leaves alone what somebody else has changed meanwhile, and says so in the history', async () => {
    await reverts.change(request({ enable_congestion: 'false', congestion_fail_window: '60s' }), inMinutes(30));
    nowMs += minuteMs;
    await store.change({ ...request({ congestion_fail_window: '90s' }), actor: 'root@proxysys' });
    expect(reverts.list().map((one) => reverts.holds(one))).toEqual([true, false]);
    nowMs += 30 * minuteMs;
    await reverts.runDue();
    expect(store.parameter('enable_congestion').text).toBe('True');
    expect(store.parameter('congestion_fail_window').text).toBe('90s');
    expect((await rows())[0]).toMatchObject({
      action: 'revert.leave',
      parameter: 'congestion_fail_window',
      actor: 'odp',
      reason:
        "congestion_fail_window was to go back to '120s', as admin asked, and is left alone: root@proxysys has set it to '90s' at 2026-03-01T10:01:00.000Z",
    });
    expect(reverts.list()).toEqual([]);
  });

  it('says why when the old value is not to be had any more', async () => {
    await reverts.change(request({ congestion_fail_window: '60s' }), inMinutes(1));
    await history.database.scheduledRevert.updateMany({ data: { value: '3h' } });
    await history.close();
    await open();
    nowMs += minuteMs;
    await reverts.runDue();
    expect(store.parameter('congestion_fail_window').text).toBe('60s');
    expect((await rows())[0]).toMatchObject({
      action: 'revert.leave',
      reason: expect.stringContaining('out of range'),
    });
    expect(reverts.list()).toEqual([]);
  });

  it('that another process has set back meanwhile is not cancelled any more', async () => {
    await reverts.change(request({ enable_congestion: 'false' }), inMinutes(30));
    const other = await ScheduledReverts.open(history, store, now);
    nowMs += 30 * minuteMs;
    await other.runDue();
    const id = reverts.list()[0]?.id ?? 0;
    await expect(reverts.cancel(id, { ...admin, requestId: 'r2' }, 'stays off')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(reverts.list()).toEqual([]);
    expect((await rows()).map(({ action }) => action)).not.toContain('revert.cancel');
  });

  it('is cancelled with a reason; a second time there is nothing to cancel', async () => {
    await reverts.change(request({ enable_congestion: 'false' }), inMinutes(30));
    const id = reverts.list()[0]?.id ?? 0;
    await reverts.cancel(id, { ...admin, requestId: 'r2' }, 'stays off');
    await expect(reverts.cancel(id, { ...admin, requestId: 'r3' }, 'again')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    nowMs += 60 * minuteMs;
    await reverts.runDue();
    expect(store.parameter('enable_congestion').text).toBe('false');
    expect((await rows())[0]).toMatchObject({
      action: 'revert.cancel',
      actor: 'admin',
      parameter: 'enable_congestion',
      reason: "enable_congestion does not go back to 'True' at 2026-03-01T10:30:00.000Z: stays off",
    });
  });

  it('a failing database leaves everything as it was, and due', async () => {
    await reverts.change(request({ enable_congestion: 'false' }), inMinutes(1));
    nowMs += minuteMs;
    await history.database.$executeRawUnsafe('PRAGMA query_only = ON');
    await expect(reverts.runDue()).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(store.parameter('enable_congestion').text).toBe('false');
    await history.database.$executeRawUnsafe('PRAGMA query_only = OFF');
    await reverts.runDue();
    expect(store.parameter('enable_congestion').text).toBe('True');
  });

  it('a change that fails schedules nothing, and neither does one without effect', async () => {
    await expect(
      reverts.change(request({ enable_congestion: 'false', congestion_fail_window: '2h' }), inMinutes(1)),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    const { unchanged } = await reverts.change(request({ enable_congestion: 'True' }), inMinutes(1));
    expect(unchanged).toEqual(['enable_congestion']);
    expect(reverts.list()).toEqual([]);
    expect(await history.database.scheduledRevert.count()).toBe(0);
  });

  it('case B115: a secret cannot go back by itself, since nobody keeps its text', async () => {
    await expect(reverts.change(request({ observer_sys_password: 'x' }), inMinutes(1))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});
