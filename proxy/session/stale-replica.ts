/** Case B78: replicas that are too old for weak reads. */
import type { TableLocation } from '../cluster/topology.ts';
import type { ClientSession } from './client-session.ts';
import { isRepeatable } from './may-retry.ts';
import type { ClientRequest } from './request.ts';
import { locateNeeded } from './route-partition.ts';
import type { RoutedSession } from './routed-session.ts';
import type { SessionCluster } from './session-context.ts';
import { routingTable } from './statement-route.ts';

export function staleAt(
  session: RoutedSession,
  cluster: SessionCluster,
  location: TableLocation | null,
): ((address: string) => boolean) | null {
  if (location === null || !reroutesWeakReads(session)) return null;
  return cluster.staleReplicas.of(location, session.config.timeMs('read_stale_retry_interval'));
}

const reroutesWeakReads = ({ config }: RoutedSession): boolean => config.bool('enable_weak_reroute');

/** OB_ERR_REROUTE and OB_REPLICA_NOT_READABLE: to a weak read they say that the replica is too old for it. */
const TOO_OLD: ReadonlySet<number> = new Set([5727, 6231]);

/**
 * Case B78: whether an error says that the server's replica is too old for a weak read that another one may serve. The
 * replica is left alone from now on.
 */
export function notesStaleReplica(
  session: ClientSession,
  request: ClientRequest,
  address: string,
  errno: number,
): boolean {
  const { cluster, servers } = session;
  if (!TOO_OLD.has(errno) || cluster === null || servers.tied !== null || !reroutesWeakReads(session)) return false;
  if (!request.isWeak || !isRepeatable(request)) return false;
  const wanted = routingTable(session, request);
  const table = wanted === null ? null : cluster.locate(session.tenant, wanted.database, wanted.table);
  const place = table === null || table instanceof Promise ? null : locateNeeded(session, cluster, request, table);
  if (place === null || place instanceof Promise) return false;
  cluster.staleReplicas.mark(address, place);
  return true;
}
