/** Which servers a session's requests are kept to by address. */
import type { ForcedServers } from '../routing/forced-servers.ts';
import { parseGroups } from '../routing/forced-servers.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import type { RoutedSession } from './routed-session.ts';

/** The parameters' lists; read anew only when their texts change. */
const lists = new Map<ForcedServers['source'], { readonly text: string; readonly forced: ForcedServers | null }>();

function listed(source: ForcedServers['source'], text: string): ForcedServers | null {
  const known = lists.get(source);
  if (known?.text === text) return known.forced;
  const groups = parseGroups(text);
  const forced = groups.length > 0 ? { source, groups } : null;
  lists.set(source, { text, forced });
  return forced;
}

/** Nothing keeps the request to servers by address: the usual case, decided without allocation. */
export function isUnforced({ context: { config }, routeAddress }: RoutedSession, info: StatementInfo | null): boolean {
  if (routeAddress !== null || (info !== null && info.targetServers !== null)) return false;
  return config.text('target_db_server') === '' && !usesTestServer(config.text('server_routing_mode'));
}

/**
 * The comment before the statement counts before the parameter `target_db_server`; `@obproxy_route_addr` says which of
 * them it is to be, if they are given. The routing modes mock and mysql send all else to `test_server_addr`, if it is set.
 */
export function forcedServers(session: RoutedSession, info: StatementInfo | null): ForcedServers | null {
  if (isUnforced(session, info)) return null;
  const { config } = session.context;
  const comment = info === null || info.targetServers === null ? [] : parseGroups(info.targetServers);
  const target: ForcedServers | null =
    comment.length > 0 ? { source: 'comment', groups: comment } : listed('parameter', config.text('target_db_server'));
  const { routeAddress } = session;
  if (routeAddress !== null) return { source: 'route-address', groups: [[routeAddress]], within: target };
  if (target !== null || !usesTestServer(config.text('server_routing_mode'))) return target;
  return listed('test-server', config.text('test_server_addr'));
}

const usesTestServer = (mode: string): boolean => {
  const word = mode.toLowerCase();
  return word === 'mock' || word === 'mysql';
};
