import { parameterRows } from '../parameter-spec.ts';

const row = parameterRows('log');
const metricsRow = parameterRows('metrics');
const sys = { visibleLevel: 'SYS' } as const;

/** Log files and what goes into them. */
export const logParameters = [
  row('loglevel', 'syslog_level', 'WDIAG', 'Least severe message that is logged, for all or as MODULE.SUB:LEVEL'),
  row('bool', 'enable_syslog_wf', 'False', 'Write warnings and errors to a .wf file as well'),
  row('capacity', 'max_log_file_size', '256MB', 'Size at which a log file is rotated', { range: '[1MB,1G]' }),
  row('capacity', 'log_dir_size_threshold', '64GB', 'Disk space for all log files', { range: '[256M,1T]' }),
  row('time', 'log_cleanup_interval', '1m', 'Time between two clean-ups of log files', { range: '[5s,30d]' }),
  row('time', 'max_syslog_file_time', '7d', 'Rotated files older than this are removed', { range: '[1s,]' }),
  row('int', 'max_syslog_file_count', '0', 'Most rotated files; 0 means no limit', { range: '[0,]' }),
  row('bool', 'enable_syslog_file_compress', 'False', 'Compress rotated files', sys),
  row('loglevel', 'monitor_log_level', 'INFO', 'Level of the digest, slow and statistics logs'),
  row(
    'time',
    'query_digest_time_threshold',
    '100ms',
    'Requests slower than this go to the digest log; 0 turns it off',
    {
      range: '[0s,30d]',
      configLevel: 'LEVEL_VIP',
    },
  ),
  row('time', 'slow_query_time_threshold', '500ms', 'Requests slower than this go to the slow log; 0 turns it off', {
    range: '[0s,30d]',
    configLevel: 'LEVEL_VIP',
  }),
  row('time', 'slow_transaction_time_threshold', '1s', 'Transactions slower than this are logged', {
    range: '[0s,30d]',
  }),
  row(
    'time',
    'slow_proxy_process_time_threshold',
    '2ms',
    'Requests on which the proxy itself spent longer are logged',
    {
      range: '[0s,30d]',
    },
  ),
  row('int', 'digest_sql_length', '1024', 'Most of a statement that is logged; 0 means the default', {
    ...sys,
    unit: 'B',
  }),
  row(
    'int',
    'connection_diagnosis_option',
    '3',
    'Added up: 1 log why sessions ended, 2 answer internal errors as errors',
    {
      range: '[0,3]',
    },
  ),
];

/** Statistics and the metrics door. */
export const metricsParameters = [
  metricsRow('bool', 'enable_monitor_stat', 'True', 'Write statistics of each tenant to the log'),
  metricsRow('time', 'monitor_stat_dump_interval', '1m', 'Time between two such lines', { range: '[1s,1h]' }),
  metricsRow('time', 'monitor_stat_low_threshold', '30ms', 'Upper bound of the fast bucket', { range: '[0s, 5s]' }),
  metricsRow('time', 'monitor_stat_middle_threshold', '100ms', 'Upper bound of the middle bucket', {
    range: '[0s, 30s]',
  }),
  metricsRow('time', 'monitor_stat_high_threshold', '500ms', 'Upper bound of the slow bucket', { range: '[0s, 1m]' }),
  metricsRow('int', 'monitor_item_limit', '3000', 'Most label sets kept', { ...sys, range: '[0,10000]' }),
  metricsRow('time', 'monitor_item_max_idle_period', '30m', 'A label set unused for this long is dropped', {
    range: '[1m, 1d]',
  }),
  metricsRow('bool', 'monitor_cost_ms_unit', 'False', 'Log costs in ms instead of µs', sys),
  metricsRow('bool', 'enable_prometheus', 'True', 'Serve metrics'),
  metricsRow('bool', 'enable_extra_prometheus_metric', 'False', 'Add network and routing metrics'),
  metricsRow('bool', 'prometheus_cost_ms_unit', 'False', 'Give durations of metrics in ms', {
    ...sys,
    needReboot: true,
  }),
];
