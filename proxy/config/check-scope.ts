import { isIPv4, isIPv6 } from 'node:net';
import { OdpError } from '../errors/odp-error.ts';
import type { OverrideScope } from './config-level.ts';

/** Longest names (reference: columns of `proxy_config`). */
const MAX_CLUSTER_LENGTH = 260;
const MAX_TENANT_LENGTH = 128;
const MAX_PORT = 65_535;

/**
 * Checks that a scope names what its level needs and nothing beyond (the reference's rules of the row key), and gives
 * the address its one spelling.
 * @throws OdpError INVALID_ARGUMENT
 */
export function checkScope(scope: OverrideScope): OverrideScope {
  const { level, cluster, tenant, vip, vport, vid } = scope;
  if (cluster.length > MAX_CLUSTER_LENGTH || tenant.length > MAX_TENANT_LENGTH) {
    const detail = `cluster_name has at most ${MAX_CLUSTER_LENGTH} characters, tenant_name at most ${MAX_TENANT_LENGTH}`;
    throw new OdpError('INVALID_ARGUMENT', { detail });
  }
  if (level === 'LEVEL_VIP') {
    if (tenant !== '' && cluster === '') throw lacks(level, 'the cluster of its tenant (cluster_name)');
    return { ...scope, vip: canonicalVip(vip), vport: checkPort(vport), vid: checkVid(vid) };
  }
  if (vip !== '' || vport !== 0 || vid !== -1) throw holds(level, 'vip, vport or vid');
  if (cluster === '') throw lacks(level, 'a cluster_name');
  if (level === 'LEVEL_TENANT' && tenant === '') throw lacks(level, 'a tenant_name');
  if (level === 'LEVEL_CLUSTER' && tenant !== '') throw holds(level, 'a tenant_name');
  return scope;
}

/** An IP address as sessions have it: IPv6 in its short form, IPv4 in IPv6 as IPv4 (case B100). @throws OdpError INVALID_ARGUMENT */
export function canonicalVip(vip: string): string {
  if (isIPv4(vip)) return vip;
  if (!isIPv6(vip) || vip.includes('%')) {
    throw new OdpError('INVALID_ARGUMENT', {
      detail: vip === '' ? 'LEVEL_VIP needs a vip' : `vip '${vip}' is no IP address`,
    });
  }
  const short = new URL(`http://[${vip}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (mapped === null) return short;
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

function checkPort(vport: number): number {
  if (Number.isInteger(vport) && vport >= 0 && vport <= MAX_PORT) return vport;
  throw new OdpError('INVALID_ARGUMENT', { detail: `vport is 0 (every port) to ${MAX_PORT}, not ${vport}` });
}

function checkVid(vid: number): number {
  if (vid === -1 || vid === 0) return vid;
  throw new OdpError('INVALID_ARGUMENT', {
    detail: `vid ${vid} would fit no connection: only a cloud's own network tells one; use -1`,
  });
}

const lacks = (level: string, what: string) => new OdpError('INVALID_ARGUMENT', { detail: `${level} needs ${what}` });
const holds = (level: string, what: string) =>
  new OdpError('INVALID_ARGUMENT', { detail: `${level} goes without ${what}` });
