import { placeZones } from '../../routing/ldc.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { likeMatch } from '../../sql/like-match.ts';
import { localTime } from '../local-time.ts';
import { columns, okReply, rowsReply } from '../result.ts';
import type { Caller, ClusterDetail, CommandServices } from '../services.ts';

const clusterColumns = columns('cluster_name', 'cluster_id:LONGLONG', 'rs_url', 'root_addr', 'role', 'replica_type');
const clusterIdcColumns = columns('cluster_name', 'cluster_id:LONGLONG', 'idc_url', 'idc', 'region');
const resourceColumns = columns(
  'cluster_name',
  'cluster_id:LONGLONG',
  'state',
  'version:LONGLONG',
  'ref_count:LONGLONG',
  'last_access_time_ns:LONGLONG',
  'last_access_time',
  'deleting_completed_thread_num:LONGLONG',
  'fetch_rs_list_task_count:LONGLONG',
  'last_fetch_rs_list_time_ns:LONGLONG',
  'last_fetch_rs_list_time',
  'fetch_idc_list_task_count:LONGLONG',
  'last_fetch_idc_list_time_ns:LONGLONG',
  'last_fetch_idc_list_time',
);
const idcColumns = columns(
  'global_idc_name',
  'cluster_name',
  'match_type',
  'regions_name',
  'same_idc',
  'same_region',
  'other_region',
);
const infoColumns = columns('name', 'info');

const NS_PER_MS = 1_000_000n;

/** SHOW PROXYCLUSTER [LIKE 'p']: a row per root server. A list of start options names neither URL nor roles: they stay empty. */
export async function showProxyCluster(like: string | null, services: CommandServices): Promise<CommandReply> {
  const rows = (await clustersLike(like, services)).flatMap(({ configured: { key, id, rsUrl, rootServers } }) =>
    rootServers.map(({ address, role, replicaType }) => [key, String(id), rsUrl, address.text, role, replicaType]),
  );
  return rowsReply(clusterColumns, rows);
}

/** SHOW PROXYCLUSTER IDC [LIKE 'p']: a row per IDC that the ConfigServer tells of. */
export async function showProxyClusterIdc(like: string | null, services: CommandServices): Promise<CommandReply> {
  const rows = (await clustersLike(like, services)).flatMap(({ configured: { key, id, idcUrl, idcRegions } }) =>
    idcRegions.map(({ idc, region }) => [key, String(id), idcUrl, idc, region]),
  );
  return rowsReply(clusterIdcColumns, rows);
}

/** SHOW PROXYRESOURCE [LIKE 'p']: a row per cluster that is served. */
export async function showProxyResource(like: string | null, services: CommandServices): Promise<CommandReply> {
  const served = (await clustersLike(like, services)).filter(({ topology }) => topology !== null);
  return rowsReply(resourceColumns, served.map(resourceRow));
}

/** ALTER PROXYRESOURCE DELETE 'cluster'. */
export async function deleteProxyResource(
  cluster: string,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  await services.deleteCluster(cluster, caller);
  return okReply;
}

/** SHOW PROXYINFO IDC: the LDC placement that the proxy believes in, of the clusters that are served (R9). */
export async function showProxyInfoIdc(services: CommandServices): Promise<CommandReply> {
  const rows = (await services.clusters()).flatMap(({ topology }) => {
    if (topology === null) return [];
    const placement = placeZones(topology.zones, services.idcName, topology.idcRegions);
    const { regions, sameIdc, sameRegion, otherRegion } = placement;
    return [
      [
        services.idcName,
        topology.clusterName,
        placement.matchType,
        ...[regions, sameIdc, sameRegion, otherRegion].map(list),
      ],
    ];
  });
  return rowsReply(idcColumns, rows);
}

/** SHOW PROXYINFO CONFIGSERVER (not in the reference): what is in force and what is wrong; no rows without one. */
export async function showProxyInfoConfigServer(services: CommandServices): Promise<CommandReply> {
  const status = await services.configServer();
  if (status === null) return rowsReply(infoColumns, []);
  const wrong = (await services.clusters()).filter(({ configured }) => configured.error !== null);
  return rowsReply(infoColumns, [
    ['url', status.url],
    ['version', status.version],
    ['source', status.source],
    ['last good answer', status.answeredAtMs === null ? '' : localTime(status.answeredAtMs)],
    ['error', status.error ?? ''],
    ...wrong.map(({ configured: { key, error } }) => [`error of ${key}`, error ?? '']),
  ]);
}

async function clustersLike(like: string | null, services: CommandServices): Promise<ClusterDetail[]> {
  return (await services.clusters()).filter(({ configured }) => likeMatch(like, configured.key));
}

/** CR_INITING: its servers have not told their states yet. References and threads of the reference are not counted here. */
function resourceRow({ configured, topology, lastUsedAtMs }: ClusterDetail) {
  return [
    configured.key,
    String(configured.id),
    topology?.refreshedAtMs === null ? 'CR_INITING' : 'CR_AVAIL',
    String(topology?.revision ?? 0),
    '1',
    ...times(lastUsedAtMs),
    '0',
    String(configured.listFetches),
    ...times(configured.listedAtMs),
    String(configured.idcFetches),
    ...times(configured.idcsAtMs),
  ];
}

/** Nanoseconds since 1970, and the local time. */
function times(atMs: number | null): [string, string] {
  return atMs === null ? ['0', ''] : [String(BigInt(Math.trunc(atMs)) * NS_PER_MS), localTime(atMs)];
}

/** As the reference prints lists: `[[0]"zone1", [1]"zone2"]`. */
function list(items: readonly string[]): string {
  return `[${items.map((item, index) => `[${index}]"${item}"`).join(', ')}]`;
}
