/** What the blocklist page asks for. */
import { infiniteQueryOptions, queryOptions, replaceEqualDeep } from '@tanstack/react-query';
import type { z } from 'zod';
import {
  blocklistEventsResponseSchema,
  blocklistResponseSchema,
  type WhatIfRequest,
  whatIfResponseSchema,
} from '../../proxy/control/contract.ts';
import { getJson, postJson } from './api.ts';
import { type EventFilter, eventSearch } from './blocklist-filter.ts';

export type BlocklistResponse = z.infer<typeof blocklistResponseSchema>;

export const blocklistQuery = queryOptions({
  queryKey: ['blocklist'],
  queryFn: ({ signal }) => getJson('/api/blocklist', blocklistResponseSchema, signal),
  // An answer that was on its way while an event came must not bring the older state back.
  structuralSharing: (old, fresh) => newerOf(old as BlocklistResponse | undefined, fresh as BlocklistResponse),
});

function newerOf(old: BlocklistResponse | undefined, fresh: BlocklistResponse): BlocklistResponse {
  if (old === undefined) return fresh;
  return Date.parse(fresh.at) < Date.parse(old.at) ? old : replaceEqualDeep(old, fresh);
}

/** Events of one page of the timeline. */
const eventPageSize = 20;

/** Key of every timeline, whatever its filter. */
export const blocklistEventsKey = ['blocklist-events'] as const;

/** Listings and releases that fit a filter, newest first, page by page (keyset: `before` the last event's id). */
export function blocklistEventsQuery(filter: EventFilter) {
  return infiniteQueryOptions({
    queryKey: [...blocklistEventsKey, filter],
    queryFn: ({ pageParam, signal }) =>
      getJson(
        `/api/blocklist/events${eventSearch(filter, { before: pageParam, limit: eventPageSize })}`,
        blocklistEventsResponseSchema,
        signal,
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.nextBefore,
  });
}

/** What other parameters would have done; asked anew each time, since the past grows. */
export function whatIfQuery(request: WhatIfRequest) {
  return queryOptions({
    queryKey: ['what-if', request],
    queryFn: async () => whatIfResponseSchema.parse(await postJson('/api/blocklist/what-if', request)),
    gcTime: 0,
  });
}
