import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parameterTable } from '../config/parameter-table.ts';
import type { Parameter } from './contract.ts';
import { ControlBench } from './testing.ts';

let bench: ControlBench;
let token: string;
beforeEach(async () => {
  bench = await ControlBench.start();
  token = await bench.userToken('op', 'dba');
});
afterEach(() => bench.stop());

async function parameter(name: string): Promise<Parameter> {
  const { parameters } = (await bench.call('GET', '/v1/parameters', { token })).json;
  return parameters.find((candidate: Parameter) => candidate.name === name);
}

const change = (changes: unknown, reason = 'a try') =>
  bench.call('POST', '/v1/parameters', { token, body: { changes, reason } });

describe('parameters', () => {
  it('lists the whole table with everything that a form needs', async () => {
    const { parameters } = (await bench.call('GET', '/v1/parameters', { token })).json;
    expect(parameters).toHaveLength(parameterTable.length);
    expect(await parameter('congestion_fail_window')).toMatchObject({
      value: '120s',
      pendingValue: null,
      type: 'time',
      unit: 's',
      range: '[1s,1h]',
      revision: 0,
      changedAt: null,
      group: 'blocklist',
    });
  });

  it('changes with a reason, and the history says who, from where, why', async () => {
    const answer = await change([{ name: 'enable_congestion', value: 'false', baseRevision: 0 }]);
    expect(answer.json).toMatchObject({
      parameters: [{ value: 'false', revision: 1, changedBy: 'op' }],
      unchanged: [],
    });
    const history = await bench.call('GET', '/v1/history?action=parameter.change', { token });
    expect(history.json).toMatchObject({
      total: 1,
      nextBefore: null,
      rows: [
        {
          actor: 'op',
          source: 'console',
          origin: '192.0.2.7',
          parameter: 'enable_congestion',
          oldValue: 'True',
          newValue: 'false',
          reason: 'a try',
          requestId: answer.headers['x-request-id'],
        },
      ],
    });
  });

  it('case B94: a bad value is refused with the field and the reason, the old one stays', async () => {
    const answer = await change([{ name: 'congestion_retry_interval', value: '61m', baseRevision: 0 }]);
    expect(answer.json).toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER',
      detail: "Invalid config: congestion_retry_interval = '61m': out of range [1s,1h]",
      invalid: [{ field: 'congestion_retry_interval', reason: 'out of range [1s,1h]' }],
    });
    expect((await parameter('congestion_retry_interval')).value).toBe('20s');
  });

  it('case B95: a value that waits for a restart is shown beside the one in force', async () => {
    await change([{ name: 'listen_port', value: '3000', baseRevision: 0 }]);
    expect(await parameter('listen_port')).toMatchObject({ value: '2883', pendingValue: '3000', needReboot: true });
  });

  it('case B101: a stale page gets 409 with both sides; without a revision or reason 400', async () => {
    await change([{ name: 'congestion_fail_window', value: '60s', baseRevision: 0 }]);
    const stale = await change([{ name: 'congestion_fail_window', value: '300s', baseRevision: 0 }]);
    expect(stale.json).toMatchObject({
      status: 409,
      code: 'STALE_REVISION',
      detail: expect.stringMatching(/'60s' by op at 2026-03-01T10:00:00.000Z/),
      invalid: [{ field: 'congestion_fail_window' }],
    });
    expect((await parameter('congestion_fail_window')).value).toBe('60s');
    expect((await change([{ name: 'congestion_fail_window', value: '1s' }])).status).toBe(400);
    expect((await change([{ name: 'congestion_fail_window', value: '1s', baseRevision: 1 }], ' ')).status).toBe(400);
    const same = await change([{ name: 'congestion_fail_window', value: '60s', baseRevision: 1 }]);
    expect(same.json).toEqual({ parameters: [], unchanged: ['congestion_fail_window'], workers: [], proposal: null });
  });

  it('case B101: of several edits every stale one is named, and none is made', async () => {
    await change([
      { name: 'congestion_fail_window', value: '60s', baseRevision: 0 },
      { name: 'congestion_failure_threshold', value: '7', baseRevision: 0 },
    ]);
    const stale = await change([
      { name: 'enable_congestion', value: 'false', baseRevision: 0 },
      { name: 'congestion_fail_window', value: '300s', baseRevision: 0 },
      { name: 'congestion_failure_threshold', value: '9', baseRevision: 0 },
    ]);
    expect(stale.json).toMatchObject({
      status: 409,
      code: 'STALE_REVISION',
      detail: expect.stringMatching(/^congestion_fail_window .*changed since as well: congestion_failure_threshold$/),
      invalid: [
        { field: 'congestion_fail_window', reason: expect.stringContaining("'60s' by op") },
        { field: 'congestion_failure_threshold', reason: expect.stringContaining("'7' by op") },
      ],
    });
    expect((await parameter('enable_congestion')).value).toBe('True');
  });

  it('case B102: a request changes what it lists and nothing else, under one request id', async () => {
    const other = await bench.userToken('op2', 'dba');
    const answer = await bench.call('POST', '/v1/parameters', {
      token: other,
      body: {
        reason: 'mine alone',
        changes: [
          { name: 'congestion_failure_threshold', value: '7', baseRevision: 0 },
          { name: 'congestion_fail_window', value: '60s', baseRevision: 0 },
        ],
      },
    });
    expect(answer.json.parameters.map(({ name }: Parameter) => name)).toHaveLength(2);
    const { rows } = (await bench.call('GET', '/v1/history?action=parameter.change', { token })).json;
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row).toMatchObject({ actor: 'op2', requestId: answer.headers['x-request-id'] });
    }
    expect((await parameter('enable_congestion')).revision).toBe(0);
  });

  it('tells of each worker whether the change is in force there', async () => {
    bench.store.onApplied(() => [
      { worker: 0, failure: null },
      { worker: 1, failure: 'worker 1 has ended' },
    ]);
    const answer = await change([{ name: 'enable_congestion', value: 'false', baseRevision: 0 }]);
    expect(answer.status).toBe(200);
    expect(answer.json.workers).toEqual([
      { worker: 0, failure: null },
      { worker: 1, failure: 'worker 1 has ended' },
    ]);
  });

  it('case B101: two saves in the same moment: one is made, the other refused', async () => {
    const save = (value: string) => change([{ name: 'congestion_fail_window', value, baseRevision: 0 }]);
    const answers = await Promise.all([save('60s'), save('90s')]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
  });

  it('case B115: a password never comes back, its mask keeps it', async () => {
    const answer = await change([{ name: 'obproxy_sys_password', value: 'hunter2-secret', baseRevision: 0 }]);
    expect(answer.json.parameters[0]).toMatchObject({ value: '******', defaultValue: '******', secret: true });
    const masked = await change([{ name: 'obproxy_sys_password', value: '******', baseRevision: 1 }]);
    expect(masked.json.unchanged).toEqual(['obproxy_sys_password']);
    const texts = [
      await bench.call('GET', '/v1/parameters', { token }),
      await bench.call('GET', '/v1/history', { token }),
      await bench.call('GET', '/v1/history.csv', { token }),
    ].map((response) => response.text);
    for (const text of [...texts, ...bench.logged]) {
      expect(text).not.toContain('hunter2');
      expect(text).not.toContain(bench.store.parameter('obproxy_sys_password').text);
    }
  });

  it('case B117: texts come back as they were typed', async () => {
    await change([{ name: 'proxy_mem_limited', value: '2048', baseRevision: 0 }]);
    expect(await parameter('proxy_mem_limited')).toMatchObject({ value: '2048', unit: 'MB' });
    await change([{ name: 'congestion_failure_threshold', value: '010', baseRevision: 0 }]);
    expect((await parameter('congestion_failure_threshold')).value).toBe('010');
    expect(await parameter('hot_upgrade_exit_timeout')).toMatchObject({ value: '30000000', unit: 'µs' });
    expect((await change([{ name: 'congestion_fail_window', value: ' 20s ', baseRevision: 0 }])).status).toBe(400);
  });

  it('case B107: with a database that cannot be written, log-in and reading work and a change is refused', async () => {
    const { database } = bench.history;
    await database.$executeRawUnsafe('PRAGMA query_only = ON');
    const login = await bench.call('POST', '/v1/login', { body: { name: 'op', password: 'op-password' } });
    expect(login.status).toBe(200);
    token = login.json.token;
    expect((await bench.call('GET', '/v1/history', { token })).status).toBe(200);
    const refused = await change([{ name: 'enable_congestion', value: 'off', baseRevision: 0 }]);
    expect(refused.json).toMatchObject({
      status: 503,
      code: 'STORE_FAILED',
      detail: expect.stringMatching(/readonly/),
    });
    expect((await parameter('enable_congestion')).value).toBe('True');
    expect((await bench.call('GET', '/v1/history.csv', { token })).json.code).toBe('STORE_FAILED');
    const password = { current: 'op-password', next: 'another password' };
    expect((await bench.call('POST', '/v1/password', { token, body: password })).status).toBe(503);
    expect((await bench.call('POST', '/v1/logout', { token })).status).toBe(204);
    expect((await bench.call('GET', '/v1/me', { token })).status).toBe(401);
    await database.$executeRawUnsafe('PRAGMA query_only = OFF');
  });
});

