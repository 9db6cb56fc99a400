/**
 * A map that holds memory only while it holds entries. A session has several that most sessions never use, and an empty
 * Map takes some 300 bytes.
 */
export class LazyMap<Key, Value> {
  #map: Map<Key, Value> | null = null;

  get size(): number {
    return this.#map === null ? 0 : this.#map.size;
  }

  get(key: Key): Value | undefined {
    return this.#map === null ? undefined : this.#map.get(key);
  }

  has(key: Key): boolean {
    return this.#map?.has(key) ?? false;
  }

  set(key: Key, value: Value): void {
    this.#map ??= new Map();
    this.#map.set(key, value);
  }

  delete(key: Key): void {
    this.#map?.delete(key);
    if (this.#map?.size === 0) this.#map = null;
  }

  clear(): void {
    this.#map = null;
  }

  /** In the order in which they were set first, as a Map's. */
  *[Symbol.iterator](): Generator<[Key, Value]> {
    if (this.#map !== null) yield* this.#map;
  }

  keys(): Iterable<Key> {
    return this.#map?.keys() ?? [];
  }

  values(): Iterable<Value> {
    return this.#map?.values() ?? [];
  }
}
