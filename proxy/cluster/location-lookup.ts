/** Asking a cluster where a table's replicas, or a tenant's servers, are (R4). One per worker thread and cluster. */
import { errorText, OdpError } from '../errors/odp-error.ts';
import { mapReplicas, mapTableLocation, type TableName } from './map-location.ts';
import { type MetadataRow, ServerError } from './metadata-connection.ts';
import { ReplicaLists } from './replica-lists.ts';
import { shuffleWithLast } from './shuffle.ts';
import { ALL_ROWS, quoteText, WEAK_READ } from './sql-text.ts';
import type { ClusterTopology, Replica, TableLocation } from './topology.ts';

/** What a look-up needs of its surroundings. */
export interface LocationLookupOptions {
  /** Rows of one SELECT from one server, e.g. `MetadataClient.query`. */
  readonly query: (address: string, sql: string) => Promise<MetadataRow[]>;
  /** The newest topology: which servers to ask, and which addresses to believe. */
  readonly topology: () => ClusterTopology;
  /** In [0, 1). */
  readonly random?: () => number;
  /** Servers asked before giving up; default 3: somebody's request waits for the answer. */
  readonly maxServers?: number;
}

/** The table whose location lists every server of its tenant (reference proxy's dummy entry). */
const DUMMY = { database: 'oceanbase', table: '__all_dummy' };

/** The key column that tells a table's own rows from its partitions': V4, V3. */
type PartitionColumn = 'tablet_id' | 'partition_id';

const ER_BAD_FIELD = 1054;

/** Asks one cluster; remembers which servers failed a moment ago and which columns its version has. */
export class LocationLookup {
  readonly #options: LocationLookupOptions;
  readonly #random: () => number;
  readonly #failed = new Set<string>();
  readonly #lists = new ReplicaLists();
  #column: PartitionColumn = 'tablet_id';

  constructor(options: LocationLookupOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  /**
   * Where the table is (of `oceanbase.__all_dummy`: the tenant's servers); null when the cluster knows no such table or tenant. A location may be without leader, and even
   * without replicas. Throws LOCATION_UNAVAILABLE, which tells each asked server's failure, when none could answer
   * (case B76 c: the caller then takes any server of the tenant).
   * @param tabletId of one partition, decimal text; '0': of the whole table
   */
  async lookupTable(name: TableName, tabletId = '0'): Promise<TableLocation | null> {
    const isDummy = name.database === DUMMY.database && name.table === DUMMY.table;
    const sqlFor = (column: PartitionColumn) =>
      isDummy ? tenantQuery(name.tenant, column) : tableQuery(name, column, tabletId);
    const { rows, server } = await this.#ask(sqlFor);
    const location = mapTableLocation(name, rows, this.#options.topology(), server);
    if (location === null) return null;
    const replicas = this.#lists.shared(location.replicas);
    return tabletId === '0' ? { ...location, replicas } : { ...location, replicas, tabletId };
  }

  /** Rows of a query of the proxy's own from any server. Throws LOCATION_UNAVAILABLE. */
  async query(sql: string): Promise<MetadataRow[]> {
    return (await this.#ask(() => sql)).rows;
  }

  /** The servers that serve the tenant; empty when the cluster knows no such tenant. Throws LOCATION_UNAVAILABLE. */
  async lookupTenantServers(tenant: string): Promise<Replica[]> {
    const { rows, server } = await this.#ask((column) => tenantQuery(tenant, column));
    return mapReplicas(rows, this.#options.topology(), server);
  }

  async #ask(sqlFor: (column: PartitionColumn) => string): Promise<{ rows: MetadataRow[]; server: string }> {
    const failures: string[] = [];
    for (const server of this.#serversToAsk()) {
      try {
        const rows = await this.#askOne(server, sqlFor);
        this.#failed.delete(server);
        return { rows, server };
      } catch (error) {
        this.#failed.add(server);
        failures.push(`${server}: ${errorText(error)}`);
      }
    }
    throw new OdpError('LOCATION_UNAVAILABLE', { detail: failures.join('; ') || 'the cluster has no servers' });
  }

  /** Asks in the shape that worked last; a server of the other version tells by "unknown column". */
  async #askOne(server: string, sqlFor: (column: PartitionColumn) => string): Promise<MetadataRow[]> {
    try {
      return await this.#options.query(server, sqlFor(this.#column));
    } catch (error) {
      if (!(error instanceof ServerError) || error.errno !== ER_BAD_FIELD) throw error;
      const other = this.#column === 'tablet_id' ? 'partition_id' : 'tablet_id';
      const rows = await this.#options.query(server, sqlFor(other));
      this.#column = other;
      return rows;
    }
  }

  /** Active servers that answered last time first, the others behind them. */
  #serversToAsk(): string[] {
    const { servers } = this.#options.topology();
    const addresses = servers.map((server) => server.address);
    for (const address of this.#failed) if (!addresses.includes(address)) this.#failed.delete(address);
    const inactive = servers.filter((server) => server.state !== 'ACTIVE').map((server) => server.address);
    const last = new Set([...this.#failed, ...inactive]);
    return shuffleWithLast(addresses, last, this.#random).slice(0, this.#options.maxServers ?? 3);
  }
}

/**
 * `*` rather than column names, and no join: a single kernel has no address columns, and the internal port that the
 * reference proxy joins in is not used here.
 */
function tableQuery(name: TableName, column: PartitionColumn, tabletId: string): string {
  return `${selectWhere(name)} AND ${column} = ${tabletId} ORDER BY role ASC ${ALL_ROWS}`;
}

function tenantQuery(tenant: string, column: PartitionColumn): string {
  return `${selectWhere({ tenant, ...DUMMY })} ORDER BY ${column} ASC, role ASC ${ALL_ROWS}`;
}

function selectWhere({ tenant, database, table }: TableName): string {
  const names = `tenant_name = ${quoteText(tenant)} AND database_name = ${quoteText(database)} AND table_name = ${quoteText(table)}`;
  return `SELECT ${WEAK_READ} * FROM oceanbase.__all_virtual_proxy_schema WHERE ${names}`;
}
