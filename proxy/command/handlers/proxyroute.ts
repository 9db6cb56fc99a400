import type { LocationFilter, LocationView } from '../../routing/location/location-view.ts';
import type { RoutineView } from '../../routing/location/routine-view.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { localTime } from '../local-time.ts';
import { columns, type Row, rowsReply } from '../result.ts';
import type { CommandServices } from '../services.ts';

const timeColumns = [
  'create_time',
  'last_valid_time',
  'last_access_time',
  'last_update_time',
  'expire_time',
  'relative_expire_time',
] as const;

const tableColumns = columns(
  'cluster_name',
  'tenant_name',
  'database_name',
  'table_name',
  'state',
  'partition_num:LONGLONG',
  'replica_num:LONGLONG',
  'table_id:LONGLONG',
  'cluster_version:LONGLONG',
  'schema_version:LONGLONG',
  'from_rslist',
  ...timeColumns,
  'server addr',
);

const partitionColumns = columns(
  'table_id:LONGLONG',
  'partition_id:LONGLONG',
  'state',
  'cluster_version:LONGLONG',
  'schema_version:LONGLONG',
  ...timeColumns,
  'server addr',
);

const globalIndexColumns = columns(
  'table_id:LONGLONG',
  'data_table_id:LONGLONG',
  'index_table_name',
  'state',
  'cluster_version:LONGLONG',
  'schema_version:LONGLONG',
  ...timeColumns,
);

const routineColumns = columns(
  'cluster_name',
  'tenant_name',
  'database_name',
  'package_name',
  'routine_name',
  'state',
  // The reference's name for the routine's type.
  'routine_num:LONGLONG',
  'routine_id:LONGLONG',
  'cluster_version:LONGLONG',
  'schema_version:LONGLONG',
  ...timeColumns,
  'route_sql',
);

/** No row is shorter, for its six times: of more rows than fit into the limit with it, the answer is an error anyway (case B98). */
const LEAST_ROW_BYTES = 114;
const MOST_ROWS = 1_000_000;

/** SHOW PROXYROUTE [LIKE]: tables and tenants. */
export async function showTableRoutes(like: string | null, services: CommandServices): Promise<CommandReply> {
  return rowsReply(tableColumns, (await find(['table', 'tenant'], like, services)).map(tableRow));
}

/** SHOW PROXYROUTE PARTITION. */
export async function showPartitionRoutes(services: CommandServices): Promise<CommandReply> {
  return rowsReply(partitionColumns, (await find(['partition'], null, services)).map(partitionRow));
}

/** SHOW PROXYROUTE GLOBALINDEX: no request is routed by a global index, so that none is ever cached. */
export function showGlobalIndexRoutes(): CommandReply {
  return rowsReply(globalIndexColumns, []);
}

/** SHOW PROXYROUTE ROUTINE [LIKE]: the procedures that were called. */
export async function showRoutineRoutes(like: string | null, services: CommandServices): Promise<CommandReply> {
  return rowsReply(routineColumns, (await services.routines(like, limitOf(services))).map(routineRow));
}

function limitOf({ answerLimitBytes }: CommandServices): number {
  return answerLimitBytes === 0 ? MOST_ROWS : Math.ceil(answerLimitBytes / LEAST_ROW_BYTES);
}

function find(
  kinds: LocationFilter['kinds'],
  like: string | null,
  services: CommandServices,
): Promise<readonly LocationView[]> {
  const filter = { kinds, cluster: null, tenant: null, database: null, contains: null, like, missing: false };
  return services.locations(filter, limitOf(services));
}

function tableRow(view: LocationView): Row {
  return [
    view.cluster,
    view.tenant,
    view.database,
    view.table,
    view.state,
    String(view.partitionCount),
    String(view.replicas.length),
    view.tableId,
    String(view.clusterVersion),
    view.schemaVersion,
    // Locations are always told by the cluster; the list is only where asking began.
    'N',
    ...times(view),
    levelsText(view) ?? serversText(view),
  ];
}

function partitionRow(view: LocationView): Row {
  return [
    view.tableId,
    view.tabletId,
    view.state,
    String(view.clusterVersion),
    view.schemaVersion,
    ...times(view),
    serversText(view),
  ];
}

function routineRow(view: RoutineView): Row {
  return [
    view.cluster,
    view.tenant,
    view.database,
    view.packageName,
    view.name,
    view.state,
    String(view.routineType),
    view.routineId,
    String(view.clusterVersion),
    view.schemaVersion,
    ...times(view),
    view.routeSql,
  ];
}

function times(view: LocationView | RoutineView): string[] {
  // What never was is the beginning of time in the reference.
  return [
    view.createdAtMs,
    view.validAtMs,
    view.accessedAtMs,
    view.updatedAtMs,
    view.expiresAtMs,
    view.doubtedBeforeMs,
  ].map((atMs) => localTime(atMs ?? 0));
}

function serversText({ replicas }: LocationView): string {
  return replicas
    .map(({ address, role, isReadOnly }, index) => {
      return `server[${index}]=${address},${role},${isReadOnly ? 'READONLY' : 'FULL'}; `;
    })
    .join('');
}

/** Null: not partitioned, or not known how. */
function levelsText({ levels }: LocationView): string | null {
  const [first, second] = levels;
  if (first === undefined) return null;
  const text = (prefix: string, level: LocationView['levels'][number] | undefined): string =>
    `${prefix}_func=${level?.kind.toUpperCase() ?? ''}, ${prefix}_space=0, ${prefix}_num=${level?.partitions ?? 0}`;
  return `part_level=${levels.length}, ${text('first', first)}, ${text('sub', second)}`;
}
