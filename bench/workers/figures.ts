import type { Conditions } from '../conditions.ts';

export interface WorkersRow {
  /** See `loads.ts`. */
  readonly load: string;
  readonly connections: number;
  /** Requests in a second, and processor time of the proxy for one of them in µs, with one worker and with two. */
  readonly one: { readonly perSecond: number; readonly cpuUs: number };
  readonly two: { readonly perSecond: number; readonly cpuUs: number };
  /** Throughput with two workers divided by that with one, in the same round. */
  readonly ratio: number;
  /** Processor time of client and server for a request, in µs: they share the cores with the workers. */
  readonly besideUs: number;
  /** What two workers could reach at most on so many cores with that beside them. */
  readonly possible: number;
}

export interface WorkersFigures {
  readonly conditions: Conditions;
  readonly seconds: number;
  readonly rows: readonly WorkersRow[];
  /** How many of so many sessions each of the two workers had. */
  readonly spread: readonly number[];
}
