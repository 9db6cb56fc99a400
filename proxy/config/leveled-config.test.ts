import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkScope } from './check-scope.ts';
import {
  type ConfigOverride,
  configLevels,
  type OverrideScope,
  scopeFromText,
  scopeKey,
  scopeText,
} from './config-level.ts';
import { ConfigView } from './config-view.ts';
import { clusterScope, LeveledConfig, tenantScope } from './leveled-config.ts';

const vip = { host: '10.0.0.1', port: 2883 };
const none = { cluster: '', tenant: '', vip: '', vport: 0, vid: -1 };

const row = (level: OverrideScope['level'], scope: Partial<OverrideScope>, text: string): ConfigOverride => ({
  ...none,
  level,
  ...scope,
  name: 'proxy_idc_name',
  text,
});
const cluster = row('LEVEL_CLUSTER', { cluster: 'c1' }, 'cluster');
const tenant = row('LEVEL_TENANT', { cluster: 'c1', tenant: 't1' }, 'tenant');
const address = row('LEVEL_VIP', { vip: vip.host }, 'address');
const addressOfTenant = row('LEVEL_VIP', { cluster: 'c1', tenant: 't1', vip: vip.host, vport: 2883 }, 'vip');
const session = { clusterName: 'c1', tenant: 't1', vip };

const idcOf = (levels: LeveledConfig, scope = session) => levels.view(scope).text('proxy_idc_name');

describe('LeveledConfig', () => {
  it('case B96: the narrowest level counts, and after each removal, in whatever order, the next wider one', () => {
    const rows = [cluster, tenant, address, addressOfTenant];
    fc.assert(
      fc.property(
        fc.shuffledSubarray(rows, { minLength: 4 }),
        fc.shuffledSubarray(rows, { minLength: 4 }),
        (added, removed) => {
          const levels = new LeveledConfig(new ConfigView({ proxy_idc_name: 'global' }), added);
          let left = [...added];
          for (const gone of [null, ...removed]) {
            left = left.filter((candidate) => candidate !== gone);
            levels.setOverrides(left);
            const narrowest = rows.findLast((candidate) => left.includes(candidate));
            expect(idcOf(levels)).toBe(narrowest?.text ?? 'global');
          }
        },
      ),
    );
  });

  it('fits rows by names in any case and by address and port, and no others', () => {
    const levels = new LeveledConfig(new ConfigView({}), [cluster, tenant, addressOfTenant]);
    expect(idcOf(levels, { ...session, clusterName: 'C1', tenant: 'T1' })).toBe('vip');
    expect(idcOf(levels, { ...session, vip: { host: '10.0.0.1', port: 2884 } })).toBe('tenant');
    expect(idcOf(levels, { ...session, vip: { host: '10.0.0.2', port: 2883 } })).toBe('tenant');
    expect(idcOf(levels, { ...session, tenant: 't2' })).toBe('cluster');
    expect(idcOf(levels, { ...session, clusterName: 'c2' })).toBe('');
    expect(levels.view(tenantScope('c1', 't1')).text('proxy_idc_name')).toBe('tenant');
    expect(levels.view(clusterScope('c1')).text('proxy_idc_name')).toBe('cluster');
  });

  it('takes over what changes for everybody, unless a narrower value stands before it', () => {
    const global = new ConfigView({});
    const levels = new LeveledConfig(global, [tenant]);
    const view = levels.view(session);
    global.apply('proxy_idc_name', 'everybody');
    global.apply('proxy_route_policy', 'follower_first');
    expect([view.text('proxy_idc_name'), view.text('proxy_route_policy')]).toEqual(['tenant', 'follower_first']);
    levels.setOverrides([]);
    expect(idcOf(levels)).toBe('everybody');
  });

  it('tries a value for everybody: what is set for the scope still counts before it, and nothing is in force', () => {
    const global = new ConfigView({});
    const levels = new LeveledConfig(global, [tenant]);
    const tried = levels.viewWith(session, { proxy_idc_name: 'tried', proxy_route_policy: 'follower_first' });
    expect([tried.text('proxy_idc_name'), tried.text('proxy_route_policy')]).toEqual(['tenant', 'follower_first']);
    expect(levels.viewWith({ ...session, tenant: 't2' }, { proxy_idc_name: 'tried' }).text('proxy_idc_name')).toBe(
      'tried',
    );
    expect(global.text('proxy_route_policy')).not.toBe('follower_first');
    expect(levels.viewWith(session, {})).toBe(levels.view(session));
    expect(() => levels.viewWith(session, { proxy_idc: 'x' })).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_PARAMETER' }),
    );
    expect(() => levels.viewWith(session, { enable_primary_zone: 'maybe' })).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETER' }),
    );
  });

  it('keeps one view for all that the same rows fit, and the global one where none does', () => {
    const levels = new LeveledConfig(new ConfigView({}), [cluster, tenant]);
    expect(levels.view({ ...session, tenant: 't2' })).toBe(levels.view({ ...session, tenant: 't3' }));
    expect(levels.view({ ...session, clusterName: 'c2' })).toBe(levels.global);
  });

  it('asks for the address of a session only when a value may depend on it', () => {
    const scope = {
      clusterName: 'c1',
      tenant: 't1',
      get vip(): typeof vip {
        throw new Error('asked for');
      },
    };
    expect(new LeveledConfig(new ConfigView({}), [cluster, tenant]).view(scope).text('proxy_idc_name')).toBe('tenant');
  });
});

