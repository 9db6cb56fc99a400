/** One page of the cached locations, in the order of their names, without copying more than the page. */
import type { LocationEntry } from './location-entry.ts';
import { isWanted, type LocationFilter, type LocationKey, type LocationView, mergeViews } from './location-view.ts';

/** As `LocationFilter`, with what people look for; null: any. */
interface LocationPageFilter extends LocationFilter {
  /** `doubt`: it is in doubt or being fetched. */
  readonly state: 'known' | 'doubt' | null;
  /** Only those of which nothing is known. */
  readonly isMissing: boolean;
  /** `ip:port` of a replica. */
  readonly server: string | null;
}

export interface LocationPageQuery {
  readonly filter: LocationPageFilter;
  /** Only what comes behind this name; null: from the first. */
  readonly after: LocationKey | null;
  readonly limit: number;
}

export interface LocationPage {
  /** At most `limit`. */
  readonly views: readonly LocationView[];
  /** Locations that fit the filter, on all pages. */
  readonly matches: number;
  readonly hasMore: boolean;
}

/** Where a location stands in the order of all. */
export const orderOf = ({ cluster, tenant, database, table, tabletId }: LocationKey): string =>
  [cluster, tenant, database, table, tabletId].join('\0');

/**
 * The first entries of a cluster, by name, that fit. Only as many as the page has are kept while looking through all.
 * @returns their number among all that fit, and one more than the limit when there are more
 */
export function pickPage(
  entries: Iterable<LocationEntry>,
  cluster: string,
  { filter, after, limit }: LocationPageQuery,
): { readonly picked: readonly LocationEntry[]; readonly matches: number } {
  const from = after === null ? null : orderOf(after);
  const picked: { readonly order: string; readonly entry: LocationEntry }[] = [];
  let matches = 0;
  for (const entry of entries) {
    if (!isWanted(entry, cluster, filter) || !isWantedOnPage(entry, filter)) continue;
    matches += 1;
    const order = orderOf({ ...nameOf(entry), cluster });
    if (from !== null && order <= from) continue;
    const last = picked.at(-1);
    if (picked.length > limit && last !== undefined && order >= last.order) continue;
    picked.splice(placeFor(picked, order), 0, { order, entry });
    if (picked.length > limit + 1) picked.pop();
  }
  return { picked: picked.map(({ entry }) => entry), matches };
}

/** The pages of all workers as one: workers hold the same names, so that the largest count is the least there are. */
export function mergePages(pages: readonly LocationPage[], limit: number): LocationPage {
  const views = mergeViews(pages.map((page) => page.views));
  return {
    views: views.slice(0, limit),
    matches: Math.max(0, ...pages.map(({ matches }) => matches)),
    hasMore: views.length > limit || pages.some(({ hasMore }) => hasMore),
  };
}

const nameOf = ({ tenant, database, table, tabletId }: LocationEntry) => ({ tenant, database, table, tabletId });

function isWantedOnPage({ state, location }: LocationEntry, filter: LocationPageFilter): boolean {
  if (filter.state !== null && (state === 'AVAIL') !== (filter.state === 'known')) return false;
  if (filter.isMissing && location !== null) return false;
  return filter.server === null || (location?.replicas.some(({ address }) => address === filter.server) ?? false);
}

/** By halving: the list is in order. */
function placeFor(list: readonly { readonly order: string }[], order: string): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.order ?? '') < order) low = middle + 1;
    else high = middle;
  }
  return low;
}
