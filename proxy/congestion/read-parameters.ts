import type { ConfigView } from '../config/config-view.ts';
import type { CongestionParameters } from './types.ts';

/** The configuration parameters that any field of `CongestionParameters` comes from. */
export const congestionParameterNames: ReadonlySet<string> = new Set([
  'enable_congestion',
  'congestion_failure_threshold',
  'congestion_fail_window',
  'congestion_retry_interval',
  'min_keep_congestion_interval',
  'min_congested_connect_timeout',
  'server_detect_fail_threshold',
  'server_detect_mode',
]);

/** B16–B21 as they are in force in a thread. */
export function readCongestionParameters(config: ConfigView): CongestionParameters {
  return {
    enabled: config.bool('enable_congestion'),
    failureThreshold: config.int('congestion_failure_threshold'),
    failWindowMs: config.timeMs('congestion_fail_window'),
    retryIntervalMs: config.timeMs('congestion_retry_interval'),
    minKeepMs: config.timeMs('min_keep_congestion_interval'),
    minConnectTimeoutMs: config.timeMs('min_congested_connect_timeout'),
    detectFailThreshold: config.int('server_detect_fail_threshold'),
    detectMode: config.int('server_detect_mode'),
  };
}
