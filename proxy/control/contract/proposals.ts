/** Changes of the configuration that need a second person. */
import * as z from 'zod';
import { overrideScopeSchema } from './parameters.ts';

export const proposalStateSchema = z.enum(['waiting', 'approved', 'refused', 'withdrawn', 'expired']);

const proposedChangeSchema = z.object({
  name: z.string(),
  /** The part of the sessions; null: everybody. */
  scope: overrideScopeSchema.nullable(),
  /** Secrets: stars. Null: there was none. */
  oldValue: z.string().nullable(),
  /** Secrets: stars. Null: it is taken away. */
  newValue: z.string().nullable(),
  /** What somebody has made of it since: then the proposal cannot be approved. Null: it is as it was. */
  moved: z
    .object({ value: z.string().nullable(), by: z.string().nullable(), at: z.iso.datetime().nullable() })
    .nullable(),
});
export type ProposedChange = z.infer<typeof proposedChangeSchema>;

/** A change that waits for a second person, or what became of it. */
export const proposalSchema = z.object({
  id: z.number().int(),
  state: proposalStateSchema,
  proposer: z.string(),
  /** The one who asks has proposed it: somebody else has to decide it. */
  isMine: z.boolean(),
  proposedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  reason: z.string(),
  changes: z.array(proposedChangeSchema),
  /** Goes back by itself so long after it was approved; null: it stays. */
  revertAfterMs: z.number().int().nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: z.iso.datetime().nullable(),
  decisionReason: z.string().nullable(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** Those that wait, the oldest first, then the newest of those that are decided. `at` is the proxy's clock. */
export const proposalsSchema = z.object({ at: z.iso.datetime(), proposals: z.array(proposalSchema) });
export const proposalResponseSchema = z.object({ at: z.iso.datetime(), proposal: proposalSchema });

export const proposalParamsSchema = z.object({ id: z.coerce.number().int().positive() });
export const decideProposalSchema = z.object({ reason: z.string().trim().min(1).max(500) });
