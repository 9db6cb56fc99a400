import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlBench } from './testing.ts';

let bench: ControlBench;
let admin: string;
beforeEach(async () => {
  bench = await ControlBench.start();
  admin = await bench.userToken('ada', 'administrator');
});
afterEach(() => bench.stop());

const login = (name: string, password: string, origin = '192.0.2.7', headers = {}) =>
  bench.call('POST', '/v1/login', { body: { name, password }, origin, headers });
const me = (token: string) => bench.call('GET', '/v1/me', { token });
const users = async (token = admin) => (await bench.call('GET', '/v1/users', { token })).json;
const userOf = async (name: string) => (await users()).users.find((user: { name: string }) => user.name === name);
const create = (body: object, token = admin) =>
  bench.call('POST', '/v1/users', { token, body: { role: 'viewer', reason: 'a new colleague', ...body } });
async function change(name: string, what: string, body: object = {}, token = admin) {
  const { id, revision } = await userOf(name);
  const path = `/v1/users/${id}/${what}`;
  return await bench.call('POST', path, { token, body: { revision, reason: `for the test of ${what}`, ...body } });
}
const history = async () => (await bench.history.log.page({}, 50)).rows;

describe('users', () => {
  it('are made with a one-time password that is told once and must be replaced', async () => {
    const made = (await create({ name: 'bob', role: 'operator' })).json;
    expect(made.user).toMatchObject({ name: 'bob', role: 'operator', state: 'one-time', lastLogin: null, logIns: 0 });
    const [row] = await history();
    expect(row).toMatchObject({
      action: 'user.create',
      actor: 'ada',
      role: 'administrator',
      newValue: 'bob: operator',
      reason: 'a new colleague',
      origin: '192.0.2.7',
    });
    expect(JSON.stringify(await history())).not.toContain(made.oneTimePassword);
    const { token, user } = (await login('bob', made.oneTimePassword)).json;
    expect(user.mustChangePassword).toBe(true);
    expect((await bench.call('GET', '/v1/overview', { token })).json.code).toBe('PASSWORD_CHANGE_REQUIRED');
    const body = { current: made.oneTimePassword, next: 'a password of bob' };
    const own = (await bench.call('POST', '/v1/password', { token, body })).json.token;
    expect((await bench.call('GET', '/v1/overview', { token: own })).status).toBe(200);
    expect(await userOf('bob')).toMatchObject({ state: 'active', logIns: 1, lastLogin: { from: '192.0.2.7' } });
  });

  it('have names that cannot be taken for each other', async () => {
    expect((await create({ name: 'bob' })).status).toBe(200);
    expect((await create({ name: 'bob' })).json).toMatchObject({ status: 409, code: 'USER_EXISTS' });
    for (const name of ['Bob', ' bob', 'bób', '', '-x', 'x'.repeat(65)]) {
      expect((await create({ name })).json, name).toMatchObject({ status: 400, invalid: [{ field: 'name' }] });
    }
    expect((await create({ name: 'eve', role: 'god' })).json.invalid).toMatchObject([{ field: 'role' }]);
    expect((await create({ name: 'eve', reason: ' ' })).json.invalid).toMatchObject([{ field: 'reason' }]);
  });

  it('are listed with roles and rights for those who may see them', async () => {
    const auditor = await bench.userToken('otto', 'auditor');
    const list = await users(auditor);
    expect(list.users.map(({ name, isSelf }: { name: string; isSelf: boolean }) => [name, isSelf])).toEqual([
      ['ada', false],
      ['otto', true],
    ]);
    expect(list.roles.map(({ role }: { role: string }) => role)).toEqual([
      'viewer',
      'operator',
      'dba',
      'auditor',
      'administrator',
    ]);
    expect(list.roles[4].permissions).toEqual(list.rights.map(({ permission }: { permission: string }) => permission));
    for (const what of ['role', 'disable', 'enable', 'reset', 'unlock', 'log-ins/end']) {
      expect((await bench.call('POST', `/v1/users/1/${what}`, { token: auditor, body: {} })).json.code, what).toBe(
        'FORBIDDEN',
      );
    }
    expect((await create({ name: 'x' }, auditor)).json.code).toBe('FORBIDDEN');
    const dba = await bench.userToken('dana', 'dba');
    expect((await bench.call('GET', '/v1/users', { token: dba })).json.code).toBe('FORBIDDEN');
  });

  it('case B112: a lowered role counts from the next request on, and the page hears of it', async () => {
    const dana = await bench.userToken('dana', 'dba');
    const events = await bench.events(dana);
    await events.next('overview');
    const answer = await change('dana', 'role', { role: 'viewer' });
    expect(answer.json.user).toMatchObject({ role: 'viewer', revision: 1 });
    await events.closed;
    const body = { changes: [{ name: 'enable_congestion', value: 'off', baseRevision: 0 }], reason: 'x' };
    expect((await bench.call('POST', '/v1/parameters', { token: dana, body })).json.code).toBe('FORBIDDEN');
    expect((await me(dana)).json).toMatchObject({ role: 'viewer' });
    const again = await bench.events(dana);
    expect((await again.next('overview')).type).toBe('overview');
    again.close();
    const row = (await history()).find(({ action }) => action === 'user.role');
    expect(row).toMatchObject({ actor: 'ada', oldValue: 'dana: dba', newValue: 'dana: viewer' });
  });

  it('that are disabled or reset are out at once, with their event streams', async () => {
    const bob = await bench.userToken('bob', 'viewer');
    const events = await bench.events(bob);
    expect((await change('bob', 'disable')).json.user).toMatchObject({ state: 'disabled', logIns: 0 });
    await events.closed;
    expect((await me(bob)).status).toBe(401);
    expect((await login('bob', 'bob-password')).json.code).toBe('LOGIN_FAILED');
    expect((await change('bob', 'enable')).json.user.state).toBe('active');
    const back = (await login('bob', 'bob-password')).json.token;
    const stream = await bench.events(back);
    const { oneTimePassword, user } = (await change('bob', 'reset')).json;
    expect(user.state).toBe('one-time');
    await stream.closed;
    expect((await me(back)).status).toBe(401);
    expect((await login('bob', 'bob-password')).status).toBe(401);
    expect((await login('bob', oneTimePassword)).status).toBe(200);
    expect((await history()).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.disable', 'user.enable', 'user.reset']),
    );
  });

  it('stale edit: who decides by an older state is told so, and changes nothing', async () => {
    await bench.addUser('bob', 'viewer');
    const other = await bench.userToken('ann', 'administrator');
    const { id, revision } = await userOf('bob');
    await change('bob', 'role', { role: 'operator' }, other);
    const body = { revision, role: 'dba', reason: 'late' };
    const answer = await bench.call('POST', `/v1/users/${id}/role`, { token: admin, body });
    expect(answer.json).toMatchObject({ status: 409, code: 'USER_CHANGED', detail: expect.stringMatching(/^bob was/) });
    expect(await userOf('bob')).toMatchObject({ role: 'operator', revision: revision + 1 });
    expect((await history())[0]).toMatchObject({ action: 'user.role', actor: 'ada', outcome: 'refused' });
    const gone = await bench.call('POST', '/v1/users/999/disable', { token: admin, body });
    expect(gone.json.code).toBe('NOT_FOUND');
  });

  it('nobody lowers, disables or resets themselves, and a change must change something', async () => {
    await bench.addUser('ann', 'administrator');
    for (const [what, body] of [
      ['role', { role: 'viewer' }],
      ['disable', {}],
      ['reset', {}],
    ] as const) {
      expect((await change('ada', what, body)).json.code, what).toBe('USER_NOT_CHANGED');
    }
    for (const [what, detail] of [
      ['role', /administrator already/],
      ['enable', /enabled already/],
      ['unlock', /not locked/],
    ] as const) {
      expect((await change('ann', what, { role: 'administrator' })).json.detail, what).toMatch(detail);
    }
    expect((await me(admin)).json.role).toBe('administrator');
  });

  it('one enabled administrator remains, even where two lower each other at once', async () => {
    const ann = await bench.userToken('ann', 'administrator');
    const both = await Promise.all([
      change('ann', 'role', { role: 'viewer' }),
      change('ada', 'role', { role: 'viewer' }, ann),
    ]);
    expect(both.map(({ status }) => status).toSorted()[0]).toBe(200);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = await bench.history.database.user.count({ where: { role: 'administrator', disabled: false } });
    expect(left).toBe(1);
  });
});

