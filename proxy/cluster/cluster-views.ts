/** Reading the two views that tell a cluster's zones and servers, in the shape that the cluster's version has. */
import { OdpError } from '../errors/odp-error.ts';
import { mapServers, mapZones } from './map-topology.ts';
import { type MetadataRow, ServerError } from './metadata-connection.ts';
import { ALL_ROWS, WEAK_READ } from './sql-text.ts';
import type { Zone } from './states.ts';
import { singleLeaderQuery, type TenantFacts, tenantFacts, tenantIds } from './tenant-facts.ts';
import type { ObServer } from './topology.ts';

export interface ClusterViews {
  /** Null when the zone view held something unusable: the zones known before stay. */
  readonly zones: readonly Zone[] | null;
  readonly servers: readonly ObServer[];
  /** Null when they could not be read. */
  readonly tenants: TenantFacts | null;
  readonly problems: readonly string[];
}

type Shape = 'V3' | 'V4';

/** Table and column shapes of the reference proxy's queries; the aliases give both versions the same column names. */
const viewQueries: Readonly<Record<Shape, { readonly zones: string; readonly servers: string }>> = {
  V4: {
    zones:
      `SELECT ${WEAK_READ} zone, status, 0 AS is_merging, region, idc AS spare4, type AS spare5 ` +
      `FROM oceanbase.DBA_OB_ZONES ${ALL_ROWS}`,
    servers:
      `SELECT ${WEAK_READ} svr_ip, svr_port AS rpc_port, sql_port AS svr_port, zone, status, ` +
      'start_service_time IS NOT NULL AS start_service_time, stop_time IS NOT NULL AS stop_time ' +
      `FROM oceanbase.DBA_OB_SERVERS WHERE svr_port > 0 ORDER BY zone ${ALL_ROWS}`,
  },
  V3: {
    zones: `SELECT ${WEAK_READ} * FROM oceanbase.__all_virtual_zone_stat ${ALL_ROWS}`,
    servers:
      `SELECT ${WEAK_READ} ss.svr_ip, ss.svr_port, ss.zone, ss.status, ss.start_service_time, ss.stop_time, ` +
      'ass.svr_port AS rpc_port FROM oceanbase.__all_virtual_proxy_server_stat ss ' +
      'LEFT JOIN oceanbase.__all_virtual_server_stat ass ON ss.svr_ip = ass.svr_ip AND ss.svr_port = ass.inner_port ' +
      `WHERE ss.svr_port > 0 ORDER BY zone ${ALL_ROWS}`,
  },
};

/**
 * Zones in which some tenant's major compaction runs. V4's zone view does not tell (the reference takes none for merging
 * then), but R5 wants to know.
 */
const mergingZones =
  `SELECT ${WEAK_READ} DISTINCT zone AS merging_zone FROM oceanbase.CDB_OB_ZONE_MAJOR_COMPACTION ` +
  "WHERE status <> 'IDLE'";

/** The sys tenant serves the cluster itself: it has no zone that it would rather be in. */
const tenantQueries: Readonly<Record<Shape, string>> = {
  V4:
    `SELECT ${WEAK_READ} tenant_id, tenant_name, primary_zone, locality, previous_locality, status ` +
    `FROM oceanbase.DBA_OB_TENANTS WHERE tenant_id <> 1 ${ALL_ROWS}`,
  V3:
    `SELECT ${WEAK_READ} tenant_id, tenant_name, primary_zone, locality, previous_locality ` +
    `FROM oceanbase.__all_tenant WHERE tenant_id <> 1 ${ALL_ROWS}`,
};

/** No such table, unknown database. */
const absentErrnos: ReadonlySet<number> = new Set([1146, 1049]);

/** No such table, no such column, not allowed: what only adds to the views is not asked for again. */
const untoldErrnos: ReadonlySet<number> = new Set([1146, 1054, 1142]);

export type QueryServer = (sql: string) => Promise<MetadataRow[]>;

export class ClusterViewReader {
  #shape: Shape | null = null;
  #tellsMerges = true;
  #tellsTenants = true;
  #tellsLeaders = true;

