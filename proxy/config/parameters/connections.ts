import { parameterRows } from '../parameter-spec.ts';

const row = parameterRows('connections');
const protocolRow = parameterRows('protocol');
const upgradeRow = parameterRows('hot upgrade');

/** Of these the reference sets, and the sockets here cannot. */
const noSuchOption = "the kernel's own value counts, as Node's sockets cannot set it";

/** Sessions, buffers and time-outs. */
export const connectionParameters = [
  row('int', 'client_max_connections', '8192', 'Most client connections at a time; 0 is no limit', {
    range: '[0,]',
    honoured: true,
  }),
  row(
    'bool',
    'enable_client_connection_lru_disconnect',
    'False',
    'At client_max_connections: true ends the session idle longest, false refuses the new one',
    { visibleLevel: 'SYS', honoured: true },
  ),
  row(
    'int',
    'resource_max_connections',
    '-1',
    'Most client sessions of each tenant at a time; -1 is no limit. A value for an address counts those that came to it. The table resource_unit shows the same',
    { range: '[-1,]', visibleLevel: 'SYS', configLevel: 'LEVEL_VIP', honoured: true },
  ),
  row('int', 'connect_observer_max_retries', '3', 'Most servers tried when a request needs a new server session', {
    range: '[2,5]',
    honoured: true,
  }),
  row('time', 'observer_query_timeout_delta', '20s', 'The proxy waits ob_query_timeout plus this for an answer', {
    range: '[1s,30s]',
    configLevel: 'LEVEL_VIP',
    honoured: true,
  }),
  row('time', 'default_inactivity_timeout', '180000s', "Idle limit until the session's own time-outs are known", {
    range: '[1s,30d]',
    honoured: true,
  }),
  row('time', 'short_async_task_timeout', '5s', "Limit of the proxy's own short queries", {
    range: '[1s,1h]',
    honoured: true,
  }),
  row('time', 'long_async_task_timeout', '60s', "Limit of the proxy's own long queries", { range: '[1s,1h]' }),
  row('int', 'mysql_client_num', '64', "Most connections for the proxy's own queries, for each cluster", {
    range: '[1,128]',
  }),
  row(
    'capacity',
    'client_max_memory_size',
    '8MB',
    'Memory for the variables and prepared statements of one client session',
    {
      range: '[8KB, 64MB]',
      visibleLevel: 'SYS',
      honoured: true,
    },
  ),
  row(
    'capacity',
    'request_buffer_length',
    '4KB',
    'Start of a request that is kept for parsing and for a second try; always 64 KB here',
    {
      range: '[1KB, 16MB]',
    },
  ),
  row(
    'capacity',
    'tunnel_request_size_threshold',
    '8KB',
    'Larger requests stream through and are never repeated; always 64 KB here',
    {
      range: '(0,16MB]',
    },
  ),
  row(
    'bool',
    'enable_flow_control',
    'True',
    'Stop reading from one side while the other is slow to take it; always so here',
  ),
  row(
    'capacity',
    'flow_high_water_mark',
    '64K',
    'Buffered bytes at which reading stops; here as soon as any have to wait',
    {
      range: '[0,16MB]',
    },
  ),
  row('capacity', 'flow_low_water_mark', '64K', 'Buffered bytes at which reading goes on; here when none wait', {
    range: '[0,16MB]',
  }),
  row('int', 'sock_option_flag_out', '3', 'Options of new server sockets, added up: 1 no delay, 2 keep-alive', {
    range: '[0, 3]',
    honoured: true,
  }),
  row('int', 'server_tcp_keepidle', '5', 'Silence before the first keep-alive probe to a server; 0 is 7200', {
    range: '[0,7200]',
    unit: 's',
    honoured: true,
  }),
  row('int', 'server_tcp_keepintvl', '5', 'Time between two keep-alive probes to a server; 0 is 75', {
    range: '[0,75]',
    unit: 's',
    honoured: true,
  }),
  row('int', 'server_tcp_keepcnt', '5', 'Keep-alive probes that a server may leave unanswered; 0 is 9', {
    range: '[0,9]',
    honoured: true,
  }),
  row('int', 'server_tcp_user_timeout', '0', `Time that a server may leave bytes unacknowledged; ${noSuchOption}`, {
    range: '[0,20]',
    unit: 's',
  }),
  row('int', 'server_tcp_init_cwnd', '0', `First congestion window to servers; ${noSuchOption}`, { range: '[0,64]' }),
  row('capacity', 'sock_recv_buffer_size_out', '0', `Receive buffer of server sockets; ${noSuchOption}`, {
    range: '[0,8MB]',
  }),
  row('capacity', 'sock_send_buffer_size_out', '0', `Send buffer of server sockets; ${noSuchOption}`, {
    range: '[0,8MB]',
  }),
  row('int', 'client_sock_option_flag_out', '3', 'Options of new client sockets, added up: 1 no delay, 2 keep-alive', {
    range: '[0, 3]',
    honoured: true,
  }),
  row('int', 'client_tcp_keepidle', '5', 'Silence before the first keep-alive probe to a client; 0 is 7200', {
    range: '[0,7200]',
    unit: 's',
    honoured: true,
  }),
  row('int', 'client_tcp_keepintvl', '5', 'Time between two keep-alive probes to a client; 0 is 75', {
    range: '[0,75]',
    unit: 's',
    honoured: true,
  }),
  row('int', 'client_tcp_keepcnt', '5', 'Keep-alive probes that a client may leave unanswered; 0 is 9', {
    range: '[0,9]',
    honoured: true,
  }),
  row('int', 'client_tcp_user_timeout', '0', `Time that a client may leave bytes unacknowledged; ${noSuchOption}`, {
    range: '[0,20]',
    unit: 's',
  }),
  row('capacity', 'internal_cmd_mem_limited', '16M', 'Largest answer of an internal command; 0 means no limit', {
    range: '[0,64MB]',
    honoured: true,
  }),
];

