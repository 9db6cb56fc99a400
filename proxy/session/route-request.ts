/** Asks the router where a request may go, and keeps the usual cases free of allocation. */
import type { TableLocation } from '../cluster/topology.ts';
import { monotonicMs } from '../net/monotonic-clock.ts';
import { planRoute } from '../routing/plan.ts';
import type { TableName } from '../sql/statement-info.ts';
import type { ClientSession } from './client-session.ts';
import { asksAboutLast, type ClientRequest } from './request.ts';
import type { ServerSession } from './server-session.ts';
import type { SessionCluster } from './session-context.ts';

/** The table that decides the route, or null when the request names none that can be looked up. */
function routingTable(session: ClientSession, request: ClientRequest): { database: string; table: TableName } | null {
  const table = request.info?.table ?? null;
  if (table === null || asksAboutLast(request.info)) return null;
  const database = table.database ?? session.database;
  return database === '' ? null : { database, table };
}

/**
 * The server session that the router would choose first, when it is open already: the leader of a table whose place is
 * known, or the server of the statement before for requests without a table. Null: ask `routeRequest`.
 */
export function quickRoute(session: ClientSession, request: ClientRequest): ServerSession | null {
  // With servers on the lists the whole order counts, not only its first.
  if (session.cluster?.blocklist.isEmpty === false) return null;
  const last = usableLast(session);
  const table = request.info?.table ?? null;
  if (table === null || asksAboutLast(request.info)) return last;
  const database = table.database ?? session.database;
  if (database === '' || session.cluster === null) return last;
  const location = session.cluster.locate(session.tenant, database, table.name);
  if (location === null) return last;
  if (location instanceof Promise) return null;
  const leader = location.replicas.find((replica) => replica.role === 'leader');
  const server = leader === undefined ? undefined : session.servers.find(leader.address);
  return server?.ready && session.cluster.serves(server.address) ? server : null;
}

/** The server session of the statement before, when it is open and its server has not left the cluster. */
function usableLast(session: ClientSession): ServerSession | null {
  const { last } = session.servers;
  return last?.ready && session.cluster?.serves(last.address) ? last : null;
}

/**
 * Addresses of the servers a request may go to, first choice first. A promise only when its table's location has to be
 * asked for.
 * @param random in [0, 1): spreads equal choices
 */
export function routeRequest(
  session: ClientSession,
  request: ClientRequest,
  random: () => number,
): readonly string[] | Promise<readonly string[]> {
  const { cluster } = session;
  if (cluster === null) return [];
  const wanted = routingTable(session, request);
  const location = wanted === null ? null : cluster.locate(session.tenant, wanted.database, wanted.table.name);
  if (location instanceof Promise) return location.then((found) => addresses(session, request, found, random()));
  return addresses(session, request, location, random());
}

function addresses(
  session: ClientSession,
  request: ClientRequest,
  location: TableLocation | null,
  random: number,
): readonly string[] {
  const { cluster } = session;
  const last = usableLast(session);
  if (cluster === null) return [];
  const plan = planRoute({
    topology: cluster.topology,
    tenantServers: null,
    location,
    boundServer: null,
    lastServer: last?.address ?? null,
    forcesLastServer: asksAboutLast(request.info),
    random,
  });
  return withoutListed(cluster, plan.candidates);
}

/** Drops the servers on the lists (B14); one whose retry is due, or all when no other is left, are used (B12, B15). */
export function withoutListed(
  cluster: SessionCluster,
  candidates: readonly { readonly address: string }[],
): readonly string[] {
  const choice = cluster.blocklist.isEmpty ? null : cluster.blocklist.choose(candidates, monotonicMs());
  if (choice !== null && choice.retry !== null) cluster.health.retryStarted(choice.retry);
  return (choice?.order ?? candidates).map((candidate) => candidate.address);
}
