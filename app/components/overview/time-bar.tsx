'use client';

import { useQuery } from '@tanstack/react-query';
import { Link2, Pause, Play } from 'lucide-react';
import { toast } from 'sonner';
import { useNow } from '@/components/live/live-indicator.tsx';
import { useLiveStatus } from '@/components/live/live-provider.tsx';
import { useProxyNow } from '@/components/proxy-clock.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Button } from '@/components/ui/button.tsx';
import { cn } from '@/lib/class-names.ts';
import { blocklistMarksQuery, historyMarksQuery } from '@/lib/overview-queries.ts';
import { momentLink, ranges } from '@/lib/overview-view.ts';
import { durationText } from '@/lib/time.ts';
import { useOverviewView } from './use-overview-view.ts';

const rangeNames = Object.keys(ranges) as (keyof typeof ranges)[];

/** Which span is shown, whether it goes on, and the link to it. */
export function TimeBar() {
  const t = useText('overview');
  const { view, range, at, setView } = useOverviewView();
  const proxyNowMs = useProxyNow();
  const nowIso = (): string => new Date(proxyNowMs ?? Date.now()).toISOString();
  const copyLink = async (): Promise<void> => {
    const moment = at ?? nowIso();
    try {
      await navigator.clipboard.writeText(momentLink(window.location.href, view, moment));
      toast(t('linkCopied'));
    } catch {
      // Without TLS, or without leave, pages cannot copy: the reader copies the address.
      setView({ at: moment });
      toast(t('linkInAddress'));
    }
  };
  return (
    <section aria-label={t('time')} className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <fieldset className="flex overflow-hidden rounded-md border border-line-strong">
        <legend className="sr-only">{t('range')}</legend>
        {rangeNames.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === range}
            onClick={() => setView({ range: name === '15m' ? '' : name })}
            className={cn(
              'h-8 border-r border-line-strong px-3 text-sm last:border-r-0 hover:bg-hover',
              name === range ? 'bg-accent-soft font-medium text-accent' : 'bg-panel text-muted',
            )}
          >
            {t(`range.${name}`)}
          </button>
        ))}
      </fieldset>
      <Button aria-pressed={at !== null} onClick={() => setView({ at: at === null ? nowIso() : '' })}>
        {at === null ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
        {at === null ? t('pause') : t('resume')}
      </Button>
      <Button variant="ghost" onClick={() => void copyLink()}>
        <Link2 aria-hidden className="size-4" />
        {t('copyLink')}
      </Button>
      <span data-testid="pace" className="text-sm text-muted sm:ml-auto">
        {at === null ? <LastEvent /> : <PausedNote at={at} />}
      </span>
    </section>
  );
}

/** How old the newest word of the proxy is; on phones too, where the header has no room for it. */
function LastEvent() {
  const t = useText('shell');
  const { phase, lastEventAtMs } = useLiveStatus();
  const nowMs = useNow();
  if (lastEventAtMs === null || nowMs === null) return <span className="text-xs">–</span>;
  const ago = t('lastEvent', { ago: durationText(nowMs - lastEventAtMs, t.language) });
  return (
    <span className={cn('tabular text-xs', phase === 'stale' && 'font-medium text-warn')}>
      {t(`live.${phase}`)} · {ago}
    </span>
  );
}

/** What moment is shown, and how much has happened since. */
function PausedNote({ at }: { at: string }) {
  const t = useText('overview');
  const from = new Date(Date.parse(at) + 1).toISOString();
  const listings = useQuery({ ...blocklistMarksQuery({ from }, 1), enabled: useMay('blocklist.read') }).data;
  const rows = useQuery({ ...historyMarksQuery({ from }, 1), enabled: useMay('history.read') }).data;
  const count = (listings?.total ?? 0) + (rows?.total ?? 0);
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-warn">
      <span>{t.rich('pausedAt', { time: <Time iso={at} /> })}</span>
      <b role="status" className="font-semibold">
        {t('newEvents', { count })}
      </b>
    </span>
  );
}