describe('lock-out', () => {
  const guess = async (name: string, times: number, origin: string) => {
    const codes: string[] = [];
    for (let time = 0; time < times; time += 1) codes.push((await login(name, 'wrong', origin)).json.code);
    return codes;
  };

  it('case B112: ten wrong passwords from any addresses lock an account, and nobody can tell', async () => {
    await bench.addUser('bob', 'viewer');
    for (const name of ['bob', 'nobody']) {
      const first = await guess(name, 5, '198.51.100.1');
      expect([...first, ...(await guess(name, 5, '198.51.100.2'))], name).toEqual(Array(10).fill('LOGIN_FAILED'));
    }
    const right = await login('bob', 'bob-password', '198.51.100.3');
    const unknown = await login('nobody', 'bob-password', '198.51.100.3');
    expect({ ...right.json, requestId: '' }).toEqual({ ...unknown.json, requestId: '' });
    expect(await userOf('bob')).toMatchObject({
      state: 'locked',
      failures: 10,
      lastFailure: { at: '2026-03-01T10:00:00.000Z', from: '198.51.100.2' },
      lockedUntil: '2026-03-01T10:15:00.000Z',
    });
    const rows = await history();
    expect(rows.find(({ action }) => action === 'user.lock')).toMatchObject({
      actor: 'bob',
      origin: '198.51.100.2',
      newValue: 'bob: locked until 2026-03-01T10:15:00.000Z',
      reason: '10 wrong passwords',
    });
    expect(rows.filter(({ reason }) => reason === 'the account is locked')).toHaveLength(1);
    bench.pass(15 * 60_000);
    expect((await login('bob', 'bob-password', '198.51.100.3')).status).toBe(200);
    expect(await userOf('bob')).toMatchObject({ state: 'active', failures: 0 });
  });

  it('case B112: many at once from many addresses are no way round', async () => {
    await bench.addUser('bob', 'viewer');
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => login('bob', 'wrong', `198.51.100.${index}`)),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill(401));
    expect(await userOf('bob')).toMatchObject({ state: 'locked', failures: 10 });
    expect((await login('bob', 'bob-password', '203.0.113.1')).status).toBe(401);
  });

  it('an administrator unlocks: the person is let in at once, also from where the door was shut', async () => {
    const open = await bench.userToken('bob', 'viewer');
    await guess('bob', 5, '198.51.100.1');
    await guess('bob', 6, '198.51.100.2');
    expect((await me(open)).status).toBe(200);
    expect((await change('bob', 'unlock')).json.user).toMatchObject({
      state: 'active',
      failures: 0,
      lockedUntil: null,
    });
    expect((await login('bob', 'bob-password', '198.51.100.2')).status).toBe(200);
    const row = (await history()).find(({ action }) => action === 'user.unlock');
    expect(row).toMatchObject({ actor: 'ada', newValue: 'bob: not locked' });
  });

  it('a right password forgets the wrong ones before it', async () => {
    await bench.addUser('bob', 'viewer');
    await guess('bob', 4, '198.51.100.1');
    await guess('bob', 4, '198.51.100.2');
    expect(await userOf('bob')).toMatchObject({ failures: 8 });
    expect((await login('bob', 'bob-password', '198.51.100.3')).status).toBe(200);
    expect(await userOf('bob')).toMatchObject({ failures: 0, lastFailure: { from: '198.51.100.2' } });
  });

  it('the start option lets a locked administrator in again', async () => {
    await bench.addUser('admin', 'administrator');
    await guess('admin', 5, '198.51.100.1');
    await guess('admin', 5, '198.51.100.2');
    const password = (await bench.history.users.ensureAdministrator(true, () => Promise.resolve())) ?? '';
    expect((await login('admin', password, '198.51.100.3')).status).toBe(200);
  });
});

