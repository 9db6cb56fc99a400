/** For whom a parameter's text counts: everybody, or a part of the sessions (reference: odp-config §4, `proxy_config`). */

/** From wide to narrow: the narrowest that is set counts. */
export const configLevels = ['LEVEL_GLOBAL', 'LEVEL_CLUSTER', 'LEVEL_TENANT', 'LEVEL_VIP'] as const;
/** How wide a text counts; of a parameter: the narrowest level that it can be set at. */
export type ConfigLevel = (typeof configLevels)[number];
/** A level that names a part of the sessions. */
type OverrideLevel = Exclude<ConfigLevel, 'LEVEL_GLOBAL'>;

/** A part of the sessions, as a row of `proxy_config` names it. */
export interface OverrideScope {
  readonly level: OverrideLevel;
  /** Letters of either case are the same. */
  readonly cluster: string;
  readonly tenant: string;
  /** Address that clients connect to, in its canonical spelling; empty below LEVEL_VIP. */
  readonly vip: string;
  /** 0: every port. */
  readonly vport: number;
  /** Network id: -1 or 0, since nobody tells this proxy another. */
  readonly vid: number;
}

/** A parameter's text for a part of the sessions. */
export interface ConfigOverride extends OverrideScope {
  readonly name: string;
  readonly text: string;
}

/** The same for scopes that one row of the table stands for. */
export function scopeKey({ cluster, tenant, vip, vport, vid }: OverrideScope): string {
  return JSON.stringify([cluster.toLowerCase(), tenant.toLowerCase(), vip, vport, vid]);
}

/** A scope for history rows and messages: `tenant=t1 cluster=c1`. The history keeps it: its form may not change. */
export function scopeText({ cluster, tenant, vip, vport, vid }: OverrideScope): string {
  const host = vip.includes(':') ? `[${vip}]` : vip;
  const parts = [
    vip === '' ? '' : `vip=${host}${vport === 0 ? '' : `:${vport}`}${vid === -1 ? '' : ` vid=${vid}`}`,
    tenant === '' ? '' : `tenant=${quoted(tenant)}`,
    cluster === '' ? '' : `cluster=${quoted(cluster)}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const quoted = (name: string): string => (/^[\w.-]+$/.test(name) ? name : JSON.stringify(name));
