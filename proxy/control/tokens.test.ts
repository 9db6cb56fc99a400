import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryRow, MakeToken, Token } from './contract.ts';
import { ControlBench } from './testing.ts';

let bench: ControlBench;
let admin: string;
beforeEach(async () => {
  bench = await ControlBench.start();
  admin = await bench.userToken('ada', 'administrator');
});
afterEach(() => bench.stop());

const dayMs = 86_400_000;
const change = { changes: [{ name: 'enable_congestion', value: 'off', baseRevision: 0 }], reason: 'a try' };

const body = (asked: Partial<MakeToken>) => ({
  name: 'nightly',
  role: 'administrator',
  expiresAt: '2026-03-31T00:00:00.000Z',
  reason: 'for the nightly job',
  ...asked,
});

const ask = (login: string, asked: Partial<MakeToken> = {}) =>
  bench.call('POST', '/v1/tokens', { token: login, body: body(asked) });

async function make(login: string, asked: Partial<MakeToken> = {}): Promise<{ secret: string; token: Token }> {
  const { status, text, json } = await ask(login, asked);
  expect(status, text).toBe(200);
  return json;
}

/** Rows newest first, as an auditor reads them. */
async function rows(query: string): Promise<HistoryRow[]> {
  return (await bench.call('GET', `/v1/history${query}`, { token: admin })).json.rows;
}

