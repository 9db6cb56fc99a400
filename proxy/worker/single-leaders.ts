/** Which tenants of a cluster one server leads as a whole, less those of which that has just turned out to be wrong. */
import type { ClusterTopology } from '../cluster/topology.ts';

export interface SingleLeadersOptions {
  readonly topology: () => ClusterTopology;
  /** Whether a server belongs to the cluster now. */
  readonly serves: (address: string) => boolean;
  /** Monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  /** How long a doubt lasts, unless the cluster tells of another leader before. */
  readonly doubtMs: () => number;
}

export class SingleLeaders {
  readonly #options: SingleLeadersOptions;
  /** By tenant: no more than the cluster has. */
  readonly #doubted = new Map<string, { readonly address: string; readonly untilMs: number }>();

  constructor(options: SingleLeadersOptions) {
    this.#options = options;
  }

  /** `ip:port`; null: there is none that can be relied on. */
  of(tenant: string): string | null {
    const { topology, serves, nowMs } = this.#options;
    const address = topology().singleLeaders?.[tenant];
    if (address === undefined || !serves(address)) return null;
    const doubted = this.#doubted.get(tenant);
    if (doubted === undefined) return address;
    if (doubted.address === address && nowMs() < doubted.untilMs) return null;
    this.#doubted.delete(tenant);
    return address;
  }

  doubt(tenant: string): void {
    const { topology, nowMs, doubtMs } = this.#options;
    const address = topology().singleLeaders?.[tenant];
    if (address !== undefined) this.#doubted.set(tenant, { address, untilMs: nowMs() + doubtMs() });
  }
}
