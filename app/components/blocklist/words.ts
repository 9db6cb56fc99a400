import type { BlocklistEvent, BlocklistName, CongestionParameters } from '../../../proxy/control/contract.ts';
import type { StateLook } from '../../lib/server-state.ts';
import type { Text } from '../../lib/text.ts';
import type { Catalog } from '../../messages/catalog.ts';

type BlocklistText = Text<Catalog['blocklist']>;

const aboutKeys = { status: 'aboutStatus', detection: 'aboutDetection', alive: 'aboutAlive' } as const;

/** What a list goes by. */
export function listAbout(t: BlocklistText, list: BlocklistName): string {
  return t(aboutKeys[list]);
}

export function listedLook(t: BlocklistText): StateLook {
  return { word: t('listed'), tone: 'bad', shape: 'octagon' };
}

export function clearLook(t: BlocklistText): StateLook {
  return { word: t('clearOfList'), tone: 'ok', shape: 'disc' };
}

/** How an event of the timeline looks. */
export function changeLook(t: BlocklistText, change: BlocklistEvent['change']): StateLook {
  if (change === 'listed') return listedLook(t);
  return change === 'released'
    ? { word: t('released'), tone: 'ok', shape: 'disc' }
    : { word: change, tone: 'neutral', shape: 'ring' };
}

const kinds = [
  'query-timeout',
  'server-error',
  'connect-failure',
  'connect-timeout',
  'malformed-reply',
  'transfer-failure',
] as const;

/** A kind of failure in words; one that this console does not know is shown as it is. */
export function kindWord(t: BlocklistText, kind: string): string {
  const known = kinds.find((one) => one === kind);
  return known === undefined ? kind : t(`kind.${known}`);
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
