/** What may happen to a proposal, and who may do it. */
import { OdpError } from '../errors/odp-error.ts';
import type { ProposalState, StoredProposal } from '../history/proposals.ts';

/** What somebody does about a proposal. */
export type ProposalStep = 'approve' | 'refuse' | 'withdraw';

/** As much of a proposal as is asked for. */
export type JudgedProposal = Pick<
  StoredProposal,
  'id' | 'state' | 'proposer' | 'proposerId' | 'expiresAt' | 'decidedBy' | 'decidedAt'
>;

const outcomes = { approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' } as const satisfies Record<
  ProposalStep,
  ProposalState
>;

/** Whether its time is over, whether or not somebody has written that down. */
export const isOverdue = ({ state, expiresAt }: JudgedProposal, now: Date): boolean =>
  state === 'waiting' && now.getTime() >= expiresAt.getTime();

/**
 * What a step makes of a proposal. Whether the person has the right is asked before.
 * @param personId of the account
 * @param moved names of its parameters that were changed after it was made
 * @throws OdpError PROPOSAL_CLOSED, PROPOSAL_PERSON, PROPOSAL_STALE
 */
export function stateAfter(
  proposal: JudgedProposal,
  step: ProposalStep,
  personId: number,
  now: Date,
  moved: readonly string[],
): (typeof outcomes)[ProposalStep] {
  const { id, proposer } = proposal;
  if (proposal.state !== 'waiting' || isOverdue(proposal, now)) throw closedError(proposal);
  const isProposer = personId === proposal.proposerId;
  if (isProposer && step !== 'withdraw') {
    const detail = step === 'approve' ? 'somebody else has to approve it' : 'who proposed it withdraws it instead';
    throw new OdpError('PROPOSAL_PERSON', { id, proposer, detail });
  }
  if (!isProposer && step === 'withdraw') {
    throw new OdpError('PROPOSAL_PERSON', { id, proposer, detail: 'nobody else withdraws it, but may refuse it' });
  }
  if (step === 'approve' && moved.length > 0) throw new OdpError('PROPOSAL_STALE', { id, names: moved.join(', ') });
  return outcomes[step];
}

/** That a proposal is not open any more. */
export function closedError({ id, state, decidedBy, decidedAt, expiresAt }: JudgedProposal): OdpError {
  return new OdpError('PROPOSAL_CLOSED', {
    id,
    state: state === 'waiting' ? 'expired' : state,
    by: decidedBy ?? 'odp',
    at: (decidedAt ?? expiresAt).toISOString(),
  });
}
