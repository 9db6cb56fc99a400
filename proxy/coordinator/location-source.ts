/** The location caches of all workers as one. */
import type { LocationService } from '../control/location-service.ts';
import type { LocationCounters } from '../routing/location/location-cache.ts';
import { mergeViews } from '../routing/location/location-view.ts';
import type { WorkerPool } from './worker-pool.ts';

export function locationSource(pool: () => WorkerPool): LocationService {
  return {
    locations: async (filter, limit) => mergeViews(await pool().all((rpc) => rpc.call('locations', { filter, limit }))),
    refreshLocation: async (key) => {
      const views = await pool().all((rpc) => rpc.call('refreshLocation', key));
      return mergeViews([views.filter((view) => view !== null)])[0] ?? null;
    },
    locationCounters: () => {
      const sums: Record<string, LocationCounters> = {};
      for (const { locations } of pool().reports()) {
        for (const [cluster, counters] of Object.entries(locations)) sums[cluster] = sum(counters, sums[cluster]);
      }
      return sums;
    },
  };
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
