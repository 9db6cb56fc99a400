/** Asks the router where a request may go, and keeps the usual cases free of allocation. */
import type { TableLocation } from '../cluster/topology.ts';
import { monotonicMs } from '../net/monotonic-clock.ts';
import { planRoute, type RoutePlan } from '../routing/plan.ts';
import { type ReadConsistency, readConsistency } from '../routing/read-consistency.ts';
import { placeServers } from '../routing/server-places.ts';
import type { StatementInfo, StatementKind, TableName } from '../sql/statement-info.ts';
import { STATUS } from '../wire/constants.ts';
import type { ClientSession } from './client-session.ts';
import { forcedServers, isUnforced } from './forced-servers.ts';
import { isWeakUser } from './imposed-variables.ts';
import { isRepeatable } from './may-retry.ts';
import { asksAboutLast, beginsReadOnly, type ClientRequest } from './request.ts';
import { calledStatement, isRoutedCall } from './route-call.ts';
import { noteRoute } from './route-feedback.ts';
import { type KeyedRequest, locateNeeded } from './route-partition.ts';
import { isRandomMode, routeSettings, type SessionRouteSettings } from './route-settings.ts';
import type { HeldServer, RoutedSession } from './routed-session.ts';
import type { ServerSession } from './server-session.ts';
import type { SessionCluster } from './session-context.ts';

/** What the router needs of a request. */
type RoutedRequest = Pick<ClientRequest, 'info'>;

/** The table that decides the route, or null when the request names none that can be looked up. */
export function routingTable(
  session: RoutedSession,
  request: RoutedRequest,
): { database: string; table: TableName } | null {
  const table = request.info?.table ?? null;
  if (table === null || asksAboutLast(request.info) || isRandomMode(session)) return null;
  const database = table.database ?? session.database;
  return database === '' ? null : { database, table };
}

/** Statements without a table that a server of a read-only zone runs as well as any. */
const FIT_ANY_ZONE: ReadonlySet<StatementKind> = new Set<StatementKind>([
  'select',
  'set',
  'use',
  'show',
  'desc',
  'help',
  'empty',
  'commit',
  'rollback',
]);

const fitsReadOnlyZones = (info: StatementInfo | null): boolean =>
  info === null || (info.table === null && FIT_ANY_ZONE.has(info.kind));

/**
 * R12, cases B62 and B68: a transaction that may write is begun where it can write, even if a weak read begins it, and
 * what goes to other servers later (C9) goes where the newest data are.
 */
function consistencyOf(session: RoutedSession, info: StatementInfo | null): ReadConsistency {
  const value = isWeakUser(session.config) ? 'WEAK' : session.variables.value('ob_read_consistency');
  return readConsistency(info, value, beginsTransaction(session));
}

/** A statement that is tied to no transaction yet begins one that may write, or it goes on with one elsewhere (C9). */
function beginsTransaction({ heldBegin, status }: RoutedSession): boolean {
  if (heldBegin === null) return (status & (STATUS.AUTOCOMMIT | STATUS.IN_TRANS)) !== STATUS.AUTOCOMMIT;
  return !beginsReadOnly(heldBegin);
}

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

/** The server session of the statement before, when it is open and its server has not left the cluster. */
function usableLast<Held extends HeldServer>(
  session: Pick<RoutedSession, 'cluster'> & { readonly servers: { readonly last: Held | null } },
): Held | null {
  const { last } = session.servers;
  return last?.ready && session.cluster?.serves(last.address) ? last : null;
}

/**
 * The servers a request may go to. A promise only when the location of its table or
 * partition has to be asked for.
 * @param random in [0, 1): spreads equal choices
 */
export function routeRequest(
  session: RoutedSession,
  request: ClientRequest,
  random: () => number,
): Route | Promise<Route> {
  const { cluster } = session;
  if (cluster === null) return nowhere;
  const called = calledStatement(session, cluster, request.info);
  if (called instanceof Promise) {
    return called.then((called) => routeBy(session, cluster, request, called ?? request, random));
  }
  return routeBy(session, cluster, request, called ?? request, random);
}

