import { parameterRows } from '../parameter-spec.ts';

const row = parameterRows('discovery');

/** Where clusters and their servers are learnt from. */
export const discoveryParameters = [
  row('string', 'obproxy_config_server_url', '', 'URL of the ConfigServer; when set, clusters are looked up there', {
    needReboot: true,
    visibleLevel: 'SYS',
    honoured: true,
  }),
  row('list', 'rootservice_list', '', 'Servers of the one cluster served in test mode: ip:sql_port;ip:sql_port', {
    needReboot: true,
    visibleLevel: 'SYS',
    honoured: true,
  }),
  row(
    'string',
    'rootservice_cluster_name',
    'undefined',
    'Cluster name for rootservice_list; undefined means none given',
    {
      needReboot: true,
      visibleLevel: 'SYS',
      configLevel: 'LEVEL_VIP',
      honoured: true,
    },
  ),
  row(
    'bool',
    'enable_get_rslist_remote',
    'False',
    "Ask the ConfigServer for a cluster's servers anew whenever the cluster begins to be served",
    {
      visibleLevel: 'SYS',
      honoured: true,
    },
  ),
  row(
    'bool',
    'enable_cluster_checkout',
    'True',
    'Send the cluster name at login, so that the server can refuse a wrong one',
    { honoured: true },
  ),
  row(
    'bool',
    'ignore_local_config',
    'True',
    'At start, ask the ConfigServer before the kept copy of its answers counts; false: the copy counts at once',
    { honoured: true },
  ),
  row('time', 'config_server_refresh_interval', '60s', 'Time between two questions to the ConfigServer', {
    range: '[10s,1d]',
    honoured: true,
  }),
  row('time', 'idc_list_refresh_interval', '2h', 'Time between two refreshes of the IDC to region list', {
    range: '[10s, 1d]',
    honoured: true,
  }),
  row(
    'int',
    'cluster_count_high_water_mark',
    '256',
    'Clusters kept at a time; beyond it the one longest unused is dropped',
    {
      range: '[2, 102400]',
      honoured: true,
    },
  ),
  row('time', 'cluster_expire_time', '1d', 'A cluster unused for this long is dropped; 0 means never', {
    range: '[0,]',
    honoured: true,
  }),
  row('bool', 'refresh_json_config', 'False', 'Set to true once to fetch the ConfigServer answer again', {
    visibleLevel: 'MEMORY',
    honoured: true,
  }),
  row('bool', 'refresh_rslist', 'False', 'Set to true once to fetch every server list again', {
    visibleLevel: 'MEMORY',
    honoured: true,
  }),
  row('bool', 'refresh_idc_list', 'False', 'Set to true once to fetch every IDC list again', {
    visibleLevel: 'MEMORY',
    honoured: true,
  }),
  row(
    'time',
    'server_state_refresh_interval',
    '20s',
    "Time between two readings of a cluster's server and zone views",
    {
      range: '[10ms, 1h]',
      honoured: true,
    },
  ),
];
