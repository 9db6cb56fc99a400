/** Asks the router where a request may go: finds the places first, and takes listed servers out afterwards. */
import type { TableLocation } from '../cluster/topology.ts';
import { monotonicMs } from '../net/monotonic-clock.ts';
import type { RoutePlan } from '../routing/plan.ts';
import { isRepeatable } from './may-retry.ts';
import { planFor } from './plan-request.ts';
import type { ClientRequest } from './request.ts';
import { calledStatement } from './route-call.ts';
import { feedbackPlace, noteRoute } from './route-feedback.ts';
import { recallPlaces } from './route-memo.ts';
import { type KeyedRequest, locateNeeded } from './route-partition.ts';
import type { RoutedSession } from './routed-session.ts';
import type { SessionCluster } from './session-context.ts';
import { type RoutedRequest, routingTable, singleLeaderOf } from './statement-route.ts';

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
  const wanted = found === null ? tableToLocate(session, cluster, subject) : null;
  const known = wanted === null || subject.info === null ? null : recallPlaces(session, cluster, subject.info);
  if (known !== null) return routeTo(session, request, subject, known.place, known.whole, random());
  const sought = wanted === null ? null : cluster.locate(session.tenant, wanted.database, wanted.table);
  const location = found === null ? sought : found.whole;
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

/** Null: no table decides. */
function tableToLocate(
  session: RoutedSession,
  cluster: SessionCluster,
  request: RoutedRequest,
): ReturnType<typeof routingTable> {
  const wanted = routingTable(session, request);
  return wanted === null || singleLeaderOf(session, cluster, request.info) !== null ? null : wanted;
}

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
