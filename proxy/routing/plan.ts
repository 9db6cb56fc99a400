/**
 * The router: for one request, the servers it may be sent to in the order to try them, each with its reason. It knows
 * neither sockets nor clocks nor blocklists; the caller drops what is listed and takes the first that works (R4).
 */
import { type ClusterTopology, isMember, type TableLocation } from '../cluster/topology.ts';
import { type RouteCandidate, rotate } from './candidate.ts';
import { leaderFirst } from './policy/leader-first.ts';

export interface RouteInput {
  readonly topology: ClusterTopology;
  /** Servers that hold units of the tenant; null while not known: then any of the cluster. */
  readonly tenantServers: readonly string[] | null;
  /** Where the request's table is; null when it names none or its place isn't known. */
  readonly location: TableLocation | null;
  /** Server of the open transaction (C5). */
  readonly boundServer: string | null;
  /** Server of the statement before, when its server session can still be used. */
  readonly lastServer: string | null;
  /** The statement asks about the one before it (R27). */
  readonly forcesLastServer: boolean;
  /** A number in [0, 1) that spreads equal choices. */
  readonly random: number;
}

/** Which rule made the plan. */
type RouteRule = 'transaction' | 'forced-last-server' | 'table-location' | 'last-server' | 'any-server';

export interface RoutePlan {
  readonly rule: RouteRule;
  /** First choice first, no server twice. Empty only when no server at all is known. */
  readonly candidates: readonly RouteCandidate[];
}

export function planRoute(input: RouteInput): RoutePlan {
  const { boundServer, lastServer, location, random } = input;
  if (boundServer !== null) return only('transaction', boundServer, 'server of the open transaction');
  if (input.forcesLastServer && lastServer !== null) {
    return only('forced-last-server', lastServer, 'server of the statement that this one asks about');
  }
  const isKnown = knownServers(input.topology);
  if (location !== null) {
    const candidates = leaderFirst(location, isKnown, random);
    if (candidates.length > 0) {
      addServers(candidates, input, isKnown, 'holds no replica of the table; passes the request on');
      return { rule: 'table-location', candidates };
    }
  }
  const candidates: RouteCandidate[] = [];
  if (lastServer !== null) {
    candidates.push({ address: lastServer, role: null, reason: 'server of the statement before' });
  }
  addServers(candidates, input, isKnown, 'any server of the tenant will do');
  return { rule: lastServer === null ? 'any-server' : 'last-server', candidates };
}

function only(rule: RouteRule, address: string, reason: string): RoutePlan {
  return { rule, candidates: [{ address, role: null, reason }] };
}

function addServers(
  candidates: RouteCandidate[],
  { topology, tenantServers, random }: RouteInput,
  isKnown: (address: string) => boolean,
  reason: string,
): void {
  const known = tenantServers?.filter(isKnown) ?? [];
  const servers = known.length > 0 ? known : topology.servers.filter(isMember).map((server) => server.address);
  for (const address of rotate(servers, random)) {
    if (!candidates.some((candidate) => candidate.address === address))
      candidates.push({ address, role: null, reason });
  }
}

/** Once the cluster's own views have told its servers, an address that they lack isn't used (case B76), nor one that is leaving (B3). */
function knownServers(topology: ClusterTopology): (address: string) => boolean {
  if (topology.source === 'rslist') return () => true;
  return (address) => topology.servers.some((server) => server.address === address && isMember(server));
}
