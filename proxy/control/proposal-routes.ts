import type { ConfigStore } from '../config/config-store.ts';
import { type Proposals, withoutSecrets } from '../config/proposals.ts';
import type { ScheduledReverts } from '../config/scheduled-reverts.ts';
import type { StoredProposal } from '../history/proposals.ts';
import {
  changeResponseSchema,
  decideProposalSchema,
  type Proposal,
  proposalParamsSchema,
  proposalResponseSchema,
  proposalsSchema,
  type RouteName,
} from './contract.ts';
import { defineRoute, personOf, type Route } from './route.ts';
import { changeView } from './views.ts';

interface ProposalRouteServices {
  readonly store: ConfigStore;
  readonly reverts: ScheduledReverts;
  readonly proposals: Proposals;
  readonly now: () => Date;
}

/** Changes that need a second person: seen, approved, refused, withdrawn. Made by the routes that change something. */
export function proposalRoutes({ store, reverts, proposals, now }: ProposalRouteServices) {
  const viewOf = (stored: StoredProposal, accountId: number): Proposal => {
    const { id, state, proposer, proposerId, proposedAt, expiresAt, reason, revertAfterMs } = stored;
    const isOpen = state === 'waiting';
    return {
      id,
      state,
      proposer,
      isMine: proposerId === accountId,
      proposedAt: proposedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      reason,
      changes: withoutSecrets(stored.changes).map((change) => {
        const moved = isOpen ? proposals.moved(change) : null;
        const { name, scope, oldValue, newValue } = change;
        return {
          name,
          scope,
          oldValue,
          newValue,
          moved: moved === null ? null : { ...moved, at: moved.at?.toISOString() ?? null },
        };
      }),
      revertAfterMs,
      decidedBy: stored.decidedBy,
      decidedAt: stored.decidedAt?.toISOString() ?? null,
      decisionReason: stored.decisionReason,
    };
  };

  return {
    proposals: defineRoute({
      audit: 'none',
      response: proposalsSchema,
      handle: async (context) => {
        const { accountId } = personOf(context);
        const list = await proposals.list();
        return { at: now().toISOString(), proposals: list.map((one) => viewOf(one, accountId)) };
      },
    }),

    proposal: defineRoute({
      audit: 'none',
      query: proposalParamsSchema,
      response: proposalResponseSchema,
      handle: async (context, { query }) => {
        const proposal = viewOf(await proposals.find(query.id), personOf(context).accountId);
        return { at: now().toISOString(), proposal };
      },
    }),

    approveProposal: defineRoute({
      audit: 'handler',
      query: proposalParamsSchema,
      body: decideProposalSchema,
      response: changeResponseSchema,
      handle: async (context, { query, body }) =>
        changeView(store, reverts, await proposals.approve(query.id, personOf(context), body.reason), null),
    }),

    refuseProposal: defineRoute({
      audit: 'handler',
      query: proposalParamsSchema,
      body: decideProposalSchema,
      handle: (context, { query, body }) => proposals.refuse(query.id, personOf(context), body.reason),
    }),

    withdrawProposal: defineRoute({
      audit: 'handler',
      query: proposalParamsSchema,
      body: decideProposalSchema,
      handle: (context, { query, body }) => proposals.withdraw(query.id, personOf(context), body.reason),
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}
