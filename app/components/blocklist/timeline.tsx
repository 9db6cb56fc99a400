'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import type { EventFilter } from '@/lib/blocklist-filter.ts';
import { blocklistEventsQuery } from '@/lib/blocklist-queries.ts';
import { cn } from '@/lib/class-names.ts';

import { EventRow } from './event-row.tsx';

interface TimelineProps {
  filter: EventFilter;
  /** `listed`, `released`, or empty for both. */
  change: string;
  onChange: (change: string) => void;
}

/** Listings and releases, newest first, each with its evidence one click away. */
export function Timeline({ filter, change, onChange }: TimelineProps) {
  const t = useText('blocklist');
  const common = useText('common');
  const query = useInfiniteQuery({ ...blocklistEventsQuery(filter), placeholderData: keepPreviousData });
  const events = query.data?.pages.flatMap((page) => page.events) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number): void =>
    setOpen((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <Panel
      title={t('timeline')}
      aside={
        <span className="flex items-center gap-3">
          <span className="tabular text-xs text-muted">{t('shownOf', { shown: events.length, total })}</span>
          <select
            aria-label={t('change')}
            value={change}
            onChange={(event) => onChange(event.target.value)}
            className={cn(inputClass, 'h-7 w-auto text-xs', change !== '' && 'border-accent')}
          >
            <option value="">{t('allChanges')}</option>
            <option value="listed">{t('listed')}</option>
            <option value="released">{t('released')}</option>
          </select>
        </span>
      }
    >
      {query.isError && query.data === undefined ? (
        <QueryFailure query={query} what={t('theTimeline')} />
      ) : query.data === undefined ? (
        <TableSkeleton rows={4} />
      ) : events.length === 0 ? (
        <EmptyState icon={History} title={t(Object.keys(filter).length > 0 ? 'noEventFits' : 'noEventYet')}>
          {t('noEventAbout')}
        </EmptyState>
      ) : (
        <>
          <ol aria-label={t('eventsNewest')} className="px-4 py-2">
            {events.map((event) => (
              <EventRow key={event.id} event={event} open={open.has(event.id)} onToggle={() => toggle(event.id)} />
            ))}
          </ol>
          {query.hasNextPage ? (
            <div className="flex justify-center border-t border-line py-3">
              <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {common(query.isFetchingNextPage ? 'loadingMore' : 'loadOlder')}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </Panel>
  );
}
