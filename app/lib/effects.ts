/** Which changes of parameters can be tried before they are made. */

interface NamedChange {
  readonly parameter: { readonly name: string };
  readonly value: string;
}

/** What a replay of the recorded failures knows, and the switch. */
const replayed: readonly string[] = [
  'enable_congestion',
  'congestion_failure_threshold',
  'congestion_fail_window',
  'congestion_retry_interval',
  'min_keep_congestion_interval',
  'min_congested_connect_timeout',
];

/** What plans of statements are made by. */
const planned: readonly string[] = [
  'proxy_idc_name',
  'proxy_route_policy',
  'proxy_primary_zone_name',
  'enable_primary_zone',
  'enable_cached_server',
  'server_routing_mode',
  'target_db_server',
  'test_server_addr',
  'obproxy_read_consistency',
  'obproxy_read_only',
  'enable_partition_table_route',
  'enable_single_leader_node_routing',
];

export const changesBlocklist = (changes: readonly NamedChange[]): boolean =>
  changes.some(({ parameter }) => replayed.includes(parameter.name));

export const changesRoutes = (changes: readonly NamedChange[]): boolean =>
  changes.some(({ parameter }) => planned.includes(parameter.name));

/** The new texts that plans are made by. */
export function plannedTexts(changes: readonly NamedChange[]): Record<string, string> {
  const texts = changes.filter(({ parameter }) => planned.includes(parameter.name));
  return Object.fromEntries(texts.map(({ parameter, value }) => [parameter.name, value]));
}
