import { parameterRows } from '../parameter-spec.ts';

const row = parameterRows('process');

/** Listening, threads and the process itself. */
export const processParameters = [
  row('ip', 'local_bound_ip', '0.0.0.0', 'IPv4 address that the MySQL port listens on', {
    needReboot: true,
    visibleLevel: 'SYS',
    honoured: true,
  }),
  row('ip', 'local_bound_ipv6_ip', '::', 'IPv6 address that the MySQL port listens on', {
    needReboot: true,
    honoured: true,
    visibleLevel: 'SYS',
  }),
  row('int', 'ip_listen_mode', '1', 'Address families to listen on: 1 IPv4, 2 IPv6, 3 both', {
    range: '[1, 3]',
    needReboot: true,
    honoured: true,
    visibleLevel: 'SYS',
  }),
  row('int', 'listen_port', '2883', 'TCP port for MySQL clients', {
    range: '(1024,65536)',
    needReboot: true,
    visibleLevel: 'SYS',
    honoured: true,
  }),
  row('int', 'prometheus_listen_port', '2884', 'TCP port on which metrics are served over HTTP', {
    range: '(1024,65536)',
    needReboot: true,
    visibleLevel: 'SYS',
  }),
  row(
    'enum',
    'proxy_service_mode',
    'client',
    'How this proxy is deployed: beside each client, or centrally as a server',
    {
      choices: ['client', 'server'],
      needReboot: true,
      visibleLevel: 'SYS',
    },
  ),
  row('int', 'proxy_id', '0', 'Number of this proxy among its peers, part of connection ids; above 0 in server mode', {
    range: '[0, 8191]',
    visibleLevel: 'SYS',
    honoured: true,
  }),
  row('int', 'client_session_id_version', '1', 'Layout of connection ids; layout 1 has room for proxy_id up to 255', {
    range: '[1,2]',
    visibleLevel: 'SYS',
    honoured: true,
  }),
  row('string', 'app_name', 'undefined', 'Name of the application served; set by the start option -n only', {
    needReboot: true,
    readOnly: true,
    visibleLevel: 'SYS',
    honoured: true,
  }),
  row('int', 'work_thread_num', '128', 'Most worker threads that carry traffic', {
    range: '[1,128]',
    needReboot: true,
    honoured: true,
  }),
  row(
    'bool',
    'automatic_match_work_thread',
    'True',
    'Choose the number of workers by the CPU cores, work_thread_num being the upper bound',
    { needReboot: true, honoured: true },
  ),
  row('capacity', 'proxy_mem_limited', '2G', 'Memory the proxy may use; new work is refused near the limit', {
    range: '[100MB,100G]',
  }),
  row('bool', 'enable_auto_restart', 'False', 'Restart the proxy when its memory limit is nearly reached'),
  row('string', 'mysql_version', '5.6.25', 'Server version told to clients in the greeting: digits and dots', {
    configLevel: 'LEVEL_VIP',
    honoured: true,
  }),
];
