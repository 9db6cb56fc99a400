import type { ConfigScope } from '../config/leveled-config.ts';

/** Whose values count for what came over a connection; where it came to is asked only when that matters. */
export function scopeOf(port: { readonly vip: ConfigScope['vip'] }, clusterName: string, tenant: string): ConfigScope {
  return {
    clusterName,
    tenant,
    get vip() {
      return port.vip;
    },
  };
}
