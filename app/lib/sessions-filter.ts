import {
  type SessionSort,
  type SessionState,
  type SessionsQuery,
  sessionSortSchema,
  sessionStateSchema,
} from '../../proxy/control/contract.ts';
import { parseFilterText } from './filter-text.ts';

/** The page's own state, all of it in the URL; empty means any, or the usual order. */
export interface SessionsView {
  /** Search box: words, or key:value. */
  readonly q: string;
  readonly state: string;
  readonly sort: string;
  readonly order: string;
}

/** What is asked of the control API, without the window. */
export type SessionsFilter = Omit<SessionsQuery, 'offset' | 'limit'>;

const keys = ['user', 'tenant', 'cluster', 'client', 'database', 'server'] as const;

/** A state or column that does not exist counts as none: the address may have been typed. */
export function sessionsFilter(view: SessionsView): SessionsFilter {
  const { words, pairs } = parseFilterText(view.q, keys);
  const sort: SessionSort = sessionSortSchema.safeParse(view.sort).data ?? 'id';
  const filter: SessionsFilter = { sort, order: view.order === 'desc' ? 'desc' : 'asc' };
  for (const key of keys) {
    const pair = pairs.find((one) => one.key === key);
    if (pair !== undefined) filter[key] = pair.value.slice(0, 128);
  }
  if (words.length > 0) filter.text = words.join(' ').slice(0, 200);
  const state: SessionState | undefined = sessionStateSchema.safeParse(view.state).data;
  if (state !== undefined) filter.state = state;
  return filter;
}

/** The query string of a window, with its `?`. */
export function sessionsSearch(filter: SessionsFilter, offset: number, limit: number): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...filter, offset, limit })) {
    if (value !== undefined) query.set(key, String(value));
  }
  return `?${query}`;
}

/** Numbers and ages are wanted largest first, names in their order. */
const largestFirst: ReadonlySet<SessionSort> = new Set<SessionSort>(['transaction', 'servers', 'statement', 'since']);

/** What a click on a column's head makes of the order: first its usual one, then the other way round. */
export function nextOrder(sort: SessionSort, now: Pick<SessionsFilter, 'sort' | 'order'>): 'asc' | 'desc' {
  if (now.sort === sort) return now.order === 'asc' ? 'desc' : 'asc';
  return largestFirst.has(sort) ? 'desc' : 'asc';
}
