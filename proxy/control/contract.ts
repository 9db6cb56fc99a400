/**
 * The control API as zod schemas: the console and the coordinator both import this file and nothing else of each
 * other. Times are ISO 8601 UTC strings; counters that can pass 2^53 are decimal strings.
 */
import { z } from 'zod';
import { serverStates, zoneStates, zoneTypes } from '../cluster/states.ts';

// ---- people and rights -------------------------------------------------------------------------------------------

export const roleSchema = z.enum(['viewer', 'operator', 'administrator']);
export type Role = z.infer<typeof roleSchema>;

export const permissionSchema = z.enum([
  'topology.read',
  'parameters.read',
  'parameters.write',
  'history.read',
  'history.export',
  'blocklist.read',
  'blocklist.release',
]);
export type Permission = z.infer<typeof permissionSchema>;

export const userSchema = z.object({
  name: z.string(),
  role: roleSchema,
  permissions: z.array(permissionSchema),
  /** True until the first-run one-time password has been replaced. */
  mustChangePassword: z.boolean(),
});
export type User = z.infer<typeof userSchema>;

export const loginRequestSchema = z.object({ name: z.string().min(1).max(64), password: z.string().min(1).max(256) });
export const loginResponseSchema = z.object({ token: z.string(), expiresAt: z.iso.datetime(), user: userSchema });
/** Answered with loginResponseSchema: the change ends every log-in of the user, so that the caller gets a new token. */
export const changePasswordRequestSchema = z.object({
  current: z.string().min(1).max(256),
  next: z.string().min(10).max(256),
});

// ---- topology ----------------------------------------------------------------------------------------------------

export const serverStateSchema = z.enum(serverStates);
export const zoneStateSchema = z.enum(zoneStates);

export const serverSchema = z.object({
  /** `ip:port` of the SQL port. */
  address: z.string(),
  zone: z.string(),
  state: serverStateSchema,
  /** Open server sessions of all workers. */
  serverSessions: z.number().int(),
  /** Requests sent since the start of the proxy. */
  requests: z.number().int(),
  /** Why the state is what it is, in words. */
  reason: z.string(),
});
export type Server = z.infer<typeof serverSchema>;

export const zoneSchema = z.object({
  name: z.string(),
  region: z.string(),
  idc: z.string(),
  type: z.enum(zoneTypes),
  state: zoneStateSchema,
});
export type Zone = z.infer<typeof zoneSchema>;

export const clusterSchema = z.object({
  name: z.string(),
  demo: z.boolean(),
  /** `views` when the cluster's own views told it, `rslist` when only the configured addresses are known. */
  source: z.enum(['views', 'rslist']),
  refreshedAt: z.iso.datetime().nullable(),
  /** Why the last refresh failed; null when it worked. */
  error: z.string().nullable(),
  zones: z.array(zoneSchema),
  servers: z.array(serverSchema),
});
export type Cluster = z.infer<typeof clusterSchema>;

export const workerSchema = z.object({
  id: z.number().int(),
  clientSessions: z.number().int(),
  serverSessions: z.number().int(),
  requests: z.number().int(),
});
export type WorkerStatus = z.infer<typeof workerSchema>;

export const overviewSchema = z.object({
  proxy: z.object({
    version: z.string(),
    startedAt: z.iso.datetime(),
    listen: z.string(),
    idc: z.string(),
    enableCongestion: z.boolean(),
    workers: z.array(workerSchema),
    rssBytes: z.number().int(),
  }),
  clusters: z.array(clusterSchema),
});
export type Overview = z.infer<typeof overviewSchema>;

// ---- parameters --------------------------------------------------------------------------------------------------

export const parameterSchema = z.object({
  name: z.string(),
  /** The text in force (secrets: stars). */
  value: z.string(),
  /** The stored text that waits for a restart, or null. */
  pendingValue: z.string().nullable(),
  defaultValue: z.string(),
  type: z.enum(['bool', 'int', 'time', 'capacity', 'string', 'ip', 'list', 'loglevel', 'enum']),
  /** What a bare number means: `s`, `MB` …, or empty. */
  unit: z.string(),
  /** As the reference prints it, e.g. `[1s,1h]`; empty when none. */
  range: z.string(),
  choices: z.array(z.string()),
  needReboot: z.boolean(),
  readOnly: z.boolean(),
  secret: z.boolean(),
  visibleLevel: z.string(),
  configLevel: z.string(),
  info: z.string(),
  /** False when the parameter is listed but this version does not act on it yet. */
  honoured: z.boolean(),
  group: z.string(),
  /** Grows by one with each change of this parameter; 0 = never changed. */
  revision: z.number().int(),
  changedAt: z.iso.datetime().nullable(),
  changedBy: z.string().nullable(),
});
export type Parameter = z.infer<typeof parameterSchema>;
export const parametersResponseSchema = z.object({ parameters: z.array(parameterSchema) });

