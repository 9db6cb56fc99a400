import type { Replica } from '../cluster/topology.ts';

type ReplicaRole = Replica['role'];

/** A server that a request may be sent to. */
export interface RouteCandidate {
  /** `ip:port`. */
  readonly address: string;
  /** What the server is to the request's table; null when it holds no replica of it or there is no table. */
  readonly role: ReplicaRole | null;
  /** Why it stands where it stands, in words. */
  readonly reason: string;
}

/** The items of a list from a random point on and around; `random` is in [0, 1). */
export function rotate<Item>(items: readonly Item[], random: number): Item[] {
  const start = Math.floor(random * items.length);
  return start === 0 ? [...items] : [...items.slice(start), ...items.slice(0, start)];
}
