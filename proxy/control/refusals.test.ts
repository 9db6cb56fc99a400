import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryRow } from './contract.ts';
import { ControlBench } from './testing.ts';

let bench: ControlBench;
let viewer: string;
beforeEach(async () => {
  bench = await ControlBench.start();
  viewer = await bench.userToken('vera', 'viewer');
});
afterEach(() => bench.stop());

/** Rows newest first, as an auditor reads them. */
async function rows(query = ''): Promise<HistoryRow[]> {
  return (await bench.call('GET', `/v1/history${query}`, { token: viewer })).json.rows;
}

describe('what is refused is in the history', () => {
  it('a change without the right: who, in which role, from where, what, and why not', async () => {
    const body = { changes: [{ name: 'enable_congestion', value: 'off', baseRevision: 0 }], reason: 'x' };
    const answer = await bench.call('POST', '/v1/parameters', { token: viewer, body, origin: '198.51.100.9' });
    expect(answer.status).toBe(403);
    expect((await rows())[0]).toMatchObject({
      action: 'parameter.change',
      actor: 'vera',
      role: 'viewer',
      source: 'console',
      origin: '198.51.100.9',
      newValue: 'POST /v1/parameters',
      outcome: 'refused',
      failure: expect.stringMatching(/^FORBIDDEN: .*parameters\.write/),
      requestId: answer.json.requestId,
    });
    expect(await rows('?outcome=refused&role=viewer')).toHaveLength(1);
  });

  it('a change that does not fit: each value once, whichever door it came to', async () => {
    const token = await bench.userToken('op', 'dba');
    const body = { changes: [{ name: 'proxy_id', value: '-7', baseRevision: 0 }], reason: 'a try' };
    expect((await bench.call('POST', '/v1/parameters', { token, body })).status).toBe(400);
    expect(await rows('?outcome=refused')).toMatchObject([
      { action: 'parameter.change', parameter: 'proxy_id', newValue: '-7', reason: 'a try', role: 'dba' },
    ]);
  });

  it('reading without the right leaves one row a minute, however often a page asks', async () => {
    const ask = () => bench.call('GET', '/v1/history.csv', { token: viewer });
    await Promise.all([ask(), ask(), ask()]);
    expect(await rows('?action=history.export')).toMatchObject([
      { outcome: 'refused', newValue: 'GET /v1/history.csv' },
    ]);
    bench.pass(60_000);
    await ask();
    expect(await rows('?action=history.export')).toHaveLength(2);
  });

  it('case B112: failed log-ins, and once that the door is shut; what only reads badly leaves nothing', async () => {
    const guess = (name: string) =>
      bench.call('POST', '/v1/login', { body: { name, password: 'wrong' }, origin: '198.51.100.1' });
    for (let count = 0; count < 8; count += 1) await guess('vera');
    expect((await rows('?origin=198.51.100.1')).map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'login.locked refused',
      ...Array(5).fill('login.failed refused'),
    ]);
    const before = (await rows()).length;
    await bench.call('GET', '/v1/history?limit=-1', { token: viewer });
    await bench.call('GET', '/v1/nothing', { token: viewer });
    await bench.call('GET', '/v1/history', {});
    expect(await rows()).toHaveLength(before);
  });

  it('a wrong old password at a change of the password', async () => {
    const body = { current: 'not-it-at-all', next: 'something-new-1' };
    expect((await bench.call('POST', '/v1/password', { token: viewer, body })).status).toBe(400);
    const [row] = await rows('?action=password.change');
    expect(row).toMatchObject({
      outcome: 'refused',
      failure: 'BAD_REQUEST: Bad request: current: This is not your password.',
    });
    expect(JSON.stringify(row)).not.toContain('not-it-at-all');
  });
});
