/**
 * The router: for one request, the servers it may be sent to in the order to try them, each with its reason. It knows
 * neither sockets nor clocks nor blocklists; the caller drops what is listed and takes the first that works (R4).
 */
import type { ClusterTopology, TableLocation } from '../cluster/topology.ts';
import { appendRotated, type RouteCandidate } from './candidate.ts';
import { type PolicyChoice, pickPolicy, type RouteSettings } from './policy/pick-policy.ts';
import { type Ranking, rankServers } from './rank-servers.ts';
import type { ReadConsistency } from './read-consistency.ts';
import { placeServers } from './server-places.ts';

export interface RouteInput {
  readonly topology: ClusterTopology;
  /** Servers that hold units of the tenant; null while not known: then any of the cluster. */
  readonly tenantServers: readonly string[] | null;
  /** Where the request's table is; null when it names none or its place isn't known. */
  readonly location: TableLocation | null;
  readonly consistency: ReadConsistency['level'];
  /** A statement that names no table and that a read-only zone can run as well: SET, USE, SHOW … */
  readonly fitsReadOnlyZones: boolean;
  readonly settings: RouteSettings;
  /** Server of the open transaction (C5), or of what the session holds there (B46). */
  readonly boundServer: string | null;
  /** Server of the statement before, when its server session can still be used. */
  readonly lastServer: string | null;
  /** The statement asks about the one before it (R27). */
  readonly forcesLastServer: boolean;
  /** A number in [0, 1) that spreads equal choices. */
  readonly random: number;
}

/** Which rule made the plan. */
type RouteRule = 'bound' | 'forced-last-server' | 'table-leader' | 'weak-read' | 'last-server' | 'any-server';

export interface RoutePlan {
  readonly rule: RouteRule;
  /** Order of the candidates; null when there was nothing to choose. */
  readonly choice: PolicyChoice | null;
  /**
   * First choice first, no server twice. Empty when no server at all is known, or none that `only_readonly_zone` allows
   * (R18).
   */
  readonly candidates: readonly RouteCandidate[];
}

export function planRoute(input: RouteInput): RoutePlan {
  const { boundServer, lastServer, random } = input;
  if (boundServer !== null) {
    return only('bound', boundServer, 'server of the open transaction, or of what the session holds there');
  }
  if (input.forcesLastServer && lastServer !== null) {
    return only('forced-last-server', lastServer, 'server of the statement that this one asks about');
  }
  const { hasReadOnlyZones } = placeServers(input.topology, input.settings.idcName);
  const wanted = pickPolicy(input.consistency, input.settings, hasReadOnlyZones, input.fitsReadOnlyZones);
  const { choice, ranking } = rankedBy(wanted, input);
  const candidates: RouteCandidate[] = [];
  if (ranking.hasReplicas && input.consistency === 'weak') {
    for (const group of ranking.groups) appendRotated(candidates, group, random);
    return { rule: 'weak-read', choice, candidates };
  }
  const first = ranking.hasReplicas ? ranking.leader : lastServer;
  const isFirstAllowed = first !== null && mayRun(first, choice, input);
  if (isFirstAllowed) candidates.push(ranking.hasReplicas ? leaderAt(first) : lastAt(first));
  for (const group of ranking.groups) {
    appendRotated(candidates, isFirstAllowed ? group.filter(({ address }) => address !== first) : group, random);
  }
  if (ranking.hasReplicas) return { rule: 'table-leader', choice, candidates };
  return { rule: isFirstAllowed ? 'last-server' : 'any-server', choice, candidates };
}

/** A cluster that seems to have read-only zones alone must not make every write fail here: its servers will say it. */
function rankedBy(choice: PolicyChoice, input: RouteInput): { choice: PolicyChoice; ranking: Ranking } {
  const { topology, location, tenantServers, settings } = input;
  const rank = (policy: PolicyChoice['policy']) =>
    rankServers({ topology, location, tenantServers, idcName: settings.idcName, policy });
  const ranking = rank(choice.policy);
  if (choice.policy !== 'only_readwrite_zone' || ranking.groups.length > 0) return { choice, ranking };
  return { choice: { policy: 'balanced', because: 'no read-write zone is known' }, ranking: rank('balanced') };
}

/** R10: what keeps to read-write zones does so even if a leader, or the statement before, seems to be elsewhere. */
function mayRun(address: string, { policy }: PolicyChoice, { topology, settings }: RouteInput): boolean {
  return (
    policy !== 'only_readwrite_zone' || placeServers(topology, settings.idcName).of(address).zoneKind === 'readwrite'
  );
}

function leaderAt(address: string): RouteCandidate {
  return { address, role: 'leader', group: null, reason: 'leader of the table' };
}

function lastAt(address: string): RouteCandidate {
  return { address, role: null, group: null, reason: 'server of the statement before' };
}

function only(rule: RouteRule, address: string, reason: string): RoutePlan {
  return { rule, choice: null, candidates: [{ address, role: null, group: null, reason }] };
}
