import { statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { routes } from './contract.ts';
import { ControlBench } from './testing.ts';

const nothing = () => Promise.resolve();
let bench: ControlBench;
beforeEach(async () => {
  bench = await ControlBench.start();
});
afterEach(() => bench.stop());

const login = (name: string, password: string, origin?: string) =>
  bench.call('POST', '/v1/login', { body: { name, password }, ...(origin === undefined ? {} : { origin }) });
const me = (token: string) => bench.call('GET', '/v1/me', { token });

describe('log-in', () => {
  it('first run: a one-time password that must be replaced before anything else works', async () => {
    const oneTime = (await bench.history.users.ensureAdministrator(false, nothing)) ?? '';
    expect(await bench.history.users.ensureAdministrator(false, nothing)).toBeNull();
    const { token, user } = (await login('admin', oneTime)).json;
    expect(user).toMatchObject({ name: 'admin', role: 'administrator', mustChangePassword: true });
    expect((await me(token)).status).toBe(200);
    const refused = await bench.call('GET', '/v1/parameters', { token });
    expect(refused.json).toMatchObject({
      status: 403,
      code: 'PASSWORD_CHANGE_REQUIRED',
      detail: expect.stringMatching(/Set a password of your own/),
    });
    const change = (current: string, next: string) =>
      bench.call('POST', '/v1/password', { token, body: { current, next } });
    expect((await change('wrong', 'long enough now')).json).toMatchObject({
      status: 400,
      invalid: [{ field: 'current' }],
    });
    expect((await change(oneTime, 'short')).json).toMatchObject({ status: 400, invalid: [{ field: 'next' }] });
    expect((await change(oneTime, oneTime)).json).toMatchObject({ status: 400, invalid: [{ field: 'next' }] });
    const changed = await change(oneTime, 'a password of mine');
    expect(changed.json.user.mustChangePassword).toBe(false);
    expect((await me(token)).status).toBe(401);
    expect((await bench.call('GET', '/v1/parameters', { token: changed.json.token })).status).toBe(200);
    expect((await login('admin', oneTime)).status).toBe(401);
    expect((await login('admin', 'a password of mine')).status).toBe(200);
  });

  it('gives a lost administrator a new one-time password and ends the old log-ins', async () => {
    const first = (await bench.history.users.ensureAdministrator(false, nothing)) ?? '';
    const { token } = (await login('admin', first)).json;
    const second = (await bench.history.users.ensureAdministrator(true, nothing)) ?? '';
    expect(second).not.toBe(first);
    expect((await me(token)).status).toBe(401);
    expect((await login('admin', second)).status).toBe(200);
  });

  it('case B112: every log-in has a new token; a planted or ended one is nothing', async () => {
    await bench.addUser('eve', 'viewer');
    expect((await me('abc')).status).toBe(401);
    const first = (await login('eve', 'eve-password')).json.token;
    const second = (await login('eve', 'eve-password')).json.token;
    expect(first).not.toBe(second);
    expect((await bench.call('POST', '/v1/logout', { token: first })).status).toBe(204);
    expect((await me(first)).status).toBe(401);
    expect((await me(second)).status).toBe(200);
  });

  it('case B112: session fixation: a log-in ends what the browser was logged in with before', async () => {
    const planted = await bench.userToken('mallory', 'viewer');
    await bench.addUser('eve', 'viewer');
    const body = { name: 'eve', password: 'wrong' };
    await bench.call('POST', '/v1/login', { body, token: planted });
    expect((await me(planted)).status).toBe(200);
    const { token } = (
      await bench.call('POST', '/v1/login', { body: { ...body, password: 'eve-password' }, token: planted })
    ).json;
    expect(token).not.toBe(planted);
    expect((await me(planted)).status).toBe(401);
    expect((await me(token)).json.name).toBe('eve');
  });

  it('case B112: ends after 12 h without a request and after 24 h in any case', async () => {
    const idle = await bench.userToken('idle', 'viewer');
    const busy = await bench.userToken('busy', 'viewer');
    const hourMs = 3_600_000;
    bench.pass(11 * hourMs);
    expect((await me(busy)).status).toBe(200);
    bench.pass(hourMs);
    expect((await me(idle)).status).toBe(401);
    expect((await me(busy)).status).toBe(200);
    bench.pass(11 * hourMs);
    expect((await me(busy)).status).toBe(200);
    bench.pass(hourMs);
    expect((await me(busy)).status).toBe(401);
  });

  it('case B112: the role is read at each request, and a disabled user is out at once', async () => {
    const token = await bench.userToken('op', 'dba');
    const { database } = bench.history;
    await database.user.update({ where: { name: 'op' }, data: { role: 'operator' } });
    const body = { changes: [{ name: 'enable_congestion', value: 'off', baseRevision: 0 }], reason: 'x' };
    const refused = await bench.call('POST', '/v1/parameters', { token, body });
    expect(refused.json).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
      detail: expect.stringMatching(/parameters.write/),
    });
    expect((await me(token)).json.permissions).not.toContain('parameters.write');
    await database.user.update({ where: { name: 'op' }, data: { disabled: true } });
    expect((await me(token)).status).toBe(401);
    expect((await login('op', 'op-password')).status).toBe(401);
  });

  it('case B112: guessing is slowed down per user and address, with equal answers for unknown users', async () => {
    await bench.addUser('eve', 'viewer');
    const guess = (name: string, origin: string) => login(name, 'wrong', origin);
    const known = await Promise.all(Array.from({ length: 12 }, () => guess('eve', '198.51.100.1')));
    const unknown = await Promise.all(Array.from({ length: 12 }, () => guess('nobody', '198.51.100.2')));
    const statuses = (answers: typeof known) => answers.map((answer) => answer.status).sort();
    expect(statuses(known)).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
    expect(statuses(unknown)).toEqual(statuses(known));
    const failure = (answers: typeof known) => ({
      ...answers.find((answer) => answer.status === 401)?.json,
      requestId: '',
    });
    expect(failure(known)).toEqual(failure(unknown));
    const refused = await login('eve', 'eve-password', '198.51.100.1');
    expect(refused.json.code).toBe('TOO_MANY_ATTEMPTS');
    expect(refused.headers['retry-after']).toBe('300');
    expect((await login('eve', 'eve-password', '198.51.100.9')).status).toBe(200);
    bench.pass(300_000);
    expect((await login('eve', 'eve-password', '198.51.100.1')).status).toBe(200);
  });

  it('case B104: log-ins, failures and log-outs are in the history', async () => {
    const token = await bench.userToken('op', 'operator');
    await login('op', 'wrong');
    await bench.call('POST', '/v1/logout', { token });
    const rows = (await bench.history.log.page({}, 10)).rows;
    expect(rows.map((row) => [row.action, row.actor, row.origin])).toEqual([
      ['logout', 'op', '192.0.2.7'],
      ['login.failed', 'op', '192.0.2.7'],
      ['login', 'op', '192.0.2.7'],
    ]);
    expect(rows.every((row) => row.requestId !== '')).toBe(true);
  });

  it('keeps neither tokens nor passwords', async () => {
    const token = await bench.userToken('op', 'operator');
    const [session] = await bench.history.database.session.findMany();
    expect(session?.id).toMatch(/^[0-9a-f]{64}$/);
    expect(session?.id).not.toContain(token);
    const admin = (await bench.history.users.ensureAdministrator(true, nothing)) ?? '';
    const stored = await bench.history.database.user.findUnique({ where: { name: 'admin' } });
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(stored?.passwordHash).not.toContain(admin);
  });
});

