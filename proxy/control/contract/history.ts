/** Who did what and when. */
import * as z from 'zod';

export const historySourceSchema = z.enum(['console', 'api', 'sql', 'start', 'system', 'configserver', 'upgrade']);
/** Only ever added to. */
export const historyActionSchema = z.enum([
  'parameter.change',
  'parameter.apply',
  'configuration.export',
  /** A parameter does not go back by itself any more. */
  'revert.cancel',
  /** A parameter was to go back by itself, and was left alone: somebody had changed it, or its old value is refused. */
  'revert.leave',
  /** A change waits for a second person: one entry for each parameter. */
  'proposal.create',
  'proposal.approve',
  'proposal.refuse',
  'proposal.withdraw',
  'proposal.expire',
  /** A start option has set a parameter that otherwise needs a second person. */
  'proposal.bypass',
  'login',
  'login.failed',
  'login.locked',
  'logout',
  'access.refused',
  'password.change',
  'user.create',
  'user.reset',
  'user.role',
  'user.disable',
  'user.enable',
  /** An account takes no password for a while: too many wrong ones. */
  'user.lock',
  'user.unlock',
  /** Somebody ended a log-in that is not the one they asked from. */
  'login.end',
  'history.export',
  'token.create',
  'token.revoke',
  /** A token that is unknown or expired, or whose owner is disabled. */
  'token.refused',
  'blocklist.release',
  'location.refresh',
  'session.kill',
  'upgrade.step',
  'resource.delete',
  'configserver.change',
  'demo.fault',
  'demo.load',
  /** Servers, zones or leaders of a cluster are others than before. */
  'cluster.change',
  'proxy.start',
  'worker.die',
]);
/**
 * `persisted`: stored, and in force once a row `parameter.apply` of the same request says so. `applied`: in force in
 * every worker. `refused`: nothing was done. `failed`: it was tried without success.
 */
export const historyOutcomeSchema = z.enum(['done', 'persisted', 'applied', 'refused', 'failed']);
export const historyRowSchema = z.object({
  /** Growing id: the order of things, whatever the clock did. */
  id: z.number().int(),
  at: z.iso.datetime(),
  action: historyActionSchema,
  /** Console user, or SQL `user@host`. Kept as text, so that it outlives the account. */
  actor: z.string(),
  /** Role at that moment; empty: none is known. */
  role: z.string(),
  /** Name of the API token that it was done by, in the name of `actor`; empty: by none. */
  token: z.string(),
  source: historySourceSchema,
  /** Address it came from. */
  origin: z.string(),
  /** Parameter name; empty for actions without one. */
  parameter: z.string(),
  /** For whom the parameter was changed, as `tenant=t1 cluster=c1`; empty: for all. */
  scope: z.string(),
  oldValue: z.string().nullable(),
  newValue: z.string().nullable(),
  outcome: historyOutcomeSchema,
  /** Why it was refused or failed; empty: it was not. */
  failure: z.string(),
  /** Workers in which the change of this request came into force, of how many; null: nothing had to, or not yet. */
  workers: z.object({ applied: z.number().int(), total: z.number().int() }).nullable(),
  reason: z.string(),
  requestId: z.string(),
  /** SHA-256 over this row and the hash of the row before, hex. */
  hash: z.string(),
});
export type HistoryRow = z.infer<typeof historyRowSchema>;

export const historyQuerySchema = z.object({
  /** Rows older than this id (keyset paging). */
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  parameter: z.string().max(128).optional(),
  actor: z.string().max(256).optional(),
  role: z.string().max(64).optional(),
  token: z.string().max(64).optional(),
  origin: z.string().max(100).optional(),
  outcome: historyOutcomeSchema.optional(),
  requestId: z.string().max(100).optional(),
  source: historySourceSchema.optional(),
  action: historyActionSchema.optional(),
  /** Any of several, with commas between. */
  actions: z
    .string()
    .max(500)
    .transform((text) => text.split(','))
    .pipe(z.array(historyActionSchema).min(1))
    .optional(),
  /** Half-open interval [from, to). */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  /** Words: each is found in parameter, scope, values, actor, reason, failure, address or request id. */
  text: z.string().max(200).optional(),
});
export type HistoryQuery = z.infer<typeof historyQuerySchema>;
/** Whether the chain of hashes over the whole history holds, as far as it is known. */
export const historyChainSchema = z.object({
  state: z.enum(['unknown', 'intact', 'broken']),
  /** When that was found; null: never yet. */
  checkedAt: z.iso.datetime().nullable(),
  /** How far the look under way has come; null: none is. */
  progress: z.object({ rows: z.number().int(), total: z.number().int() }).nullable(),
  /** Why the last look did not come to its end. */
  error: z.string().nullable(),
  /** Of the key that signs checkpoints; null: it is missing. */
  keyFingerprint: z.string().nullable(),
  report: z
    .object({
      rows: z.number().int(),
      /** Newest row: to be noted down, and compared later by `audit verify --head ID:HASH`. */
      headId: z.number().int(),
      headHash: z.string(),
      /** Rows up to this one were removed by the retention rule, but for the kept ones; 0: none. */
      removedId: z.number().int(),
      keptRows: z.number().int(),
      checkpoints: z.number().int(),
      /** The first ones; an id is null when it is no row in particular. */
      breaks: z.array(z.object({ id: z.number().int().nullable(), what: z.string() })),
      breakCount: z.number().int(),
    })
    .nullable(),
});
export type HistoryChain = z.infer<typeof historyChainSchema>;

export const historyResponseSchema = z.object({
  rows: z.array(historyRowSchema),
  /** Rows that fit the filter, of which `rows` is one page; no more than 100 000 are counted. */
  total: z.number().int(),
  /** There are more than `total`. */
  hasMoreThanTotal: z.boolean(),
  nextBefore: z.number().int().nullable(),
});
