/** Where statements go, and why. */
import * as z from 'zod';
import { zoneStates, zoneTypes } from '../../cluster/states.ts';
import { blocklistNameSchema } from './blocklist.ts';

const nameSchema = z.string().max(128);

/** What a session would be like; a setting that is null is as in one that has not touched it. */
export const describedSessionSchema = z.object({
  cluster: nameSchema.min(1),
  tenant: nameSchema.min(1),
  /** Current database; empty: none. */
  database: nameSchema,
  /** `@proxy_idc_name`. */
  idcName: nameSchema.nullable().default(null),
  /** `ob_read_consistency`. */
  readConsistency: z.enum(['strong', 'weak']).nullable().default(null),
  /** `ob_route_policy`, by name or number. */
  obRoutePolicy: nameSchema.nullable().default(null),
  /** `@proxy_route_policy`. */
  proxyRoutePolicy: nameSchema.nullable().default(null),
  sqlMode: z.string().max(1024).nullable().default(null),
  autocommit: z.boolean().default(true),
  /** BEGIN or START TRANSACTION was the statement before. */
  begun: z.enum(['no', 'read-write', 'read-only']).default('no'),
  /** Server of the open transaction, `ip:port`; null: there is none. */
  boundServer: nameSchema.nullable().default(null),
  /** Server of the statement before, `ip:port`; null: there is none. */
  lastServer: nameSchema.nullable().default(null),
  /** Values as they would be typed, by parameter: as if they counted for everybody. Those left out are as in force. */
  parameters: z.record(nameSchema, z.string().max(4096)).default({}),
});

export const routeExplainRequestSchema = z.object({
  /** As much as is read whole before it is routed. */
  sql: z.string().max(64 * 1024),
  /** A client session by its id (`cs_id`), with the settings that it has now; or what one would be like. */
  session: z.union([z.object({ id: z.number().int().positive() }), describedSessionSchema]),
});
export type RouteExplainRequest = z.infer<typeof routeExplainRequestSchema>;

export const routeCandidateSchema = z.object({
  /** `ip:port`. */
  address: z.string(),
  /** Empty where the cluster does not tell. */
  zone: z.string(),
  region: z.string(),
  idc: z.string(),
  zoneType: z.enum(zoneTypes).nullable(),
  zoneState: z.enum(zoneStates).nullable(),
  /** What it is to the table; null: it holds no replica of it, or there is no table. */
  role: z.enum(['leader', 'follower']).nullable(),
  /** Number of its class in the plan's order, from 1 on; equals share the load. Null: placed by another rule. */
  group: z.number().int().nullable(),
  /** Why it stands where it stands. */
  reason: z.string(),
  /** Blocklists that it is on; empty: it may be used. */
  lists: z.array(blocklistNameSchema),
  /** Its retry is due, and this statement would be it. */
  isRetry: z.boolean(),
});
export type RouteCandidate = z.infer<typeof routeCandidateSchema>;

export const routePlanSchema = z.object({
  /** Kind of the statement. */
  kind: z.string(),
  /** Null: none decides. */
  table: z.object({ database: z.string(), name: z.string() }).nullable(),
  /** In words, why no table decides; empty: one does. */
  whyNoTable: z.string(),
  /** Of the partition, or of the table; null: there is no table, or the cluster does not tell. */
  location: z
    .object({
      tableId: z.string(),
      partitionCount: z.number().int(),
      replicas: z.array(z.object({ address: z.string(), role: z.enum(['leader', 'follower']) })),
    })
    .nullable(),
  /** Null: the table goes by no partition. */
  partition: z
    .object({
      /** Null: not one for certain. */
      name: z.string().nullable(),
      tabletId: z.string().nullable(),
      /** What it was found by, or why it was not. */
      because: z.string(),
    })
    .nullable(),
  consistency: z.object({ level: z.enum(['strong', 'weak']), because: z.string() }),
  settings: z.object({
    idcName: z.string(),
    idcSource: z.enum(['session', 'parameter']),
    proxyRoutePolicy: z.string(),
    proxyRoutePolicySource: z.enum(['session', 'parameter']),
    obRoutePolicy: z.string(),
    primaryZoneName: z.string(),
    followsPrimaryZone: z.boolean(),
    isRandom: z.boolean(),
  }),
  ldc: z.object({
    matchType: z.string(),
    regions: z.array(z.string()),
    sameIdc: z.array(z.string()),
    sameRegion: z.array(z.string()),
    otherRegion: z.array(z.string()),
  }),
  /** Which rule made the plan, e.g. `table-leader`. */
  rule: z.string(),
  /** Null: there was nothing to choose. */
  policy: z.object({ name: z.string(), because: z.string() }).nullable(),
  /** In words, why it would be refused; null: it wouldn't. */
  refusal: z.string().nullable(),
  /** In the order to be tried, before the blocklists. */
  candidates: z.array(routeCandidateSchema),
  /** Every candidate is on a list, so that listed ones are used. */
  forced: z.boolean(),
  /** Where it would go; null: nowhere. */
  goesTo: z.string().nullable(),
  /** Servers that such statements are spread over as equal choices. */
  sharedBy: z.array(z.string()),
});
export type RoutePlan = z.infer<typeof routePlanSchema>;

export const routeExplainResponseSchema = z.object({
  cluster: z.string(),
  tenant: z.string(),
  database: z.string(),
  /** Null: the proxy answers the statement itself. */
  plan: routePlanSchema.nullable(),
});
export type RouteExplainResponse = z.infer<typeof routeExplainResponseSchema>;

/** What the fields of a described session can be filled with. */
export const routingChoicesSchema = z.object({
  clusters: z.array(
    z.object({
      name: z.string(),
      /** Null: the cluster does not tell. */
      tenants: z.array(z.string()).nullable(),
    }),
  ),
  /** Client sessions, at most 200. */
  sessions: z.array(
    z.object({
      id: z.number().int(),
      cluster: z.string(),
      tenant: z.string(),
      user: z.string(),
      database: z.string(),
      /** `ip:port` of the client. */
      client: z.string(),
    }),
  ),
});
export type RoutingChoices = z.infer<typeof routingChoicesSchema>;
