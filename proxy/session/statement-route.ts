/** What a statement by itself says of the servers that it may go to. */
import { type ReadConsistency, readConsistency } from '../routing/read-consistency.ts';
import type { StatementInfo, StatementKind, TableName } from '../sql/statement-info.ts';
import { STATUS } from '../wire/constants.ts';
import { isWeakUser } from './imposed-variables.ts';
import { asksAboutLast, beginsReadOnly, type ClientRequest } from './request.ts';
import { isRandomMode } from './route-settings.ts';
import type { HeldServer, RoutedSession } from './routed-session.ts';
import type { SessionCluster } from './session-context.ts';

/** What the router needs of a request. */
export type RoutedRequest = Pick<ClientRequest, 'info'>;

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

/** In words, why no table decides the route; empty: one does. */
export function whyNoTable(session: RoutedSession, request: RoutedRequest): string {
  const table = request.info?.table ?? null;
  if (table === null) return 'the statement names none that counts';
  if (asksAboutLast(request.info)) return 'the statement asks about the one before';
  if (isRandomMode(session)) return 'server_routing_mode is random';
  if ((table.database ?? session.database) !== '') return '';
  return `no database is chosen, and ${table.name} is named without one`;
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

export const fitsReadOnlyZones = (info: StatementInfo | null): boolean =>
  info === null || (info.table === null && FIT_ANY_ZONE.has(info.kind));

/**
 * R12, cases B62 and B68: a transaction that may write is begun where it can write, even if a weak read begins it, and
 * what goes to other servers later (C9) goes where the newest data are.
 */
export function consistencyOf(session: RoutedSession, info: StatementInfo | null): ReadConsistency {
  const value = isWeakUser(session.config) ? 'WEAK' : session.variables.value('ob_read_consistency');
  return readConsistency(info, value, beginsTransaction(session));
}

/** A statement that is tied to no transaction yet begins one that may write, or it goes on with one elsewhere (C9). */
export function beginsTransaction({ heldBegin, status }: RoutedSession): boolean {
  if (heldBegin === null) return (status & (STATUS.AUTOCOMMIT | STATUS.IN_TRANS)) !== STATUS.AUTOCOMMIT;
  return !beginsReadOnly(heldBegin);
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

/** The server session of the statement before, when it is open and its server has not left the cluster. */
export function usableLast<Held extends HeldServer>(
  session: Pick<RoutedSession, 'cluster'> & { readonly servers: { readonly last: Held | null } },
): Held | null {
  const { last } = session.servers;
  return last?.ready && session.cluster?.serves(last.address) ? last : null;
}
