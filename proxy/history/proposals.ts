import { z } from 'zod';
import type { Database, DatabaseWriter } from './database.ts';

/** What may become of a proposal; stored as text, so that a name may never change its meaning. */
const proposalStates = ['waiting', 'approved', 'refused', 'withdrawn', 'expired'] as const;
/** What has become of one. */
export type ProposalState = (typeof proposalStates)[number];

const scopeSchema = z.object({
  level: z.enum(['LEVEL_CLUSTER', 'LEVEL_TENANT', 'LEVEL_VIP']),
  cluster: z.string(),
  tenant: z.string(),
  vip: z.string(),
  vport: z.number().int(),
  vid: z.number().int(),
});

const changesSchema = z.array(
  z.object({
    name: z.string(),
    /** The part of the sessions; null: everybody. */
    scope: scopeSchema.nullable(),
    /** As it is shown; null: there was none. */
    oldValue: z.string().nullable(),
    /** As it is to be stored; null: it is to be taken away. */
    newValue: z.string().nullable(),
    /** What there was when it was proposed. */
    baseRevision: z.number().int(),
  }),
);
/** One parameter of a proposal. */
export type ProposedChange = z.infer<typeof changesSchema>[number];

/** A change that waits for a second person; see prisma/schema.prisma. */
export interface StoredProposal {
  readonly id: number;
  readonly state: ProposalState;
  readonly proposer: string;
  readonly proposerId: number;
  readonly proposedAt: Date;
  readonly expiresAt: Date;
  readonly reason: string;
  readonly changes: readonly ProposedChange[];
  readonly revertAfterMs: number | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly decisionReason: string | null;
}

/** How a proposal ends. */
export interface Decision {
  readonly state: Exclude<ProposalState, 'waiting'>;
  readonly decidedBy: string;
  readonly decidedAt: Date;
  readonly decisionReason: string;
}

/** Decided ones that are kept: the history has them all. */
const keptProposals = 1_000;

export async function saveProposal(
  writer: DatabaseWriter,
  proposal: Omit<StoredProposal, 'id' | 'state' | keyof Decision>,
): Promise<StoredProposal> {
  const changes = JSON.stringify(changesSchema.parse(proposal.changes));
  return readProposal(await writer.proposal.create({ data: { ...proposal, state: 'waiting', changes } }));
}

export async function findProposal(
  reader: Pick<DatabaseWriter, 'proposal'>,
  id: number,
): Promise<StoredProposal | null> {
  const row = await reader.proposal.findUnique({ where: { id } });
  return row === null ? null : readProposal(row);
}

/** All that are waiting, the oldest first. */
export async function waitingProposals(reader: Pick<DatabaseWriter, 'proposal'>): Promise<StoredProposal[]> {
  return (await reader.proposal.findMany({ where: { state: 'waiting' }, orderBy: { id: 'asc' } })).map(readProposal);
}

/** The newest of those that are decided, the newest decision first. */
export async function decidedProposals(database: Database, count: number): Promise<StoredProposal[]> {
  const where = { state: { not: 'waiting' } };
  const rows = await database.proposal.findMany({
    where,
    orderBy: [{ decidedAt: 'desc' }, { id: 'desc' }],
    take: count,
  });
  return rows.map(readProposal);
}

/**
 * Ends one that is waiting.
 * @param changes what is kept of its changes: without secrets
 * @returns false when it is not waiting any more: another request, or another process, was faster
 */
export async function closeProposal(
  writer: DatabaseWriter,
  id: number,
  decision: Decision,
  changes: readonly ProposedChange[],
): Promise<boolean> {
  const data = { ...decision, changes: JSON.stringify(changesSchema.parse(changes)) };
  const { count } = await writer.proposal.updateMany({ where: { id, state: 'waiting' }, data });
  await writer.proposal.deleteMany({ where: { state: { not: 'waiting' }, id: { lte: id - keptProposals } } });
  return count === 1;
}

type Row = NonNullable<Awaited<ReturnType<Database['proposal']['findUnique']>>>;

function readProposal(row: Row): StoredProposal {
  const state = z.enum(proposalStates).parse(row.state);
  return { ...row, state, changes: changesSchema.parse(JSON.parse(row.changes)) };
}
