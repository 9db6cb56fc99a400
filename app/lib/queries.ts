/** What the pages ask for; live events patch the same cache entries. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { historyResponseSchema, overviewSchema, parametersResponseSchema } from '../../proxy/control/contract.ts';
import { getJson } from './api.ts';
import { type HistoryFilter, historySearch } from './history-filter.ts';

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => getJson('/api/overview', overviewSchema, signal),
});

export const parametersQuery = queryOptions({
  queryKey: ['parameters'],
  queryFn: ({ signal }) => getJson('/api/parameters', parametersResponseSchema, signal),
});

/** Rows of one page of the history. */
const historyPageSize = 50;

/** One filter's rows, newest first, page by page (keyset: `before` the last row's id). */
export function historyQuery(filter: HistoryFilter) {
  return infiniteQueryOptions({
    queryKey: ['history', filter],
    queryFn: ({ pageParam, signal }) =>
      getJson(
        `/api/history${historySearch(filter, { before: pageParam, limit: historyPageSize })}`,
        historyResponseSchema,
        signal,
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.nextBefore,
  });
}
