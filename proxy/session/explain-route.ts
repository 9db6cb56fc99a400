/** EXPLAIN ROUTE: the plan of a statement, made by what makes it for a request, and what the blocklists do to it. */
import type { TableLocation } from '../cluster/topology.ts';
import type { BlocklistChoice } from '../congestion/blocklist-view.ts';
import type { BlocklistName } from '../congestion/types.ts';
import { monotonicMs } from '../net/monotonic-clock.ts';
import type { RouteCandidate } from '../routing/candidate.ts';
import type { LdcPlacement } from '../routing/ldc.ts';
import type { RoutePlan } from '../routing/plan.ts';
import type { ReadConsistency } from '../routing/read-consistency.ts';
import { placeServers } from '../routing/server-places.ts';
import type { StatementKind } from '../sql/statement-info.ts';
import { HEADER_LENGTH } from '../wire/constants.ts';
import { planFor } from './plan-request.ts';
import { calledStatement } from './route-call.ts';
import { explainPartition, type NeededPartition } from './route-partition.ts';
import type { SessionRouteSettings } from './route-settings.ts';
import type { RoutedSession } from './routed-session.ts';
import { routingTable, singleLeaderOf, whyNoTable } from './statement-route.ts';

/** Plain data. */
export interface RouteExplanation {
  readonly kind: StatementKind;
  /** Of CALL: that of its procedure. Null: none decides (R20). */
  readonly table: { readonly database: string; readonly name: string } | null;
  /** In words, why no table decides; empty: one does. */
  readonly whyNoTable: string;
  /** Null: there is no table, or the cluster does not tell where it is. */
  readonly location: TableLocation | null;
  /** The partition that the location is of; null: the table goes by none. */
  readonly partition: NeededPartition | null;
  readonly consistency: ReadConsistency;
  readonly settings: SessionRouteSettings;
  readonly ldc: LdcPlacement;
  readonly rule: RoutePlan['rule'];
  readonly choice: RoutePlan['choice'];
  /** In words, why the statement would be refused; null: it wouldn't. */
  readonly refusal: RoutePlan['refusal'];
  /** In the plan's order, before the blocklists. */
  readonly candidates: readonly ExplainedCandidate[];
  /** B15: every candidate is listed, so that listed ones are used. */
  readonly forced: boolean;
  /** Where the statement would go; null: nowhere. */
  readonly goesTo: string | null;
  /** The servers that such statements are spread over, as equal choices; empty: it would go nowhere. */
  readonly sharedBy: readonly string[];
}

interface ExplainedCandidate extends RouteCandidate {
  /** Lists that it is on; empty: it may be used. */
  readonly lists: readonly BlocklistName[];
  /** B12: its retry is due, and this statement would be it. */
  readonly isRetry: boolean;
}

/**
 * Nothing is changed by it: no retry is taken, no server asked for anything but the table's place. Null: no cluster.
 * @param random in [0, 1): which of equal choices comes first
 */
export async function explainRoute(
  session: RoutedSession,
  sql: string,
  random = session.context.random(),
): Promise<RouteExplanation | null> {
  const info = session.classify(Buffer.from(sql), false);
  const { cluster } = session;
  if (cluster === null) return null;
  const called = await calledStatement(session, cluster, info);
  const subject = called?.info ?? info;
  const text = called?.bytes.subarray(HEADER_LENGTH + 1) ?? Buffer.from(sql);
  const wanted = routingTable(session, { info: subject });
  const goesByTable = wanted !== null && singleLeaderOf(session, cluster, subject) === null;
  const table = !goesByTable ? null : await cluster.locate(session.tenant, wanted.database, wanted.table);
  const needed = table === null ? null : await explainPartition(session, cluster, subject, text, table);
  const location = needed?.location ?? null;
  const { plan, consistency, settings } = planFor(session, cluster, { info }, { info: subject }, location, random);
  const isSafe = session.heldBegin === null && info.isRead;
  const { candidates, choice } = plan;
  const verdict = cluster.blocklist.preview(candidates, monotonicMs(), isSafe);
  return {
    kind: info.kind,
    table: wanted === null ? null : { database: wanted.database, name: wanted.table.name },
    whyNoTable: whyNoTable(session, { info: subject }),
    location,
    partition: needed?.partition ?? null,
    consistency,
    settings,
    ldc: placeServers(cluster.topology, settings.idcName).ldc,
    rule: plan.rule,
    choice,
    refusal: plan.refusal,
    candidates: candidates.map((candidate) => ({
      ...candidate,
      lists: cluster.blocklist.listsOf(candidate.address),
      isRetry: verdict?.retry === candidate.address,
    })),
    forced: verdict?.forced ?? false,
    goesTo: (verdict?.order ?? candidates)[0]?.address ?? null,
    sharedBy: equalChoices(candidates, verdict),
  };
}

/** The first and those of its class behind it; when all are listed each of them has its turn (B15). */
function equalChoices(
  candidates: readonly RouteCandidate[],
  verdict: BlocklistChoice<RouteCandidate> | null,
): readonly string[] {
  const order = verdict?.order ?? candidates;
  const [first] = order;
  if (first === undefined) return [];
  const isAlone = verdict?.retry === first.address || (first.group === null && !verdict?.forced);
  const equals = isAlone ? [first] : order.filter(({ group }) => verdict?.forced || group === first.group);
  return equals.map(({ address }) => address);
}