/** What is spoken on either side. */
export const protocolParameters = [
  protocolRow(
    'bool',
    'enable_compression_protocol',
    'True',
    "Use MySQL's compressed framing with its checksum to servers",
  ),
  protocolRow('bool', 'enable_ob_protocol_v2', 'True', "Use OceanBase's protocol 2.0 to servers", { honoured: true }),
  protocolRow(
    'string',
    'compression_algorithm',
    '',
    'Compression of protocol 2.0 to servers: zlib:1 (fast) to zlib:9 (small); nothing, or zlib:0, for none',
    { configLevel: 'LEVEL_VIP', honoured: true },
  ),
  protocolRow('bool', 'enable_ob_protocol_v2_with_client', 'False', 'Offer protocol 2.0 to clients that know it'),
  protocolRow('bool', 'enable_full_link_trace', 'False', 'Carry trace information of a request through to the server'),
  protocolRow(
    'bool',
    'enable_session_info_verification',
    'False',
    'Check that server sessions agree about their state',
  ),
  protocolRow('int', 'obproxy_force_parallel_query_dop', '1', 'Degree of parallelism set on every server session', {
    range: '[1,]',
    visibleLevel: 'SYS',
    configLevel: 'LEVEL_VIP',
  }),
];

/** Replacing the running proxy and leaving. */
export const upgradeParameters = [
  upgradeRow('time', 'proxy_hot_upgrade_check_interval', '5s', 'Time between two looks for an upgrade order', {
    range: '[1s,1h]',
  }),
  upgradeRow('int', 'hot_upgrade_failure_retries', '5', 'Attempts before an upgrade is given up', {
    range: '[1,20]',
    honoured: true,
  }),
  upgradeRow('time', 'hot_upgrade_rollback_timeout', '24h', 'An upgrade not confirmed for this long is undone', {
    range: '[1s,30d]',
    honoured: true,
  }),
  upgradeRow(
    'int',
    'hot_upgrade_exit_timeout',
    '30000000',
    'Time the old process gives its sessions to end; -1 without limit, 0 none. An integer, not a time with unit',
    { range: '[-1,86400000000]', unit: 'µs', honoured: true },
  ),
  upgradeRow('time', 'delay_exit_time', '100ms', 'Wait between the order to stop and the end of the process', {
    range: '[100ms,500ms]',
    honoured: true,
  }),
  upgradeRow(
    'int',
    'proxy_local_cmd',
    '0',
    'One-time order: 0 none, 1 exit, 2 restart without clients noticing; 3 and 4 are refused',
    {
      range: '[0,4]',
      honoured: true,
      visibleLevel: 'MEMORY',
    },
  ),
];
