/** Clusters, zones, servers, and the proxy itself. */
import * as z from 'zod';
import { serverStates, zoneStates, zoneTypes } from '../../cluster/states.ts';

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

/** What all workers' caches of table locations did since the start; sizes now. */
export const locationCountersSchema = z.object({
  /** Told from memory, and asked for while a request waited. */
  hits: z.number().int(),
  misses: z.number().int(),
  /** Questions to the cluster, and those that nobody answered. */
  lookups: z.number().int(),
  failures: z.number().int(),
  /** Times that a server said that a location was wrong. */
  doubts: z.number().int(),
  evictions: z.number().int(),
  entries: z.number().int(),
  bytes: z.number().int(),
});
export type LocationCounters = z.infer<typeof locationCountersSchema>;

export const clusterSchema = z.object({
  name: z.string(),
  demo: z.boolean(),
  /** `views` when the cluster's own views told it, `rslist` when only the configured addresses are known. */
  source: z.enum(['views', 'rslist']),
  refreshedAt: z.iso.datetime().nullable(),
  /** Why the last refresh failed; null when it worked. */
  error: z.string().nullable(),
  /** False: nobody has asked for it yet, so that its servers are only those it is configured with. */
  isWatched: z.boolean(),
  zones: z.array(zoneSchema),
  servers: z.array(serverSchema),
  locations: locationCountersSchema,
});
export type Cluster = z.infer<typeof clusterSchema>;

export const workerSchema = z.object({
  id: z.number().int(),
  clientSessions: z.number().int(),
  serverSessions: z.number().int(),
  requests: z.number().int(),
});
export type WorkerStatus = z.infer<typeof workerSchema>;

const configServerSchema = z.object({
  url: z.string(),
  /** Of the document in force; empty: there is none. */
  version: z.string(),
  source: z.enum(['server', 'copy', 'none']),
  /** Of the last good answer, or of the copy in force. */
  answeredAt: z.iso.datetime().nullable(),
  /** Why the last question had no good answer; null when it had. */
  error: z.string().nullable(),
});

export const overviewSchema = z.object({
  proxy: z.object({
    version: z.string(),
    startedAt: z.iso.datetime(),
    listen: z.string(),
    idc: z.string(),
    enableCongestion: z.boolean(),
    workers: z.array(workerSchema),
    rssBytes: z.number().int(),
    /** It runs with its embedded demo cluster, which takes faults (GET /v1/demo). */
    hasLab: z.boolean(),
  }),
  clusters: z.array(clusterSchema),
  /** Null: the proxy runs without one. */
  configServer: configServerSchema.nullable(),
});
export type Overview = z.infer<typeof overviewSchema>;
