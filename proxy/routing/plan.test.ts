import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterTopology, Replica } from '../cluster/topology.ts';
import { planRoute, type RouteInput } from './plan.ts';
import { addressesOf, clusterOf, locationOf, plainInput, planWeak } from './testing/cluster-of.ts';

/** One zone for all. */
function topologyOf(servers: readonly string[], source: ClusterTopology['source'] = 'views'): ClusterTopology {
  return { ...clusterOf([{ name: 'zone1', idc: '', region: '', servers }]), source };
}

describe('servers that are leaving', () => {
  it('B3 DELETING and DELETED get nothing, not even as the leader of the table', () => {
    const topology = topologyOf(['a', 'b', 'c']);
    const leaving = topology.servers.map((server) =>
      server.address === 'b' ? { ...server, state: 'DELETING' as const } : server,
    );
    expect(order({ topology: { ...topology, servers: leaving }, location }).includes('b')).toBe(false);
    expect(order({ topology: { ...topology, servers: leaving } }).includes('b')).toBe(false);
  });
});

const base: RouteInput = { ...plainInput, topology: topologyOf(['a', 'b', 'c', 'd']) };
const order = (input: Partial<RouteInput>) => planRoute({ ...base, ...input }).candidates.map(({ address }) => address);
const location = locationOf(['a', 'follower'], ['b', 'leader'], ['c', 'follower']);

describe('planRoute', () => {
  it('R10 R11 takes the leader, then followers, then any other server', () => {
    const plan = planRoute({ ...base, location, lastServer: 'd' });
    expect(plan.rule).toBe('table-leader');
    expect(plan.candidates.map(({ address, role }) => [address, role])).toEqual([
      ['b', 'leader'],
      ['a', 'follower'],
      ['c', 'follower'],
      ['d', null],
    ]);
    expect(order({ location, random: 0.5 })).toEqual(['b', 'c', 'a', 'd']);
  });

  it('R11 sends a strong request to the server that leads all of its tenant, and weak ones elsewhere', () => {
    const plan = planRoute({ ...base, singleLeader: 'c', lastServer: 'd' });
    expect(plan.rule).toBe('single-leader');
    expect(plan.candidates.map(({ address }) => address)).toEqual(['c', 'a', 'b', 'd']);
    expect(planRoute({ ...base, singleLeader: 'c', boundServer: 'a' }).rule).toBe('bound');
    expect(planRoute({ ...base, singleLeader: 'c', location, consistency: 'weak' }).rule).toBe('weak-read');
  });

  it('R21 sends a request without a table to the last server, else to a random one', () => {
    expect(planRoute({ ...base, lastServer: 'c' })).toMatchObject({ rule: 'last-server' });
    expect(order({ lastServer: 'c' })).toEqual(['c', 'a', 'b', 'd']);
    expect(order({ random: 0.6 })).toEqual(['c', 'd', 'a', 'b']);
    expect(planRoute({ ...base, random: 0.99 }).candidates[0]?.address).toBe('d');
  });

  it('R27 sends a question about the last statement nowhere else', () => {
    expect(planRoute({ ...base, location, lastServer: 'c', forcesLastServer: true })).toMatchObject({
      rule: 'forced-last-server',
      candidates: [{ address: 'c' }],
    });
    expect(order({ location, forcesLastServer: true })[0]).toBe('b');
  });

  it('C5 keeps a transaction on its server', () => {
    expect(order({ location, boundServer: 'd', lastServer: 'c', forcesLastServer: true })).toEqual(['d']);
  });

  it('uses only servers of the tenant when they are known', () => {
    expect(order({ tenantServers: ['c', 'd'] })).toEqual(['c', 'd']);
    expect(order({ tenantServers: ['gone'] })).toEqual(['a', 'b', 'c', 'd']);
  });

  it('case B76 takes two leaders for none', () => {
    const two = locationOf(['a', 'leader'], ['b', 'leader']);
    const { candidates } = planRoute({ ...base, location: two });
    expect(candidates.slice(0, 2).map(({ role }) => role)).toEqual(['follower', 'follower']);
    expect(order({ location: two, random: 0.5 })[0]).toBe('b');
  });

  it('case B76 passes over a replica on a server that the cluster does not list', () => {
    const stray = locationOf(['x', 'leader'], ['b', 'follower']);
    expect(order({ location: stray })).toEqual(['b', 'a', 'c', 'd']);
    expect(order({ location: locationOf(['x', 'leader']) })).toEqual(['a', 'b', 'c', 'd']);
    expect(order({ location: stray, topology: topologyOf(['a'], 'rslist') })).toEqual(['x', 'b', 'a']);
  });

  it('names each server once, with a reason, whatever the location says', () => {
    const address = fc.constantFrom('a', 'b', 'c', 'd', 'x');
    const role = fc.constantFrom<Replica['role']>('leader', 'follower');
    const replicas = fc.uniqueArray(fc.tuple(address, role), { maxLength: 5, selector: ([name]) => name });
    fc.assert(
      fc.property(
        replicas,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.option(address),
        (rows, random, last) => {
          const { candidates } = planRoute({ ...base, location: locationOf(...rows), random, lastServer: last });
          const addresses = candidates.map((candidate) => candidate.address);
          expect(new Set(addresses).size).toBe(addresses.length);
          expect(addresses).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']));
          expect(candidates.every(({ reason }) => reason !== '')).toBe(true);
        },
      ),
    );
  });
});

