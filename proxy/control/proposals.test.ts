import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlBench } from './testing.ts';

let bench: ControlBench;
let alice: string;
let bob: string;
beforeEach(async () => {
  bench = await ControlBench.start();
  alice = await bench.userToken('alice', 'dba');
  bob = await bench.userToken('bob', 'dba');
  await change(alice, [{ name: 'four_eyes_parameters', value: 'enable_congestion', baseRevision: 0 }]);
});
afterEach(() => bench.stop());

const change = (token: string, changes: unknown, more: object = {}) =>
  bench.call('POST', '/v1/parameters', { token, body: { changes, reason: 'maintenance', ...more } });
const off = [{ name: 'enable_congestion', value: 'false', baseRevision: 0 }];
const propose = async (): Promise<number> => (await change(alice, off)).json.proposal;
const decide = (step: string, id: number, token: string, reason = 'looked at it') =>
  bench.call('POST', `/v1/proposals/${id}/${step}`, { token, body: { reason } });
const history = async (search: string) =>
  (await bench.call('GET', `/v1/history?${search}`, { token: alice })).json.rows;

describe('proposals', () => {
  it('a change of such a parameter is answered with the number of a proposal, and changes nothing', async () => {
    const answer = await change(alice, off, { revertAfterMs: 3_600_000 });
    expect(answer.json).toEqual({ parameters: [], unchanged: [], workers: [], proposal: 1 });
    expect(bench.store.parameter('enable_congestion').text).toBe('True');
    const { proposal } = (await bench.call('GET', '/v1/proposals/1', { token: bob })).json;
    expect(proposal).toEqual({
      id: 1,
      state: 'waiting',
      proposer: 'alice',
      isMine: false,
      proposedAt: '2026-03-01T10:00:00.000Z',
      expiresAt: '2026-03-02T10:00:00.000Z',
      reason: 'maintenance',
      changes: [{ name: 'enable_congestion', scope: null, oldValue: 'True', newValue: 'false', moved: null }],
      revertAfterMs: 3_600_000,
      decidedBy: null,
      decidedAt: null,
      decisionReason: null,
    });
    expect((await bench.call('GET', '/v1/proposals', { token: alice })).json.proposals).toEqual([
      { ...proposal, isMine: true },
    ]);
    const { parameters } = (await bench.call('GET', '/v1/parameters', { token: alice })).json;
    const forTwo = parameters.filter(({ fourEyes }: { fourEyes: boolean }) => fourEyes);
    expect(forTwo.map(({ name }: { name: string }) => name)).toEqual(['enable_congestion', 'four_eyes_parameters']);
  });

  it('approved by somebody else it is one change, whose entry names both', async () => {
    const id = await propose();
    const events = await bench.events(alice);
    const answer = await decide('approve', id, bob);
    expect(answer.json).toMatchObject({ parameters: [{ name: 'enable_congestion', value: 'false' }], proposal: null });
    expect(await events.next('proposal')).toEqual({ type: 'proposal', id });
    events.close();
    expect(await history('action=parameter.change&parameter=enable_congestion')).toMatchObject([
      {
        actor: 'bob',
        role: 'dba',
        oldValue: 'True',
        newValue: 'false',
        reason: 'proposal 1 of alice: maintenance; approved by bob: looked at it',
        requestId: answer.headers['x-request-id'],
      },
    ]);
    const again = await decide('approve', id, bob);
    expect(again.json).toMatchObject({ status: 409, code: 'PROPOSAL_CLOSED' });
  });

  it('every way to change goes through it: for a part of the sessions, a revert, a configuration taken over', async () => {
    await decide('approve', await propose(), bob);
    const scope = { level: 'LEVEL_TENANT', cluster: '', tenant: 't1', vip: '', vport: 0 };
    const body = { name: 'four_eyes_parameters', value: '*', baseRevision: 1 };
    expect((await change(alice, [body])).json.proposal).toBe(2);
    await decide('approve', 2, bob);
    const part = { name: 'enable_client_ssl', scope, value: 'True', baseRevision: 0, reason: 'one tenant' };
    const partly = await bench.call('POST', '/v1/parameters/levels', { token: alice, body: part });
    expect(partly.json).toMatchObject({ code: 'INVALID_ARGUMENT' });
    const withCluster = { ...part, scope: { ...scope, cluster: 'c1' } };
    const answer = await bench.call('POST', '/v1/parameters/levels', { token: alice, body: withCluster });
    expect(answer.json).toMatchObject({ parameters: [], unchanged: [], proposal: 3 });
    const [entry] = await history('action=parameter.change&parameter=enable_congestion');
    const back = await change(alice, [{ name: 'enable_congestion', value: 'True', baseRevision: 1 }], {
      undoes: entry.id,
    });
    expect(back.json.proposal).toBe(4);
    const { proposal } = (await bench.call('GET', '/v1/proposals/4', { token: bob })).json;
    expect(proposal.reason).toBe(`revert of #${entry.id}: maintenance`);
    await decide('approve', 3, bob);
    expect(bench.store.overrides('enable_client_ssl')).toMatchObject([{ text: 'True', scope: { tenant: 't1' } }]);
  });

  it("one's own is not approved: the attempt is in the history", async () => {
    const id = await propose();
    expect((await decide('approve', id, alice)).json).toMatchObject({ status: 403, code: 'PROPOSAL_PERSON' });
    expect(await history('action=proposal.approve')).toMatchObject([
      { actor: 'alice', outcome: 'refused', failure: expect.stringContaining('somebody else has to approve it') },
    ]);
    expect(bench.store.parameter('enable_congestion').text).toBe('True');
  });

  it('a role that was lowered meanwhile approves nothing, and lower roles never did', async () => {
    const id = await propose();
    await bench.history.database.user.update({ where: { name: 'bob' }, data: { role: 'operator' } });
    expect((await decide('approve', id, bob)).json).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await decide('refuse', id, bob)).status).toBe(403);
    expect((await change(bob, off)).status).toBe(403);
    const auditor = await bench.userToken('eve', 'auditor');
    expect((await decide('withdraw', id, auditor)).status).toBe(403);
    expect((await bench.call('GET', `/v1/proposals/${id}`, { token: auditor })).json.proposal.state).toBe('waiting');
    expect(await history('action=proposal.approve')).toMatchObject([{ actor: 'bob', outcome: 'refused' }]);
  });

  it('a token proposes for its owner, who cannot approve that, and approves nothing itself', async () => {
    const asked = { name: 'nightly', role: 'dba', expiresAt: '2026-03-31T00:00:00.000Z', reason: 'a script' };
    const { secret } = (await bench.call('POST', '/v1/tokens', { token: alice, body: asked })).json;
    const id = (await change(secret, off)).json.proposal;
    expect(await history('action=proposal.create')).toMatchObject([
      { actor: 'alice', token: 'nightly', source: 'api' },
    ]);
    expect((await decide('approve', id, alice)).json.code).toBe('PROPOSAL_PERSON');
    const ofBob = (await bench.call('POST', '/v1/tokens', { token: bob, body: asked })).json.secret;
    expect((await decide('approve', id, ofBob)).json).toMatchObject({ status: 403, code: 'NOT_BY_TOKEN' });
    expect((await decide('approve', id, bob)).status).toBe(200);
  });

  it('case B101: what moved is told with the value it has now, and is not approved', async () => {
    await change(alice, [...off, { name: 'congestion_fail_window', value: '60s', baseRevision: 0 }]);
    await change(bob, [{ name: 'congestion_fail_window', value: '90s', baseRevision: 0 }]);
    const { proposal } = (await bench.call('GET', '/v1/proposals/1', { token: bob })).json;
    expect(proposal.changes).toMatchObject([
      { name: 'enable_congestion', moved: null },
      { name: 'congestion_fail_window', moved: { value: '90s', by: 'bob', at: '2026-03-01T10:00:00.000Z' } },
    ]);
    const answer = await decide('approve', 1, bob);
    expect(answer.json).toMatchObject({ status: 409, code: 'PROPOSAL_STALE' });
    expect(answer.json.detail).toContain('congestion_fail_window changed after it was made');
    expect((await decide('withdraw', 1, alice)).status).toBe(204);
  });

  it('a decision needs a reason, and a proposal that there is', async () => {
    const id = await propose();
    expect((await decide('approve', id, bob, ' ')).json).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    expect((await decide('approve', 99, bob)).json).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect((await bench.call('GET', '/v1/proposals/x', { token: bob })).status).toBe(400);
    expect((await decide('refuse', id, bob)).status).toBe(204);
  });
});
