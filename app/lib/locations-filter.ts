import { type Location, type LocationsQuery, locationsQuerySchema } from '../../proxy/control/contract.ts';
import { parseFilterText } from './filter-text.ts';

/** The page's own state, all of it in the URL; empty means any. */
export interface LocationsView {
  /** Search box: words, or key:value. */
  readonly q: string;
  readonly kind: string;
  readonly state: string;
}

/** What is asked of the control API, without the page. */
export type LocationsFilter = Omit<LocationsQuery, 'after' | 'limit'>;

const keys = ['cluster', 'tenant', 'database', 'server'] as const;

/** A kind or state that does not exist counts as any: the address may have been typed. */
export function locationsFilter(view: LocationsView): LocationsFilter {
  const { words, pairs } = parseFilterText(view.q, keys);
  const filter: LocationsFilter = {};
  for (const key of keys) {
    const pair = pairs.find((one) => one.key === key);
    if (pair !== undefined) filter[key] = pair.value.slice(0, 128);
  }
  if (words.length > 0) filter.text = words.join(' ').slice(0, 200);
  const kind = locationsQuerySchema.shape.kind.safeParse(view.kind);
  const state = locationsQuerySchema.shape.state.safeParse(view.state);
  if (kind.success && kind.data !== undefined) filter.kind = kind.data;
  if (state.success && state.data !== undefined) filter.state = state.data;
  return filter;
}

/** The query string of a filter, with its `?`. */
export function locationsSearch(filter: LocationsFilter, page: { after: string | null; limit: number }): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...filter, ...page })) {
    if (value !== undefined && value !== null) query.set(key, String(value));
  }
  return `?${query}`;
}

/** Of all workers and pages. */
export const locationId = ({ cluster, tenant, database, table, tabletId }: Location): string =>
  JSON.stringify([cluster, tenant, database, table, tabletId]);

/** Share of the uses that were told from memory; null: it was never used. */
export function hitRate({ hits, misses }: Pick<Location, 'hits' | 'misses'>): number | null {
  return hits + misses === 0 ? null : hits / (hits + misses);
}
