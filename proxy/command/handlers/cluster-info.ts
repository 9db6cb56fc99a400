import { placeZones } from '../../routing/ldc.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { likeMatch } from '../like-match.ts';
import { columns, rowsReply } from '../result.ts';
import type { CommandServices } from '../services.ts';

const clusterColumns = columns('cluster_name', 'cluster_id:LONGLONG', 'rs_url', 'root_addr', 'role', 'replica_type');
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

/** SHOW PROXYCLUSTER [LIKE 'p']: a row per root server. A configured list names neither URL nor roles: they stay empty. */
export function showProxyCluster(like: string | null, services: CommandServices): CommandReply {
  const clusters = services.clusters().filter((cluster) => likeMatch(like, cluster.topology.clusterName));
  return rowsReply(
    clusterColumns,
    clusters.flatMap(({ id, topology, rootServers }) =>
      rootServers.map((address) => [topology.clusterName, String(id), '', address, '', '']),
    ),
  );
}

/** SHOW PROXYINFO IDC: the LDC placement that the proxy believes in (R9). */
export function showProxyInfoIdc(services: CommandServices): CommandReply {
  return rowsReply(
    idcColumns,
    services.clusters().map(({ topology }) => {
      const placement = placeZones(topology.zones, services.idcName);
      return [
        services.idcName,
        topology.clusterName,
        placement.matchType,
        list(placement.regions),
        list(placement.sameIdc),
        list(placement.sameRegion),
        list(placement.otherRegion),
      ];
    }),
  );
}

/** SHOW PROXYINFO BINARY: the build, a fact a line. */
export function showProxyInfoBinary(services: CommandServices): CommandReply {
  const lines = [
    `odp-${services.proxyVersion}`,
    `version:${services.proxyVersion}`,
    `NODE:${process.version}`,
    `PLATFORM:${process.platform}-${process.arch}`,
  ];
  return rowsReply(infoColumns, [['binary info', lines.join('\n')]]);
}

/** As the reference prints lists: `[[0]"zone1", [1]"zone2"]`. */
function list(items: readonly string[]): string {
  return `[${items.map((item, index) => `[${index}]"${item}"`).join(', ')}]`;
}
