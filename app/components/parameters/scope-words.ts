import type { OverrideScope } from '../../../proxy/control/contract.ts';
import type { ParametersText } from '../../lib/parameter-check.ts';

/** The levels at which values for parts of the sessions can be set, from wide to narrow. */
export const levels: readonly OverrideScope['level'][] = ['LEVEL_CLUSTER', 'LEVEL_TENANT', 'LEVEL_VIP'];

/** `tenant t1 of c1`, `10.0.0.1:2883, tenant t1 of c1`. */
export function scopeWords(t: ParametersText, { cluster, tenant, vip, vport }: OverrideScope): string {
  const host = vip.includes(':') ? `[${vip}]` : vip;
  const address = vip === '' ? '' : vport === 0 ? vip : `${host}:${vport}`;
  const names =
    tenant !== '' ? t('scopeTenant', { tenant, cluster }) : cluster !== '' ? t('scopeCluster', { cluster }) : '';
  return [address, names].filter((part) => part !== '').join(', ');
}
