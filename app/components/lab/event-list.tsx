'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { QueryFailure } from '@/components/query-failure.tsx';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { blocklistEventsQuery } from '@/lib/blocklist-queries.ts';
import type { StateLook } from '@/lib/server-state.ts';
import type { BlocklistEvent } from '../../../proxy/control/contract.ts';

const shown = 8;

/** The newest listings and releases. */
export function EventList() {
  const t = useText('lab');
  const query = useInfiniteQuery(blocklistEventsQuery({}));
  const events = query.data?.pages[0]?.events.slice(0, shown);
  return (
    <Panel
      title={t('events')}
      aside={
        <Link href="/blocklist" className="text-xs text-accent hover:underline">
          {t('allEvents')}
        </Link>
      }
    >
      {events === undefined ? (
        query.isError ? (
          <QueryFailure query={query} what={t('events')} />
        ) : (
          <TableSkeleton rows={4} />
        )
      ) : events.length === 0 ? (
        <p className="px-4 py-3 text-sm text-muted">{t('noEvent')}</p>
      ) : (
        <ol className="divide-y divide-line">
          {events.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function EventRow({ event: { change, list, server, zone, reason, at } }: { event: BlocklistEvent }) {
  const t = useText('lab');
  const look: StateLook =
    change === 'listed'
      ? { word: t('listed'), tone: 'bad', shape: 'octagon' }
      : { word: t('released'), tone: 'ok', shape: 'disc' };
  return (
    <li data-lab-event={change} className="grid gap-0.5 px-4 py-2 text-xs">
      <span className="flex flex-wrap items-center gap-x-2.5">
        <StateMark look={look} state={change} />
        <PlainText text={server} className="font-mono font-medium [overflow-wrap:anywhere]" />
        <PlainText text={`${zone} · ${list}`} className="text-muted" />
        <span className="ml-auto text-subtle">
          <Time iso={at} />
        </span>
      </span>
      <span lang="en" className="text-muted [overflow-wrap:anywhere]">
        <PlainText text={reason} />
      </span>
    </li>
  );
}
