import { durationText, parametersText, reasonText } from '../../history/describe-transition.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { localTime } from '../local-time.ts';
import { columns, type Row, rowsReply } from '../result.ts';
import type { CommandServices, CongestionRow } from '../services.ts';

/** B24: names and order are the requirement's, types the reference's. */
const congestionColumns = columns(
  'cluster_name',
  'zone_name',
  'region_name',
  'zone_state',
  'server_ip',
  'cr_version:LONGLONG',
  'server_state',
  'alive_congested:LONGLONG',
  'last_alive_congested',
  'dead_congested:LONGLONG',
  'last_dead_congested',
  'stat_alive_failures:LONGLONG',
  'stat_conn_failures:LONGLONG',
  'conn_last_fail_time',
  'conn_failure_events:LONGLONG',
  'alive_last_fail_time',
  'alive_failure_events:LONGLONG',
  'ref_count:LONGLONG',
  'detect_congested:LONGLONG',
  'last_detect_congested',
);

const historyColumns = columns(
  'time',
  'cluster_name',
  'zone_name',
  'server_ip',
  'list',
  'change',
  'listed_for',
  'reason',
  'parameters',
);

/** SHOW PROXYCONGESTION [all] ['cluster'] (B23). An unknown cluster has no rows. */
export async function showProxyCongestion(
  all: boolean,
  cluster: string | null,
  services: CommandServices,
): Promise<CommandReply> {
  const rows = await services.congestion();
  const shown = rows.filter(
    ({ clusterName, lists }) => (cluster === null || clusterName === cluster) && (all || lists.length > 0),
  );
  return rowsReply(congestionColumns, shown.map(congestionRow));
}

/** SHOW PROXYCONGESTION HISTORY ['cluster'] [LIMIT n]: listings and releases with their reasons, newest first. */
export async function showProxyCongestionHistory(
  cluster: string | null,
  limit: number,
  services: CommandServices,
): Promise<CommandReply> {
  const rows = await services.congestionHistory({ cluster, limit });
  return rowsReply(
    historyColumns,
    rows.map((row) => [
      localTime(row.at.getTime()),
      row.cluster,
      row.zone,
      row.address,
      row.list,
      row.change,
      row.listedForMs === null ? null : durationText(row.listedForMs),
      reasonText(row),
      parametersText(row.parameters),
    ]),
  );
}

function congestionRow(row: CongestionRow): Row {
  return [
    row.clusterName,
    row.zone,
    row.region,
    row.zoneState,
    row.address,
    String(row.clusterVersion),
    row.serverState,
    flag(row.isAliveListed),
    time(row.lastAliveListedWallAtMs),
    flag(row.isDeadListed),
    time(row.lastDeadListedWallAtMs),
    String(row.failureTotal),
    String(row.connectFailureTotal),
    time(row.lastConnectFailureWallAtMs),
    String(row.connectFailuresInWindow),
    time(row.lastFailureWallAtMs),
    String(row.failuresInWindow),
    String(row.refCount),
    flag(row.isDetectionListed),
    time(row.lastDetectionListedWallAtMs),
  ];
}

function flag(isListed: boolean): string {
  return isListed ? '1' : '0';
}

function time(wallAtMs: number | null): string {
  return wallAtMs === null ? '0' : localTime(wallAtMs);
}
