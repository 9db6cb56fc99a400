/** Client sessions of all workers. */
import * as z from 'zod';

export const sessionStateSchema = z.enum(['running', 'in-transaction', 'idle']);
export type SessionState = z.infer<typeof sessionStateSchema>;

/** A statement of a session; times on the proxy's clock. */
export const sessionStatementSchema = z.object({
  /** `query`, `prepare`, `execute` and the like: the command of the protocol. */
  command: z.string(),
  /** Kind of the statement; null: a command without text. */
  kind: z.string().nullable(),
  /** Normal form, every literal a `?`; empty: a command without text. Long ones end in `...`. */
  digest: z.string(),
  /** As the client wrote it, 256 bytes at most; null: the caller may not see literals, or there is no text. */
  text: z.string().nullable(),
  /** `database.table` that decided the route; null: the statement names none. */
  table: z.string().nullable(),
  /** `ip:port` that it was sent to; null: to none (yet). */
  server: z.string().nullable(),
  beganAt: z.iso.datetime(),
  /** How long it took, or has taken so far. */
  durationMs: z.number(),
  isRunning: z.boolean(),
  /** MySQL error number of the answer; 0: success, or it is running. */
  errno: z.number().int(),
});
export type SessionStatement = z.infer<typeof sessionStatementSchema>;

export const sessionSchema = z.object({
  /** Connection id (`cs_id`). */
  id: z.number().int(),
  /** Empty for the proxy's own tenant. */
  cluster: z.string(),
  tenant: z.string(),
  user: z.string(),
  /** `ip:port` of the client. */
  client: z.string(),
  /** Empty: none. */
  database: z.string(),
  state: sessionStateSchema,
  /** Age of the open transaction; null: there is none. */
  transactionMs: z.number().nullable(),
  serverSessions: z.number().int(),
  /** The one that runs, else the one before; null: no server was asked anything yet. */
  statement: sessionStatementSchema.nullable(),
  connectedAt: z.iso.datetime(),
  usesTls: z.boolean(),
});
export type Session = z.infer<typeof sessionSchema>;

export const sessionSortSchema = z.enum([
  'id',
  'user',
  'tenant',
  'cluster',
  'client',
  'database',
  'state',
  'transaction',
  'servers',
  'statement',
  'since',
]);
export type SessionSort = z.infer<typeof sessionSortSchema>;

const nameSchema = z.string().max(128).optional();

export const sessionsQuerySchema = z.object({
  user: nameSchema,
  tenant: nameSchema,
  cluster: nameSchema,
  /** Beginning of the client's address. */
  client: nameSchema,
  database: nameSchema,
  /** `ip:port` of a server that it holds a session at. */
  server: nameSchema,
  state: sessionStateSchema.optional(),
  /** Found in id, user, tenant, cluster, client or database, letters of either case. */
  text: z.string().max(200).optional(),
  sort: sessionSortSchema.default('id'),
  order: z.enum(['asc', 'desc']).default('asc'),
  /** Window of the sorted list. */
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(100),
});
export type SessionsQuery = z.infer<typeof sessionsQuerySchema>;

export const sessionsResponseSchema = z.object({
  /** The proxy's clock: what times are to be compared with. */
  at: z.iso.datetime(),
  sessions: z.array(sessionSchema),
  /** Sessions that fit the filter. */
  matches: z.number().int(),
  /** Those that fit the filter but for `state`, by state. */
  states: z.record(sessionStateSchema, z.number().int()),
});
export type SessionsResponse = z.infer<typeof sessionsResponseSchema>;

export const sessionParamsSchema = z.object({ id: z.coerce.number().int().min(1).max(0xffff_ffff) });

const versionsSchema = z.object({
  hotSystemVariables: z.number().int(),
  systemVariables: z.number().int(),
  userVariables: z.number().int(),
  lastInsertId: z.number().int(),
  database: z.number().int(),
});
export type StateVersions = z.infer<typeof versionsSchema>;

export const sessionDetailSchema = sessionSchema.extend({
  idcName: z.string(),
  transactions: z.number().int(),
  versions: versionsSchema,
  servers: z.array(
    z.object({
      address: z.string(),
      /** The proxy's number for it (`ss_id`). */
      id: z.number().int(),
      /** The OBServer's connection id. */
      connectionId: z.number().int(),
      isBusy: z.boolean(),
      requests: z.number().int(),
      versions: versionsSchema,
      /** The open transaction is there. */
      isBound: z.boolean(),
      /** The statement before was there. */
      isLast: z.boolean(),
      /** What of the session's would be lost with it, in words; null: nothing. */
      holds: z.string().nullable(),
    }),
  ),
  variables: z.array(
    z.object({
      name: z.string(),
      /** SQL literal; null: a user variable's, which the caller may not see. */
      value: z.string().nullable(),
      kind: z.enum(['changed-system', 'system', 'user']),
      group: z.enum(['hot', 'cold', 'last-insert-id']),
    }),
  ),
  /** Newest first; what the proxy answers itself is not among them. */
  statements: z.array(sessionStatementSchema),
});
export type SessionDetail = z.infer<typeof sessionDetailSchema>;
export const sessionDetailResponseSchema = z.object({ at: z.iso.datetime(), session: sessionDetailSchema });

export const sessionKillSchema = z.object({
  /** `query`: only what it is running. */
  what: z.enum(['connection', 'query']),
  reason: z.string().trim().min(1).max(500),
});
export type SessionKill = z.infer<typeof sessionKillSchema>;
/** `ended`: it was there when it was asked for, and went by itself before it could be killed. */
export const sessionKillResponseSchema = z.object({ outcome: z.enum(['killed', 'ended']) });
