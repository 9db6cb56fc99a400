/** What the pages of client sessions ask for. */
import { queryOptions } from '@tanstack/react-query';
import { sessionDetailResponseSchema, sessionsResponseSchema } from '../../proxy/control/contract.ts';
import { getJson } from './api.ts';
import { type SessionsFilter, sessionsSearch } from './sessions-filter.ts';

/** Sessions of one window. */
export const sessionWindowSize = 100;
/** States and statements change all the time. */
export const sessionsEveryMs = 2_000;

export const sessionsKey = ['sessions'] as const;

/** One window of the sorted list; the page itself says when to ask again. */
export function sessionsQuery(filter: SessionsFilter, offset: number) {
  return queryOptions({
    queryKey: [...sessionsKey, filter, offset],
    queryFn: ({ signal }) =>
      getJson(`/api/sessions${sessionsSearch(filter, offset, sessionWindowSize)}`, sessionsResponseSchema, signal),
  });
}

export function sessionQuery(id: string) {
  return queryOptions({
    queryKey: ['session', id],
    queryFn: ({ signal }) => getJson(`/api/sessions/${id}`, sessionDetailResponseSchema, signal),
    refetchInterval: ({ state }) => (state.error === null ? sessionsEveryMs : false),
    retry: false,
  });
}
