/** Who a client session is to the proxy itself: it decides which internal commands it may run. */
export type Identity =
  /** `root@proxysys`: every internal command, and nothing is forwarded. */
  | 'proxysys'
  /** `inspector@proxysys`: PING PROXY only. */
  | 'inspector'
  /** `root@sys` of a cluster: internal commands, and all else is forwarded. */
  | 'rootsys'
  | 'ordinary';

/** Bits of `ob_proxy_user_privilege` (OceanBase's privilege set). */
const PRIVILEGE_BITS = { super: 1 << 14, process: 1 << 15 } as const;

type Privilege = keyof typeof PRIVILEGE_BITS;

/** @param reported the variable as the server has told it; undefined: not at all */
export function includesPrivilege(reported: string | undefined, privilege: Privilege): boolean {
  return (Number(reported ?? 0) & PRIVILEGE_BITS[privilege]) !== 0;
}

/** Tenant of the proxy's own accounts. */
const PROXYSYS_TENANT = 'proxysys';

export function identityOf(user: string, tenant: string): Identity | null {
  if (tenant === PROXYSYS_TENANT) {
    if (user === 'root') return 'proxysys';
    return user === 'inspector' ? 'inspector' : null;
  }
  return user === 'root' && tenant === 'sys' ? 'rootsys' : 'ordinary';
}

/** Loopback and private ranges (RFC 1918, RFC 4193, link-local): where `*@proxysys` may log in from. */
export function isPrivateAddress(host: string): boolean {
  return (
    /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)/.test(host) || /^(::1$|f[cd]|fe80:)/i.test(host)
  );
}

export const isLoopbackAddress = (host: string): boolean => host === '::1' || host.startsWith('127.');
