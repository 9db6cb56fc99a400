import { describe, expect, it } from 'vitest';
import type { Zone } from '../cluster/states.ts';
import { placeZones } from './ldc.ts';

const zone = (name: string, idc: string, region: string): Zone => ({
  name,
  idc,
  region,
  type: 'ReadWrite',
  state: 'ACTIVE',
});
// R28's placement.
const zones = [
  zone('zone1', 'idc1', 'SHANGHAI'),
  zone('zone2', 'idc1', 'SHANGHAI'),
  zone('zone3', 'idc2', 'SHANGHAI'),
  zone('zone4', 'idc3', 'HANGZHOU'),
  zone('zone5', 'idc3', 'HANGZHOU'),
];

describe('placeZones', () => {
  it('R5 R28 sorts zones by IDC, whatever the case', () => {
    expect(placeZones(zones, 'IDC1')).toEqual({
      matchType: 'MATCHED_BY_IDC',
      regions: ['SHANGHAI'],
      sameIdc: ['zone1', 'zone2'],
      sameRegion: ['zone3'],
      otherRegion: ['zone4', 'zone5'],
    });
  });

  it('falls back to the beginning of zone names', () => {
    expect(placeZones(zones, 'Zone4')).toEqual({
      matchType: 'MATCHED_BY_ZONE_PREFIX',
      regions: ['HANGZHOU'],
      sameIdc: ['zone4'],
      sameRegion: ['zone5'],
      otherRegion: ['zone1', 'zone2', 'zone3'],
    });
  });

  it('R3 R5 falls back to the region that the ConfigServer tells: no zone is of the same IDC then', () => {
    const told = [
      { idc: 'Idc7', region: 'HANGZHOU' },
      { idc: 'idc1', region: 'HANGZHOU' },
    ];
    expect(placeZones(zones, 'idc7', told)).toEqual({
      matchType: 'MATCHED_BY_URL',
      regions: ['HANGZHOU'],
      sameIdc: [],
      sameRegion: ['zone4', 'zone5'],
      otherRegion: ['zone1', 'zone2', 'zone3'],
    });
    expect(placeZones(zones, 'idc1', told).matchType).toBe('MATCHED_BY_IDC');
    expect(placeZones(zones, '', told).matchType).toBe('MATCHED_BY_NONE');
  });

  it.each(['', 'nowhere'])('takes every zone for near with %j', (name) => {
    const placement = placeZones(zones, name);
    expect(placement.matchType).toBe('MATCHED_BY_NONE');
    expect(placement.sameIdc).toHaveLength(5);
  });
});
