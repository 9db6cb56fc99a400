import type { BlocklistEvent, BlocklistName, CongestionParameters } from '../../../proxy/control/contract.ts';
import { countText } from '../../lib/numbers.ts';
import type { StateLook } from '../../lib/server-state.ts';

export const listNames: readonly BlocklistName[] = ['status', 'detection', 'alive'];

/** Each list as people call it, and what it goes by. */
export const listWords: Record<BlocklistName, { readonly word: string; readonly about: string }> = {
  status: { word: 'Status', about: 'what the cluster’s own views say' },
  detection: { word: 'Detection', about: 'whether our probes are answered' },
  alive: { word: 'Alive', about: 'alive, but requests fail there' },
};

/** The word of a list; one that this console does not know is shown as it is. */
export function listWord(list: string): string {
  return listNames.includes(list as BlocklistName) ? listWords[list as BlocklistName].word : list;
}

export const listedLook: StateLook = { word: 'Listed', tone: 'bad', shape: 'octagon' };
export const clearLook: StateLook = { word: 'Clear', tone: 'ok', shape: 'disc' };
const releasedLook: StateLook = { word: 'Released', tone: 'ok', shape: 'disc' };

/** How an event of the timeline looks. */
export function changeLook(change: BlocklistEvent['change']): StateLook {
  if (change === 'listed') return listedLook;
  return change === 'released' ? releasedLook : { word: change, tone: 'neutral', shape: 'ring' };
}

const kindWords: Record<string, string> = {
  'query-timeout': 'no answer in time',
  'server-error': 'error from the server',
  'connect-failure': 'connect failed',
  'connect-timeout': 'connect timed out',
  'malformed-reply': 'malformed reply',
  'transfer-failure': 'connection broke',
};

/** A kind of failure in words. */
export function kindWord(kind: string): string {
  return kindWords[kind] ?? kind;
}

/** A length as the configuration writes it: `100ms`, `120s`. */
export function lengthText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)}ms` : `${Number((ms / 1_000).toFixed(3))}s`;
}

/** Names of the parameters that can be changed from the page, in their order there. */
export const settingNames = [
  'congestion_failure_threshold',
  'congestion_fail_window',
  'congestion_retry_interval',
  'min_keep_congestion_interval',
  'min_congested_connect_timeout',
] as const;

/** The parameters in force, by the names that people know them by. */
export function parameterPairs(parameters: CongestionParameters): readonly (readonly [string, string])[] {
  return [
    ['enable_congestion', parameters.enabled ? 'True' : 'False'],
    ['congestion_failure_threshold', String(parameters.failureThreshold)],
    ['congestion_fail_window', lengthText(parameters.failWindowMs)],
    ['congestion_retry_interval', lengthText(parameters.retryIntervalMs)],
    ['min_keep_congestion_interval', lengthText(parameters.minKeepMs)],
    ['min_congested_connect_timeout', lengthText(parameters.minConnectTimeoutMs)],
    ['server_detect_fail_threshold', String(parameters.detectFailThreshold)],
    ['server_detect_mode', String(parameters.detectMode)],
  ];
}

/** `1 server`, `5 servers`. */
export function serversText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'server' : 'servers'}`;
}
