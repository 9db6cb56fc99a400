/** Logical data centres: how near a cluster's zones are to this proxy (R5 to R9). */
import type { Zone } from '../cluster/states.ts';
import type { IdcRegion } from '../cluster/topology.ts';

/** How the proxy's IDC name was found in the cluster; the reference's words. */
type LdcMatchType = 'MATCHED_BY_NONE' | 'MATCHED_BY_IDC' | 'MATCHED_BY_ZONE_PREFIX' | 'MATCHED_BY_URL';

export interface LdcPlacement {
  readonly matchType: LdcMatchType;
  /** Regions that the IDC name belongs to. */
  readonly regions: readonly string[];
  /** Zone names. Without a match every zone counts as near. */
  readonly sameIdc: readonly string[];
  readonly sameRegion: readonly string[];
  readonly otherRegion: readonly string[];
}

/**
 * Looks for zones of this IDC, else for zones whose names begin with it, else for the IDC in the ConfigServer's list,
 * which tells the region and not the zones: then no zone is of the same IDC. Case doesn't matter.
 */
export function placeZones(
  zones: readonly Zone[],
  idcName: string,
  idcRegions: readonly IdcRegion[] = [],
): LdcPlacement {
  const wanted = idcName.toLowerCase();
  const byIdc = (zone: Zone) => zone.idc.toLowerCase() === wanted;
  const byPrefix = (zone: Zone) => zone.name.toLowerCase().startsWith(wanted);
  if (wanted !== '' && zones.some(byIdc)) return place(zones, 'MATCHED_BY_IDC', byIdc);
  if (wanted !== '' && zones.some(byPrefix)) return place(zones, 'MATCHED_BY_ZONE_PREFIX', byPrefix);
  const told = wanted === '' ? undefined : idcRegions.find(({ idc }) => idc.toLowerCase() === wanted);
  if (told !== undefined) return placeAround(zones, 'MATCHED_BY_URL', [told.region], () => false);
  return {
    matchType: 'MATCHED_BY_NONE',
    regions: [],
    sameIdc: zones.map((zone) => zone.name),
    sameRegion: [],
    otherRegion: [],
  };
}

function place(zones: readonly Zone[], matchType: LdcMatchType, isNear: (zone: Zone) => boolean): LdcPlacement {
  return placeAround(zones, matchType, [...new Set(zones.filter(isNear).map((zone) => zone.region))], isNear);
}

function placeAround(
  zones: readonly Zone[],
  matchType: LdcMatchType,
  regions: readonly string[],
  isNear: (zone: Zone) => boolean,
): LdcPlacement {
  const names = (fits: (zone: Zone) => boolean) => zones.filter(fits).map((zone) => zone.name);
  return {
    matchType,
    regions,
    sameIdc: names(isNear),
    sameRegion: names((zone) => !isNear(zone) && regions.includes(zone.region)),
    otherRegion: names((zone) => !isNear(zone) && !regions.includes(zone.region)),
  };
}
