import type { Blocklist } from '../congestion/blocklist.ts';
import type { BlocklistName, BlocklistTransition, Instant } from '../congestion/types.ts';

/** The blocklists of one cluster, to be read only. */
export interface ClusterBlocklist {
  readonly name: string;
  readonly blocklist: Pick<Blocklist, 'parameters' | 'rows' | 'details'>;
}

export interface ReleaseCall {
  readonly cluster: string;
  /** `ip:port`. */
  readonly address: string;
  /** Null: off every list. */
  readonly list: BlocklistName | null;
  readonly actor: string;
  readonly reason: string;
}

/** What the control API needs of the live blocklists; the coordinator supplies it. */
export interface BlocklistService {
  /** Every cluster that is served, in the order to be shown. */
  clusters(): readonly ClusterBlocklist[];
  /** Now on the clock that the blocklists are told their times by, and on the wall clock. */
  now(): Instant;
  /**
   * Registers a listener for anything that changes what `details` tells, however often; told without a copy of it.
   * @returns the function that ends it.
   */
  onChanged(listener: () => void): () => void;
  /**
   * Takes a server off by hand: in force in every worker soon after, and kept as a transition like any other.
   * @returns the transitions made; empty when it was on none of the lists, or is not known.
   */
  release(call: ReleaseCall): readonly BlocklistTransition[];
}