describe('scopes', () => {
  it('of each level name what they need and nothing beyond', () => {
    const accepted = [cluster, tenant, address, addressOfTenant];
    for (const scope of accepted) expect(checkScope(scope)).toEqual(scope);
    const refused: [OverrideScope, string][] = [
      [{ ...none, level: 'LEVEL_CLUSTER' }, 'LEVEL_CLUSTER needs a cluster_name'],
      [{ ...cluster, tenant: 't1' }, 'LEVEL_CLUSTER goes without a tenant_name'],
      [{ ...tenant, cluster: '' }, 'LEVEL_TENANT needs a cluster_name'],
      [{ ...tenant, tenant: '' }, 'LEVEL_TENANT needs a tenant_name'],
      [{ ...tenant, vip: '10.0.0.1' }, 'LEVEL_TENANT goes without vip, vport or vid'],
      [{ ...address, vip: '' }, 'LEVEL_VIP needs a vip'],
      [{ ...address, vip: 'db.example' }, "vip 'db.example' is no IP address"],
      [{ ...address, tenant: 't1' }, 'LEVEL_VIP needs the cluster of its tenant (cluster_name)'],
      [{ ...address, vport: 65_536 }, 'vport is 0 (every port) to 65535, not 65536'],
      [{ ...address, vid: 7 }, 'vid 7 would fit no connection'],
      [{ ...cluster, cluster: 'c'.repeat(261) }, 'cluster_name has at most 260 characters'],
    ];
    for (const [scope, text] of refused) {
      expect(() => checkScope(scope), text).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
      expect(() => checkScope(scope)).toThrow(text);
    }
    expect(configLevels).toEqual(['LEVEL_GLOBAL', 'LEVEL_CLUSTER', 'LEVEL_TENANT', 'LEVEL_VIP']);
  });

  it.each([
    ['FD00:0:0::11', 'fd00::11'],
    ['::ffff:10.0.0.9', '10.0.0.9'],
    ['::ffff:a00:9', '10.0.0.9'],
  ])('case B100: address %s is %s', (given, kept) => {
    expect(checkScope({ ...address, vip: given }).vip).toBe(kept);
  });

  it('are read back from the form that they are told in', () => {
    const odd = { ...tenant, tenant: 'a "b=c\\', cluster: 'x y' };
    const v6 = { ...address, vip: 'fd00::11', vport: 2883, vid: 0 };
    for (const scope of [cluster, tenant, address, addressOfTenant, odd, v6]) {
      expect(scope).toMatchObject(scopeFromText(scopeText(scope)));
    }
    expect(() => scopeFromText('everybody')).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('are told in one form', () => {
    expect(scopeText(cluster)).toBe('cluster=c1');
    expect(scopeText(tenant)).toBe('tenant=t1 cluster=c1');
    expect(scopeText(addressOfTenant)).toBe('vip=10.0.0.1:2883 tenant=t1 cluster=c1');
    expect(scopeText({ ...address, vip: 'fd00::11', vport: 2883 })).toBe('vip=[fd00::11]:2883');
    expect(scopeText({ ...tenant, tenant: 'a b=c' })).toBe('tenant="a b=c" cluster=c1');
    expect(scopeKey({ ...tenant, cluster: 'C1' })).toBe(scopeKey(tenant));
  });
});
