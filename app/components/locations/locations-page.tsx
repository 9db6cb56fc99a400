'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { parseAsString, useQueryStates } from 'nuqs';
import { useDeferredValue, useMemo } from 'react';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { locationsFilter } from '@/lib/locations-filter.ts';
import { overviewQuery } from '@/lib/queries.ts';
import { locationsQuery } from '@/lib/routing-queries.ts';
import { CacheCharts } from './cache-charts.tsx';
import { LocationTable } from './location-table.tsx';
import { LocationsFilterBar } from './locations-filter-bar.tsx';

const text = parseAsString.withDefault('');
const view = { q: text, kind: text, state: text };

/** Where the proxy believes tables and partitions are, how old that is, and how often it was of use. */
export function LocationsPage() {
  const t = useText('locations');
  const common = useText('common');
  const [state, setState] = useQueryStates(view, { history: 'replace' });
  const overview = useQuery(overviewQuery).data;
  const filter = locationsFilter(useDeferredValue(state));
  const query = useInfiniteQuery({ ...locationsQuery(filter), placeholderData: keepPreviousData });
  const pages = query.data?.pages;
  const locations = useMemo(() => (pages ?? []).flatMap((page) => page.locations), [pages]);
  const matches = Math.max(pages?.at(-1)?.matches ?? 0, locations.length);
  const filtered = Object.values(state).some((value) => value !== '');
  return (
    <>
      <CacheCharts overview={overview} />
      <LocationsFilterBar
        view={state}
        onChange={(next) => void setState(next)}
        shown={locations.length}
        matches={matches}
        clusters={overview?.clusters.length ?? 1}
      />
      {query.isError && query.data === undefined ? (
        <QueryFailure query={query} what={t('theLocations')} />
      ) : query.data === undefined ? (
        <TableSkeleton rows={12} />
      ) : locations.length === 0 ? (
        <EmptyState icon={SearchX} title={t(filtered ? 'noneFits' : 'nothingCached')}>
          {filtered ? (
            <Button className="mt-2" onClick={() => void setState(null)}>
              {common('clearFilter')}
            </Button>
          ) : (
            t('whenAsked')
          )}
        </EmptyState>
      ) : (
        <>
          <LocationTable locations={locations} at={pages?.[0]?.at ?? ''} />
          {query.hasNextPage ? (
            <div className="flex flex-col items-center gap-2 px-4 py-6">
              <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {common(query.isFetchingNextPage ? 'loadingMore' : 'loadMore')}
              </Button>
              <p className="tabular text-xs text-muted">{t('shownOf', { shown: locations.length, all: matches })}</p>
            </div>
          ) : null}
        </>
      )}
    </>
  );
}