describe('a change that goes back by itself', () => {
  const off = (part: object = {}) =>
    bench.call('POST', '/v1/parameters', {
      token,
      body: {
        reason: 'maintenance',
        changes: [{ name: 'enable_congestion', value: 'false', baseRevision: 0 }],
        revertAfterMs: 1_800_000,
        ...part,
      },
    });

  it('is shown with the parameter, told to open pages, and cancelled with a reason', async () => {
    const answer = await off();
    const revert = {
      parameter: 'enable_congestion',
      value: 'True',
      dueAt: '2026-03-01T10:30:00.000Z',
      setBy: 'op',
      overtaken: false,
    };
    expect(answer.json.parameters).toMatchObject([{ value: 'false', revert }]);
    const listed = (await bench.call('GET', '/v1/parameters/reverts', { token })).json;
    expect(listed).toMatchObject({ at: '2026-03-01T10:00:00.000Z', reverts: [revert] });
    const path = `/v1/parameters/reverts/${listed.reverts[0].id}/cancel`;
    expect((await bench.call('POST', path, { token, body: { reason: ' ' } })).status).toBe(400);
    const guest = await bench.userToken('guest', 'viewer');
    expect((await bench.call('POST', path, { token: guest, body: { reason: 'no' } })).status).toBe(403);
    const events = await bench.events(token);
    expect((await bench.call('POST', path, { token, body: { reason: 'stays off' } })).status).toBe(204);
    expect((await events.next('parameter')).parameter).toMatchObject({ value: 'false', revert: null });
    events.close();
    expect((await bench.call('POST', path, { token, body: { reason: 'again' } })).status).toBe(404);
    const { rows } = (await bench.call('GET', '/v1/history?action=revert.cancel', { token })).json;
    expect(rows).toMatchObject([
      { actor: 'op', outcome: 'refused', failure: expect.stringMatching(/^NOT_FOUND/) },
      { actor: 'op', outcome: 'done', parameter: 'enable_congestion', reason: expect.stringMatching(/stays off$/) },
      { actor: 'guest', outcome: 'refused' },
      { actor: 'op', outcome: 'refused' },
    ]);
  });

  it('is marked when somebody else has changed the parameter: it will be left alone', async () => {
    await off();
    await change([{ name: 'enable_congestion', value: 'off', baseRevision: 1 }]);
    expect((await parameter('enable_congestion')).revert).toMatchObject({ overtaken: true });
    const { reverts } = (await bench.call('GET', '/v1/parameters/reverts', { token })).json;
    expect(reverts).toMatchObject([{ overtaken: true }]);
  });

  it('has a time between a minute and a week, and no parts of the sessions', async () => {
    expect((await off({ revertAfterMs: 59_999 })).status).toBe(400);
    expect((await off({ revertAfterMs: 604_800_001 })).status).toBe(400);
    const scope = { level: 'LEVEL_CLUSTER', cluster: 'c1', tenant: '', vip: '', vport: 0 };
    const overrides = [{ name: 'proxy_idc_name', scope, value: 'idc1', baseRevision: 0 }];
    expect((await off({ changes: [], overrides })).json).toMatchObject({ invalid: [{ field: 'revertAfterMs' }] });
  });
});