describe('log-ins', () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
  const listOf = async (token: string, path = '/v1/log-ins') => (await bench.call('GET', path, { token })).json.logIns;

  it('are listed with address, browser and times; the current one is marked, and no token is told', async () => {
    await bench.addUser('bob', 'viewer');
    const first = (await login('bob', 'bob-password', '192.0.2.1', { 'x-odp-agent': agent })).json.token;
    bench.pass(60_000);
    const second = (await login('bob', 'bob-password', '192.0.2.2')).json.token;
    expect(await listOf(second)).toEqual([
      expect.objectContaining({ origin: '192.0.2.2', agent: '', isCurrent: true }),
      expect.objectContaining({
        origin: '192.0.2.1',
        agent,
        isCurrent: false,
        openedAt: '2026-03-01T10:00:00.000Z',
        expiresAt: '2026-03-02T10:00:00.000Z',
      }),
    ]);
    const text = JSON.stringify(await listOf(second));
    expect(text).not.toContain(first);
    expect(text).not.toContain(second);
  });

  it('end where their owner says so, streams and all; the current one stays', async () => {
    const first = await bench.userToken('bob', 'viewer');
    const events = await bench.events(first);
    const second = (await login('bob', 'bob-password')).json.token;
    const third = (await login('bob', 'bob-password')).json.token;
    const end = (token: string, logIn: string | null) =>
      bench.call('POST', '/v1/log-ins/end', { token, body: { logIn } });
    const own = (await listOf(third)).find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect((await end(third, own.id)).json).toEqual({ ended: 0 });
    expect((await end(third, null)).json).toEqual({ ended: 2 });
    await events.closed;
    expect([(await me(first)).status, (await me(second)).status, (await me(third)).status]).toEqual([401, 401, 200]);
    expect((await history())[0]).toMatchObject({ action: 'login.end', actor: 'bob', newValue: 'ended' });
  });

  it('end where an administrator says so; nobody ends those of others otherwise', async () => {
    const bob = await bench.userToken('bob', 'viewer');
    const events = await bench.events(bob);
    const { id } = await userOf('bob');
    const path = `/v1/users/${id}/log-ins`;
    const [open] = await listOf(admin, path);
    expect(open).toMatchObject({ isCurrent: false, origin: '192.0.2.7' });
    const end = (token: string, logIn: string | null) =>
      bench.call('POST', `${path}/end`, { token, body: { logIn, reason: 'a lost telephone' } });
    const eve = await bench.userToken('eve', 'dba');
    expect((await end(eve, open.id)).json.code).toBe('FORBIDDEN');
    const body = { logIn: open.id };
    expect((await bench.call('POST', '/v1/log-ins/end', { token: eve, body })).json).toEqual({ ended: 0 });
    expect((await end(admin, open.id)).json).toEqual({ ended: 1 });
    await events.closed;
    expect((await me(bob)).status).toBe(401);
    expect((await history())[0]).toMatchObject({
      action: 'login.end',
      actor: 'ada',
      oldValue: 'bob: log-in of 2026-03-01T10:00:00.000Z from 192.0.2.7',
      reason: 'a lost telephone',
    });
  });
});