describe('R10 read-only zones', () => {
  const topology = clusterOf([
    { name: 'rw1', idc: 'a', region: 'x', servers: ['rw1'] },
    { name: 'rw2', idc: 'b', region: 'x', servers: ['rw2', 'rw3'] },
    { name: 'ro', idc: 'a', region: 'x', type: 'ReadOnly', servers: ['ro'] },
  ]);
  const held = locationOf(['rw2', 'leader'], ['ro', 'follower'], ['rw1', 'follower']);
  const input = { topology, settings: { ...base.settings, idcName: 'a' } };

  it('R10 R11 the leader, then read-write zones only, near ones first', () => {
    expect(order({ ...input, location: held })).toEqual(['rw2', 'rw1', 'rw3']);
    expect(planRoute({ ...base, ...input, location: held }).choice?.policy).toBe('only_readwrite_zone');
  });

  it('R10 a write does not go to a read-only zone, not even to what seems to be the leader', () => {
    const strange = locationOf(['ro', 'leader'], ['rw2', 'follower']);
    expect(order({ ...input, location: strange })).toEqual(['rw2', 'rw1', 'rw3']);
  });

  it('R10 R21 a statement without a table leaves a read-only zone unless any zone can run it', () => {
    expect(order({ ...input, lastServer: 'ro' })).toEqual(['rw1', 'rw2', 'rw3']);
    expect(order({ ...input, lastServer: 'rw3' })).toEqual(['rw3', 'rw1', 'rw2']);
    expect(order({ ...input, lastServer: 'ro', fitsReadOnlyZones: true })[0]).toBe('ro');
    expect(order({ ...input, lastServer: 'ro', consistency: 'weak', fitsReadOnlyZones: true })[0]).toBe('ro');
  });

  it('R10 uses a read-only zone rather than none', () => {
    const onlyRo = clusterOf([{ name: 'ro', idc: 'a', region: 'x', type: 'ReadOnly', servers: ['ro'] }]);
    expect(order({ topology: onlyRo, location: locationOf(['ro', 'leader']) })).toEqual(['ro']);
  });

  it('R18 has no candidate rather than one in a read-write zone', () => {
    const tenantServers = ['rw1', 'rw2'];
    const settings = { ...base.settings, obRoutePolicy: '2' };
    const plan = { ...base, topology, tenantServers, settings, consistency: 'weak' as const };
    expect(planRoute({ ...plan, location: locationOf(['rw1', 'leader']) }).candidates).toEqual([]);
  });
});

