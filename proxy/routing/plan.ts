/**
 * The router: for one request, the servers it may be sent to in the order to try them, each with its reason. It knows
 * neither sockets nor clocks nor blocklists; the caller drops what is listed and takes the first that works (R4).
 */
import { type ClusterTopology, isMember, type TableLocation } from '../cluster/topology.ts';
import { appendRotated, type RouteCandidate } from './candidate.ts';
import { type ForcedServers, forcedBy, isNamed } from './forced-servers.ts';
import { type PolicyChoice, pickPolicy, type RouteSettings } from './policy/pick-policy.ts';
import { zoneGroup } from './policy/zone-preference.ts';
import { type Ranking, rankServers } from './rank-servers.ts';
import type { ReadConsistency } from './read-consistency.ts';
import { placeServers } from './server-places.ts';
import { staleLast } from './stale-last.ts';

export interface RouteInput {
  readonly topology: ClusterTopology;
  /** Servers that hold units of the tenant; null while not known: then any of the cluster. */
  readonly tenantServers: readonly string[] | null;
  /** The tenant's primary zone as the cluster writes it; empty: none, or not known. */
  readonly tenantPrimaryZone: string;
  /** The only server that leads anything of the tenant, when the request is to go there; null: it goes by its table. */
  readonly singleLeader: string | null;
  /** Where the request's table is; null when it names none or its place isn't known. */
  readonly location: TableLocation | null;
  readonly consistency: ReadConsistency['level'];
  /** A statement that names no table and that a read-only zone can run as well: SET, USE, SHOW … */
  readonly fitsReadOnlyZones: boolean;
  /** A plain SELECT outside of transactions: of a duplicate table it may be served by any replica. */
  readonly mayReadDuplicate: boolean;
  readonly settings: RouteSettings;
  /** Servers that the request is kept to by their addresses, or null. */
  readonly forced: ForcedServers | null;
  /** Server of the open transaction (C5), or of what the session holds there (B46). */
  readonly boundServer: string | null;
  /** Server of the statement before, when its server session can still be used. */
  readonly lastServer: string | null;
  /** The statement asks about the one before it (R27). */
  readonly forcesLastServer: boolean;
  /** Whether a server's replica of the table was too old for a weak read a moment ago; null: none was. */
  readonly isStale: ((address: string) => boolean) | null;
  /** A number in [0, 1) that spreads equal choices. */
  readonly random: number;
}

/** Which rule made the plan. */
type RouteRule =
  | 'bound'
  | 'forced-last-server'
  | 'target-server'
  | 'route-address'
  | 'test-server'
  | 'duplicate-table'
  | 'single-leader'
  | 'table-leader'
  | 'weak-read'
  | 'primary-zone-name'
  | 'last-server'
  | 'primary-zone'
  | 'any-server';

export interface RoutePlan {
  readonly rule: RouteRule;
  /** Order of the candidates; null when there was nothing to choose. */
  readonly choice: PolicyChoice | null;
  /**
   * First choice first, no server twice. Empty when no server at all is known, or none that `only_readonly_zone`, the
   * primary zones or the named servers allow.
   */
  readonly candidates: readonly RouteCandidate[];
  /** In words, why the request must not be sent anywhere: what it is tied to is not what it is kept to. */
  readonly refusal: string | null;
}

/** What decides, from the strongest on: ties, named servers, then the table, the statement before, and nearness. */
export function planRoute(input: RouteInput): RoutePlan {
  const { boundServer, lastServer, forced } = input;
  if (boundServer !== null) {
    return tied('bound', boundServer, 'server of the open transaction, or of what the session holds there', forced);
  }
  if (input.forcesLastServer && lastServer !== null) {
    return tied('forced-last-server', lastServer, 'server of the statement that this one asks about', forced);
  }
  return forced === null ? planByPlace(input) : planForced(forced, input);
}

function planByPlace(input: RouteInput): RoutePlan {
  const { topology, location, consistency, settings, random } = input;
  const { hasReadOnlyZones } = placeServers(topology, settings.idcName);
  const readsDuplicate =
    input.mayReadDuplicate &&
    consistency === 'strong' &&
    location?.replicas.some(({ isDuplicate }) => isDuplicate === true) === true;
  const wanted = pickPolicy({
    level: consistency,
    settings,
    hasReadOnlyZones,
    fitsReadOnlyZones: input.fitsReadOnlyZones,
    readsDuplicate,
    hasNoPlace: location === null,
    tenantPrimaryZone: input.tenantPrimaryZone,
  });
  const { choice, ranking } = rankedBy(wanted, input);
  const candidates: RouteCandidate[] = [];
  const spread = (first: string | null): void => {
    for (const group of ranking.groups) {
      appendRotated(candidates, first === null ? group : group.filter(({ address }) => address !== first), random);
    }
  };
  const made = (rule: RouteRule): RoutePlan => ({ rule, choice, candidates, refusal: null });
  if (ranking.hasReplicas && consistency === 'weak') {
    spread(null);
    if (input.isStale === null) return made('weak-read');
    const leader = choice.policy === 'only_readonly_zone' ? null : ranking.leader;
    return { ...made('weak-read'), candidates: staleLast(candidates, input.isStale, leader) };
  }
  if (ranking.hasReplicas && (readsDuplicate || isKeptToZones(choice))) {
    spread(null);
    return made(readsDuplicate ? 'duplicate-table' : 'primary-zone-name');
  }
  const { singleLeader } = input;
  if (singleLeader !== null && consistency === 'strong' && mayRun(singleLeader, choice, input)) {
    candidates.push(singleLeaderAt(singleLeader));
    spread(singleLeader);
    return made('single-leader');
  }
  const first = ranking.hasReplicas ? ranking.leader : settings.isRandom ? null : input.lastServer;
  const allowed = first !== null && mayRun(first, choice, input) ? first : null;
  if (allowed !== null) candidates.push(ranking.hasReplicas ? leaderAt(allowed) : lastAt(allowed));
  spread(allowed);
  if (ranking.hasReplicas) return made('table-leader');
  if (allowed !== null) return made('last-server');
  if (choice.zones === null) return made('any-server');
  return made(choice.zones.use === 'first' ? 'primary-zone' : 'primary-zone-name');
}

