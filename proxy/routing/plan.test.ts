import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterTopology, Replica, TableLocation } from '../cluster/topology.ts';
import { planRoute, type RouteInput } from './plan.ts';

function topologyOf(addresses: readonly string[], source: ClusterTopology['source'] = 'views'): ClusterTopology {
  const servers = addresses.map((address) => ({
    address,
    host: address,
    port: 2881,
    zone: 'zone1',
    state: 'ACTIVE' as const,
    reason: '',
  }));
  return { clusterName: 'c', revision: 1, source, zones: [], servers, refreshedAtMs: 0, error: null };
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

function locationOf(...replicas: [string, Replica['role']][]): TableLocation {
  return {
    tenant: 't',
    database: 'd',
    table: 'x',
    tableId: '1',
    partitionCount: 1,
    schemaVersion: '1',
    replicas: replicas.map(([address, role]) => ({ address, role })),
  };
}

const base: RouteInput = {
  topology: topologyOf(['a', 'b', 'c', 'd']),
  tenantServers: null,
  location: null,
  consistency: 'strong',
  fitsReadOnlyZones: false,
  settings: { idcName: '', proxyRoutePolicy: '', obRoutePolicy: '' },
  boundServer: null,
  lastServer: null,
  forcesLastServer: false,
  random: 0,
};
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
