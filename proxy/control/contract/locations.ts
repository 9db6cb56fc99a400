/** What the proxy knows of where tables and partitions are. */
import * as z from 'zod';

export const locationNameSchema = z.object({
  cluster: z.string().max(128),
  tenant: z.string().max(128),
  database: z.string().max(128),
  table: z.string().max(128),
  /** Decimal text; `0`: of the whole table. */
  tabletId: z.string().regex(/^\d{1,20}$/),
});
export type LocationName = z.infer<typeof locationNameSchema>;

export const locationSchema = locationNameSchema.extend({
  /** A tenant's lists its servers. */
  kind: z.enum(['table', 'partition', 'tenant']),
  /** Of a partition, when known. */
  partitionName: z.string().nullable(),
  /** AVAIL: known. DIRTY: in doubt, used until fetched anew. UPDATING: that is being done. BUILDING: asked for the first time. */
  state: z.string(),
  /** Why nothing is known of it; null: something is. */
  missing: z.enum(['unknown-table', 'no-answer']).nullable(),
  partitionCount: z.number().int(),
  /** `ip:port`; null: there is none, or none for certain. */
  leader: z.string().nullable(),
  /** `ip:port`, the leader left out. */
  followers: z.array(z.string()),
  updatedAt: z.iso.datetime().nullable(),
  /** When a server last confirmed it. */
  validAt: z.iso.datetime().nullable(),
  accessedAt: z.iso.datetime(),
  /** In doubt by age from then on; null: never. */
  expiresAt: z.iso.datetime().nullable(),
  /** Told from memory, and asked for while a request waited. */
  hits: z.number().int(),
  misses: z.number().int(),
  /** Worker threads that have it. */
  workers: z.number().int(),
});
export type Location = z.infer<typeof locationSchema>;

export const locationsQuerySchema = z.object({
  cluster: z.string().max(128).optional(),
  tenant: z.string().max(128).optional(),
  database: z.string().max(128).optional(),
  /** Found in `database.table`, letters of either case. */
  text: z.string().max(200).optional(),
  kind: z.enum(['table', 'partition', 'tenant']).optional(),
  /** `missing`: nothing is known of it. */
  state: z.enum(['known', 'doubt', 'missing']).optional(),
  /** `ip:port` of a replica. */
  server: z.string().max(128).optional(),
  /** `nextAfter` of the page before (keyset paging). */
  after: z.string().max(1000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type LocationsQuery = z.infer<typeof locationsQuerySchema>;

export const locationsResponseSchema = z.object({
  /** The proxy's clock: what times are to be compared with. */
  at: z.iso.datetime(),
  locations: z.array(locationSchema),
  /** Locations that fit the filter: at least so many, since each worker has its own. */
  matches: z.number().int(),
  nextAfter: z.string().nullable(),
});

/** Answered with what is known then; null: no worker has it any more. */
export const locationRefreshResponseSchema = z.object({ location: locationSchema.nullable() });