  /**
   * Zones and servers as the server behind `query` tells them, or null when it has no such views: a single kernel, or a
   * plain MySQL server. `server` names it in errors. Throws what `query` throws, and CLUSTER_VIEW_INVALID when the view
   * holds no usable server (a list that was good must not be replaced by nothing: case B25).
   */
  async read(server: string, query: QueryServer): Promise<ClusterViews | null> {
    for (const shape of await this.#shapesToTry(query)) {
      const views = await readShape(server, shape, query, (zones) => this.#withMerges(zones, query));
      this.#shape = views === null ? null : shape;
      if (views !== null) return { ...views, tenants: await this.#tenants(shape, query) };
    }
    return null;
  }

  /**
   * Merges are only a preference: whatever keeps them from being known must not make the round fail. A cluster that has no
   * such view, as a single kernel, or doesn't let it be read, isn't asked again.
   */
  async #withMerges(zones: readonly MetadataRow[], query: QueryServer): Promise<readonly MetadataRow[]> {
    if (!this.#tellsMerges) return zones;
    const rows = await query(mergingZones).catch((error: unknown): MetadataRow[] => {
      if (error instanceof ServerError && untoldErrnos.has(error.errno)) this.#tellsMerges = false;
      return [];
    });
    const merging = new Set(rows.map((row) => row.merging_zone));
    return zones.map((row) => (merging.has(row.zone) ? { ...row, is_merging: '1' } : row));
  }

  /** Like merges only a preference. */
  async #tenants(shape: Shape, query: QueryServer): Promise<TenantFacts | null> {
    if (!this.#tellsTenants) return null;
    const rows = await query(tenantQueries[shape]).catch((error: unknown): MetadataRow[] | null => {
      if (error instanceof ServerError && untoldErrnos.has(error.errno)) this.#tellsTenants = false;
      return null;
    });
    return rows === null ? null : tenantFacts(rows, shape === 'V4' ? await this.#leaders(rows, query) : []);
  }

  /** V3 tells of no log streams: there no tenant counts as led by one server. */
  async #leaders(tenants: readonly MetadataRow[], query: QueryServer): Promise<readonly MetadataRow[]> {
    const ids = tenantIds(tenants);
    if (!this.#tellsLeaders || ids.length === 0) return [];
    return query(singleLeaderQuery(ids)).catch((error: unknown): MetadataRow[] => {
      if (error instanceof ServerError && untoldErrnos.has(error.errno)) this.#tellsLeaders = false;
      return [];
    });
  }

  async #shapesToTry(query: QueryServer): Promise<Shape[]> {
    const first = this.#shape ?? (await askVersion(query));
    return first === 'V3' ? ['V3', 'V4'] : ['V4', 'V3'];
  }
}

/** ob_version() exists on every OceanBase; a server that has no such function is asked in the newer shape first. */
async function askVersion(query: QueryServer): Promise<Shape> {
  try {
    const [row] = await query('SELECT ob_version() AS cluster_version');
    return Number.parseInt(row?.cluster_version ?? '', 10) < 4 ? 'V3' : 'V4';
  } catch (error) {
    if (error instanceof ServerError) return 'V4';
    throw error;
  }
}

async function readShape(
  server: string,
  shape: Shape,
  query: QueryServer,
  withMerges: (zones: readonly MetadataRow[]) => Promise<readonly MetadataRow[]>,
): Promise<Omit<ClusterViews, 'tenants'> | null> {
  try {
    const zoneRows = await query(viewQueries[shape].zones);
    const servers = mapServers(await query(viewQueries[shape].servers));
    const zones = mapZones(shape === 'V4' ? await withMerges(zoneRows) : zoneRows);
    const problems = [...zones.problems, ...servers.problems];
    if (servers.items.length === 0) {
      const detail = problems.length === 0 ? 'it lists no server' : problems.join('; ');
      throw new OdpError('CLUSTER_VIEW_INVALID', { server, detail });
    }
    return { zones: zones.problems.length === 0 ? zones.items : null, servers: servers.items, problems };
  } catch (error) {
    if (error instanceof ServerError && absentErrnos.has(error.errno)) return null;
    throw error;
  }
}
