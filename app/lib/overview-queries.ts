/** What the Overview asks for besides what every page has. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  blocklistAtSchema,
  blocklistEventsResponseSchema,
  historyResponseSchema,
  trafficSchema,
} from '../../proxy/control/contract.ts';
import { getJson } from './api.ts';
import { blocklistEventsKey } from './blocklist-queries.ts';
import { historySearch } from './history-filter.ts';
import { type Range, ranges } from './overview-view.ts';
import { markActions } from './timeline-marks.ts';

/** Marks of each source at most. */
export const mostMarks = 200;

/** Asked again whenever another point is whole. @param at end of the span, ISO; null: now */
export function trafficQuery(range: Range, at: string | null) {
  return queryOptions({
    queryKey: ['traffic', range, at],
    queryFn: ({ signal }) =>
      getJson(`/api/traffic?minutes=${ranges[range]}${at === null ? '' : `&to=${at}`}`, trafficSchema, signal),
    refetchInterval: ({ state }) => (at === null ? (state.data?.stepMs ?? 5_000) : false),
    placeholderData: keepPreviousData,
  });
}

/** Who was listed at a moment. */
export function listedAtQuery(at: string) {
  return queryOptions({
    queryKey: ['blocklist-at', at],
    queryFn: ({ signal }) => getJson(`/api/blocklist/at?at=${at}`, blocklistAtSchema, signal),
  });
}

interface Span {
  readonly from: string;
  readonly to?: string;
}

/** Listings and releases of a span, the newest ones; live events have it asked again. */
export function blocklistMarksQuery({ from, to }: Span, limit = mostMarks) {
  const query = new URLSearchParams({ from, limit: String(limit), ...(to === undefined ? {} : { to }) });
  return queryOptions({
    queryKey: [...blocklistEventsKey, 'span', from, to, limit],
    queryFn: ({ signal }) => getJson(`/api/blocklist/events?${query}`, blocklistEventsResponseSchema, signal),
    placeholderData: keepPreviousData,
  });
}

/** The same of the rows of the history that are marks. */
export function historyMarksQuery(span: Span, limit = mostMarks) {
  const search = historySearch({ ...span, actions: [...markActions] }, { limit });
  return queryOptions({
    queryKey: ['history', 'span', search],
    queryFn: ({ signal }) => getJson(`/api/history${search}`, historyResponseSchema, signal),
    placeholderData: keepPreviousData,
  });
}
