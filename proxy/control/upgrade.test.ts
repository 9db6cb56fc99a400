import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upgradeStateSchema } from './contract.ts';
import { ControlBench } from './testing.ts';

describe('routes of upgrades', () => {
  let bench: ControlBench;
  let administrator = '';
  let operator = '';
  let viewer = '';

  beforeAll(async () => {
    bench = await ControlBench.start();
    administrator = await bench.userToken('ada', 'administrator');
    operator = await bench.userToken('olga', 'operator');
    viewer = await bench.userToken('vera', 'viewer');
  });
  afterAll(() => bench.stop());

  it('C17: whoever sees the proxy sees its generations; only administrators order', async () => {
    const { status, json } = await bench.call('GET', '/v1/upgrade', { token: viewer });
    expect(status).toBe(200);
    expect(upgradeStateSchema.parse(json)).toMatchObject({
      phase: 'idle',
      run: null,
      generations: [{ id: 1, role: 'active', clientSessions: 1 }],
    });
    const body = { kind: 'restart', reason: 'why' };
    // Whoever may name a directory has its program run.
    for (const token of [viewer, operator]) {
      for (const order of ['start', 'commit', 'rollback']) {
        expect((await bench.call('POST', `/v1/upgrade/${order}`, { token, body })).status).toBe(403);
      }
    }
    for (const wrong of [{ kind: 'restart' }, { ...body, kind: 'upgrade', directory: 'two' }]) {
      const answer = await bench.call('POST', '/v1/upgrade/start', { token: administrator, body: wrong });
      expect(answer.status).toBe(400);
    }
  });

  it('C17: an order begins a run and is refused while one is under way; every change is an event', async () => {
    const events = await bench.events(viewer);
    const body = { kind: 'upgrade', directory: '/two', reason: 'new version' };
    const begun = await bench.call('POST', '/v1/upgrade/start', { token: administrator, body });
    expect(begun.json).toMatchObject({
      phase: 'prepare',
      parentStatus: 'START_HOT_UPGRADE',
      run: { by: 'ada', reason: 'new version', directory: '/two', hold: false, retriesLeft: 5 },
    });
    // What the history is to keep of it.
    expect(bench.upgrades.bench.state.run?.steps[0]).toMatchObject({
      by: 'ada',
      role: 'administrator',
      source: 'console',
      origin: expect.stringMatching(/./),
    });
    expect((await events.next('upgrade')).state.phase).toBe('prepare');
    const second = await bench.call('POST', '/v1/upgrade/start', { token: administrator, body });
    expect(second).toMatchObject({ status: 409, json: { code: 'UPGRADE_RUNNING' } });
    const early = await bench.call('POST', '/v1/upgrade/commit', { token: administrator, body: { reason: 'now' } });
    expect(early).toMatchObject({ status: 409, json: { code: 'UPGRADE_NOT_POSSIBLE' } });
    const back = await bench.call('POST', '/v1/upgrade/rollback', { token: administrator, body: { reason: 'no' } });
    expect(back.json).toMatchObject({ phase: 'rollback' });
    events.close();
  });
});