describe('the wrapper', () => {
  it('case B111: no route gives anything without its right', async () => {
    const viewer = await bench.userToken('v', 'viewer');
    for (const [name, route] of Object.entries(routes)) {
      if (route.permission === 'public') continue;
      const bare = await bench.call(route.method, route.path);
      expect(bare.json, name).toMatchObject({ status: 401, code: 'NOT_LOGGED_IN' });
      expect(bare.headers['content-type']).toBe('application/problem+json');
    }
    expect((await bench.call('GET', '/v1/history.csv', { token: viewer })).status).toBe(403);
    expect((await bench.call('POST', '/v1/parameters', { token: viewer, body: {} })).status).toBe(403);
    const skipping = { 'x-middleware-subrequest': 'middleware:middleware' };
    expect((await bench.call('GET', '/v1/overview', { headers: skipping })).status).toBe(401);
    for (const path of ['/V1/overview', '//v1/overview', '/v1/overview/', '/v1/%6fverview']) {
      expect((await bench.call('GET', path, { token: viewer })).status, path).toBe(404);
    }
    for (const method of ['HEAD', 'OPTIONS', 'DELETE', 'PUT']) {
      expect((await bench.call(method, '/v1/parameters', { token: viewer })).status, method).toBe(404);
    }
  });

  it('answers bad input with the field and the reason', async () => {
    const post = (body: unknown, headers = {}) => bench.call('POST', '/v1/login', { body, headers });
    expect((await post({ name: 'x' })).json).toMatchObject({ code: 'BAD_REQUEST', invalid: [{ field: 'password' }] });
    expect((await post('{')).json).toMatchObject({ status: 400, detail: expect.stringMatching(/no JSON/) });
    expect((await post('{}', { 'content-type': 'text/plain' })).json).toMatchObject({
      detail: expect.stringMatching(/application\/json/),
    });
    expect((await post(JSON.stringify({ name: 'x'.repeat(1 << 20) }))).json).toMatchObject({
      detail: expect.stringMatching(/bytes/),
    });
    expect((await bench.call('POST', '/v1/login')).status).toBe(400);
  });

  it('has a socket for its owner only', () => {
    expect(statSync(bench.socketPath).mode & 0o777).toBe(0o600);
  });
});
