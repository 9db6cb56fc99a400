import { parseGroups } from '../forced-servers.ts';

/** Zones that count before anything else in the order of servers. */
export interface ZonePreference {
  /**
   * `order`: only servers of these zones are used, zones in their order. `filter`: only they are used, in the order of
   * the policy. `first`: they come first, all others behind them in the order of the policy.
   */
  readonly use: 'order' | 'filter' | 'first';
  /** Names in lower case; groups in the order to try them, the zones of one are equals. */
  readonly groups: readonly (readonly string[])[];
}

/** Texts are parameters and tenants' settings: of so many the lists are kept. */
const MAX_KEPT = 64;
const kept = new Map<string, ZonePreference>();

/**
 * The zones of a list like `z1,z2;z3` (`proxy_primary_zone_name`, a tenant's primary zone). The same object for the same
 * text, so that rankings made with it can be told apart by it. Null: the list names none.
 */
export function zonePreference(use: ZonePreference['use'], text: string): ZonePreference | null {
  if (text === '') return null;
  const key = `${use} ${text}`;
  let preference = kept.get(key);
  if (preference === undefined) {
    preference = { use, groups: parseGroups(text.toLowerCase()) };
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, preference);
  }
  return preference.groups.length > 0 ? preference : null;
}

/** Number of the group that has the zone, or -1. */
export const zoneGroup = ({ groups }: ZonePreference, zone: string): number =>
  groups.findIndex((group) => group.includes(zone.toLowerCase()));
