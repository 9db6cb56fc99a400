/** The location caches of all workers as one. */
import type { LocationService } from '../control/location-service.ts';
import type { LocationCounters } from '../routing/location/location-cache.ts';
import { mergePages } from '../routing/location/location-page.ts';
import { mergeViews } from '../routing/location/location-view.ts';
import type { WorkerReport } from '../worker/calls.ts';
import type { WorkerPool } from './worker-pool.ts';

export function locationSource(pool: () => WorkerPool): LocationService {
  return {
    locations: async (filter, limit) => mergeViews(await pool().all((rpc) => rpc.call('locations', { filter, limit }))),
    refreshLocation: async (key) => {
      const views = await pool().all((rpc) => rpc.call('refreshLocation', key));
      return mergeViews([views.filter((view) => view !== null)])[0] ?? null;
    },
    page: async (query) => mergePages(await pool().all((rpc) => rpc.call('locationPage', query)), query.limit),
  };
}

/** By cluster, summed over the workers. */
export function locationCountersOf(reports: readonly WorkerReport[]): Readonly<Record<string, LocationCounters>> {
  const sums: Record<string, LocationCounters> = {};
  for (const { locations } of reports) {
    for (const [cluster, counters] of Object.entries(locations)) sums[cluster] = sum(counters, sums[cluster]);
  }
  return sums;
}

function sum(left: LocationCounters, right: LocationCounters | undefined): LocationCounters {
  if (right === undefined) return left;
  return {
    hits: left.hits + right.hits,
    misses: left.misses + right.misses,
    lookups: left.lookups + right.lookups,
    refreshes: left.refreshes + right.refreshes,
    failures: left.failures + right.failures,
    doubts: left.doubts + right.doubts,
    evictions: left.evictions + right.evictions,
    entries: left.entries + right.entries,
    bytes: left.bytes + right.bytes,
  };
}
