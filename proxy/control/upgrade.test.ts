import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upgradeStateSchema } from './contract.ts';
import { ControlBench } from './testing.ts';

describe('routes of upgrades', () => {
  let bench: ControlBench;
  let operator = '';
  let viewer = '';

  beforeAll(async () => {
    bench = await ControlBench.start();
    operator = await bench.userToken('olga', 'operator');
    viewer = await bench.userToken('vera', 'viewer');
  });
  afterAll(() => bench.stop());

  it('C17: whoever sees the proxy sees its generations; orders need the right to change parameters', async () => {
    const { status, json } = await bench.call('GET', '/v1/upgrade', { token: viewer });
    expect(status).toBe(200);
    expect(upgradeStateSchema.parse(json)).toMatchObject({
      phase: 'idle',
      run: null,
      generations: [{ id: 1, role: 'active', clientSessions: 1 }],
    });
    const body = { kind: 'restart', reason: 'why' };
    expect((await bench.call('POST', '/v1/upgrade/start', { token: viewer, body })).status).toBe(403);
    const wrong = await bench.call('POST', '/v1/upgrade/start', { token: operator, body: { kind: 'restart' } });
    expect(wrong.status).toBe(400);
  });

  it('C17: an order begins a run and is refused while one is under way; every change is an event', async () => {
    const events = await bench.events(viewer);
    const body = { kind: 'upgrade', directory: '/two', reason: 'new version' };
    const begun = await bench.call('POST', '/v1/upgrade/start', { token: operator, body });
    expect(begun.json).toMatchObject({
      phase: 'prepare',
      parentStatus: 'START_HOT_UPGRADE',
      run: { by: 'olga', reason: 'new version', directory: '/two', hold: false, retriesLeft: 5 },
    });
    expect((await events.next('upgrade')).state.phase).toBe('prepare');
    const second = await bench.call('POST', '/v1/upgrade/start', { token: operator, body });
    expect(second).toMatchObject({ status: 409, json: { code: 'UPGRADE_RUNNING' } });
    const early = await bench.call('POST', '/v1/upgrade/commit', { token: operator, body: { reason: 'now' } });
    expect(early).toMatchObject({ status: 409, json: { code: 'UPGRADE_NOT_POSSIBLE' } });
    const back = await bench.call('POST', '/v1/upgrade/rollback', { token: operator, body: { reason: 'no' } });
    expect(back.json).toMatchObject({ phase: 'rollback' });
    events.close();
  });
});
