import type { ProxyLogin, TestProxy } from '../../proxy/testing/proxy.ts';
import type { LoadStatements } from './load.ts';

/** Something that can be done to the server, and undone. */
export interface Fault {
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

/** The product before a cluster, one server of which has the faults. */
export interface ChaosSystem {
  readonly proxy: TestProxy;
  readonly login: ProxyLogin;
  readonly statements: LoadStatements;
  /** The server with the faults: `ip:port`, and the name it gives itself in its answers. */
  readonly target: { readonly address: string; readonly name: string };
  /** By name; in place of one that cannot be had here, why. */
  readonly faults: ReadonlyMap<string, Fault | string>;
  close(): Promise<void>;
}

/** Parameters of every scenario but those with the defaults: as short as tells the rules apart. */
export const shortParameters = {
  detect_server_timeout: '1s',
  server_detect_refresh_interval: '1s',
  congestion_retry_interval: '2s',
  min_keep_congestion_interval: '2s',
  server_state_refresh_interval: '1s',
} as const;
