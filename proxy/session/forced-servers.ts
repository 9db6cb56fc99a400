/** Which servers a session's requests are kept to by address. */
import { type ForcedServers, parseGroups } from '../routing/forced-servers.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import type { RoutedSession } from './routed-session.ts';

/** The parameters' lists, by source and text; of so many the readings are kept. */
const MAX_KEPT = 64;
const lists = new Map<string, ForcedServers | null>();

function listed(source: ForcedServers['source'], text: string): ForcedServers | null {
  const key = `${source} ${text}`;
  let forced = lists.get(key);
  if (forced === undefined) {
    const listedGroups = parseGroups(text);
    // Test servers take turns, however they are parted.
    const groups = source === 'test-server' && listedGroups.length > 0 ? [listedGroups.flat()] : listedGroups;
    forced = groups.length > 0 ? { source, groups } : null;
    if (lists.size >= MAX_KEPT) lists.clear();
    lists.set(key, forced);
  }
  return forced;
}

/** Nothing keeps the request to servers by address: the usual case, decided without allocation. */
export function isUnforced({ config, servers }: RoutedSession, info: StatementInfo | null): boolean {
  if (servers.routeAddress !== null || (info !== null && info.targetServers !== null)) return false;
  return config.text('target_db_server') === '' && !usesTestServer(config.text('server_routing_mode'));
}

/**
 * The comment before the statement counts before the parameter `target_db_server`; `@obproxy_route_addr` says which of
 * them it is to be, if they are given. The routing modes mock and mysql send all else to `test_server_addr`, if it is set.
 */
export function forcedServers(session: RoutedSession, info: StatementInfo | null): ForcedServers | null {
  if (isUnforced(session, info)) return null;
  const { config, servers } = session;
  const comment = info === null || info.targetServers === null ? [] : parseGroups(info.targetServers);
  const target: ForcedServers | null =
    comment.length > 0 ? { source: 'comment', groups: comment } : listed('parameter', config.text('target_db_server'));
  const { routeAddress } = servers;
  if (routeAddress !== null) return { source: 'route-address', groups: [[routeAddress]], within: target };
  if (target !== null || !usesTestServer(config.text('server_routing_mode'))) return target;
  return listed('test-server', config.text('test_server_addr'));
}

const usesTestServer = (mode: string): boolean => {
  const word = mode.toLowerCase();
  return word === 'mock' || word === 'mysql';
};
