import type { ConfigView } from '../config/config-view.ts';
import { OdpError } from '../errors/odp-error.ts';

/** Where the MySQL port is bound. */
export interface ListenAddress {
  readonly host: string;
  /** An IPv6 socket that IPv4 clients cannot reach. */
  readonly ipv6Only: boolean;
}

/**
 * `ip_listen_mode`: 1 IPv4, 2 IPv6, 3 both through one socket (case B100).
 * @throws OdpError INVALID_ARGUMENT for both families on some addresses only: one socket cannot do that
 */
export function listenAddress(config: ConfigView): ListenAddress {
  const v4 = config.text('local_bound_ip');
  const v6 = config.text('local_bound_ipv6_ip');
  switch (config.int('ip_listen_mode')) {
    case 1:
      return { host: v4, ipv6Only: false };
    case 2:
      return { host: v6, ipv6Only: true };
    default:
      if (v4 === '0.0.0.0' && v6 === '::') return { host: v6, ipv6Only: false };
      throw new OdpError('INVALID_ARGUMENT', {
        detail: `ip_listen_mode 3 listens on all addresses; with local_bound_ip ${v4} and local_bound_ipv6_ip ${v6} choose 1 or 2`,
      });
  }
}
