'use client';

import { Equal, type LucideIcon, Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { compareSpans, type SpanPair, type SpanTotals, spanMs, spanOf, totalsOf } from '@/lib/compare-spans.ts';
import { listWordWithin } from '@/lib/list-words.ts';
import { countText } from '@/lib/numbers.ts';
import { durationText } from '@/lib/time.ts';
import type { Catalog } from '@/messages/catalog.ts';
import type { WhatIfResponse } from '../../../proxy/control/contract.ts';
import { SpanLanes } from './span-lanes.tsx';

const firstRows = 6;

interface WhatIfResultProps {
  result: WhatIfResponse;
  hours: number;
  /** The change switches the lists off: the listings would have been the same, without effect. */
  switchesOff: boolean;
}

/** Totals side by side, a lane for each server, and every listing with what becomes of it. */
export function WhatIfResult({ result, hours, switchesOff }: WhatIfResultProps) {
  const t = useText('blocklist');
  const { from, to, was, would, failures, unreadable } = result;
  const [all, setAll] = useState(false);

  const pairs = compareSpans(was, would, to).toReversed();
  const shown = all ? pairs : pairs.slice(0, firstRows);
  return (
    <div className="grid gap-3">
      {pairs.length === 0 ? (
        <p className="text-sm">
          <b className="font-semibold">{t('nothingWould')}</b> {t('nothingWouldIn', { count: hours })}
        </p>
      ) : (
        <>
          <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line">
            <Total title={t('really')} totals={totalsOf(was, from, to)} />
            <Total title={t(switchesOff ? 'withoutEffect' : 'withNewValues')} totals={totalsOf(would, from, to)} />
          </dl>
          <SpanLanes was={was} would={would} from={from} to={to} />
          <ul aria-label={t('listings')} className="divide-y divide-line rounded-md border border-line bg-panel">
            {shown.map((pair) => (
              <PairRow key={keyOf(pair)} pair={pair} from={from} to={to} />
            ))}
          </ul>
          {shown.length < pairs.length ? (
            <Button size="sm" className="justify-self-center" onClick={() => setAll(true)}>
              {t('showAll', { count: pairs.length })}
            </Button>
          ) : null}
        </>
      )}
      <p className="text-xs text-muted">
        {t('replayed', { count: failures })}
        {unreadable === 0 ? null : ` ${t('moreUnreadable', { count: unreadable })}`}
      </p>
    </div>
  );
}

function Total({ title, totals }: { title: string; totals: SpanTotals }) {
  const t = useText('blocklist');
  const shell = useText('shell');
  const { listings, servers, totalMs } = totals;
  return (
    <div className="bg-panel px-3.5 py-2.5">
      <dt className="text-xs text-muted">{title}</dt>
      <dd className="tabular mt-0.5 text-sm">
        <b className="text-lg font-semibold">{countText(listings)}</b> {t('listingCount', { count: listings })}
        {listings === 0 ? null : (
          <span className="block text-xs text-muted">
            {t('inAll', {
              servers: shell('servers', { count: servers }),
              time: durationText(totalMs, t.language),
            })}
          </span>
        )}
      </dd>
    </div>
  );
}

function PairRow({ pair, from, to }: { pair: SpanPair; from: string; to: string }) {
  const t = useText('blocklist');
  const shell = useText('shell');
  const { was, would } = pair;
  const span = spanOf(pair);
  const { icon: Icon, word, tone } = verdictOf(pair, from, to);
  // Only the alive list is judged anew; of the others the record knows more than the replay.
  const { reason } = span.list === 'alive' ? (would ?? span) : span;
  return (
    <li className="grid gap-0.5 px-3 py-2 text-xs">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5">
        <span className={cn('inline-flex items-center gap-1 font-medium', tone)}>
          <Icon aria-hidden className="size-3.5" />
          {t(word)}
        </span>
        <PlainText text={span.server} className="font-mono font-medium" />
        <span className="text-muted">{t('listOf', { list: listWordWithin(shell, span.list) })}</span>
        <span className="tabular text-muted">
          {was === null ? null : t('wasFor', { time: durationText(spanMs(was, from, to), t.language) })}
          {was !== null && would !== null ? ' → ' : null}
          {would === null ? null : t('wouldBeFor', { time: durationText(spanMs(would, from, to), t.language) })}
        </span>
        <span className="sm:ml-auto">
          <Time iso={span.listedAt} />
        </span>
      </p>
      <p className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
        <PlainText text={reason} lang="en" />
      </p>
    </li>
  );
}

function verdictOf(
  { was, would }: SpanPair,
  from: string,
  to: string,
): { icon: LucideIcon; word: Extract<keyof Catalog['blocklist'], `verdict.${string}`>; tone: string } {
  if (was === null) return { icon: Plus, word: 'verdict.new', tone: 'text-bad' };
  if (would === null) return { icon: Minus, word: 'verdict.notListed', tone: 'text-ok' };
  const differenceMs = spanMs(would, from, to) - spanMs(was, from, to);
  if (Math.abs(differenceMs) < 1_000) return { icon: Equal, word: 'verdict.same', tone: 'text-muted' };
  return differenceMs > 0
    ? { icon: Plus, word: 'verdict.longer', tone: 'text-warn' }
    : { icon: Minus, word: 'verdict.shorter', tone: 'text-ok' };
}

function keyOf(pair: SpanPair): string {
  const { server, list, listedAt } = spanOf(pair);
  return `${server} ${list} ${listedAt} ${pair.was === null}`;
}
