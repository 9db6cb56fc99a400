import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from './contract.ts';
import { ControlBench } from './testing.ts';
import { testSession } from './testing-client-sessions.ts';

let bench: ControlBench;
let viewer: string;
let operator: string;
beforeAll(async () => {
  bench = await ControlBench.start();
  viewer = await bench.userToken('vera', 'viewer');
  operator = await bench.userToken('otto', 'operator');
});
afterAll(() => bench.stop());
beforeEach(() => {
  bench.clientSessions.sessions.length = 0;
  bench.clientSessions.killed.length = 0;
  bench.clientSessions.killAnswer = true;
});

const put = (...sessions: ReturnType<typeof testSession>[]) => bench.clientSessions.sessions.push(...sessions);
const get = async (search = '', token = viewer) => (await bench.call('GET', `/v1/sessions${search}`, { token })).json;
const idsOf = ({ sessions }: { sessions: Session[] }): number[] => sessions.map(({ id }) => id);
const kill = (id: number, body: unknown, token = operator) =>
  bench.call('POST', `/v1/sessions/${id}/kill`, { token, body });
const killRows = async () => (await bench.history.log.page({ action: 'session.kill' }, 10)).rows;

describe('GET /v1/sessions', () => {
  it('goes through 10,000 sessions of all workers window by window, each once, and tells how many fit', async () => {
    for (let id = 10_000; id >= 1; id -= 1) put(testSession(id));
    const seen: number[] = [];
    for (let offset = 0; offset < 10_000; offset += 200) {
      const window = await get(`?offset=${offset}&limit=200`);
      expect(window.matches).toBe(10_000);
      seen.push(...idsOf(window));
    }
    expect(seen).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
    expect(idsOf(await get('?offset=10000'))).toEqual([]);
  });

  it('filters by user, tenant, cluster, client, database, server, state and text', async () => {
    put(
      testSession(1, { user: 'app', database: 'shop' }),
      testSession(2, { tenant: 'other', active: true }),
      testSession(3, { clusterName: 'east', inTransaction: true }),
      testSession(4, { host: 'fd00::1', port: 7 }),
      testSession(5, { servers: { size: 0, find: () => undefined } }),
    );
    const cases: [search: string, ids: number[]][] = [
      ['?user=app', [1]],
      ['?tenant=other', [2]],
      ['?cluster=east', [3]],
      ['?client=[fd00', [4]],
      ['?database=shop', [1]],
      ['?server=10.0.0.1:2881', [1, 2, 3, 4]],
      ['?state=running', [2]],
      ['?state=in-transaction', [3]],
      ['?text=APP@t', [1]],
      ['?text=nothing', []],
    ];
    for (const [search, ids] of cases) expect(idsOf(await get(search)), search).toEqual(ids);
    const { matches, states } = await get('?state=running');
    expect({ matches, states }).toEqual({ matches: 1, states: { running: 1, 'in-transaction': 1, idle: 3 } });
  });

  it('sorts by every column both ways, equal ones by id', async () => {
    put(
      testSession(1, { user: 'b', inTransaction: true, transactionBeganAtMs: 50_000 }),
      testSession(2, { user: 'a', active: true, recent: { running: { beganAtMs: 10 } } }),
      testSession(3, { user: 'b', inTransaction: true, transactionBeganAtMs: 10_000 }),
    );
    expect(idsOf(await get('?sort=user'))).toEqual([2, 1, 3]);
    expect(idsOf(await get('?sort=user&order=desc'))).toEqual([1, 3, 2]);
    expect(idsOf(await get('?sort=transaction&order=desc'))).toEqual([3, 1, 2]);
    expect(idsOf(await get('?sort=statement&order=desc'))).toEqual([2, 1, 3]);
    expect(idsOf(await get('?sort=state'))).toEqual([2, 1, 3]);
    expect(idsOf(await get('?sort=since&order=desc'))).toEqual([3, 2, 1]);
    expect((await bench.call('GET', '/v1/sessions?sort=colour', { token: viewer })).status).toBe(400);
  });

  it('shows literals to those who may see them only', async () => {
    put(testSession(1));
    expect((await get()).sessions[0].statement).toMatchObject({ text: null, digest: 'SELECT * FROM x WHERE name = ?' });
    expect((await get('', operator)).sessions[0].statement.text).toContain("'secret'");
    const detail = async (token: string) => (await bench.call('GET', '/v1/sessions/1', { token })).text;
    expect(await detail(viewer)).not.toContain('secret');
    expect(await detail(operator)).toContain('secret');
  });
});

