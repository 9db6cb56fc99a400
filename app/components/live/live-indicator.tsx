'use client';

import { Radio, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { useTimeZone } from '@/components/time-zone.tsx';
import { cn } from '@/lib/class-names.ts';
import { durationText, zonedTime } from '@/lib/time.ts';
import { useLiveStatus } from './live-provider.tsx';

/** `live · last event 2 s ago`, or since when the page is stale. */
export function LiveIndicator() {
  const t = useText('shell');
  const { phase, lastEventAtMs } = useLiveStatus();
  const { zone } = useTimeZone();
  const now = useNow();
  const stale = phase === 'stale';
  const Icon = stale ? TriangleAlert : Radio;
  const since = lastEventAtMs === null ? null : zonedTime(new Date(lastEventAtMs).toISOString(), zone).clock;
  const detail = stale
    ? since === null
      ? t('noEventYet')
      : t('sinceClock', { clock: since })
    : phase === 'live' && lastEventAtMs !== null && now !== null
      ? t('lastEvent', { ago: durationText(now - lastEventAtMs, t.language) })
      : '';
  return (
    <span
      data-testid="live"
      data-phase={phase}
      className={cn(
        'tabular inline-flex h-7 items-center gap-1.5 whitespace-nowrap rounded-md px-2 text-xs',
        stale ? 'bg-warn-soft font-medium text-warn' : 'text-muted',
      )}
    >
      <Icon aria-hidden className={cn('size-3.5', phase === 'live' && 'text-ok')} />
      <span>{t(`live.${phase}`)}</span>
      {detail ? <span className={cn(!stale && 'hidden text-subtle md:inline')}>· {detail}</span> : null}
    </span>
  );
}

/** Says the loss of the stream across the page, and to screen readers; takes no room while all is well. */
export function StaleBanner() {
  const t = useText('shell');
  const { phase, lastEventAtMs } = useLiveStatus();
  const { zone } = useTimeZone();
  const since = lastEventAtMs === null ? null : zonedTime(new Date(lastEventAtMs).toISOString(), zone).clock;
  return (
    <div role="status">
      {phase === 'stale' ? (
        <p className="flex min-h-9 items-center gap-2 border-b border-line bg-warn-soft px-4 py-1.5 text-sm text-warn lg:px-6">
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          <span>
            <b className="font-semibold">
              {since === null ? t('interrupted') : t('interruptedSince', { clock: since })}
            </b>{' '}
            {t('interruptedAbout')}
          </span>
        </p>
      ) : null}
    </div>
  );
}

/** Wall-clock milliseconds, once a second; null until the page runs in the browser. */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
