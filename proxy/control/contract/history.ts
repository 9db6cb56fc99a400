/** Who did what and when. */
import { z } from 'zod';

export const historySourceSchema = z.enum(['console', 'sql', 'start', 'system']);
export const historyActionSchema = z.enum([
  'parameter.change',
  'login',
  'login.failed',
  'logout',
  'password.change',
  'history.export',
  'blocklist.release',
  'location.refresh',
  'session.kill',
  'upgrade.step',
]);
export const historyRowSchema = z.object({
  /** Growing id: the order of things, whatever the clock did. */
  id: z.number().int(),
  at: z.iso.datetime(),
  action: historyActionSchema,
  /** Console user, or SQL `user@host`. Kept as text, so that it outlives the account. */
  actor: z.string(),
  source: historySourceSchema,
  /** Address it came from. */
  origin: z.string(),
  /** Parameter name; empty for actions without one. */
  parameter: z.string(),
  /** For whom the parameter was changed, as `tenant=t1 cluster=c1`; empty: for all. */
  scope: z.string(),
  oldValue: z.string().nullable(),
  newValue: z.string().nullable(),
  reason: z.string(),
  requestId: z.string(),
});
export type HistoryRow = z.infer<typeof historyRowSchema>;

export const historyQuerySchema = z.object({
  /** Rows older than this id (keyset paging). */
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  parameter: z.string().max(128).optional(),
  actor: z.string().max(256).optional(),
  source: historySourceSchema.optional(),
  action: historyActionSchema.optional(),
  /** Half-open interval [from, to). */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  /** Free text: found in parameter, values, actor or reason. */
  text: z.string().max(200).optional(),
});
export type HistoryQuery = z.infer<typeof historyQuerySchema>;
export const historyResponseSchema = z.object({
  rows: z.array(historyRowSchema),
  /** Rows that fit the filter, of which `rows` is one page. */
  total: z.number().int(),
  nextBefore: z.number().int().nullable(),
});
