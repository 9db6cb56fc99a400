/** Sorts the servers that a request may go to into the classes of a policy. */
import { type ClusterTopology, isMember, type Replica, type TableLocation } from '../cluster/topology.ts';
import type { RouteCandidate } from './candidate.ts';
import { orders, type PolicyName, type ServerClass } from './policy/orders.ts';
import { type ZonePreference, zoneGroup } from './policy/zone-preference.ts';
import { placeServers, type ServerPlace } from './server-places.ts';

export interface RankInput {
  readonly topology: ClusterTopology;
  readonly location: TableLocation | null;
  /** Servers that hold units of the tenant; null while not known: then any of the cluster. */
  readonly tenantServers: readonly string[] | null;
  readonly idcName: string;
  readonly policy: PolicyName;
  /** Zones that count before the policy's order, or null. */
  readonly zones: ZonePreference | null;
}

export interface Ranking {
  /** Classes in order; empty ones and servers that the policy doesn't use are left out. */
  readonly groups: readonly (readonly RouteCandidate[])[];
  /** The only leader of the table that the cluster lists; two are as good as none (case B76). */
  readonly leader: string | null;
  /** The cluster lists at least one server that holds the table. */
  readonly hasReplicas: boolean;
}

/** What a ranking hangs on besides the replicas. */
type RankSettings = Omit<RankInput, 'location'>;

interface KeptRanking extends RankSettings {
  readonly ranking: Ranking;
}

/** Settings differ between sessions: of so many combinations the ranking of one list is kept. */
const MAX_KEPT = 16;
const kept = new WeakMap<TableLocation['replicas'], KeptRanking[]>();

/** Pure; rankings are kept with the list of replicas, which many tables share, until the topology changes. */
export function rankServers(input: RankInput): Ranking {
  const { location } = input;
  if (location === null) return rank(input);
  const list = kept.get(location.replicas) ?? [];
  const found = list.find((entry) => isSame(entry, input));
  if (found !== undefined) return found.ranking;
  const { topology, tenantServers, idcName, policy, zones } = input;
  const entry = { topology, tenantServers, idcName, policy, zones, ranking: rank(input) };
  const valid = list.filter((other) => other.topology === topology);
  kept.set(location.replicas, [entry, ...valid.slice(0, MAX_KEPT - 1)]);
  return entry.ranking;
}

function isSame(entry: RankSettings, input: RankSettings): boolean {
  return (
    entry.topology === input.topology &&
    entry.policy === input.policy &&
    entry.zones === input.zones &&
    entry.idcName === input.idcName &&
    entry.tenantServers === input.tenantServers
  );
}

function rank({ topology, location, tenantServers, idcName, policy, zones }: RankInput): Ranking {
  const isKnown = knownServers(topology);
  const places = placeServers(topology, idcName);
  const replicas = location?.replicas.filter(({ address }) => isKnown(address)) ?? [];
  const leaders = replicas.filter(({ role }) => role === 'leader');
  const leader = leaders.length === 1 ? (leaders[0]?.address ?? null) : null;
  // Which zones the configured addresses stand in isn't known: nothing can be kept to any.
  const order = classesOf(policy, topology.source === 'views' ? zones : null);
  const groups: RouteCandidate[][] = Array.from({ length: order.count }, () => []);
  const seen = new Set<string>();
  const add = (address: string, replica: Replica | null): void => {
    if (seen.has(address)) return;
    seen.add(address);
    const place = places.of(address);
    const index = order.indexOf(place, replica);
    if (index < 0) return;
    const what =
      replica === null
        ? location === null
          ? 'any server of the tenant will do'
          : 'holds no replica, passes on'
        : `${replica.role}${replica.isDuplicate ? ' of a duplicate table' : ''}`;
    const role = replica?.role ?? null;
    groups[index]?.push({ address, role, group: index + 1, reason: `${what}; ${place.text}` });
  };
  for (const replica of replicas) add(replica.address, replica.address === leader ? replica : asFollower(replica));
  for (const address of serversOfTenant(topology, tenantServers, isKnown)) add(address, null);
  return { groups: groups.filter((group) => group.length > 0), leader, hasReplicas: replicas.length > 0 };
}

const asFollower = (replica: Replica): Replica =>
  replica.role === 'follower' ? replica : { ...replica, role: 'follower' };

/** The classes of servers in order, as numbers; -1: a server that isn't used. */
interface ClassOrder {
  readonly count: number;
  indexOf(place: ServerPlace, replica: Replica | null): number;
}

/** In a preferred zone, too, the more precise comes first (R5). */
function classesOf(policy: PolicyName, zones: ZonePreference | null): ClassOrder {
  const list = orders[policy];
  const byPolicy: ClassOrder = { count: list.length, indexOf: (place, replica) => classIndex(list, place, replica) };
  if (zones === null) return byPolicy;
  const { use, groups } = zones;
  if (use === 'filter') {
    const indexOf: ClassOrder['indexOf'] = (place, replica) =>
      zoneGroup(zones, place.zone) < 0 ? -1 : byPolicy.indexOf(place, replica);
    return { count: byPolicy.count, indexOf };
  }
  const preferred = 2 * groups.length;
  const count = preferred + byPolicy.count;
  return {
    count,
    indexOf: (place, replica) => {
      const inPolicy = byPolicy.indexOf(place, replica);
      if (inPolicy < 0) return -1;
      const group = zoneGroup(zones, place.zone);
      if (group >= 0) return 2 * group + (replica === null ? 1 : 0);
      return use === 'order' ? -1 : preferred + inPolicy;
    },
  };
}

/** First class that the server fits, or -1. */
function classIndex(
  list: readonly ServerClass[],
  { nearness, merge, zoneKind }: ServerPlace,
  replica: Replica | null,
): number {
  const base = `${nearness} ${merge}` as const;
  const fits: ServerClass[] =
    replica === null
      ? [`${base} TS`, `${base} ${zoneKind} TS`]
      : [`${base} PS`, `${base} ${zoneKind} PS`, `${base} ${replica.role} PS`];
  if (replica?.isDuplicate) fits.push(`${base} duplicate PS`);
  return list.findIndex((name) => fits.includes(name));
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
