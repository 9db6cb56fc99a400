import { describe, expect, it } from 'vitest';
import { type PolicyQuestion, pickPolicy as pick, type RouteSettings } from './policy/pick-policy.ts';
import { plainSettings } from './testing/cluster-of.ts';

const settings = { ...plainSettings, proxyRoutePolicy: 'follower_first', obRoutePolicy: 'UNMERGE_ZONE_FIRST' };
const plain: PolicyQuestion = {
  level: 'strong',
  settings,
  hasReadOnlyZones: false,
  fitsReadOnlyZones: false,
  readsDuplicate: false,
  hasNoPlace: false,
  tenantPrimaryZone: '',
};
const pickPolicy = (
  level: PolicyQuestion['level'],
  given: RouteSettings,
  hasReadOnlyZones: boolean,
  fitsReadOnlyZones: boolean,
) => pick({ ...plain, level, settings: given, hasReadOnlyZones, fitsReadOnlyZones });

describe('pickPolicy', () => {
  it('R14 R17 R19 read-only zones decide which of the two variables counts for a weak read', () => {
    expect(pickPolicy('weak', settings, true, false).policy).toBe('unmerge_zone_first');
    expect(pickPolicy('weak', settings, false, false).policy).toBe('follower_first');
  });

  it('R10 R11 neither counts for a strong one', () => {
    expect(pickPolicy('strong', settings, true, false).policy).toBe('only_readwrite_zone');
    expect(pickPolicy('strong', settings, true, true).policy).toBe('balanced');
    expect(pickPolicy('strong', settings, false, false).policy).toBe('balanced');
  });

  it.each([
    ['', 'readonly_zone_first'],
    ['READONLY_ZONE_FIRST', 'readonly_zone_first'],
    ['1', 'readonly_zone_first'],
    ['only_readonly_zone', 'only_readonly_zone'],
    ['2', 'only_readonly_zone'],
    ['3', 'unmerge_zone_first'],
    ['0', 'balanced'],
    ['constructor', 'readonly_zone_first'],
  ])('R17 R18 R19 ob_route_policy %j means %s', (obRoutePolicy, policy) => {
    expect(pickPolicy('weak', { ...settings, obRoutePolicy }, true, false).policy).toBe(policy);
  });

  it.each([
    ['follower_first', 'follower_first'],
    ['FOLLOWER_FIRST', 'follower_first'],
    ['unmerge_follower_first', 'unmerge_follower_first'],
    ['follower_only', 'follower_only'],
    ['merge_idc_order', 'balanced'],
  ])('R14 R15 R16 proxy_route_policy %j means %s', (proxyRoutePolicy, policy) => {
    expect(pickPolicy('weak', { ...settings, proxyRoutePolicy }, false, false).policy).toBe(policy);
  });
});
