/** The socket options of new connections, as the parameters have them. */
import type { ConfigView } from '../config/config-view.ts';
import type { SocketOptions } from '../net/socket-options.ts';

/** Bits of the flags. */
const NO_DELAY = 1;
const KEEP_ALIVE = 2;
/** What 0 stands for: Linux's own values. */
const KERNEL = { idleSeconds: 7200, intervalSeconds: 75, probes: 9 } as const;

export function clientSocketOptions(config: ConfigView): SocketOptions {
  return socketOptions(
    config.int('client_sock_option_flag_out'),
    config.int('client_tcp_keepidle'),
    config.int('client_tcp_keepintvl'),
    config.int('client_tcp_keepcnt'),
  );
}

export function serverSocketOptions(config: ConfigView): SocketOptions {
  return socketOptions(
    config.int('sock_option_flag_out'),
    config.int('server_tcp_keepidle'),
    config.int('server_tcp_keepintvl'),
    config.int('server_tcp_keepcnt'),
  );
}

function socketOptions(flags: number, idle: number, interval: number, probes: number): SocketOptions {
  const keepAlive = {
    idleSeconds: idle || KERNEL.idleSeconds,
    intervalSeconds: interval || KERNEL.intervalSeconds,
    probes: probes || KERNEL.probes,
  };
  return { noDelay: (flags & NO_DELAY) !== 0, keepAlive: (flags & KEEP_ALIVE) === 0 ? null : keepAlive };
}