describe('GET /v1/sessions/{id}', () => {
  it('tells server sessions, variables and last statements', async () => {
    put(testSession(7));
    const { json } = await bench.call('GET', '/v1/sessions/7', { token: viewer });
    expect(json.session).toMatchObject({
      id: 7,
      servers: [{ address: '10.0.0.1:2881', connectionId: 77, isLast: true }],
      variables: [{ name: '@v', value: null }],
      statements: [{ table: 'd.x', server: '10.0.0.1:2881' }],
    });
  });

  it('says clearly that there is none, and what is no id', async () => {
    const gone = await bench.call('GET', '/v1/sessions/8', { token: viewer });
    expect(gone).toMatchObject({ status: 404, json: { detail: expect.stringContaining('session 8') } });
    expect((await bench.call('GET', '/v1/sessions/nine', { token: viewer })).status).toBe(400);
    expect((await bench.call('GET', '/v1/sessions/1/2', { token: viewer })).status).toBe(404);
  });
});

describe('POST /v1/sessions/{id}/kill', () => {
  it('kills a connection or what it runs, with who, what, why and outcome in the history', async () => {
    put(testSession(7, { user: 'app' }));
    const answer = await kill(7, { what: 'connection', reason: ' blocks the batch ' });
    expect(answer).toMatchObject({ status: 200, json: { outcome: 'killed' } });
    await kill(7, { what: 'query', reason: 'too long' });
    expect(bench.clientSessions.killed).toEqual([
      [7, 'connection'],
      [7, 'query'],
    ]);
    const rows = await killRows();
    expect(rows[1]).toMatchObject({
      actor: 'otto',
      scope: 'tenant=t cluster=obtest',
      oldValue: 'connection of session 7: app from 10.1.0.1:40007',
      newValue: 'killed',
      reason: 'blocks the batch',
    });
    expect(rows[0]?.oldValue).toContain('query of session 7');
  });

  it('is for operators, needs a reason, and a session that is there', async () => {
    put(testSession(7));
    expect((await kill(7, { what: 'connection', reason: 'x' }, viewer)).status).toBe(403);
    expect((await kill(7, { what: 'connection', reason: '  ' })).status).toBe(400);
    expect((await kill(7, { what: 'everything', reason: 'x' })).status).toBe(400);
    expect(await kill(8, { what: 'query', reason: 'x' })).toMatchObject({
      status: 404,
      json: { detail: expect.stringContaining('session 8') },
    });
    expect(bench.clientSessions.killed).toEqual([]);
    expect(
      (await killRows()).slice(0, 4).map(({ role, outcome, failure }) => [role, outcome, failure.split(':')[0]]),
    ).toEqual([
      ['operator', 'refused', 'NOT_FOUND'],
      ['operator', 'refused', 'BAD_REQUEST'],
      ['operator', 'refused', 'BAD_REQUEST'],
      ['viewer', 'refused', 'FORBIDDEN'],
    ]);
  });

  it('says when it went by itself, or could not be killed', async () => {
    put(testSession(7));
    bench.clientSessions.killAnswer = false;
    expect((await kill(7, { what: 'connection', reason: 'x' })).json).toEqual({ outcome: 'ended' });
    expect((await killRows())[0]?.newValue).toBe('no effect: it had ended by itself');
    bench.clientSessions.killAnswer = new Error('the server hung up');
    expect((await kill(7, { what: 'query', reason: 'x' })).status).toBe(500);
    expect((await killRows())[0]).toMatchObject({ outcome: 'failed', failure: 'the server hung up', actor: 'otto' });
  });
});
