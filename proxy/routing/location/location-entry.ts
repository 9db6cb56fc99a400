/** One cached location: where a table, one of its partitions, or a tenant is, and how long that has been known. */
import type { TableLocation } from '../../cluster/topology.ts';
import type { Linked } from './recent-list.ts';

/**
 * Of an entry (reference proxy's names). BORN: made, nothing asked. BUILDING: asked for the first time. AVAIL: known.
 * DIRTY: in doubt, used until it is fetched anew. UPDATING: being fetched anew, the old place is used meanwhile.
 * DELETED: out of the cache.
 */
export type LocationState = 'BORN' | 'BUILDING' | 'AVAIL' | 'DIRTY' | 'UPDATING' | 'DELETED';

/** What a location is of. A tenant's lists its servers (the reference's dummy entry). */
export type LocationKind = 'table' | 'partition' | 'tenant';

/** A location by name, within one cluster. */
export interface LocationName {
  readonly tenant: string;
  readonly database: string;
  readonly table: string;
  /** Decimal text; '0': of the whole table. */
  readonly tabletId: string;
}

/** The table whose replicas are all the servers of its tenant. */
const TENANT_TABLE = { database: 'oceanbase', table: '__all_dummy' } as const;
export const WHOLE_TABLE = '0';
const NEVER = Number.NEGATIVE_INFINITY;

/** Times in monotonic milliseconds; minus infinity: not yet. */
export interface LocationEntry extends LocationName, Linked<LocationEntry> {
  /** Number of the slice of time in which it is as it was last told; -1: it has changed since, or will within the slice. */
  freshIn: number;
  readonly kind: LocationKind;
  readonly partitionName: string | null;
  /** Null: no such table, or its place could not be found out. */
  location: TableLocation | null;
  state: LocationState;
  /** Why there is no location: nobody could be asked. */
  failed: boolean;
  /** Revision of the topology that it was read with. */
  clusterVersion: number;
  readonly createdAtMs: number;
  /** When a fetch last brought an answer. */
  updatedAtMs: number;
  /** When a fetch last ended that was not the first. */
  refreshedAtMs: number;
  /** When a server last confirmed it (R22). */
  validAtMs: number;
  accessedAtMs: number;
  /** In doubt from then on; infinity: never by age. */
  expiresAtMs: number;
  hits: number;
  misses: number;
  /** The fetch in flight. */
  loading: Promise<TableLocation | null> | null;
  /** Feedback that came during the fetch: its answer may be older than that. */
  doubted: boolean;
}

export function newEntry(name: LocationName, partitionName: string | null, nowMs: number): LocationEntry {
  const { tenant, database, table, tabletId } = name;
  // What every use of the place reads stands together, at the head of the object.
  return {
    freshIn: -1,
    hits: 0,
    location: null,
    loading: null,
    state: 'BORN',
    tenant,
    database,
    table,
    tabletId,
    kind: kindOf(name),
    partitionName,
    failed: false,
    clusterVersion: 0,
    createdAtMs: nowMs,
    updatedAtMs: NEVER,
    refreshedAtMs: NEVER,
    validAtMs: NEVER,
    accessedAtMs: nowMs,
    expiresAtMs: Number.POSITIVE_INFINITY,
    misses: 0,
    doubted: false,
    newer: null,
    older: null,
    movedAtMs: nowMs,
    bytes: 0,
  };
}

function kindOf({ database, table, tabletId }: LocationName): LocationKind {
  if (tabletId !== WHOLE_TABLE) return 'partition';
  return database === TENANT_TABLE.database && table === TENANT_TABLE.table ? 'tenant' : 'table';
}

/** Key of an entry in its cluster. */
export function keyOf(tenant: string, database: string, table: string, tabletId: string): string {
  return `${tenant}\0${database}\0${table}\0${tabletId}`;
}

const ENTRY_BYTES = 480;
/** Without its list of replicas, which is one for many places (see ReplicaLists). */
const LOCATION_BYTES = 160;

/** Memory that an entry holds, estimated: objects by their shape, texts by their length. */
export function estimateBytes({ tenant, database, table, tabletId, location }: LocationEntry): number {
  const nameBytes = 2 * (tenant.length + database.length + table.length) + tabletId.length;
  return ENTRY_BYTES + nameBytes + (location === null ? 0 : LOCATION_BYTES);
}
