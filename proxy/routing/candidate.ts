import type { Replica } from '../cluster/topology.ts';

type ReplicaRole = Replica['role'];

/** A server that a request may be sent to. */
export interface RouteCandidate {
  /** `ip:port`. */
  readonly address: string;
  /** What the server is to the request's table; null when it holds no replica of it or there is no table. */
  readonly role: ReplicaRole | null;
  /** Its class in the policy's order, from 1 on; equals share the load. Null: it stands where it does by another rule. */
  readonly group: number | null;
  /** Why it stands where it stands, in words. */
  readonly reason: string;
}

/** Appends the items of a list from a random point on and around; `random` is in [0, 1). */
export function appendRotated<Item>(to: Item[], items: readonly Item[], random: number): void {
  const start = Math.floor(random * items.length);
  for (let index = 0; index < items.length; index++) {
    const item = items[(start + index) % items.length];
    if (item !== undefined) to.push(item);
  }
}
