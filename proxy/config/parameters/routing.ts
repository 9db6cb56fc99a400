import { parameterRows } from '../parameter-spec.ts';

const row = parameterRows('routing');
const cacheRow = parameterRows('location cache');
const sys = { visibleLevel: 'SYS' } as const;
const sysVip = { visibleLevel: 'SYS', configLevel: 'LEVEL_VIP' } as const;

/** Which server gets a request. */
export const routingParameters = [
  row('enum', 'server_routing_mode', 'oceanbase', 'How a server is chosen', {
    choices: ['oceanbase', 'random', 'mock', 'mysql'],
    visibleLevel: 'SYS',
    honoured: true,
  }),
  row(
    'string',
    'proxy_idc_name',
    '',
    'IDC that this proxy stands in; servers of the same IDC, then region, come first',
    {
      ...sysVip,
      honoured: true,
    },
  ),
  row('string', 'proxy_primary_zone_name', '', 'Zones that requests are kept to: groups split by ; and zones by ,', {
    ...sysVip,
    honoured: true,
  }),
  row('bool', 'enable_primary_zone', 'True', "With no location known, follow the tenant's primary zone", {
    honoured: true,
  }),
  row(
    'string',
    'proxy_route_policy',
    '',
    'Order of replicas for weak reads: follower_first, unmerge_follower_first or follower_only; anything else is balanced',
    { ...sysVip, honoured: true },
  ),
  row('int', 'obproxy_read_only', '1', 'Rights of logins through here: 0 reads only, 1 reads and writes', {
    ...sysVip,
    range: '[0,1]',
    honoured: true,
  }),
  row('int', 'obproxy_read_consistency', '0', 'Default read consistency: 0 strong (leader), 1 weak (any replica)', {
    ...sysVip,
    range: '[0,1]',
    honoured: true,
  }),
  row('bool', 'enable_partition_table_route', 'True', 'Work out the partition of a request and go to its replica', {
    honoured: true,
  }),
  row('bool', 'enable_pl_route', 'True', 'Route CALL by the table of the routine', {
    honoured: true,
  }),
  row('bool', 'enable_cached_server', 'True', 'With no table known, go on using the server session used last', {
    honoured: true,
  }),
  row('bool', 'enable_bad_route_reject', 'False', 'Refuse a transaction whose first statement names no table', {
    honoured: true,
  }),
  row(
    'bool',
    'enable_reroute',
    'False',
    'Repeat a strong request where the server that refuses it says it belongs; here servers are not asked to refuse, they pass it on',
  ),
  row(
    'bool',
    'enable_causal_order_read',
    'True',
    'Order replicas that are equal for a weak read by the newest snapshot each has served; here they are drawn, and so share the load',
  ),
  row('bool', 'enable_weak_reroute', 'True', 'Repeat a weak read elsewhere when the replica is too old for it', {
    configLevel: 'LEVEL_VIP',
    honoured: true,
  }),
  row(
    'bool',
    'enable_single_leader_node_routing',
    'True',
    'When all leaders of a tenant are on one server, send strong reads there without working out partitions',
    { ...sysVip, honoured: true },
  ),
  row(
    'bool',
    'enable_transaction_internal_routing',
    'True',
    'With enable_ob_protocol_v2: each statement of a transaction may go to the best server for it',
    { honoured: true },
  ),
  row('bool', 'enable_xa_route', 'True', 'Hold XA START back and send it where the next statement goes', {
    honoured: true,
  }),
  row('string', 'target_db_server', '', 'Force requests to these addresses: groups split by ; and servers by ,', {
    ...sysVip,
    honoured: true,
  }),
  row(
    'string',
    'test_server_addr',
    '',
    'Force all requests to this address, with the routing modes mock and mysql; several are split by , or ;',
    { ...sys, honoured: true },
  ),
  row('string', 'init_sql', '', 'SQL sent on every new server session, after login', sysVip),
  row('int', 'ob_max_read_stale_time', '-1', 'Staleness accepted for weak reads; -1 means any', {
    range: '[-1,]',
    honoured: true,
    unit: 'µs',
    configLevel: 'LEVEL_VIP',
  }),
  row('time', 'read_stale_retry_interval', '5s', 'A replica that was too stale is left alone for this long', {
    range: '[0, 600s]',
    configLevel: 'LEVEL_VIP',
    honoured: true,
  }),
  row('time', 'read_stale_remove_interval', '6h', 'Staleness reports are forgotten after this time', {
    range: '[0s, 1d]',
    honoured: true,
  }),
  row('int', 'route_diagnosis_level', '2', 'Detail of EXPLAIN ROUTE; 0 turns it off', {
    ...sysVip,
    range: '[0,4]',
  }),
];

/** How long what is known about tables and partitions is kept. */
export const locationCacheParameters = [
  cacheRow('bool', 'check_tenant_locality_change', 'True', "Drop a tenant's locations when its locality changes", {
    ...sys,
    honoured: true,
  }),
  cacheRow(
    'bool',
    'enable_async_pull_location_cache',
    'True',
    'Refresh a doubtful location in the background and use the old one meanwhile',
    { ...sys, honoured: true },
  ),
  cacheRow('time', 'delay_update_entry_interval', '5s', 'Least time between two refreshes of one location', {
    range: '[0s,1d]',
    honoured: true,
  }),
  cacheRow('time', 'tenant_location_valid_time', '1d', "How long a tenant's list of servers is believed", {
    range: '[0s,100d]',
    honoured: true,
  }),
  cacheRow('capacity', 'routing_cache_mem_limited', '128MB', 'Memory for locations', {
    range: '[1KB,100G]',
    honoured: true,
  }),
  cacheRow(
    'int',
    'partition_location_expire_relative_time',
    '0',
    'Makes partition locations older than now plus this expire, once; 0 means none',
    { ...sys, range: '[-36000000,36000000]', unit: 'ms', honoured: true },
  ),
  cacheRow('time', 'location_expire_period_time', '0d', 'Greatest age of a location; 0 means no limit', {
    ...sys,
    range: '[0s, 30d]',
    honoured: true,
  }),
  cacheRow('int', 'normal_pl_update_threshold', '100', 'Most location refreshes in one second', {
    ...sys,
    range: '[0,]',
    honoured: true,
  }),
  cacheRow('int', 'limited_pl_update_threshold', '10', 'Most location refreshes in one second during a major merge', {
    ...sys,
    range: '[0,]',
    honoured: true,
  }),
  cacheRow('capacity', 'sql_table_cache_mem_limited', '128MB', 'Memory for what was found out about statement texts', {
    range: '[1KB,100G]',
    honoured: true,
  }),
  cacheRow(
    'int',
    'sql_table_cache_expire_relative_time',
    '0',
    'Makes statement entries older than now plus this expire, once; 0 means none',
    { ...sys, range: '[-36000000,36000000]', unit: 'ms', honoured: true },
  ),
];