export const changeRequestSchema = z.object({
  changes: z
    .array(
      z.object({
        name: z.string().min(1),
        value: z.string().max(4096),
        /** The revision that the page showed: the change is refused (409) when it is no longer the newest. */
        baseRevision: z.number().int().min(0),
      }),
    )
    .min(1)
    .max(50),
  reason: z.string().trim().min(1).max(500),
});
export type ChangeRequest = z.infer<typeof changeRequestSchema>;
/** All changes of one request are made or none is. `unchanged` lists those whose value was in force already. */
export const changeResponseSchema = z.object({ parameters: z.array(parameterSchema), unchanged: z.array(z.string()) });

// ---- history -----------------------------------------------------------------------------------------------------

export const historySourceSchema = z.enum(['console', 'sql', 'start', 'system']);
export const historyActionSchema = z.enum([
  'parameter.change',
  'login',
  'login.failed',
  'logout',
  'password.change',
  'history.export',
  'blocklist.release',
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

// ---- blocklists --------------------------------------------------------------------------------------------------

export const blocklistNameSchema = z.enum(['status', 'detection', 'alive']);
export type BlocklistName = z.infer<typeof blocklistNameSchema>;

export const congestionParametersSchema = z.object({
  /** `enable_congestion`: without it nobody is left out, but observing goes on. */
  enabled: z.boolean(),
  failureThreshold: z.number().int(),
  failWindowMs: z.number(),
  retryIntervalMs: z.number(),
  minKeepMs: z.number(),
  minConnectTimeoutMs: z.number(),
  detectFailThreshold: z.number().int(),
  /** 0 nobody is probed, 1 servers in use or failing, 2 all. */
  detectMode: z.number().int(),
});
export type CongestionParameters = z.infer<typeof congestionParametersSchema>;

export const probeSchema = z.object({
  at: z.iso.datetime(),
  ok: z.boolean(),
  tookMs: z.number(),
  /** What went wrong or is worth knowing; may be empty. */
  detail: z.string(),
});
export type Probe = z.infer<typeof probeSchema>;

export const serverFailureSchema = z.object({
  at: z.iso.datetime(),
  /** query-timeout, server-error, connect-failure, connect-timeout, malformed-reply, transfer-failure. */
  kind: z.string(),
  tookMs: z.number(),
  /** 0: the server sent none. */
  errno: z.number().int(),
  detail: z.string(),
  /** Client session (`cs_id`); 0 for none. */
  sessionId: z.number().int(),
  /** The statement without its values, cut when it is long; may be empty. */
  digest: z.string(),
});
export type ServerFailure = z.infer<typeof serverFailureSchema>;

/** What proves a listing or a release. */
export const evidenceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('view'), state: z.string(), zoneState: z.string(), reason: z.string() }),
  z.object({ kind: z.literal('probes'), probes: z.array(probeSchema) }),
  z.object({ kind: z.literal('failures'), failures: z.array(serverFailureSchema) }),
  z.object({ kind: z.literal('success'), sessionId: z.number().int() }),
  /** Names as fields of `congestionParametersSchema`. */
  z.object({ kind: z.literal('parameters'), changed: z.array(z.string()) }),
  z.object({ kind: z.literal('hand'), actor: z.string(), reason: z.string() }),
  z.object({ kind: z.literal('removed') }),
  z.object({ kind: z.literal('restart') }),
]);
export type Evidence = z.infer<typeof evidenceSchema>;

