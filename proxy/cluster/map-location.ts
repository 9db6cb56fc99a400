/** From the rows of __all_virtual_proxy_schema to a location (R4). No I/O. */

import { toServerAddress } from '../config/server-address.ts';
import type { MetadataRow } from './metadata-connection.ts';
import type { ClusterTopology, Replica, TableLocation } from './topology.ts';

/** A table by its full name, as the cluster spells it. */
export interface TableName {
  readonly tenant: string;
  readonly database: string;
  readonly table: string;
}

/** Role 1 is the leader, 2 a follower. */
const LEADER_ROLE = '1';
/** Replicas that keep a log and no rows: plain and encrypted. */
const logOnlyTypes: ReadonlySet<string> = new Set(['5', '261']);
const READ_ONLY_TYPE = '16';

/**
 * The location told by `rows`, or null when there are none (no such table or tenant). `askedServer` is where the rows
 * come from.
 */
export function mapTableLocation(
  name: TableName,
  rows: readonly MetadataRow[],
  topology: ClusterTopology,
  askedServer: string,
): TableLocation | null {
  const first = rows[0];
  if (first === undefined) return null;
  // Nothing but the names: callers may give an object that has more.
  return {
    tenant: name.tenant,
    database: name.database,
    table: name.table,
    tableId: first.table_id ?? '0',
    partitionCount: Math.max(1, Number(first.part_num ?? 1)),
    schemaVersion: first.schema_version ?? '0',
    replicas: mapReplicas(rows, topology, askedServer),
  };
}

/**
 * One replica per address, the leader first. Rows with a zero address, an address that is not of the cluster (case
 * B76 e) or of log-only replicas are left out. When not exactly one address leads, none does (case B76 d): a follower
 * passes a write on, a wrong leader may not.
 */
export function mapReplicas(rows: readonly MetadataRow[], topology: ClusterTopology, askedServer: string): Replica[] {
  if (rows.length > 0 && rows.every((row) => !('svr_ip' in row))) return replicasOfKernels(topology, askedServer);
  const isKnown = knownAddresses(topology);
  const found = new Map<string, Replica>();
  for (const row of rows) {
    const address = toServerAddress(row.svr_ip ?? '', Number(row.sql_port))?.text;
    const type = replicaType(row);
    if (address === undefined || !isKnown(address) || logOnlyTypes.has(type)) continue;
    const marks = { ...(isDuplicate(row) && { isDuplicate: true as const }) };
    if (row.role === LEADER_ROLE) found.set(address, { address, role: 'leader', ...marks });
    else if (!found.has(address)) {
      found.set(address, { address, role: 'follower', ...(type === READ_ONLY_TYPE && { isReadOnly: true }), ...marks });
    }
  }
  const replicas = [...found.values()];
  const leaders = replicas.filter((replica) => replica.role === 'leader');
  if (leaders.length !== 1) return replicas.map((replica) => ({ ...replica, role: 'follower' }));
  return [...leaders, ...replicas.filter((replica) => replica.role === 'follower')];
}

/**
 * Rows without address columns come from a single kernel, which leads everything itself. Kernels that pose as one
 * cluster do not replicate: the first active one leads for all threads alike, or a session would not see another's rows.
 */
function replicasOfKernels(topology: ClusterTopology, askedServer: string): Replica[] {
  const { servers } = topology;
  if (!servers.some((server) => server.address === askedServer)) return [{ address: askedServer, role: 'leader' }];
  const leader = (servers.find((server) => server.state === 'ACTIVE') ?? servers[0])?.address ?? askedServer;
  const others = servers.map((server) => server.address).filter((address) => address !== leader);
  return [{ address: leader, role: 'leader' }, ...others.map((address): Replica => ({ address, role: 'follower' }))];
}

/** With nothing but the configured list known, any server may belong to the cluster. */
function knownAddresses({ source, servers }: ClusterTopology): (address: string) => boolean {
  if (source === 'rslist') return () => true;
  const known = new Set(servers.map((server) => server.address));
  return (address) => known.has(address);
}

/** V4 has a column of its own; V3 keeps it in spare1 (which holds something else in V4). */
function replicaType(row: MetadataRow): string {
  return (row.replica_type === undefined ? row.spare1 : row.replica_type) ?? '';
}

/** V4 has a column of its own for replicas of duplicate tables too; V3 keeps it in spare2. */
const isDuplicate = ({ dup_replica_type, spare2 }: MetadataRow): boolean =>
  (dup_replica_type === undefined ? spare2 : dup_replica_type) === '1';