const isKeptToZones = ({ zones }: PolicyChoice): boolean => zones !== null && zones.use !== 'first';

/** A cluster that seems to have read-only zones alone must not make every write fail here: its servers will say it. */
function rankedBy(choice: PolicyChoice, input: RouteInput): { choice: PolicyChoice; ranking: Ranking } {
  const { topology, location, tenantServers, settings } = input;
  const rank = ({ policy, zones }: PolicyChoice) =>
    rankServers({ topology, location, tenantServers, idcName: settings.idcName, policy, zones });
  const ranking = rank(choice);
  if (choice.policy !== 'only_readwrite_zone' || ranking.groups.length > 0) return { choice, ranking };
  const other: PolicyChoice = { ...choice, policy: 'balanced', because: 'no read-write zone is known' };
  return { choice: other, ranking: rank(other) };
}

/** R10: what keeps to some zones does so even if a leader, or the statement before, seems to be elsewhere. */
function mayRun(address: string, { policy, zones }: PolicyChoice, { topology, settings }: RouteInput): boolean {
  if (policy !== 'only_readwrite_zone' && (zones === null || zones.use === 'first')) return true;
  const { zone, zoneKind } = placeServers(topology, settings.idcName).of(address);
  if (policy === 'only_readwrite_zone' && zoneKind !== 'readwrite') return false;
  return zones === null || zones.use === 'first' || topology.source !== 'views' || zoneGroup(zones, zone) >= 0;
}

function leaderAt(address: string): RouteCandidate {
  return { address, role: 'leader', group: null, reason: 'leader of the table' };
}

function singleLeaderAt(address: string): RouteCandidate {
  return { address, role: 'leader', group: null, reason: 'leads all partitions of the tenant' };
}

function lastAt(address: string): RouteCandidate {
  return { address, role: null, group: null, reason: 'server of the statement before' };
}

/** Ties are never broken: a request that is kept to other servers than the one it is tied to is refused. */
function tied(rule: RouteRule, address: string, reason: string, forced: ForcedServers | null): RoutePlan {
  const isElsewhere = forced !== null && isTarget(forced) && !isNamed(forced, address);
  return {
    rule,
    choice: null,
    candidates: isElsewhere ? [] : [{ address, role: null, group: null, reason }],
    refusal: isElsewhere ? `${forcedBy[forced.source]} does not name ${address}, ${reason}` : null,
  };
}

const isTarget = ({ source }: ForcedServers): boolean => source === 'comment' || source === 'parameter';

function planForced(forced: ForcedServers, { topology, random }: RouteInput): RoutePlan {
  const { source, groups, within } = forced;
  const rule = isTarget(forced) ? 'target-server' : source === 'route-address' ? 'route-address' : 'test-server';
  const stranger = within ? groups.flat().find((address) => !isNamed(within, address)) : undefined;
  if (within && stranger !== undefined) {
    const refusal = `${forcedBy[within.source]} does not name ${stranger}, which ${forcedBy[source]} wants`;
    return { rule, choice: null, candidates: [], refusal };
  }
  const isKnown = (address: string): boolean =>
    source === 'test-server' || topology.servers.some((server) => server.address === address && isMember(server));
  const candidates: RouteCandidate[] = [];
  for (const [at, group] of groups.entries()) {
    const reason = `named by ${forcedBy[source]}${groups.length > 1 ? `, group ${at + 1}` : ''}`;
    const known = [...new Set(group)]
      .filter((address) => isKnown(address) && !candidates.some((other) => other.address === address))
      .map((address) => ({ address, role: null, group: at + 1, reason }));
    appendRotated(candidates, known, random);
  }
  const refusal =
    candidates.length > 0
      ? null
      : `${forcedBy[source]} names ${groups.flat().join(', ') || 'no server'}: none is a server of the cluster`;
  return { rule, choice: null, candidates, refusal };
}
