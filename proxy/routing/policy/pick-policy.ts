import type { ReadConsistency } from '../read-consistency.ts';
import type { PolicyName } from './orders.ts';

/** What a session's routing depends on, as it is now: its own values before the proxy's (R8). */
export interface RouteSettings {
  /** `@proxy_idc_name`, else the parameter of that name (R7, R8). */
  readonly idcName: string;
  /** `@proxy_route_policy`, else the parameter of that name (R14 to R16). */
  readonly proxyRoutePolicy: string;
  /** System variable `ob_route_policy` (R17 to R19), by name or number; empty: the server has reported none. */
  readonly obRoutePolicy: string;
}

export interface PolicyChoice {
  readonly policy: PolicyName;
  /** In words. */
  readonly because: string;
}

const followerPolicies: ReadonlyMap<string, PolicyName> = new Map([
  ['follower_first', 'follower_first'],
  ['unmerge_follower_first', 'unmerge_follower_first'],
  ['follower_only', 'follower_only'],
]);

const zonePolicies: ReadonlyMap<string, PolicyName> = new Map([
  ['0', 'balanced'],
  ['1', 'readonly_zone_first'],
  ['2', 'only_readonly_zone'],
  ['3', 'unmerge_zone_first'],
  ['readonly_zone_first', 'readonly_zone_first'],
  ['only_readonly_zone', 'only_readonly_zone'],
  ['unmerge_zone_first', 'unmerge_zone_first'],
]);

/**
 * Weak reads: with read-only zones in the cluster `ob_route_policy` decides, without them `proxy_route_policy`; the other
 * one has no effect then. All else keeps to read-write zones where there are both kinds (R10), unless it may run on both.
 * @param fitsReadOnlyZones nothing about the statement, which names no table, forbids a read-only zone: SET, USE, SHOW …
 */
export function pickPolicy(
  level: ReadConsistency['level'],
  settings: RouteSettings,
  hasReadOnlyZones: boolean,
  fitsReadOnlyZones: boolean,
): PolicyChoice {
  if (level === 'strong') {
    if (!hasReadOnlyZones) return { policy: 'balanced', because: 'strong; the cluster has no read-only zone' };
    if (fitsReadOnlyZones) return { policy: 'balanced', because: 'a statement that any zone can run' };
    return { policy: 'only_readwrite_zone', because: 'not a weak read; the cluster has read-only zones' };
  }
  if (hasReadOnlyZones) {
    const policy = zonePolicies.get(settings.obRoutePolicy.toLowerCase());
    if (policy === undefined) return { policy: 'readonly_zone_first', because: 'default of ob_route_policy' };
    return { policy, because: 'ob_route_policy; the cluster has read-only zones' };
  }
  const word = settings.proxyRoutePolicy;
  const policy = followerPolicies.get(word.toLowerCase());
  if (policy !== undefined) return { policy, because: 'proxy_route_policy; the cluster has no read-only zone' };
  if (word === '') return { policy: 'balanced', because: 'default of proxy_route_policy' };
  return { policy: 'balanced', because: `proxy_route_policy is '${word}', which is no policy` };
}