describe('weak reads', () => {
  // Case B77's cluster.
  const zones = [
    { name: 'z1', idc: 'idc-a', region: 'region-1', servers: ['a1'] },
    { name: 'z2', idc: 'idc-b', region: 'region-1', servers: ['b1'] },
    { name: 'z3', idc: 'idc-c', region: 'region-2', servers: ['c1'] },
  ];
  const topology = clusterOf(zones);
  const held = locationOf(['b1', 'leader'], ['a1', 'follower'], ['c1', 'follower']);

  it.each(['idc-a', 'IDC-A'])('case B77 R13 same IDC, same region, other region with %s', (idc) => {
    expect(addressesOf(planWeak(topology, held, { idc, random: 0.7 }))).toEqual(['a1', 'b1', 'c1']);
  });

  it.each(['', 'idc-x'])('case B77 spreads over all of them with the IDC %j', (idc) => {
    const first = Array.from({ length: 300 }, (_, at) => planWeak(topology, held, { idc, random: at / 300 }));
    const counts = new Map<string, number>();
    for (const { candidates } of first) {
      const address = candidates[0]?.address ?? '';
      counts.set(address, (counts.get(address) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ a1: 100, b1: 100, c1: 100 });
  });

  it('case B77 follower_first passes over a near leader while a follower of the region is there', () => {
    const nearLeader = locationOf(['a1', 'leader'], ['b1', 'follower'], ['c1', 'follower']);
    const options = { idc: 'idc-a', policy: 'Follower_First' };
    expect(addressesOf(planWeak(topology, nearLeader, options))).toEqual(['b1', 'a1', 'c1']);
    expect(addressesOf(planWeak(topology, locationOf(['a1', 'leader']), options))[0]).toBe('a1');
  });

  it('R16 a word that is no policy means the balanced order, and says so', () => {
    for (const policy of ['nearest', 'readonly_zone_first', 'constructor', '']) {
      const plan = planWeak(topology, held, { idc: 'idc-a', policy });
      expect(addressesOf(plan)).toEqual(['a1', 'b1', 'c1']);
      expect(plan.choice).toMatchObject({ policy: 'balanced' });
      expect(plan.choice?.because).toContain(policy);
    }
  });

  it('R5 equals share the load: one class is begun anywhere', () => {
    const wide = clusterOf([{ name: 'z', idc: 'i', region: 'r', servers: ['s1', 's2', 's3', 's4'] }]);
    const all = locationOf(['s1', 'leader'], ['s2', 'follower'], ['s3', 'follower'], ['s4', 'follower']);
    const starts = [0, 0.25, 0.5, 0.75].map((random) => addressesOf(planWeak(wide, all, { random })));
    expect(starts.map(([first]) => first)).toEqual(['s1', 's2', 's3', 's4']);
    expect(addressesOf(planWeak(wide, all, { policy: 'follower_first', random: 0.99 }))).toEqual([
      's4',
      's2',
      's3',
      's1',
    ]);
  });

  it('R5 says of every candidate why it stands where it stands', () => {
    const merging = clusterOf(zones.map((zone) => ({ ...zone, merging: zone.name === 'z3' })));
    const { candidates, rule } = planWeak(merging, locationOf(['b1', 'leader'], ['c1', 'follower']), { idc: 'idc-a' });
    expect(rule).toBe('weak-read');
    expect(candidates.map(({ address, group, reason }) => [address, group, reason])).toEqual([
      ['b1', 2, 'leader; z2: same region, not merging'],
      ['c1', 6, 'follower; z3: another region, merging'],
      ['a1', 7, 'holds no replica, passes on; z1: same IDC, not merging'],
    ]);
  });

  it('R5 takes up a new topology for the same location', () => {
    expect(addressesOf(planWeak(topology, held, { idc: 'idc-a' }))[0]).toBe('a1');
    const moved = clusterOf(zones.map((zone) => (zone.name === 'z3' ? { ...zone, idc: 'idc-a' } : zone)));
    expect(addressesOf(planWeak(moved, held, { idc: 'idc-a', random: 0.5 }))[0]).toBe('c1');
  });
});
