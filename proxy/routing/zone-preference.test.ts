import { describe, expect, it } from 'vitest';
import { planRoute, type RouteInput } from './plan.ts';
import { zonePreference } from './policy/zone-preference.ts';
import { addressesOf, clusterOf, locationOf, plainInput, plainSettings } from './testing/cluster-of.ts';

const zones = ['z1', 'z2', 'z3'].map((name) => ({ name, idc: name, region: 'r', servers: [`${name}a`, `${name}b`] }));
const topology = clusterOf(zones);
const location = locationOf(['z1a', 'leader'], ['z2a', 'follower'], ['z3a', 'follower']);
const plan = (primaryZoneName: string, more: Partial<RouteInput> = {}) =>
  planRoute({ ...plainInput, topology, location, settings: { ...plainSettings, primaryZoneName }, ...more });

describe('zonePreference', () => {
  it('gives the same object for the same text, and null for none', () => {
    expect(zonePreference('order', 'Z1,z2;z3')).toEqual({ use: 'order', groups: [['z1', 'z2'], ['z3']] });
    expect(zonePreference('order', 'Z1,z2;z3')).toBe(zonePreference('order', 'Z1,z2;z3'));
    expect(zonePreference('order', 'z1')).not.toBe(zonePreference('first', 'z1'));
    expect(zonePreference('order', '')).toBeNull();
    expect(zonePreference('order', ' ; ')).toBeNull();
  });
});

describe('R5 proxy_primary_zone_name', () => {
  it('keeps to its zones, group by group, holders of the table first', () => {
    expect(addressesOf(plan('z3;z2'))).toEqual(['z3a', 'z3b', 'z2a', 'z2b']);
    expect(plan('Z3;z2')).toMatchObject({ rule: 'primary-zone-name', choice: { policy: 'balanced' } });
    expect(addressesOf(plan('z2,z3', { random: 0.5 }))).toEqual(['z3a', 'z2a', 'z3b', 'z2b']);
    expect(addressesOf(plan('nowhere'))).toEqual([]);
  });

  it('keeps the statement before only if it is in them', () => {
    const noTable = { location: null };
    expect(addressesOf(plan('z2', { ...noTable, lastServer: 'z1a' }))).toEqual(['z2a', 'z2b']);
    expect(addressesOf(plan('z2', { ...noTable, lastServer: 'z2b' }))).toEqual(['z2b', 'z2a']);
  });

  it('filters the order of a policy that was asked for', () => {
    const settings = { ...plainSettings, proxyRoutePolicy: 'follower_first', primaryZoneName: 'z1,z2' };
    const weak = plan('', { consistency: 'weak', settings });
    expect(addressesOf(weak)).toEqual(['z2a', 'z1a', 'z1b', 'z2b']);
    expect(weak.choice).toMatchObject({ policy: 'follower_first', zones: { use: 'filter' } });
  });

  it('means nothing while the zones of the configured addresses are not known', () => {
    const list = { ...topology, source: 'rslist' as const, zones: [] };
    expect(addressesOf(plan('z2', { topology: list })).length).toBe(6);
  });
});

describe('enable_primary_zone', () => {
  const input = { location: null, tenantPrimaryZone: 'z2;z3' };
  it('puts the tenant’s zones first for strong requests without a place', () => {
    expect(addressesOf(plan('', input))).toEqual(['z2a', 'z2b', 'z3a', 'z3b', 'z1a', 'z1b']);
    expect(plan('', input).rule).toBe('primary-zone');
  });

  it('R21 comes behind the statement before, and has no say where a place is known or reads are weak', () => {
    expect(plan('', { ...input, lastServer: 'z1b' })).toMatchObject({ rule: 'last-server' });
    expect(plan('', { ...input, location })).toMatchObject({ rule: 'table-leader', choice: { zones: null } });
    expect(plan('', { ...input, consistency: 'weak' }).choice?.zones).toBeNull();
    const settings = { ...plainSettings, followsPrimaryZone: false };
    expect(plan('', { ...input, settings }).rule).toBe('any-server');
    expect(plan('', { ...input, settings: { ...plainSettings, isRandom: true }, lastServer: 'z1a' }).rule).toBe(
      'any-server',
    );
  });

  it('R10 keeps off read-only zones even if they are named', () => {
    const mixed = clusterOf([...zones, { name: 'ro', idc: '', region: 'r', type: 'ReadOnly', servers: ['roa'] }]);
    expect(addressesOf(plan('', { ...input, topology: mixed, tenantPrimaryZone: 'ro,z3' }))[0]).toBe('z3a');
  });
});
