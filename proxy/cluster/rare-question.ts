/** Something that a whole cluster knows and people ask for: asked of one server at most every few seconds, however many want it. */
import { errorText, OdpError } from '../errors/odp-error.ts';
import { type MetadataRow, ServerError } from './metadata-connection.ts';
import type { ClusterTopology } from './topology.ts';

/** No such table, unknown database, unknown column. */
const absentErrnos: ReadonlySet<number> = new Set([1146, 1049, 1054]);

/** Servers asked before giving up: a person waits for the answer. */
const MAX_SERVERS = 3;

/** How a cluster is asked. */
export interface QuestionOptions {
  /** Rows of one SELECT from one server, e.g. `MetadataClient.query`. */
  readonly query: (address: string, sql: string) => Promise<MetadataRow[]>;
  readonly topology: () => ClusterTopology;
  /** Monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  /** How long an answer is believed. */
  readonly lifetimeMs: number;
}

export class RareQuestion<Answer> {
  readonly #options: QuestionOptions;
  readonly #queries: readonly string[];
  readonly #read: (rows: readonly MetadataRow[]) => Answer;
  #asked: Promise<Answer | null> | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  /** @param queries for servers of different versions: the next one where a server does not have what one names */
  constructor(options: QuestionOptions, queries: readonly string[], read: (rows: readonly MetadataRow[]) => Answer) {
    this.#options = options;
    this.#queries = queries;
    this.#read = read;
  }

  /** Null: the cluster does not tell. Throws LOCATION_UNAVAILABLE when nobody answers. */
  get(): Promise<Answer | null> {
    const { nowMs, lifetimeMs } = this.#options;
    if (this.#asked === null || nowMs() - this.#askedAtMs >= lifetimeMs) {
      this.#askedAtMs = nowMs();
      this.#asked = this.#ask();
    }
    return this.#asked;
  }

  async #ask(): Promise<Answer | null> {
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

  async #askOne(address: string): Promise<Answer | null> {
    for (const sql of this.#queries) {
      try {
        return this.#read(await this.#options.query(address, sql));
      } catch (error) {
        if (!(error instanceof ServerError) || !absentErrnos.has(error.errno)) throw error;
      }
    }
    return null;
  }
}
