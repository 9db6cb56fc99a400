'use client';

import Link from 'next/link';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import type { Held } from '@/lib/held-order.ts';
import { listWord } from '@/lib/list-words.ts';
import { type ListedRow, phaseLooks } from '@/lib/listed-rows.ts';
import { durationText } from '@/lib/time.ts';
import { useNowMs } from './use-now-ms.ts';

/** Of hundreds of listed servers the first are shown here; the Blocklist page has all. */
const mostShown = 20;

interface ListedListProps {
  /** Those to show; some may be gone by now. */
  rows: readonly Held<ListedRow>[];
  /** Listed now. */
  total: number;
  /** Listed since the rows are held. */
  waiting: number;
  /** Of a moment that has passed: nothing counts down. */
  isPast: boolean;
}

/** Every listed server with its state, since when and why. Rows stay where they are under the pointer. */
export function ListedList({ rows, total, waiting, isPast }: ListedListProps) {
  const t = useText('overview');
  if (rows.length === 0 && waiting === 0) return null;
  return (
    <div className="border-t border-line">
      <ul aria-label={t('listedServers')} className="divide-y divide-line">
        {rows.slice(0, mostShown).map((row) => (
          <Row key={row.key} row={row} isPast={isPast} />
        ))}
      </ul>
      {total > mostShown ? (
        <p className="border-t border-line px-4 py-2 text-sm lg:px-5">
          <Link href="/blocklist" className="rounded text-accent hover:underline">
            {t('allOnBlocklist', { count: total })}
          </Link>
        </p>
      ) : null}
      <div role="status">
        {waiting === 0 ? null : (
          <p className="border-t border-line bg-warn-soft px-4 py-1.5 text-xs text-warn lg:px-5">
            {t('moreListed', { count: waiting })}
          </p>
        )}
      </div>
    </div>
  );
}

function Row({ row, isPast }: { row: Held<ListedRow>; isPast: boolean }) {
  const t = useText('overview');
  const shell = useText('shell');
  const phase = row.isGone ? 'released' : row.phase;
  const search = `cluster=${encodeURIComponent(row.cluster)}&server=${encodeURIComponent(row.address)}`;
  return (
    <li
      data-listed-server={row.address}
      data-phase={phase}
      className={cn(
        'grid gap-x-4 gap-y-0.5 px-4 py-2 sm:grid-cols-[8rem_minmax(0,1fr)] lg:px-5',
        row.isGone && 'opacity-70',
      )}
    >
      <span className="flex items-start justify-between gap-2">
        <StateMark look={{ ...phaseLooks[phase], word: t(`phase.${phase}`) }} state={phase} className="mt-0.5" />
        <span className="text-xs text-muted sm:hidden">
          <Since row={row} isPast={isPast} />
        </span>
      </span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <Link
            href={`/blocklist?${search}`}
            prefetch={false}
            className="rounded font-mono text-sm font-medium [overflow-wrap:anywhere] hover:underline"
          >
            <PlainText text={row.address} />
          </Link>
          <PlainText text={row.zone} className="text-xs text-muted" />
          <span className="ml-auto text-xs text-muted max-sm:hidden">
            <Since row={row} isPast={isPast} />
          </span>
        </p>
        {row.listings.map(({ list, reason }) => (
          <p key={list} className="text-xs text-muted [overflow-wrap:anywhere]">
            <b className="font-medium text-fg">{listWord(shell, list)}</b>{' '}
            <span lang="en">
              <PlainText text={reason} />
            </span>
          </p>
        ))}
        {row.isGone || isPast ? null : <Retry row={row} />}
      </div>
    </li>
  );
}

function Since({ row, isPast }: { row: ListedRow; isPast: boolean }) {
  const t = useText('overview');
  const nowMs = useNowMs();
  const since = <Time iso={row.since} />;
  if (isPast || nowMs === null) return since;
  const ago = t('forLong', { time: durationText(nowMs - Date.parse(row.since), t.language) });
  return t.rich('sinceAgo', { time: since, ago: <span className="tabular whitespace-nowrap">{ago}</span> });
}

function Retry({ row: { phase, retryAt } }: { row: ListedRow }) {
  const t = useText('overview');
  const nowMs = useNowMs();
  if (phase === 'trying') return <p className="text-xs text-info">{t('retryDue')}</p>;
  if (phase !== 'waiting' || retryAt === null || nowMs === null) return null;
  const time = durationText(Date.parse(retryAt) - nowMs + 999, t.language);
  return <p className="tabular text-xs text-warn">{t('retryIn', { time })}</p>;
}
