/** Where the servers of a cluster stand as seen from an IDC (R5). */
import type { ClusterTopology } from '../cluster/topology.ts';
import { type LdcPlacement, placeZones } from './ldc.ts';
import type { MergeState, Nearness, ZoneKind } from './policy/orders.ts';

export interface ServerPlace {
  /** Name of its zone; empty: not known. */
  readonly zone: string;
  readonly nearness: Nearness;
  readonly merge: MergeState;
  readonly zoneKind: ZoneKind;
  /** In words, without the role. */
  readonly text: string;
}

export interface ServerPlaces {
  readonly ldc: LdcPlacement;
  readonly hasReadOnlyZones: boolean;
  of(address: string): ServerPlace;
}

/** IDC names are the clients' to choose: of so many at a time the places are kept. */
const MAX_IDC_NAMES = 64;
const known = new WeakMap<ClusterTopology, Map<string, ServerPlaces>>();

/**
 * Pure, and kept for as long as the topology is: it is asked for with every request. A server whose zone isn't known is
 * taken for a normal one of a read-write zone: near without LDC, else away (as in the reference).
 */
export function placeServers(topology: ClusterTopology, idcName: string): ServerPlaces {
  let byIdc = known.get(topology);
  if (byIdc === undefined) {
    byIdc = new Map();
    known.set(topology, byIdc);
  }
  let places = byIdc.get(idcName);
  if (places === undefined) {
    if (byIdc.size >= MAX_IDC_NAMES) byIdc.clear();
    places = makePlaces(topology, idcName);
    byIdc.set(idcName, places);
  }
  return places;
}

function makePlaces(topology: ClusterTopology, idcName: string): ServerPlaces {
  const { zones, idcRegions } = topology;
  const ldc = placeZones(zones, idcName, idcRegions);
  const isOff = ldc.matchType === 'MATCHED_BY_NONE';
  const unknown: ServerPlace = {
    zone: '',
    nearness: isOff ? 'local' : 'away',
    merge: 'normal',
    zoneKind: 'readwrite',
    text: 'its zone is not known',
  };
  const byZone = new Map<string, ServerPlace>();
  for (const { name, type, state } of zones) {
    const nearness = ldc.sameIdc.includes(name) ? 'local' : ldc.sameRegion.includes(name) ? 'city' : 'away';
    const merge = state === 'MERGE' ? 'merging' : 'normal';
    const zoneKind = type === 'ReadOnly' ? 'readonly' : 'readwrite';
    const near = isOff ? 'no LDC' : { local: 'same IDC', city: 'same region', away: 'another region' }[nearness];
    const words = [near, merge === 'merging' ? 'merging' : 'not merging', zoneKind === 'readonly' ? 'read-only' : ''];
    const text = `${name}: ${words.filter((word) => word !== '').join(', ')}`;
    byZone.set(name, { zone: name, nearness, merge, zoneKind, text });
  }
  const byAddress = new Map(topology.servers.map(({ address, zone }) => [address, byZone.get(zone) ?? unknown]));
  return {
    ldc,
    hasReadOnlyZones: zones.some(({ type }) => type === 'ReadOnly'),
    of: (address) => byAddress.get(address) ?? unknown,
  };
}
