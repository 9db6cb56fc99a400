import type { ReadConsistency } from '../read-consistency.ts';
import type { PolicyName } from './orders.ts';
import { type ZonePreference, zonePreference } from './zone-preference.ts';

/** What a session's routing depends on, as it is now: its own values before the proxy's (R8). */
export interface RouteSettings {
  /** `@proxy_idc_name`, else the parameter of that name (R7, R8). */
  readonly idcName: string;
  /** `@proxy_route_policy`, else the parameter of that name (R14 to R16). */
  readonly proxyRoutePolicy: string;
  /** System variable `ob_route_policy` (R17 to R19), by name or number; empty: the server has reported none. */
  readonly obRoutePolicy: string;
  /** Parameter `proxy_primary_zone_name`: the zones that everything is kept to; empty: to none. */
  readonly primaryZoneName: string;
  /** Parameter `enable_primary_zone`. */
  readonly followsPrimaryZone: boolean;
  /** Parameter `server_routing_mode` is `random`: neither the table nor the statement before counts. */
  readonly isRandom: boolean;
}

export interface PolicyChoice {
  readonly policy: PolicyName;
  /** In words. */
  readonly because: string;
  /** Zones that count before the policy's order, or null. */
  readonly zones: ZonePreference | null;
}

/** What of a request the choice hangs on. */
export interface PolicyQuestion {
  readonly level: ReadConsistency['level'];
  readonly settings: RouteSettings;
  readonly hasReadOnlyZones: boolean;
  /** Nothing about the statement, which names no table, forbids a read-only zone: SET, USE, SHOW … */
  readonly fitsReadOnlyZones: boolean;
  /** A read that any replica of its duplicate table can serve. */
  readonly readsDuplicate: boolean;
  /** The place of the request's table isn't known, or it names none. */
  readonly hasNoPlace: boolean;
  /** The tenant's own preference, as the cluster writes it; empty: none. */
  readonly tenantPrimaryZone: string;
}

type Choice = Omit<PolicyChoice, 'zones'>;

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
 * `proxy_primary_zone_name` keeps all of them to its zones, and gives the order where no policy was asked for.
 */
export function pickPolicy(question: PolicyQuestion): PolicyChoice {
  const { level, settings, readsDuplicate } = question;
  const choice = readsDuplicate
    ? { policy: 'dup_replica_first' as const, because: 'a read of a duplicate table' }
    : level === 'weak'
      ? weakChoice(question)
      : strongChoice(question);
  const isOrdered = choice.policy === 'balanced';
  const kept = zonePreference(isOrdered ? 'order' : 'filter', settings.primaryZoneName);
  if (kept !== null) return { ...choice, because: `${choice.because}; kept to proxy_primary_zone_name`, zones: kept };
  return { ...choice, zones: tenantZones(question) };
}

function strongChoice({ hasReadOnlyZones, fitsReadOnlyZones }: PolicyQuestion): Choice {
  if (!hasReadOnlyZones) return { policy: 'balanced', because: 'strong; the cluster has no read-only zone' };
  if (fitsReadOnlyZones) return { policy: 'balanced', because: 'a statement that any zone can run' };
  return { policy: 'only_readwrite_zone', because: 'not a weak read; the cluster has read-only zones' };
}

function weakChoice({ settings, hasReadOnlyZones }: PolicyQuestion): Choice {
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

/** Where a tenant's leaders are kept is the best guess for what has no place of its own. */
function tenantZones(question: PolicyQuestion): ZonePreference | null {
  const { level, settings, hasNoPlace, tenantPrimaryZone } = question;
  if (level === 'weak' || !hasNoPlace || !settings.followsPrimaryZone || settings.isRandom) return null;
  return zonePreference('first', tenantPrimaryZone);
}
