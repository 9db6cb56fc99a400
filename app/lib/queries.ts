/** What the pages ask for; live events patch the same cache entries. */
import { infiniteQueryOptions, queryOptions, replaceEqualDeep } from '@tanstack/react-query';
import type { z } from 'zod';
import {
  type CompareRequest,
  compareResponseSchema,
  historyChainSchema,
  historyResponseSchema,
  overviewSchema,
  parametersResponseSchema,
  scheduledRevertsSchema,
} from '../../proxy/control/contract.ts';
import { getJson, postJson } from './api.ts';
import { type HistoryFilter, historySearch } from './history-filter.ts';

type ParametersResponse = z.infer<typeof parametersResponseSchema>;

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => getJson('/api/overview', overviewSchema, signal),
});

export const parametersQuery = queryOptions({
  queryKey: ['parameters'],
  queryFn: ({ signal }) => getJson('/api/parameters', parametersResponseSchema, signal),
  structuralSharing: (old, fresh) => newestOf(old as ParametersResponse | undefined, fresh as ParametersResponse),
});

/** An answer that was on its way while an event came must not bring the older value back. */
function newestOf(old: ParametersResponse | undefined, fresh: ParametersResponse): ParametersResponse {
  if (old === undefined) return fresh;
  const known = new Map(old.parameters.map((parameter) => [parameter.name, parameter]));
  return replaceEqualDeep(old, {
    parameters: fresh.parameters.map((parameter) => {
      const before = known.get(parameter.name);
      return before !== undefined && before.revision > parameter.revision ? before : parameter;
    }),
  });
}

/** What goes back by itself; asked again whenever a parameter changes. */
export const scheduledRevertsQuery = queryOptions({
  queryKey: ['scheduled-reverts'],
  queryFn: ({ signal }) => getJson('/api/parameters/reverts', scheduledRevertsSchema, signal),
});

/** Key of every comparison. */
export const compareKey = ['compare'] as const;

/** Two configurations side by side; asked again when a parameter changes. Null: nothing to ask yet. */
export function compareQuery(request: CompareRequest | null) {
  return queryOptions({
    queryKey: [...compareKey, request],
    queryFn: async () => compareResponseSchema.parse(await postJson('/api/parameters/compare', request)),
    enabled: request !== null,
  });
}

/** Rows of one page of the history. */
const historyPageSize = 50;

/** Whether the chain of the history holds; asked again while a look is under way, else once a minute. */
export const historyChainQuery = queryOptions({
  queryKey: ['history-chain'],
  queryFn: ({ signal }) => getJson('/api/history/chain', historyChainSchema, signal),
  refetchInterval: ({ state }) => (state.data?.progress == null ? 60_000 : 1_000),
});

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
