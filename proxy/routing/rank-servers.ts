/** Sorts the servers that a request may go to into the classes of a policy. */
import { type ClusterTopology, isMember, type TableLocation } from '../cluster/topology.ts';
import type { RouteCandidate } from './candidate.ts';
import { orders, type PolicyName, type Role, type ServerClass } from './policy/orders.ts';
import { placeServers, type ServerPlace } from './server-places.ts';

export interface RankInput {
  readonly topology: ClusterTopology;
  readonly location: TableLocation | null;
  /** Servers that hold units of the tenant; null while not known: then any of the cluster. */
  readonly tenantServers: readonly string[] | null;
  readonly idcName: string;
  readonly policy: PolicyName;
}

export interface Ranking {
  /** Classes in order; empty ones and servers that the policy doesn't use are left out. */
  readonly groups: readonly (readonly RouteCandidate[])[];
  /** The only leader of the table that the cluster lists; two are as good as none (case B76). */
  readonly leader: string | null;
  /** The cluster lists at least one server that holds the table. */
  readonly hasReplicas: boolean;
}

interface KeptRanking extends RankInput {
  readonly ranking: Ranking;
}

/** Settings differ between sessions: of so many combinations the ranking of one table is kept. */
const MAX_KEPT = 16;
const kept = new WeakMap<TableLocation, KeptRanking[]>();

/** Pure; rankings of tables are kept with the location until the topology changes. */
export function rankServers(input: RankInput): Ranking {
  const { location } = input;
  if (location === null) return rank(input);
  const list = kept.get(location) ?? [];
  const found = list.find((entry) => isSame(entry, input));
  if (found !== undefined) return found.ranking;
  const entry = { ...input, ranking: rank(input) };
  const valid = list.filter(({ topology }) => topology === input.topology);
  kept.set(location, [entry, ...valid.slice(0, MAX_KEPT - 1)]);
  return entry.ranking;
}

function isSame(entry: RankInput, input: RankInput): boolean {
  return (
    entry.topology === input.topology &&
    entry.policy === input.policy &&
    entry.idcName === input.idcName &&
    entry.tenantServers === input.tenantServers
  );
}

function rank({ topology, location, tenantServers, idcName, policy }: RankInput): Ranking {
  const isKnown = knownServers(topology);
  const places = placeServers(topology, idcName);
  const replicas = location?.replicas.filter(({ address }) => isKnown(address)) ?? [];
  const leaders = replicas.filter(({ role }) => role === 'leader');
  const leader = leaders.length === 1 ? (leaders[0]?.address ?? null) : null;
  const groups: RouteCandidate[][] = orders[policy].map(() => []);
  const seen = new Set<string>();
  const add = (address: string, role: Role | null): void => {
    if (seen.has(address)) return;
    seen.add(address);
    const place = places.of(address);
    const index = classIndex(policy, place, role);
    if (index < 0) return;
    const what = role ?? (location === null ? 'any server of the tenant will do' : 'holds no replica, passes on');
    groups[index]?.push({ address, role, group: index + 1, reason: `${what}; ${place.text}` });
  };
  for (const { address } of replicas) add(address, address === leader ? 'leader' : 'follower');
  for (const address of serversOfTenant(topology, tenantServers, isKnown)) add(address, null);
  return { groups: groups.filter((group) => group.length > 0), leader, hasReplicas: replicas.length > 0 };
}

/** First class that the server fits, or -1. */
function classIndex(policy: PolicyName, { nearness, merge, zoneKind }: ServerPlace, role: Role | null): number {
  const fits: ServerClass[] =
    role === null
      ? [`${nearness} ${merge} TS`, `${nearness} ${merge} ${zoneKind} TS`]
      : [`${nearness} ${merge} PS`, `${nearness} ${merge} ${zoneKind} PS`, `${nearness} ${merge} ${role} PS`];
  return orders[policy].findIndex((name) => fits.includes(name));
}

function serversOfTenant(
  { servers }: ClusterTopology,
  tenantServers: readonly string[] | null,
  isKnown: (address: string) => boolean,
): readonly string[] {
  const ofTenant = tenantServers?.filter(isKnown) ?? [];
  return ofTenant.length > 0 ? ofTenant : servers.filter(isMember).map((server) => server.address);
}

/** Once the cluster's own views have told its servers, an address that they lack isn't used (case B76), nor one that is leaving (B3). */
function knownServers({ source, servers }: ClusterTopology): (address: string) => boolean {
  if (source === 'rslist') return () => true;
  const members = new Set(servers.filter(isMember).map(({ address }) => address));
  return (address) => members.has(address);
}
