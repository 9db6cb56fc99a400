import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OdpError } from '../errors/odp-error.ts';
import { type JudgedProposal, type ProposalStep, stateAfter } from './proposal-rules.ts';

const madeMs = Date.parse('2026-03-01T10:00:00.000Z');
const hourMs = 3_600_000;
const alice = 1;
const bob = 2;

const waiting: JudgedProposal = {
  id: 12,
  state: 'waiting',
  proposer: 'alice',
  proposerId: alice,
  expiresAt: new Date(madeMs + 24 * hourMs),
  decidedBy: null,
  decidedAt: null,
};
const soon = new Date(madeMs + hourMs);

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof OdpError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('what may happen to a proposal', () => {
  it('somebody else approves or refuses it, the proposer withdraws it', () => {
    expect(stateAfter(waiting, 'approve', bob, soon, [])).toBe('approved');
    expect(stateAfter(waiting, 'refuse', bob, soon, ['enable_congestion'])).toBe('refused');
    expect(stateAfter(waiting, 'withdraw', alice, soon, [])).toBe('withdrawn');
  });

  it('nobody decides their own, and nobody withdraws that of somebody else', () => {
    expect(refusal(() => stateAfter(waiting, 'approve', alice, soon, []))).toBe(
      'PROPOSAL_PERSON: Proposal 12 is by alice: somebody else has to approve it',
    );
    expect(refusal(() => stateAfter(waiting, 'refuse', alice, soon, []))).toContain('withdraws it instead');
    expect(refusal(() => stateAfter(waiting, 'withdraw', bob, soon, []))).toContain('nobody else withdraws it');
  });

  it('case B101: one that is based on something older is not approved, and the error names what moved', () => {
    expect(refusal(() => stateAfter(waiting, 'approve', bob, soon, ['enable_congestion', 'listen_port']))).toBe(
      'PROPOSAL_STALE: Proposal 12 cannot be approved: enable_congestion, listen_port changed after it was made. Propose it anew',
    );
  });

  it('when its time is over nothing happens to it any more, whether or not that is written down', () => {
    for (const step of ['approve', 'refuse', 'withdraw'] as const) {
      expect(refusal(() => stateAfter(waiting, step, bob, waiting.expiresAt, []))).toBe(
        'PROPOSAL_CLOSED: Proposal 12 is not open any more: expired by odp at 2026-03-02T10:00:00.000Z',
      );
    }
  });

  it('whatever people try in whatever order: decided once, in time, and approved by another on what was seen', () => {
    const attempt = fc.record({
      step: fc.constantFrom<ProposalStep>('approve', 'refuse', 'withdraw'),
      person: fc.integer({ min: 1, max: 4 }),
      afterMs: fc.integer({ min: 0, max: 30 * hourMs }),
      moved: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 30 }), (attempts) => {
        let proposal = waiting;
        let decisions = 0;
        for (const { step, person, afterMs, moved } of attempts.sort((a, b) => a.afterMs - b.afterMs)) {
          const now = new Date(madeMs + afterMs);
          try {
            const state = stateAfter(proposal, step, person, now, moved ? ['enable_congestion'] : []);
            decisions += 1;
            expect(now.getTime()).toBeLessThan(waiting.expiresAt.getTime());
            expect(person === alice).toBe(state === 'withdrawn');
            if (state === 'approved') expect(moved).toBe(false);
            proposal = { ...proposal, state, decidedBy: String(person), decidedAt: now };
          } catch (error) {
            if (!(error instanceof OdpError)) throw error;
          }
        }
        expect(decisions).toBeLessThanOrEqual(1);
        expect(proposal.state === 'waiting').toBe(decisions === 0);
      }),
    );
  });
});
