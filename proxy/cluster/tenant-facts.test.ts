import { expect, it } from 'vitest';
import { singleLeaderQuery, tenantFacts, tenantIds } from './tenant-facts.ts';

const tenant = (id: string, name: string, columns: object = {}) => ({
  tenant_id: id,
  tenant_name: name,
  primary_zone: 'z1;z2',
  locality: 'FULL{1}@z1',
  previous_locality: null,
  status: 'NORMAL',
  ...columns,
});
const leader = (id: string, ip: string) => ({ tenant_id: id, svr_ip: ip, sql_port: '2881' });

it('a tenant whose log streams are all led by one server is told by that; one with several, or none, is not', () => {
  const tenants = [tenant('1004', 'b'), tenant('1002', 'a'), tenant('1006', 'c')];
  const leaders = [leader('1002', '10.0.0.1'), leader('1004', '10.0.0.1'), leader('1004', '10.0.0.2')];
  expect(tenantFacts(tenants, leaders).singleLeaders).toEqual({ a: '10.0.0.1:2881' });
  expect(tenantFacts(tenants, []).singleLeaders).toEqual({});
  expect(tenantFacts(tenants, [leader('1002', 'nonsense of a cluster')]).singleLeaders).toEqual({});
});

it('a locality that is being changed counts when it is done; primary zones at random are none', () => {
  const changing = tenant('1002', 'a', { locality: 'FULL{1}@z2', previous_locality: 'FULL{1}@z1' });
  const spread = tenant('1004', 'b', { primary_zone: 'RANDOM', previous_locality: '' });
  const facts = tenantFacts([spread, changing], []);
  expect(facts.localities).toEqual({ a: 'FULL{1}@z1', b: 'FULL{1}@z1' });
  expect(facts.primaryZones).toEqual({ a: 'z1;z2' });
  expect(Object.keys(facts.localities)).toEqual(['a', 'b']);
});

it('log streams are asked for only of tenants that serve', () => {
  const ids = tenantIds([tenant('1002', 'a'), tenant('1004', 'b', { status: 'CREATING' }), tenant('x', 'c')]);
  expect(ids).toEqual(['1002']);
  expect(singleLeaderQuery(ids)).toContain('tenant_id IN (1002)');
});
