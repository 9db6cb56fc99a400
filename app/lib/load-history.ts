/** Counters of the last minutes as this browser has seen them, for charts; newest last. */
import type { Overview } from '../../proxy/control/contract.ts';

/** Counters since the start of the proxy at one moment. */
export interface LoadSample {
  readonly atMs: number;
  /** By name: requests of a server (`cluster ip:port`), hits and misses of a cluster's locations. */
  readonly counters: ReadonlyMap<string, number>;
}

/** A point every so often, and no more of them than this. */
const SAMPLE_MS = 2_000;
export const HISTORY_MS = 300_000;

export const serverKey = (cluster: string, address: string): string => `server ${cluster} ${address}`;
export const hitsKey = (cluster: string): string => `hits ${cluster}`;
export const missesKey = (cluster: string): string => `misses ${cluster}`;

export function sampleOf(overview: Overview, atMs: number): LoadSample {
  const counters = new Map<string, number>();
  for (const { name, servers, locations } of overview.clusters) {
    for (const { address, requests } of servers) counters.set(serverKey(name, address), requests);
    counters.set(hitsKey(name), locations.hits);
    counters.set(missesKey(name), locations.misses);
  }
  return { atMs, counters };
}

/** The history with one more sample; the same one when the last is too near. What is too old goes. */
export function withSample(history: readonly LoadSample[], sample: LoadSample): readonly LoadSample[] {
  const last = history.at(-1);
  if (last !== undefined && sample.atMs - last.atMs < SAMPLE_MS) return history;
  return [...history.filter(({ atMs }) => sample.atMs - atMs <= HISTORY_MS), sample];
}

export interface RatePoint {
  readonly atMs: number;
  /** Per second; null: not known, as after a restart of the proxy. */
  readonly rate: number | null;
}

/** What some counters together grew by, per second, between each sample and the one before. */
export function ratesOf(history: readonly LoadSample[], keys: readonly string[]): RatePoint[] {
  return history.slice(1).map(({ atMs, counters }, index) => {
    const before = history[index];
    const seconds = before === undefined ? 0 : (atMs - before.atMs) / 1000;
    let sum = 0;
    for (const key of keys) {
      const from = before?.counters.get(key);
      const to = counters.get(key);
      if (from === undefined || to === undefined || to < from) return { atMs, rate: null };
      sum += to - from;
    }
    return { atMs, rate: seconds > 0 ? sum / seconds : null };
  });
}

/** What some counters grew by over the whole history; null: not known. */
export function growthOf(history: readonly LoadSample[], keys: readonly string[]): number | null {
  const first = history[0];
  const last = history.at(-1);
  if (first === undefined || last === undefined || first === last) return null;
  let sum = 0;
  for (const key of keys) {
    const to = last.counters.get(key) ?? 0;
    const from = first.counters.get(key) ?? 0;
    if (to < from) return null;
    sum += to - from;
  }
  return sum;
}
