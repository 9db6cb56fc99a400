'use client';

import { useText } from '@/components/texts.tsx';
import { useTimeZone } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { zonedTime } from '@/lib/time.ts';
import type { ListingSpan } from '../../../proxy/control/contract.ts';

interface SpanLanesProps {
  was: readonly ListingSpan[];
  would: readonly ListingSpan[];
  from: string;
  to: string;
}

/** Two lanes for each server along the time: what was (outlined), what would have been (filled). The list below says the same. */
export function SpanLanes({ was, would, from, to }: SpanLanesProps) {
  const t = useText('blocklist');
  const { zone } = useTimeZone();
  const servers = [...new Set([...was, ...would].map(({ server }) => server))].sort();
  const start = axisStart([...was, ...would], from, to);
  const digits = Date.parse(to) - Date.parse(start) < 10 * 60_000 ? 8 : 5;
  const clock = (iso: string): string => zonedTime(iso, zone).clock.slice(0, digits);
  return (
    <div aria-hidden className="grid gap-2 text-xs">
      {servers.map((server) => (
        <div key={server} className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
          <PlainText text={server} className="truncate font-mono" />
          <div className="grid gap-1">
            <Lane spans={was.filter((span) => span.server === server)} from={start} to={to} kind="was" />
            <Lane spans={would.filter((span) => span.server === server)} from={start} to={to} kind="would" />
          </div>
        </div>
      ))}
      <div className="grid gap-x-3 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
        <span className="flex gap-3 text-muted max-sm:mb-1">
          <span className="inline-flex items-center gap-1.5">
            <i className={cn('h-2.5 w-4 rounded-xs', look.was)} /> {t('reallyLane')}
          </span>
          <span className="inline-flex items-center gap-1.5">
            <i className={cn('h-2.5 w-4 rounded-xs', look.would)} /> {t('whatIfLane')}
          </span>
        </span>
        <span className="tabular flex justify-between text-subtle">
          <span>{clock(start)}</span>
          <span>{clock(to)}</span>
        </span>
      </div>
    </div>
  );
}

/** Nothing to see before the first listing: the lanes begin a little before it. */
function axisStart(spans: readonly ListingSpan[], from: string, to: string): string {
  const firstMs = Math.min(Date.parse(to), ...spans.map(({ listedAt }) => Date.parse(listedAt)));
  const marginMs = Math.max(5_000, (Date.parse(to) - firstMs) * 0.1);
  return new Date(Math.max(Date.parse(from), firstMs - marginMs)).toISOString();
}

const look = { was: 'border-2 border-subtle bg-panel', would: 'bg-accent-fill' } as const;

interface LaneProps {
  spans: readonly ListingSpan[];
  from: string;
  to: string;
  kind: 'was' | 'would';
}

function Lane({ spans, from, to, kind }: LaneProps) {
  const [startMs, endMs] = [Date.parse(from), Date.parse(to)];
  const percent = (iso: string): number =>
    Math.min(100, Math.max(0, ((Date.parse(iso) - startMs) / (endMs - startMs)) * 100));
  return (
    <div className="relative h-2.5 rounded-xs bg-line">
      {spans.map((span) => {
        const left = percent(span.listedAt);
        const width = percent(span.releasedAt ?? to) - left;
        return (
          <i
            key={`${span.list} ${span.listedAt}`}
            // A short listing in a long span is still to be seen, and stays inside.
            style={{ left: `min(${left}%, calc(100% - 6px))`, width: `max(${width}%, 6px)` }}
            className={cn('absolute inset-y-0 rounded-xs', look[kind])}
          />
        );
      })}
    </div>
  );
}
