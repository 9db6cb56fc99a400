import { describe, expect, it } from 'vitest';
import { type ForcedServers, parseGroups } from './forced-servers.ts';
import { planRoute, type RouteInput } from './plan.ts';
import { addressesOf, clusterOf, locationOf, plainInput } from './testing/cluster-of.ts';

const topology = clusterOf([{ name: 'z', idc: '', region: '', servers: ['a:1', 'b:1', 'c:1', 'd:1'] }]);
const location = locationOf(['a:1', 'leader'], ['b:1', 'follower']);
const plan = (forced: ForcedServers, more: Partial<RouteInput> = {}) =>
  planRoute({ ...plainInput, topology, location, forced, ...more });
const comment = (text: string): ForcedServers => ({ source: 'comment', groups: parseGroups(text) });

describe('parseGroups', () => {
  it.each([
    ['', []],
    [' ;, ', []],
    ['a:1', [['a:1']]],
    ['a:1, b:1 ;c:1', [['a:1', 'b:1'], ['c:1']]],
  ])('reads %j', (text, groups) => {
    expect(parseGroups(text)).toEqual(groups);
  });
});

describe('a request kept to servers by address', () => {
  it('goes to the named ones only, group by group, equals in a drawn order', () => {
    const forced = comment('c:1,d:1;b:1');
    expect(addressesOf(plan(forced))).toEqual(['c:1', 'd:1', 'b:1']);
    expect(addressesOf(plan(forced, { random: 0.9 }))).toEqual(['d:1', 'c:1', 'b:1']);
    expect(plan(forced)).toMatchObject({ rule: 'target-server', choice: null, refusal: null });
    expect(plan(forced).candidates.map(({ reason }) => reason)).toEqual([
      'named by the comment target_db_server, group 1',
      'named by the comment target_db_server, group 1',
      'named by the comment target_db_server, group 2',
    ]);
  });

  it('passes over addresses that the cluster does not list, and names them when none is left', () => {
    expect(addressesOf(plan(comment('x:1,b:1,b:1;b:1')))).toEqual(['b:1']);
    expect(plan(comment('x:1;y:1'))).toMatchObject({
      candidates: [],
      refusal: 'the comment target_db_server names x:1, y:1: none is a server of the cluster',
    });
  });

  it('C5 R27 does not leave the server that it is tied to', () => {
    expect(addressesOf(plan(comment('c:1,b:1'), { boundServer: 'b:1' }))).toEqual(['b:1']);
    for (const tie of [{ boundServer: 'a:1' }, { lastServer: 'a:1', forcesLastServer: true }]) {
      expect(plan(comment('c:1'), tie)).toMatchObject({ candidates: [], refusal: expect.stringContaining('a:1') });
      expect(addressesOf(plan({ source: 'test-server', groups: [['c:1']] }, tie))).toEqual(['a:1']);
    }
  });

  it('@obproxy_route_addr has to be one of the named servers when there are any', () => {
    const address = (text: string, within: ForcedServers | null): ForcedServers => ({
      source: 'route-address',
      groups: [[text]],
      within,
    });
    expect(plan(address('d:1', null))).toMatchObject({ rule: 'route-address', candidates: [{ address: 'd:1' }] });
    expect(addressesOf(plan(address('d:1', comment('c:1;d:1'))))).toEqual(['d:1']);
    expect(plan(address('d:1', comment('c:1')))).toMatchObject({
      candidates: [],
      refusal: 'the comment target_db_server does not name d:1, which @obproxy_route_addr wants',
    });
    expect(plan(address('x:1', null)).refusal).toContain('x:1');
  });

  it('test servers need not be of the cluster', () => {
    expect(plan({ source: 'test-server', groups: [['x:1']] })).toMatchObject({
      rule: 'test-server',
      candidates: [{ address: 'x:1' }],
    });
  });
});
