/** The blocklists: as they are, what they did, what they would have done. */
import * as z from 'zod';
import { serverStateSchema, zoneStateSchema } from './topology.ts';

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

export const blocklistAtQuerySchema = z.object({ at: z.iso.datetime() });
/** Who was listed at a moment, as the records tell: the listings that had not ended by then, oldest first. */
export const blocklistAtSchema = z.object({ at: z.iso.datetime(), listings: z.array(blocklistEventSchema) });

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
