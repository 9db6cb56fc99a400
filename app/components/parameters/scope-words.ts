import type { OverrideScope } from '../../../proxy/control/contract.ts';

/** The levels at which values for parts of the sessions can be set, from wide to narrow, in words. */
export const levelWords: Readonly<Record<OverrideScope['level'], string>> = {
  LEVEL_CLUSTER: 'a cluster',
  LEVEL_TENANT: 'a tenant',
  LEVEL_VIP: 'an address that clients connect to',
};

/** `tenant t1 of c1`, `10.0.0.1:2883, tenant t1 of c1`. */
export function scopeWords({ cluster, tenant, vip, vport }: OverrideScope): string {
  const host = vip.includes(':') ? `[${vip}]` : vip;
  const address = vip === '' ? '' : vport === 0 ? vip : `${host}:${vport}`;
  const names = tenant !== '' ? `tenant ${tenant} of ${cluster}` : cluster !== '' ? `cluster ${cluster}` : '';
  return [address, names].filter((part) => part !== '').join(', ');
}
