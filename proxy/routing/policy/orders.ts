/**
 * The orders of R13 to R19 as data: each policy's classes of servers, first choice first. A server is tried in the first
 * class that it fits; one that fits none is not used at all. Sources and choices: docs/decisions/0005.
 */

/** `local`: same IDC; `city`: same region, another IDC; `away`: another region (R5). */
export type Nearness = 'local' | 'city' | 'away';
export type MergeState = 'normal' | 'merging';
export type ZoneKind = 'readonly' | 'readwrite';
type Role = 'leader' | 'follower';
/** PS: holds a replica of what is asked for; TS: only serves the tenant (R5). */
export type Precision = 'PS' | 'TS';

type Place = `${Nearness} ${MergeState}`;
/** `duplicate`: a replica of a duplicate table. */
type Kind = Role | ZoneKind | 'duplicate';
export type ServerClass = `${Place} ${Precision}` | `${Place} ${Kind} ${Precision}`;

/** R13. */
const balancedPlaces = [
  'local normal',
  'city normal',
  'local merging',
  'city merging',
  'away normal',
  'away merging',
] as const satisfies readonly Place[];

const at = <Class extends Place | `${Place} ${Kind}`, Exact extends Precision>(
  places: readonly Class[],
  precision: Exact,
) => places.map((place) => `${place} ${precision}` as const);

const anyOfTenant = at(balancedPlaces, 'TS');

/** R14; `local merging leader` and `city merging leader` stand where the reference has them. */
const followerFirst = [
  'local normal follower',
  'city normal follower',
  'local merging follower',
  'city merging follower',
  'local normal leader',
  'city normal leader',
  'local merging leader',
  'city merging leader',
  'away normal follower',
  'away merging follower',
  'away normal leader',
  'away merging leader',
] as const;

/** R15; the same holds for its merging leaders. */
const unmergeFollowerFirst = [
  'local normal follower',
  'city normal follower',
  'local normal leader',
  'city normal leader',
  'local merging follower',
  'city merging follower',
  'local merging leader',
  'city merging leader',
  'away normal follower',
  'away normal leader',
  'away merging follower',
  'away merging leader',
] as const;

const followerOnly = [
  'local normal follower',
  'city normal follower',
  'local merging follower',
  'city merging follower',
  'away normal follower',
  'away merging follower',
] as const;

/** R17: zone type before merge state before IDC, and the region before all of them. */
const readonlyZoneFirst = [
  'local normal readonly',
  'city normal readonly',
  'local merging readonly',
  'city merging readonly',
  'local normal readwrite',
  'city normal readwrite',
  'local merging readwrite',
  'city merging readwrite',
  'away normal readonly',
  'away merging readonly',
  'away normal readwrite',
  'away merging readwrite',
] as const;

/** R18. The requirement itself has servers without the table's replica before those of another region. */
const onlyReadonlyZone = [
  'local normal readonly PS',
  'city normal readonly PS',
  'local merging readonly PS',
  'city merging readonly PS',
  'local normal readonly TS',
  'city normal readonly TS',
  'local merging readonly TS',
  'city merging readonly TS',
  'away normal readonly PS',
  'away merging readonly PS',
  'away normal readonly TS',
  'away merging readonly TS',
] as const;

/** R19: merge state before zone type before IDC. */
const unmergeZoneFirst = [
  'local normal readonly',
  'city normal readonly',
  'local normal readwrite',
  'city normal readwrite',
  'local merging readonly',
  'city merging readonly',
  'local merging readwrite',
  'city merging readwrite',
  'away normal readonly',
  'away normal readwrite',
  'away merging readonly',
  'away merging readwrite',
] as const;

/** The reference proxy's order for reads of duplicate tables: whatever the zone's type, any of their replicas will do. */
const duplicates = [
  'local normal duplicate',
  'city normal duplicate',
  'local merging duplicate',
  'city merging duplicate',
  'away normal duplicate',
  'away merging duplicate',
] as const;

/** R10: what has to stay off read-only zones. */
const onlyReadwriteZone = [
  'local normal readwrite',
  'city normal readwrite',
  'local merging readwrite',
  'city merging readwrite',
  'away normal readwrite',
  'away merging readwrite',
] as const;

export const orders = {
  balanced: [...at(balancedPlaces, 'PS'), ...anyOfTenant],
  follower_first: [...at(followerFirst, 'PS'), ...anyOfTenant],
  unmerge_follower_first: [...at(unmergeFollowerFirst, 'PS'), ...anyOfTenant],
  follower_only: [...at(followerOnly, 'PS'), ...anyOfTenant],
  readonly_zone_first: [...at(readonlyZoneFirst, 'PS'), ...at(readonlyZoneFirst, 'TS')],
  only_readonly_zone: onlyReadonlyZone,
  unmerge_zone_first: [...at(unmergeZoneFirst, 'PS'), ...at(unmergeZoneFirst, 'TS')],
  dup_replica_first: [...at(duplicates, 'PS'), ...at(balancedPlaces, 'PS'), ...anyOfTenant],
  only_readwrite_zone: [...at(onlyReadwriteZone, 'PS'), ...at(onlyReadwriteZone, 'TS')],
} as const satisfies Readonly<Record<string, readonly ServerClass[]>>;

export type PolicyName = keyof typeof orders;
