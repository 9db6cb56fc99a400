/** The tenants of one cluster, as its views tell them: for people to choose from. Asked for at most every few seconds. */
import { errorText, OdpError } from '../errors/odp-error.ts';
import { type MetadataRow, ServerError } from './metadata-connection.ts';
import { ALL_ROWS, WEAK_READ } from './sql-text.ts';
import type { ClusterTopology } from './topology.ts';

/** V4's view, in which each tenant has a META one beside it that nobody logs in to; V3's table. */
const queries = [
  `SELECT ${WEAK_READ} tenant_name AS tenant_name FROM oceanbase.DBA_OB_TENANTS ` +
    `WHERE tenant_type <> 'META' ORDER BY tenant_name ${ALL_ROWS}`,
  `SELECT ${WEAK_READ} tenant_name AS tenant_name FROM oceanbase.__all_tenant ORDER BY tenant_name ${ALL_ROWS}`,
];

/** No such table, unknown database, unknown column. */
const absentErrnos: ReadonlySet<number> = new Set([1146, 1049, 1054]);

/** Servers asked before giving up: a person waits for the answer. */
const MAX_SERVERS = 3;

export interface TenantNamesOptions {
  /** Rows of one SELECT from one server, e.g. `MetadataClient.query`. */
  readonly query: (address: string, sql: string) => Promise<MetadataRow[]>;
  readonly topology: () => ClusterTopology;
  /** Monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  /** How long an answer is believed. */
  readonly lifetimeMs: number;
}

export class TenantNames {
  readonly #options: TenantNamesOptions;
  #asked: Promise<readonly string[] | null> | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: TenantNamesOptions) {
    this.#options = options;
  }

  /** Null: the cluster does not tell. Throws LOCATION_UNAVAILABLE when nobody answers. */
  get(): Promise<readonly string[] | null> {
    const { nowMs, lifetimeMs } = this.#options;
    if (this.#asked === null || nowMs() - this.#askedAtMs >= lifetimeMs) {
      this.#askedAtMs = nowMs();
      this.#asked = this.#ask();
    }
    return this.#asked;
  }

  async #ask(): Promise<readonly string[] | null> {
    const { servers } = this.#options.topology();
    const isActive = ({ state }: { readonly state: string }) => state === 'ACTIVE';
    const asked = [...servers.filter(isActive), ...servers.filter((server) => !isActive(server))];
    const failures: string[] = [];
    for (const { address } of asked.slice(0, MAX_SERVERS)) {
      try {
        return await this.#askOne(address);
      } catch (error) {
        failures.push(`${address}: ${errorText(error)}`);
      }
    }
    throw new OdpError('LOCATION_UNAVAILABLE', { detail: failures.join('; ') || 'the cluster has no servers' });
  }

  async #askOne(address: string): Promise<readonly string[] | null> {
    for (const sql of queries) {
      try {
        const rows = await this.#options.query(address, sql);
        return rows.flatMap(({ tenant_name: name }) => (name ? [name] : []));
      } catch (error) {
        if (!(error instanceof ServerError) || !absentErrnos.has(error.errno)) throw error;
      }
    }
    return null;
  }
}
