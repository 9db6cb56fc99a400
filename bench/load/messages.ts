import type { RequestName } from './requests.ts';

/**
 * `connect`: log so many clients in there, instead of those that were. `run`: let them ask for so long. `drop`: the server
 * ends all its connections, as servers do with idle ones.
 */
export type LoadOrder =
  | { readonly type: 'connect'; readonly port: number; readonly user: string; readonly connections: number }
  | { readonly type: 'run'; readonly request: RequestName; readonly ms: number }
  | { readonly type: 'drop' };

export interface LoadResult {
  readonly replies: number;
  readonly ms: number;
  /** Processor time of clients and server, in seconds. */
  readonly cpuSeconds: number;
}

/** Once at the start the port of the server; then one for each order. */
export type LoadAnswer =
  | { readonly type: 'started'; readonly port: number }
  | { readonly type: 'connected' }
  | { readonly type: 'dropped' }
  | ({ readonly type: 'ran' } & LoadResult)
  | { readonly type: 'failed'; readonly reason: string };
