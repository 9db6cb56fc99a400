/** For whom a parameter's text counts: everybody, or a part of the sessions (reference: odp-config §4, `proxy_config`). */

import { OdpError } from '../errors/odp-error.ts';

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

/**
 * Reads what `scopeText` has written.
 * @throws OdpError INVALID_ARGUMENT for anything else
 */
export function scopeFromText(text: string): OverrideScope {
  const parts = new Map<string, string>();
  let rest = text;
  while (rest !== '') {
    const match = /^(vip|vid|tenant|cluster)=("(?:[^"\\]|\\.)*"|\S+) ?/.exec(rest);
    const [whole = '', key = '', value = ''] = match ?? [];
    if (match === null) throw new OdpError('INVALID_ARGUMENT', { detail: `'${text}' names no part of the sessions` });
    parts.set(key, value.startsWith('"') ? String(JSON.parse(value)) : value);
    rest = rest.slice(whole.length);
  }
  const [cluster, tenant, address] = [parts.get('cluster') ?? '', parts.get('tenant') ?? '', parts.get('vip') ?? ''];
  const [, bracketed, plain = '', port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(address) ?? [];
  return {
    level: address !== '' ? 'LEVEL_VIP' : tenant !== '' ? 'LEVEL_TENANT' : 'LEVEL_CLUSTER',
    cluster,
    tenant,
    vip: bracketed ?? plain,
    vport: Number(port ?? 0),
    vid: Number(parts.get('vid') ?? -1),
  };
}

const quoted = (name: string): string => (/^[\w.-]+$/.test(name) ? name : JSON.stringify(name));
