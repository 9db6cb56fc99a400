/** The usual cases of a route, decided without asking the router and without allocation. */
import type { TableLocation } from '../cluster/topology.ts';
import { placeServers } from '../routing/server-places.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import type { ClientSession } from './client-session.ts';
import { isUnforced } from './forced-servers.ts';
import { asksAboutLast, type ClientRequest } from './request.ts';
import { isRoutedCall } from './route-call.ts';
import { feedbackPlace, noteRoute } from './route-feedback.ts';
import { recallPlaces } from './route-memo.ts';
import { locateNeeded } from './route-partition.ts';
import type { RoutedSession } from './routed-session.ts';
import type { ServerSession } from './server-session.ts';
import type { SessionCluster } from './session-context.ts';
import { consistencyOf, fitsReadOnlyZones, singleLeaderOf, usableLast } from './statement-route.ts';

/** The server session that a request is tied to; null: to none, or it may be kept to others and the router has to say so. */
export function tiedServer(session: ClientSession, request: ClientRequest): ServerSession | null {
  return isUnforced(session, request.info) ? session.servers.tied : null;
}

/**
 * The server session that the router would choose first, when it is open already: the leader of a table whose place is
 * known, or the server of the statement before for requests without a table. Null: ask `routeRequest`.
 */
export function quickRoute(session: ClientSession, request: ClientRequest): ServerSession | null {
  const { cluster } = session;
  // With servers on the lists the whole order counts, not only its first.
  if (cluster?.blocklist.isEmpty === false) return null;
  const { info } = request;
  if (!isUnforced(session, info) || !hasPlainOrder(session) || isRoutedCall(session, info)) return null;
  const table = info?.table ?? null;
  if (cluster === null || asksAboutLast(info)) return usableLast(session);
  if (table === null) return quickLast(session, cluster, info);
  const database = table.database ?? session.database;
  if (database === '') return quickLast(session, cluster, info);
  if (consistencyOf(session, info).level === 'weak') return null;
  const single = singleLeaderOf(session, cluster, info);
  if (single !== null) {
    noteRoute(request, null, false, single);
    return openServer(session, cluster, single);
  }
  const known = info === null ? null : recallPlaces(session, cluster, info);
  if (known !== null) {
    const server = openLeader(session, cluster, known.place);
    if (server === null) request.found = known;
    else noteRoute(request, feedbackPlace(known.place, known.whole), false);
    return server;
  }
  const whole = cluster.locate(session.tenant, database, table);
  if (whole === null || whole instanceof Promise) {
    const last = whole === null ? quickLast(session, cluster, info) : null;
    if (last === null) request.found = { whole, place: null };
    return last;
  }
  const place = locateNeeded(session, cluster, request, whole);
  const server = place instanceof Promise ? null : openLeader(session, cluster, place);
  if (server === null || place instanceof Promise) {
    request.found = { whole, place };
    return null;
  }
  noteRoute(request, feedbackPlace(place, whole), false);
  return server;
}

/** Null: it has no open server session, or something else than the leader may be wanted. */
function openLeader(session: ClientSession, cluster: SessionCluster, place: TableLocation): ServerSession | null {
  let leader: string | null = null;
  for (const { address, role, isDuplicate } of place.replicas) {
    if (isDuplicate === true) return null;
    if (role === 'leader' && leader === null) leader = address;
  }
  return leader === null ? null : openServer(session, cluster, leader);
}

function openServer(session: ClientSession, cluster: SessionCluster, address: string): ServerSession | null {
  const server = session.servers.find(address);
  return server?.ready && cluster.serves(server.address) && !isReadOnly(cluster, server.address) ? server : null;
}

/** Nothing but the table and the statement before decides where strong requests go first. */
function hasPlainOrder({ config }: RoutedSession): boolean {
  return (
    config.text('server_routing_mode') === 'oceanbase' &&
    config.text('proxy_primary_zone_name') === '' &&
    config.bool('enable_cached_server')
  );
}

/** The server session of the statement before, unless the statement may need a read-write zone and that is none (R10). */
function quickLast(session: ClientSession, cluster: SessionCluster, info: StatementInfo | null): ServerSession | null {
  const last = usableLast(session);
  if (last === null || fitsReadOnlyZones(info) || !isReadOnly(cluster, last.address)) return last;
  return null;
}

function isReadOnly(cluster: SessionCluster, address: string): boolean {
  const places = placeServers(cluster.topology, '');
  return places.hasReadOnlyZones && places.of(address).zoneKind === 'readonly';
}
