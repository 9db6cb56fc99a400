import { type ProxyLogin, type ProxyOptions, startProxy, type TestProxy } from '../../proxy/testing/proxy.ts';
import type { LoadStatements } from './load.ts';
import { changeInLog, type LoggedChange } from './measure.ts';

/** Something that can be done to the server, and undone. */
export interface Fault {
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

/** The product before a cluster, one server of which has the faults. */
export interface ChaosSystem {
  readonly proxy: TestProxy;
  /** Listings and releases since it was started, in order. */
  readonly changes: readonly LoggedChange[];
  readonly login: ProxyLogin;
  readonly statements: LoadStatements;
  /** The server with the faults: `ip:port`, and the name it gives itself in its answers. */
  readonly target: { readonly address: string; readonly name: string };
  /** By name; in place of one that cannot be had here, why. */
  readonly faults: ReadonlyMap<string, Fault | string>;
  /** Ends every fault there may be. */
  heal(): Promise<void> | void;
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

/** The proxy of a system, with the short parameters, and what it lists and releases. */
export async function startWatchedProxy(
  options: Pick<ProxyOptions, 'rsList' | 'clusterName'>,
): Promise<Pick<ChaosSystem, 'proxy' | 'changes'>> {
  const changes: LoggedChange[] = [];
  const onLogLine = (line: string): void => {
    const change = changeInLog(line, performance.now());
    if (change !== null) changes.push(change);
  };
  return { proxy: await startProxy({ ...options, parameters: shortParameters, onLogLine }), changes };
}
