/** What the pages Routing and Locations ask for. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  locationsResponseSchema,
  type RouteExplainRequest,
  routeExplainResponseSchema,
  routingChoicesSchema,
} from '../../proxy/control/contract.ts';
import { getJson, postJson } from './api.ts';
import { type LocationsFilter, locationsSearch } from './locations-filter.ts';

/** Blocklists, leaders and settings of live sessions change by themselves: the plan on the page follows. */
const planEveryMs = 5_000;

export function routePlanQuery(request: RouteExplainRequest | null) {
  return queryOptions({
    queryKey: ['route-plan', request],
    queryFn: async () => ({
      request,
      answer: routeExplainResponseSchema.parse(await postJson('/api/routing/explain', request)),
    }),
    enabled: request !== null,
    refetchInterval: planEveryMs,
    retry: false,
  });
}

export const routingChoicesQuery = queryOptions({
  queryKey: ['routing-choices'],
  queryFn: ({ signal }) => getJson('/api/routing/choices', routingChoicesSchema, signal),
});

/** Locations of one page of the list. */
const locationPageSize = 50;
/** Hits and ages change all the time. */
const locationsEveryMs = 5_000;

export const locationsKey = ['locations'] as const;

/** Cached locations that fit a filter, by name, page by page. */
export function locationsQuery(filter: LocationsFilter) {
  return infiniteQueryOptions({
    queryKey: [...locationsKey, filter],
    queryFn: ({ pageParam, signal }) =>
      getJson(
        `/api/locations${locationsSearch(filter, { after: pageParam, limit: locationPageSize })}`,
        locationsResponseSchema,
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextAfter,
    refetchInterval: locationsEveryMs,
  });
}
