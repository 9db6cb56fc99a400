import type { Replica } from './topology.ts';

/** Of so many different lists each is kept once. */
const MAX_LISTS = 16_384;

/**
 * One list for all tables and partitions with the same replicas: a cluster has few such lists, however many tables it has.
 * What is known of a list – the order of its servers – is found by it, and stays in the processor's caches.
 */
export class ReplicaLists {
  readonly #lists = new Map<string, readonly Replica[]>();

  /** A list with the same content, the same one each time. */
  shared(replicas: readonly Replica[]): readonly Replica[] {
    const key = JSON.stringify(replicas);
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    if (this.#lists.size >= MAX_LISTS) this.#lists.clear();
    this.#lists.set(key, replicas);
    return replicas;
  }
}
