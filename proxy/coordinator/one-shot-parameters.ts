/** Parameters whose value is an order to be carried out once: they go back to 0 or false as soon as every worker has done it. */
import type { AppliedChange, ConfigStore } from '../config/config-store.ts';
import type { ParameterName } from '../config/parameter-table.ts';
import type { Logger } from '../log/logger.ts';

const oneShots: readonly ParameterName[] = [
  'partition_location_expire_relative_time',
  'sql_table_cache_expire_relative_time',
  'refresh_json_config',
  'refresh_rslist',
  'refresh_idc_list',
  'proxy_local_cmd',
];

/** No order: there is nothing to carry out. */
const isAtRest = (text: string): boolean => /^(0|false|f|off|no)$/i.test(text);

/** Call it when what was applied is in force in every worker. The change back is one of its own, and waits its turn. */
export function resetOneShots(store: ConfigStore, applied: readonly AppliedChange[], log: Logger): void {
  for (const name of oneShots) {
    if (applied.some((change) => change.name === name && !isAtRest(change.text))) reset(store, name, log);
  }
}

/** What an earlier process has not come to: its caches are gone. */
export function resetAllOneShots(store: ConfigStore, log: Logger): void {
  for (const name of oneShots) if (!isAtRest(store.parameter(name).text)) reset(store, name, log);
}

let resets = 0;

function reset(store: ConfigStore, name: ParameterName, log: Logger): void {
  resets += 1;
  store
    .change({
      consent: 'set-back',
      changes: [{ name, value: store.parameter(name).spec.defaultText }],
      actor: 'odp',
      source: 'system',
      origin: '',
      reason: 'carried out once',
      requestId: `one-shot-${resets}`,
    })
    .catch((error: unknown) => log.warn({ err: error, parameter: name }, 'a parameter could not be set back'));
}
