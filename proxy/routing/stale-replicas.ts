/** Which replicas were too old for a weak read lately (case B78): each is left alone for a while, and forgotten later. */
import type { TableLocation } from '../cluster/topology.ts';

export interface StaleReplicasOptions {
  /** Monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  /** Wall clock, milliseconds. */
  readonly wallMs: () => number;
  /** How long it is remembered (`read_stale_remove_interval`). */
  readonly forgetAfterMs: () => number;
}

/** What a server has said of its replica of a table or partition. */
export interface StaleReplica {
  readonly address: string;
  readonly tenant: string;
  readonly tableId: string;
  /** '0': of the table, since the partition wasn't known. */
  readonly tabletId: string;
  readonly atMs: number;
  /** Wall-clock milliseconds. */
  readonly wallAtMs: number;
}

/** More are not remembered: the oldest go first. */
const MAX_KEPT = 10_000;

/** One per worker and cluster. */
export class StaleReplicas {
  readonly #options: StaleReplicasOptions;
  /** By place and address; the newest last. */
  readonly #kept = new Map<string, StaleReplica>();

  constructor(options: StaleReplicasOptions) {
    this.#options = options;
  }

  /** The server has said that its replica of this place is too old. */
  mark(address: string, location: TableLocation): void {
    const { nowMs, wallMs } = this.#options;
    const { tenant, tableId, tabletId = '0' } = location;
    const key = keyOf(address, location);
    this.#kept.delete(key);
    this.#kept.set(key, { address, tenant, tableId, tabletId, atMs: nowMs(), wallAtMs: wallMs() });
    this.#forget();
  }

  /**
   * Whether servers are to be left alone for reads of this place; null: no server is, whatever the place.
   * @param retryAfterMs how long a replica is left alone (`read_stale_retry_interval`)
   */
  of(location: TableLocation, retryAfterMs: number): ((address: string) => boolean) | null {
    if (this.#kept.size === 0) return null;
    const since = this.#options.nowMs() - retryAfterMs;
    return (address) => (this.#kept.get(keyOf(address, location))?.atMs ?? Number.NEGATIVE_INFINITY) > since;
  }

  /** All that are remembered, the newest last. */
  list(): readonly StaleReplica[] {
    this.#forget();
    return [...this.#kept.values()];
  }

  #forget(): void {
    const since = this.#options.nowMs() - this.#options.forgetAfterMs();
    for (const [key, { atMs }] of this.#kept) {
      if (atMs > since && this.#kept.size <= MAX_KEPT) return;
      this.#kept.delete(key);
    }
  }
}

const keyOf = (address: string, { tenant, tableId, tabletId = '0' }: TableLocation): string =>
  `${address} ${tableId} ${tabletId} ${tenant}`;