export const blocklistServerSchema = z.object({
  address: z.string(),
  zone: z.string(),
  region: z.string(),
  zoneState: zoneStateSchema,
  /** As SHOW PROXYCONGESTION prints it: the view's state, or what the probes found last. */
  state: serverStateSchema,
  /** What the cluster's views say, in words. */
  reason: z.string(),
  /** The lists it is on; empty: it takes requests. An UPGRADE of server or zone counts as `status`. */
  listings: z.array(
    z.object({ list: blocklistNameSchema, since: z.iso.datetime(), reason: z.string(), evidence: evidenceSchema }),
  ),
  /** When it last came on each list, also after it has left. */
  lastListedAt: z.object({
    status: z.iso.datetime().nullable(),
    detection: z.iso.datetime().nullable(),
    alive: z.iso.datetime().nullable(),
  }),
  /** When the next request may try it; null: not on the alive list only. May be in the past: waiting for a request. */
  retryAt: z.iso.datetime().nullable(),
  /** From when on a request that works can release it from the alive list; null: not on it. */
  keepUntil: z.iso.datetime().nullable(),
  /** What the probes find; null: not probed yet, or neither. */
  finding: z.enum(['DETECT_ALIVE', 'DETECT_DEAD']).nullable(),
  /** To be compared with `detectFailThreshold`: more than that is dead. */
  failedProbesInRow: z.number().int(),
  failures: z.object({
    /** To be compared with `failureThreshold`: as many list it. */
    inWindow: z.number().int(),
    /** Since the server is known. */
    total: z.number().int(),
    lastAt: z.iso.datetime().nullable(),
    /** Those of `inWindow` and `total` that were failures or time-outs of connecting. */
    connectInWindow: z.number().int(),
    connectTotal: z.number().int(),
    lastConnectAt: z.iso.datetime().nullable(),
    /** Counts in equal parts of the window that ends now, oldest first; empty when all are zero. */
    buckets: z.array(z.number().int()),
    bucketMs: z.number(),
  }),
  /** Those that count now, at most the last 50, oldest first. */
  recentFailures: z.array(serverFailureSchema),
  /** The last 20, oldest first. */
  probes: z.array(probeSchema),
});
export type BlocklistServer = z.infer<typeof blocklistServerSchema>;

export const blocklistClusterSchema = z.object({
  name: z.string(),
  /** In force. */
  parameters: congestionParametersSchema,
  servers: z.array(blocklistServerSchema),
});
export type BlocklistCluster = z.infer<typeof blocklistClusterSchema>;

export const blocklistResponseSchema = z.object({
  /** The proxy's clock: what times are to be compared with. */
  at: z.iso.datetime(),
  clusters: z.array(blocklistClusterSchema),
});

/** A server came on a list or off it. */
export const blocklistEventSchema = z.object({
  /** Growing id: the order of things, whatever the clock did. */
  id: z.number().int(),
  at: z.iso.datetime(),
  cluster: z.string(),
  server: z.string(),
  zone: z.string(),
  list: z.string(),
  change: z.string(),
  /** For a release: how long it was on the list; null when not known. */
  listedForMs: z.number().nullable(),
  /** The evidence in one sentence. */
  reason: z.string(),
  /** Null: written by another version of the proxy. */
  evidence: evidenceSchema.nullable(),
  /** In force when it happened; null when not known. */
  parameters: congestionParametersSchema.nullable(),
});
export type BlocklistEvent = z.infer<typeof blocklistEventSchema>;

export const blocklistEventsQuerySchema = z.object({
  /** Events older than this id (keyset paging). */
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cluster: z.string().max(128).optional(),
  server: z.string().max(128).optional(),
  zone: z.string().max(128).optional(),
  list: blocklistNameSchema.optional(),
  change: z.enum(['listed', 'released']).optional(),
  /** Half-open interval [from, to). */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
});
export const blocklistEventsResponseSchema = z.object({
  events: z.array(blocklistEventSchema),
  /** Events that fit the filter, of which `events` is one page. */
  total: z.number().int(),
  nextBefore: z.number().int().nullable(),
});

export const blocklistReleaseRequestSchema = z.object({
  cluster: z.string().min(1).max(128),
  server: z.string().min(1).max(128),
  /** Null: off every list it is on. */
  list: blocklistNameSchema.nullable(),
  reason: z.string().trim().min(1).max(500),
});
/** The lists it was taken off; empty: it was on none of them any more, and nothing was done. */
export const blocklistReleaseResponseSchema = z.object({ released: z.array(blocklistNameSchema) });

export const whatIfRequestSchema = z.object({
  cluster: z.string().min(1).max(128),
  /** How far back. */
  hours: z.number().positive().max(24),
  /** Values as they would be typed (`60s`); those left out stay as they are in force. */
  parameters: z.strictObject({
    congestion_failure_threshold: z.string().max(64).optional(),
    congestion_fail_window: z.string().max(64).optional(),
    congestion_retry_interval: z.string().max(64).optional(),
    min_keep_congestion_interval: z.string().max(64).optional(),
    min_congested_connect_timeout: z.string().max(64).optional(),
  }),
});
export type WhatIfRequest = z.infer<typeof whatIfRequestSchema>;

