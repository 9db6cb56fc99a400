/** The router's plan for one request of a session. */
import type { TableLocation } from '../cluster/topology.ts';
import { planRoute, type RoutePlan } from '../routing/plan.ts';
import type { ReadConsistency } from '../routing/read-consistency.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import { forcedServers } from './forced-servers.ts';
import { asksAboutLast } from './request.ts';
import { routeSettings, type SessionRouteSettings } from './route-settings.ts';
import type { RoutedSession } from './routed-session.ts';
import type { SessionCluster } from './session-context.ts';
import { staleAt } from './stale-replica.ts';
import {
  beginsTransaction,
  consistencyOf,
  fitsReadOnlyZones,
  type RoutedRequest,
  routingTable,
  singleLeaderOf,
  usableLast,
} from './statement-route.ts';

interface PlannedRoute {
  readonly plan: RoutePlan;
  readonly consistency: ReadConsistency;
  readonly settings: SessionRouteSettings;
}

/**
 * The plan for one request of a session, before the blocklists.
 * @param subject what names the table: the request, or the statement that its CALL goes by
 * @param location of the table, or null
 */
export function planFor(
  session: RoutedSession,
  cluster: SessionCluster,
  request: RoutedRequest,
  subject: RoutedRequest,
  location: TableLocation | null,
  random: number,
): PlannedRoute {
  const consistency = consistencyOf(session, request.info);
  const settings = routeSettings(session);
  // What names no table stays where it is, if it is anywhere.
  const mayUseSingle = routingTable(session, subject) !== null || session.servers.last === null;
  const plan = planRoute({
    topology: cluster.topology,
    tenantServers: consistency.level === 'weak' || settings.isRandom ? tenantServers(session, cluster) : null,
    tenantPrimaryZone: cluster.topology.primaryZones?.[session.tenant] ?? '',
    singleLeader: location === null && mayUseSingle ? singleLeaderOf(session, cluster, request.info) : null,
    location,
    consistency: consistency.level,
    fitsReadOnlyZones: fitsReadOnlyZones(request.info),
    mayReadDuplicate: isReadAlone(session, request.info),
    settings,
    forced: forcedServers(session, request.info),
    boundServer: session.servers.tied?.address ?? null,
    lastServer: mayUseLast(session, request.info) ? (usableLast(session)?.address ?? null) : null,
    forcesLastServer: asksAboutLast(request.info),
    isStale: staleAt(session, cluster, location),
    random,
  });
  return { plan, consistency, settings };
}

/** `enable_cached_server` off: the server of the statement before is used only by what asks about it. */
const mayUseLast = (session: RoutedSession, info: StatementInfo | null): boolean =>
  session.config.bool('enable_cached_server') || asksAboutLast(info);

/** A plain SELECT that neither begins a transaction nor is part of one. */
const isReadAlone = (session: RoutedSession, info: StatementInfo | null): boolean =>
  info?.isRead === true && !info.truncated && !beginsTransaction(session);

/** The table whose replicas are all the servers of its tenant (reference proxy's dummy entry). */
const DUMMY = { database: 'oceanbase', table: { name: '__all_dummy' } };
const addressesOf = new WeakMap<TableLocation, readonly string[]>();

/** Null while they are not known: a request doesn't wait for them. The same array for as long as nothing has changed. */
function tenantServers(session: RoutedSession, cluster: SessionCluster): readonly string[] | null {
  const location = cluster.locate(session.tenant, DUMMY.database, DUMMY.table);
  if (location === null || location instanceof Promise) return null;
  let servers = addressesOf.get(location);
  if (servers === undefined) {
    servers = location.replicas.map(({ address }) => address);
    addressesOf.set(location, servers);
  }
  return servers;
}