describe('a revert from the history', () => {
  it('is a new change that says so, and cannot claim to undo what it does not', async () => {
    await change([{ name: 'congestion_fail_window', value: '60s', baseRevision: 0 }]);
    const [row] = (await bench.call('GET', '/v1/history?action=parameter.change', { token })).json.rows;
    const revert = (undoes: number, value: string) =>
      bench.call('POST', '/v1/parameters', {
        token,
        body: {
          reason: 'too touchy',
          changes: [{ name: 'congestion_fail_window', value, baseRevision: 1 }],
          undoes,
        },
      });
    expect((await revert(row.id + 1, '120s')).json).toMatchObject({ invalid: [{ field: 'undoes' }] });
    expect((await revert(row.id, '90s')).json).toMatchObject({ invalid: [{ field: 'undoes' }] });
    expect((await revert(row.id, '120s')).json.parameters).toMatchObject([{ value: '120s', revision: 2 }]);
    const [newest] = (await bench.call('GET', '/v1/history?action=parameter.change', { token })).json.rows;
    expect(newest).toMatchObject({
      oldValue: '60s',
      newValue: '120s',
      reason: `revert of #${row.id}: too touchy`,
    });
  });
});

describe('values for parts of the sessions', () => {
  const scope = { level: 'LEVEL_TENANT', cluster: 'c1', tenant: 't1', vip: '', vport: 0 };
  const set = (part: object) =>
    bench.call('POST', '/v1/parameters/levels', {
      token,
      body: { name: 'proxy_idc_name', scope, value: 'idc1', baseRevision: 0, reason: 'a try', ...part },
    });

  it('are set and taken away with a reason, told to open pages, and kept in the history with whom they are for', async () => {
    const events = await bench.events(token);
    const [answer, event] = [await set({}), await events.next('parameter')];
    expect(answer.json.parameters).toMatchObject([{ name: 'proxy_idc_name', value: '', revision: 0 }]);
    expect(event.parameter.overrides).toEqual(answer.json.parameters[0].overrides);
    expect(event.parameter.overrides).toMatchObject([{ ...scope, value: 'idc1', changedBy: 'op' }]);
    const revision = event.parameter.overrides[0]?.revision;
    expect((await set({ value: 'idc2' })).status).toBe(409);
    expect((await set({ value: null, baseRevision: revision })).status).toBe(200);
    expect((await parameter('proxy_idc_name')).overrides).toEqual([]);
    events.close();
    const history = await bench.call('GET', '/v1/history?text=tenant%3Dt1', { token });
    expect(history.json.rows).toMatchObject([
      {
        scope: 'tenant=t1 cluster=c1',
        oldValue: 'idc1',
        newValue: null,
        outcome: 'persisted',
        role: 'dba',
        source: 'console',
        reason: 'a try',
      },
      { newValue: 'idc2', outcome: 'refused', failure: expect.stringContaining('STALE_REVISION') },
      { scope: 'tenant=t1 cluster=c1', oldValue: null, newValue: 'idc1', parameter: 'proxy_idc_name' },
    ]);
    const csv = await bench.call('GET', '/v1/history.csv?text=tenant%3Dt1', { token });
    expect(csv.text.split('\r\n')[1]).toMatch(/,tenant=t1 cluster=c1\b/);
  });

  it('are refused with what is wrong, and to those who may only look', async () => {
    expect((await set({ reason: ' ' })).json).toMatchObject({ code: 'BAD_REQUEST' });
    expect((await set({ scope: { ...scope, level: 'LEVEL_GLOBAL' } })).json).toMatchObject({ code: 'BAD_REQUEST' });
    expect((await set({ scope: { ...scope, cluster: '' } })).json).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((await set({ name: 'listen_port', value: '3000' })).json).toMatchObject({ code: 'PARAMETER_NOT_ALTERABLE' });
    token = await bench.userToken('guest', 'viewer');
    expect((await set({})).status).toBe(403);
  });
});
