import { parameterRows } from '../parameter-spec.ts';

const row = parameterRows('blocklist');

/** The three blocklists and the detection probe (requirements B5, B6, B11–B13, B16–B21). */
export const blocklistParameters = [
  row('bool', 'enable_congestion', 'True', 'The blocklists as a whole: off means that no server is left out', {
    honoured: true,
  }),
  row(
    'int',
    'congestion_failure_threshold',
    '5',
    'Failures within congestion_fail_window after which a server is listed; below 0 every listed server comes off',
    { range: '[-2147483648,2147483647]', honoured: true },
  ),
  row('time', 'congestion_fail_window', '120s', 'Window in which failures count; a change starts the counts anew', {
    range: '[1s,1h]',
    honoured: true,
  }),
  row('time', 'congestion_retry_interval', '20s', 'A listed server is tried again this long after it was listed', {
    range: '[1s,1h]',
    honoured: true,
  }),
  row('time', 'min_keep_congestion_interval', '20s', 'A listed server stays listed at least this long', {
    range: '[1s,1d]',
    honoured: true,
  }),
  row('time', 'min_congested_connect_timeout', '100ms', 'A connect that takes longer than this lists the server', {
    range: '[1ms,1h]',
    honoured: true,
  }),
  row('int', 'server_detect_mode', '1', 'Whom to probe: 0 nobody, 1 servers that look slow or failing, 2 all', {
    range: '[0,2]',
    honoured: true,
  }),
  row(
    'int',
    'server_detect_fail_threshold',
    '3',
    'More than this many failed probes in a row: the server counts as dead',
    {
      range: '[1,10000]',
      visibleLevel: 'SYS',
      honoured: true,
    },
  ),
  row('time', 'server_detect_refresh_interval', '1s', 'Time between two probes of a server', {
    range: '[1ms, 1h]',
    honoured: true,
  }),
  row('time', 'detect_server_timeout', '5s', 'A probe that takes longer than this has failed', {
    range: '[1s,1h]',
    honoured: true,
  }),
];