/** That a server was, or would have been, on a list. */
export const listingSpanSchema = z.object({
  server: z.string(),
  list: blocklistNameSchema,
  /** May lie before the span asked for. */
  listedAt: z.iso.datetime(),
  /** Null: to the end of the span. */
  releasedAt: z.iso.datetime().nullable(),
  reason: z.string(),
  releaseReason: z.string().nullable(),
});
export type ListingSpan = z.infer<typeof listingSpanSchema>;

export const whatIfResponseSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** What was tried. */
  parameters: congestionParametersSchema,
  would: z.array(listingSpanSchema),
  /** What really happened, under the parameters of the time. */
  was: z.array(listingSpanSchema),
  /** Recorded failures that were replayed. */
  failures: z.number().int(),
  /** Kept rows that had to be left out: written by another version of the proxy. */
  unreadable: z.number().int(),
});
export type WhatIfResponse = z.infer<typeof whatIfResponseSchema>;

// ---- live events (server-sent) -----------------------------------------------------------------------------------

/** `data:` of each event on GET /v1/events. The event name is `type`; `ping` comes every 5 s of silence. */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), at: z.iso.datetime(), version: z.string() }),
  z.object({ type: z.literal('ping'), at: z.iso.datetime() }),
  z.object({ type: z.literal('parameter'), parameter: parameterSchema }),
  z.object({ type: z.literal('history'), row: historyRowSchema }),
  z.object({ type: z.literal('overview'), overview: overviewSchema }),
  z.object({
    type: z.literal('blocklist'),
    at: z.iso.datetime(),
    /** Only what has changed since the event before: `servers` replace those of the same address. */
    clusters: z.array(blocklistClusterSchema.extend({ removed: z.array(z.string()) })),
    /** Listings and releases since the event before, oldest first. */
    events: z.array(blocklistEventSchema),
    /** Too much has changed to be sent: read GET /v1/blocklist and /v1/blocklist/events anew. */
    reload: z.boolean(),
  }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;

// ---- errors ------------------------------------------------------------------------------------------------------

/** RFC 9457 problem body of every answer that is not 2xx. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** Name in the error table. */
  code: z.string(),
  detail: z.string(),
  requestId: z.string(),
  /** For bad input: which field, and why. */
  invalid: z.array(z.object({ field: z.string(), reason: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;

// ---- routes ------------------------------------------------------------------------------------------------------

/**
 * Every route: the permission it needs (null: none but a log-in; 'public': not even that) and the shapes.
 * The token travels as `Authorization: Bearer`; the caller's address as `X-ODP-Origin` (the console sets it).
 */
export const routes = {
  health: { method: 'GET', path: '/v1/health', permission: 'public' },
  login: { method: 'POST', path: '/v1/login', permission: 'public' },
  logout: { method: 'POST', path: '/v1/logout', permission: null },
  me: { method: 'GET', path: '/v1/me', permission: null },
  changePassword: { method: 'POST', path: '/v1/password', permission: null },
  overview: { method: 'GET', path: '/v1/overview', permission: 'topology.read' },
  parameters: { method: 'GET', path: '/v1/parameters', permission: 'parameters.read' },
  changeParameters: { method: 'POST', path: '/v1/parameters', permission: 'parameters.write' },
  history: { method: 'GET', path: '/v1/history', permission: 'history.read' },
  historyCsv: { method: 'GET', path: '/v1/history.csv', permission: 'history.export' },
  blocklist: { method: 'GET', path: '/v1/blocklist', permission: 'blocklist.read' },
  blocklistEvents: { method: 'GET', path: '/v1/blocklist/events', permission: 'blocklist.read' },
  blocklistRelease: { method: 'POST', path: '/v1/blocklist/release', permission: 'blocklist.release' },
  blocklistWhatIf: { method: 'POST', path: '/v1/blocklist/what-if', permission: 'blocklist.read' },
  events: { method: 'GET', path: '/v1/events', permission: 'topology.read' },
} as const satisfies Record<string, { method: 'GET' | 'POST'; path: string; permission: Permission | 'public' | null }>;
export type RouteName = keyof typeof routes;
