import type { Conditions } from '../conditions.ts';

/** Requests of each client before it idles again: as many as a session remembers. */
export const REQUESTS = 10;

export const idleStates = [
  'with a server session',
  'without one',
  `with a server session, after ${REQUESTS} requests`,
  `without one, after ${REQUESTS} requests`,
] as const;
export type IdleState = (typeof idleStates)[number];

export interface IdleRow {
  readonly state: IdleState;
  /** Of all threads of the proxy, for one client, after a collection of garbage. */
  readonly heapBytes: number;
  readonly rssBytes: number;
}

export interface IdleFigures {
  readonly conditions: Conditions;
  readonly connections: number;
  readonly rows: readonly IdleRow[];
}
