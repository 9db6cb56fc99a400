'use client';

import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Loader, type LucideIcon, OctagonAlert, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useLiveStatus } from '@/components/live/live-provider.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import type { BlocklistResponse } from '@/lib/blocklist-queries.ts';
import { cn } from '@/lib/class-names.ts';
import { allThere, heldRows } from '@/lib/held-order.ts';
import type { ListedRow } from '@/lib/listed-rows.ts';
import { overviewQuery } from '@/lib/queries.ts';
import { durationText } from '@/lib/time.ts';
import { type Cause, type Level, verdictOf } from '@/lib/verdict.ts';
import { ListedList } from './listed-list.tsx';
import { useHeld } from './use-held.ts';
import { useNowMs } from './use-now-ms.ts';
import { useOverviewView } from './use-overview-view.ts';
import { useVerdictFacts } from './use-verdict-facts.ts';

const noRows: readonly ListedRow[] = [];
const noCauses: readonly Cause[] = [];

const looks: Record<Level, { icon: LucideIcon; colours: string; border: string }> = {
  ok: { icon: CircleCheck, colours: 'bg-ok-soft text-ok', border: 'border-l-ok' },
  info: { icon: Loader, colours: 'bg-info-soft text-info', border: 'border-l-info' },
  warn: { icon: TriangleAlert, colours: 'bg-warn-soft text-warn', border: 'border-l-warn' },
  bad: { icon: OctagonAlert, colours: 'bg-bad-soft text-bad', border: 'border-l-bad' },
};

/** Is anything wrong, where, since when, why; then the servers that are listed. */
export function VerdictPanel({ blocklist }: { blocklist: BlocklistResponse | undefined }) {
  const t = useText('overview');
  const facts = useVerdictFacts(blocklist);
  const { at } = useOverviewView();
  const { phase, lastEventAtMs } = useLiveStatus();
  const readAtMs = useQuery(overviewQuery).dataUpdatedAt;
  const verdict = facts === null ? null : verdictOf(facts, t);
  const rows = facts?.listed ?? noRows;
  // The title goes on telling how things are; what is below it stays where it is under the pointer.
  const held = useHeld({ causes: verdict?.causes ?? noCauses, rows });
  if (facts === null || verdict === null) return <TableSkeleton rows={2} />;
  const { level } = verdict;
  const [worst] = verdict.causes;
  const { rows: shown, waiting } = held.isHeld ? heldRows(held.value.rows, rows) : { rows: allThere(rows), waiting: 0 };
  const [told, ...others] = held.value.causes;
  const isStale = phase === 'stale' && at === null;
  const knownAtMs = Math.max(lastEventAtMs ?? 0, readAtMs);
  const { icon: Icon, colours, border } = looks[level];
  const title = worst?.title ?? t('level.ok');
  return (
    <section
      aria-label={t('now')}
      data-testid="verdict"
      data-level={level}
      data-stale={isStale}
      className={cn(
        'overflow-hidden rounded-lg border border-l-3 border-line bg-panel',
        isStale ? 'border-dashed border-l-subtle' : border,
      )}
      {...held.handlers}
    >
      <div className="flex items-start gap-3 p-4 lg:gap-4 lg:px-5">
        <span
          className={cn(
            'grid size-11 shrink-0 place-items-center rounded-full',
            isStale ? 'bg-inset text-subtle' : colours,
          )}
        >
          <Icon aria-hidden className="size-6" />
        </span>
        <div className="min-w-0 flex-1">
          <p className={cn('text-xs font-medium', isStale ? 'text-muted' : colours.split(' ')[1])}>
            {isStale ? t.rich('asOf', { time: <Time iso={new Date(knownAtMs).toISOString()} /> }) : t(`level.${level}`)}
          </p>
          <div role="status">
            <h2 className="text-xl font-semibold tracking-tight [overflow-wrap:anywhere]">
              {isStale ? t('lastKnown', { title }) : <CauseLink cause={worst}>{title}</CauseLink>}
            </h2>
          </div>
          {told === undefined ? (
            <p className="mt-0.5 text-sm text-muted">{wellWhy(facts.serverCount, t)}</p>
          ) : (
            <CauseFacts cause={told} className="mt-0.5 text-sm" />
          )}
        </div>
      </div>
      <ListedList rows={shown} total={rows.length} waiting={waiting} isPast={at !== null} />
      {others.length === 0 ? null : (
        <ul aria-label={t('alsoNow')} className="grid border-t border-line">
          {others.map((cause) => (
            <li key={cause.key} data-cause={cause.key} className="flex items-start gap-2.5 px-4 py-2 lg:px-5">
              <LevelMark level={cause.level} />
              <div className="min-w-0 text-sm">
                <span className="font-medium [overflow-wrap:anywhere]">
                  <CauseLink cause={cause}>{cause.title}</CauseLink>
                </span>
                <CauseFacts cause={cause} className="text-xs" />
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function wellWhy(servers: number, t: ReturnType<typeof useText<'overview'>>): string {
  return servers === 0 ? '' : servers === 1 ? t('takesOne') : t('takeAll', { count: servers });
}

function LevelMark({ level }: { level: Level }) {
  const t = useText('overview');
  const { icon: Icon, colours } = looks[level];
  return (
    <span className={cn('mt-0.5 inline-flex shrink-0 items-center', colours.split(' ')[1])}>
      <Icon aria-hidden className="size-4" />
      <span className="sr-only">{t(`level.${level}`)}:</span>
    </span>
  );
}

function CauseLink({ cause, children }: { cause: Cause | undefined; children: string }) {
  if (cause === undefined || cause.href === '') return <PlainText text={children} />;
  return (
    <Link href={cause.href} prefetch={false} className="rounded underline-offset-3 hover:underline">
      <PlainText text={children} />
    </Link>
  );
}

/** Since when and why, as far as it is known. */
function CauseFacts({ cause: { since, why, detail }, className }: { cause: Cause; className?: string }) {
  const t = useText('overview');
  const facts: { key: string; fact: ReactNode }[] = [];
  if (since !== null) {
    facts.push({ key: 'since', fact: t.rich('sinceAgo', { time: <Time iso={since} />, ago: <Ago since={since} /> }) });
  }
  if (why !== '') facts.push({ key: 'why', fact: <PlainText text={why} /> });
  if (detail !== '') {
    facts.push({
      key: 'detail',
      fact: (
        <span lang="en">
          <PlainText text={detail} />
        </span>
      ),
    });
  }
  return (
    <p className={cn('text-muted [overflow-wrap:anywhere]', className)}>
      {facts.map(({ key, fact }, index) => (
        <span key={key}>
          {index === 0 ? null : ' · '}
          {fact}
        </span>
      ))}
    </p>
  );
}

/** How long ago, by the proxy's clock; of a paused page: how long before its moment. */
function Ago({ since }: { since: string }) {
  const t = useText('overview');
  const { at } = useOverviewView();
  const proxyNowMs = useNowMs();
  const nowMs = at === null ? proxyNowMs : Date.parse(at);
  return (
    <span className="tabular whitespace-nowrap">
      {nowMs === null ? '–' : t('forLong', { time: durationText(nowMs - Date.parse(since), t.language) })}
    </span>
  );
}