describe('API tokens', () => {
  it('change things in the name of a person: the history names both, and which door it was', async () => {
    const { secret, token } = await make(admin);
    expect(secret).toMatch(/^odp_[0-9a-f]{64}$/);
    expect(token).toMatchObject({ owner: 'ada', name: 'nightly', state: 'live', lastUsedAt: null });
    const answer = await bench.call('POST', '/v1/parameters', { token: secret, body: change, origin: '198.51.100.9' });
    expect(answer.status).toBe(200);
    const who = { actor: 'ada', role: 'administrator', origin: '198.51.100.9' };
    expect(await rows('?token=nightly')).toMatchObject([
      { ...who, action: 'parameter.change', source: 'api', token: 'nightly', parameter: 'enable_congestion' },
    ]);
    expect(await rows('?text=nightly&source=api')).toHaveLength(1);
    const [made] = await rows('?action=token.create');
    expect(made).toMatchObject({ source: 'console', token: '', reason: 'for the nightly job' });
    expect(made?.newValue).toBe("token 'nightly': role administrator, until 2026-03-31T00:00:00.000Z");
  });

  it('are kept as a hash only, and told once', async () => {
    const { secret } = await make(admin);
    const { database } = bench.history;
    const kept = JSON.stringify(
      [await database.apiToken.findMany(), await database.historyRow.findMany()],
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    );
    expect(kept).not.toContain(secret.slice(4));
    expect((await bench.call('GET', '/v1/tokens', { token: admin })).text).not.toContain(secret.slice(4));
    expect(bench.logged.join()).not.toContain(secret.slice(4));
  });

  it('may do no more than their maker, and than they were made for', async () => {
    const dora = await bench.userToken('dora', 'viewer');
    const tooMuch = await ask(dora, { role: null, rights: ['topology.read', 'sessions.kill'] });
    expect(tooMuch.status).toBe(403);
    expect(tooMuch.json.detail).toContain('sessions.kill');
    expect((await ask(dora)).status).toBe(403);
    const narrow = await make(admin, { role: null, rights: ['topology.read'] });
    expect((await bench.call('GET', '/v1/overview', { token: narrow.secret })).status).toBe(200);
    expect((await bench.call('GET', '/v1/parameters', { token: narrow.secret })).status).toBe(403);
    const [refused] = await rows('?token=nightly');
    expect(refused).toMatchObject({ action: 'access.refused', actor: 'ada', source: 'api', outcome: 'refused' });
    expect((await bench.call('GET', '/v1/me', { token: narrow.secret })).json).toMatchObject({
      name: 'ada',
      permissions: ['topology.read'],
      token: { name: 'nightly', expiresAt: '2026-03-31T00:00:00.000Z' },
    });
  });

  it('lose what their owner loses, at once, and get it back', async () => {
    const { secret } = await make(admin);
    const { database } = bench.history;
    const own = { where: { name: 'ada' } };
    const get = async (path: string) => (await bench.call('GET', path, { token: secret })).status;
    await database.user.update({ ...own, data: { role: 'viewer' } });
    expect((await bench.call('POST', '/v1/parameters', { token: secret, body: change })).status).toBe(403);
    expect(await get('/v1/parameters')).toBe(200);
    await database.user.update({ ...own, data: { disabled: true } });
    expect(await get('/v1/parameters')).toBe(401);
    await database.user.update({ ...own, data: { disabled: false, mustChangePassword: true } });
    expect(await get('/v1/parameters')).toBe(403);
    await database.user.update({ ...own, data: { role: 'administrator', mustChangePassword: false } });
    expect(await get('/v1/parameters')).toBe(200);
    expect((await rows('?action=token.refused'))[0]).toMatchObject({
      actor: 'ada',
      token: 'nightly',
      failure: 'TOKEN_REFUSED: This API token does not work: its owner is disabled',
    });
  });

  it('expire, and live for a year at most', async () => {
    const { secret } = await make(admin);
    bench.pass(30 * dayMs);
    admin = (await bench.call('POST', '/v1/login', { body: { name: 'ada', password: 'ada-password' } })).json.token;
    const answer = await bench.call('GET', '/v1/overview', { token: secret });
    expect(answer.json).toMatchObject({ status: 401, code: 'TOKEN_REFUSED' });
    expect(answer.json.detail).toContain('expired at 2026-03-31');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    const { json } = await bench.call('GET', '/v1/tokens', { token: admin });
    expect(json.tokens).toMatchObject([{ state: 'expired', allowed: [] }]);
    for (const expiresAt of ['2026-03-31T00:00:00.000Z', '2029-01-01T00:00:00.000Z']) {
      const refused = await ask(admin, { name: 'other', expiresAt });
      expect(refused.json.invalid[0].field).toBe('expiresAt');
    }
  });

  it('say when and from where they were used last', async () => {
    const { secret } = await make(admin);
    const use = (origin: string) => bench.call('GET', '/v1/overview', { token: secret, origin });
    const last = async () => (await bench.call('GET', '/v1/tokens', { token: admin })).json.tokens[0];
    await use('198.51.100.1');
    expect(await last()).toMatchObject({ lastUsedAt: '2026-03-01T10:00:00.000Z', lastUsedFrom: '198.51.100.1' });
    bench.pass(59_000);
    await use('198.51.100.2');
    expect(await last()).toMatchObject({ lastUsedFrom: '198.51.100.1' });
    bench.pass(1_000);
    await use('198.51.100.2');
    expect(await last()).toMatchObject({ lastUsedAt: '2026-03-01T10:01:00.000Z', lastUsedFrom: '198.51.100.2' });
  });

  it('are revoked by their owner or an administrator, and by nobody else', async () => {
    const op = await bench.userToken('otto', 'dba');
    const eve = await bench.userToken('eve', 'operator');
    const { secret, token } = await make(op, { role: 'viewer' });
    const stream = await bench.events(secret);
    await stream.next('hello');
    const revoke = (login: string) =>
      bench.call('POST', `/v1/tokens/${token.id}/revoke`, { token: login, body: { reason: 'found in a repository' } });
    expect((await revoke(eve)).status).toBe(403);
    expect((await bench.call('GET', '/v1/tokens?whose=all', { token: eve })).status).toBe(403);
    const all = await bench.call('GET', '/v1/tokens?whose=all', { token: admin });
    expect(all.json.tokens).toMatchObject([{ owner: 'otto', role: 'viewer' }]);
    expect((await revoke(admin)).status).toBe(204);
    await stream.closed;
    expect((await bench.call('GET', '/v1/overview', { token: secret })).status).toBe(401);
    expect((await revoke(op)).status).toBe(403);
    expect((await revoke(admin)).status).toBe(404);
    expect(await rows('?action=token.revoke&outcome=done')).toMatchObject([
      { actor: 'ada', oldValue: "token 'nightly' of otto: role viewer", reason: 'found in a repository' },
    ]);
  });

  it('make no tokens, and are let at nothing that belongs to a log-in', async () => {
    const { secret } = await make(admin);
    expect((await ask(secret, { name: 'second' })).json).toMatchObject({ status: 403, code: 'NOT_BY_TOKEN' });
    const next = { current: 'ada-password', next: 'something-else-1' };
    expect((await bench.call('POST', '/v1/password', { token: secret, body: next })).status).toBe(403);
    expect((await bench.call('POST', '/v1/logout', { token: secret, body: {} })).status).toBe(403);
  });

  it('are told apart by their names', async () => {
    await make(admin);
    expect((await ask(admin)).json.invalid).toEqual([
      { field: 'name', reason: 'you have a token of this name already' },
    ]);
    expect((await ask(admin, { name: 'both', rights: ['topology.read'] })).json.invalid[0].field).toBe('rights');
    expect((await ask(admin, { name: 'neither', role: null })).json.invalid[0].field).toBe('rights');
  });

  it('case B112: guessing is slowed down and leaves few rows, and shuts out nobody whose token is right', async () => {
    const { secret } = await make(admin);
    const guess = (token: string) => bench.call('GET', '/v1/overview', { token, origin: '198.51.100.1' });
    const statuses: number[] = [];
    for (let count = 0; count < 60; count += 1) statuses.push((await guess(`odp_${count}`)).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.at(-1)).toBe(429);
    expect((await guess('odp_1')).headers['retry-after']).toBe('300');
    expect(await rows('?action=token.refused&limit=200')).toHaveLength(51);
    expect((await guess(secret)).status).toBe(200);
  });
});
