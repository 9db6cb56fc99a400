/**
 * The proxy's own queries to the OBServers of one cluster (the reference proxy's internal client, `proxyro@sys`). Each
 * thread has its own. A failure here is the internal account's or the network's: it never counts against a server's
 * place on a blocklist (case B99).
 */

import { parseServerAddress } from '../config/server-address.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { MetadataRow } from './metadata-connection.ts';
import { MetadataPool, type MetadataSettings } from './metadata-pool.ts';

/** The account that OceanBase's own installers create for proxies. */
export const INTERNAL_USER = 'proxyro@sys';

const DEFAULT_MAX_CONNECTIONS = 4;

/** Account, limits and time limits, read at each use. */
export interface MetadataClientOptions extends Pick<MetadataSettings, 'passwords'> {
  /** Default `proxyro@sys`. */
  readonly user?: string;
  /** TCP connect and log-in together; default 5 s (`short_async_task_timeout`). */
  readonly connectTimeoutMs?: () => number;
  /** Waiting for a free connection, and each query; default 5 s. */
  readonly queryTimeoutMs?: () => number;
  /** Per server; default 4. */
  readonly maxConnections?: number;
  readonly now?: () => number;
}

/** Queries by address; a pool of connections for each server that was asked. */
export class MetadataClient {
  readonly #settings: MetadataSettings;
  readonly #pools = new Map<string, MetadataPool>();
  #closed = false;

  constructor(options: MetadataClientOptions) {
    const defaultTimeoutMs = (): number => 5_000;
    this.#settings = {
      user: options.user ?? INTERNAL_USER,
      passwords: options.passwords,
      connectTimeoutMs: options.connectTimeoutMs ?? defaultTimeoutMs,
      queryTimeoutMs: options.queryTimeoutMs ?? defaultTimeoutMs,
      maxConnections: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
      now: options.now ?? (() => performance.now()),
    };
  }

  /**
   * Rows of one SELECT from the server at `address` (`ip:port`). Throws ServerError (the server's own error, with
   * errno), METADATA_LOGIN_REFUSED, METADATA_FORBIDDEN, METADATA_TIMEOUT or METADATA_QUERY_FAILED.
   */
  async query(address: string, sql: string): Promise<MetadataRow[]> {
    if (this.#closed) throw closedError();
    for (const pool of this.#pools.values()) pool.sweep();
    return await this.#poolOf(address).query(sql);
  }

  /** Closes the connections to servers that are not in `addresses` any more. */
  retainOnly(addresses: Iterable<string>): void {
    const kept = new Set(addresses);
    for (const [address, pool] of this.#pools) {
      if (kept.has(address)) continue;
      this.#pools.delete(address);
      void pool.close(new OdpError('METADATA_QUERY_FAILED', { server: address, detail: 'it has left the cluster' }));
    }
  }

  /** Ends everything; running queries fail. Resolves when no socket and no timer is left. */
  async close(): Promise<void> {
    this.#closed = true;
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.close(closedError())));
  }

  #poolOf(text: string): MetadataPool {
    const known = this.#pools.get(text);
    if (known !== undefined) return known;
    const server = parseServerAddress(text);
    if (server === null) throw new OdpError('INVALID_ARGUMENT', { detail: `'${text}' is not a server's ip:port` });
    const pool = new MetadataPool(server, this.#settings);
    this.#pools.set(text, pool);
    return pool;
  }
}

function closedError(): OdpError {
  return new OdpError('SHUTTING_DOWN', { detail: 'the metadata client is closed' });
}