/** @param subject what names the table: the request, or the statement that its CALL goes by */
function routeBy(
  session: RoutedSession,
  cluster: SessionCluster,
  request: ClientRequest,
  subject: KeyedRequest,
  random: () => number,
): Route | Promise<Route> {
  const { found } = request;
  request.found = null;
  let whole: TableLocation | null = null;
  const location = found === null ? locateTable(session, cluster, subject) : found.whole;
  const place = location instanceof Promise ? location.then(narrowed) : narrowed(location);
  if (place instanceof Promise)
    return place.then((place) => routeTo(session, request, subject, place, whole, random()));
  return routeTo(session, request, subject, place, whole, random());

  function narrowed(table: TableLocation | null): TableLocation | null | Promise<TableLocation> {
    whole = table;
    if (table === null) return null;
    return found?.place ?? locateNeeded(session, cluster, subject, table);
  }
}

/**
 * `enable_single_leader_node_routing`: one server leads all that the tenant has, so that neither table nor partition need
 * be found for a strong request. Null: the tables decide.
 */
export function singleLeaderOf(
  session: RoutedSession,
  cluster: SessionCluster,
  info: StatementInfo | null,
): string | null {
  if (cluster.topology.singleLeaders?.[session.tenant] === undefined) return null;
  const address = cluster.singleLeader(session.tenant);
  if (address === null || !session.config.bool('enable_single_leader_node_routing')) return null;
  const goesByTable = session.config.text('proxy_primary_zone_name') !== '' || isRandomMode(session);
  return goesByTable || consistencyOf(session, info).level === 'weak' ? null : address;
}

function locateTable(
  session: RoutedSession,
  cluster: SessionCluster,
  request: RoutedRequest,
): TableLocation | null | Promise<TableLocation | null> {
  const wanted = routingTable(session, request);
  if (wanted === null || singleLeaderOf(session, cluster, request.info) !== null) return null;
  return cluster.locate(session.tenant, wanted.database, wanted.table);
}

/** Where a request may go. */
export interface Route {
  /** First choice first. */
  readonly addresses: readonly string[];
  /** It is kept to these servers by their addresses. */
  readonly isForced: boolean;
  /** The first one leads what the statement is about. */
  readonly leads: boolean;
  /** In words, why it may go nowhere. */
  readonly refusal: string | null;
}

const nowhere: Route = { addresses: [], isForced: false, leads: false, refusal: null };
const forcedRules: ReadonlySet<RoutePlan['rule']> = new Set<RoutePlan['rule']>(['target-server', 'route-address']);

function routeTo(
  session: RoutedSession,
  request: ClientRequest,
  subject: RoutedRequest,
  location: TableLocation | null,
  whole: TableLocation | null,
  random: number,
): Route {
  const { cluster } = session;
  if (cluster === null) return nowhere;
  // A transaction that is about to begin would be lost with its server.
  const isSafe = session.heldBegin === null && isRepeatable(request);
  const { plan, consistency } = planFor(session, cluster, request, subject, location, random);
  const { candidates, rule, refusal } = plan;
  const single = rule === 'single-leader' ? (candidates[0]?.address ?? null) : null;
  noteRoute(request, feedbackPlace(location, whole), consistency.level === 'weak', single);
  const addresses = withoutListed(cluster, candidates, isSafe);
  const leads = single !== null || candidates.find(({ address }) => address === addresses[0])?.role === 'leader';
  return { addresses, isForced: forcedRules.has(rule), leads, refusal };
}

/** Of a partitioned table as a whole servers tell nothing. */
function feedbackPlace(place: TableLocation | null, whole: TableLocation | null): TableLocation | null {
  return place !== null && place === whole && whole.partitionCount > 1 ? null : place;
}

export interface PlannedRoute {
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

/**
 * Drops the servers on the lists (B14); one whose retry is due, or all when no other is left, are used (B12, B15).
 * @param isRepeatable nothing is lost when a listed server fails under the request
 */
export function withoutListed(
  cluster: SessionCluster,
  candidates: readonly { readonly address: string }[],
  isRepeatable = true,
): readonly string[] {
  const choice = cluster.blocklist.isEmpty ? null : cluster.blocklist.choose(candidates, monotonicMs(), isRepeatable);
  if (choice !== null && choice.retry !== null) cluster.health.retryStarted(choice.retry);
  return (choice?.order ?? candidates).map((candidate) => candidate.address);
}

function staleAt(
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
