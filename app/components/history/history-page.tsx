'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { parseAsString, useQueryStates } from 'nuqs';
import { useDeferredValue } from 'react';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useText } from '@/components/texts.tsx';
import { useTimeZone } from '@/components/time-zone.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { historyFilter } from '@/lib/history-filter.ts';
import { countText } from '@/lib/numbers.ts';
import { historyQuery } from '@/lib/queries.ts';
import { ChainStrip } from './chain-strip.tsx';
import { HistoryFilterBar } from './history-filter-bar.tsx';
import { HistoryTable } from './history-table.tsx';
import { ReportHead } from './report-head.tsx';

const view = {
  q: parseAsString.withDefault(''),
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
};

/** Who changed what, when, why and from where; newest first, page after page. */
export function HistoryPage() {
  const t = useText('history');
  const common = useText('common');
  const [state, setState] = useQueryStates(view, { history: 'replace' });
  const { zone } = useTimeZone();
  const filter = historyFilter(useDeferredValue(state), zone);
  const query = useInfiniteQuery({ ...historyQuery(filter), placeholderData: keepPreviousData });
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const first = query.data?.pages[0];
  const total = `${countText(first?.total ?? 0)}${first?.hasMoreThanTotal === true ? '+' : ''}`;
  const filtered = state.q !== '' || state.from !== '' || state.to !== '';
  return (
    <>
      <HistoryFilterBar
        view={state}
        onChange={(next) => void setState(next)}
        filter={filter}
        shown={rows.length}
        total={total}
      />
      <ReportHead {...state} shown={rows.length} total={total} readAt={new Date(query.dataUpdatedAt).toISOString()} />
      <ChainStrip />
      {query.isError && query.data === undefined ? (
        <QueryFailure query={query} what={t('theHistory')} />
      ) : query.data === undefined ? (
        <TableSkeleton rows={12} />
      ) : rows.length === 0 ? (
        <EmptyState icon={SearchX} title={t(filtered ? 'nothingFits' : 'nothingYet')}>
          {filtered ? (
            <Button className="mt-2" onClick={() => void setState(null)}>
              {common('clearFilter')}
            </Button>
          ) : (
            t('nothingYetAbout')
          )}
        </EmptyState>
      ) : (
        <>
          <HistoryTable rows={rows} />
          {query.hasNextPage ? (
            <div className="flex flex-col items-center gap-2 px-4 py-6 print:hidden">
              <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {common(query.isFetchingNextPage ? 'loadingMore' : 'loadOlder')}
              </Button>
              <p className="tabular text-xs text-muted">{t('shownOf', { shown: rows.length, total })}</p>
            </div>
          ) : null}
        </>
      )}
    </>
  );
}
