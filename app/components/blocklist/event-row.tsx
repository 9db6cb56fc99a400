'use client';

import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { listWordWithin } from '@/lib/list-words.ts';
import { durationText } from '@/lib/time.ts';
import type { BlocklistEvent } from '../../../proxy/control/contract.ts';
import { EventEvidence } from './event-evidence.tsx';
import { changeLook } from './words.ts';

interface EventRowProps {
  event: BlocklistEvent;
  open: boolean;
  onToggle: () => void;
}

/** One listing or release; opens to its evidence. */
export function EventRow({ event, open, onToggle }: EventRowProps) {
  const t = useText('blocklist');
  const list = listWordWithin(useText('shell'), event.list);
  const id = useId();
  return (
    <li
      data-event={event.id}
      data-change={event.change}
      className="group/event relative border-l border-line pb-1 pl-4 last:border-transparent"
    >
      <span
        aria-hidden
        className={cn(
          'absolute top-3.5 -left-1 size-2 ring-3 ring-panel',
          event.change === 'listed' ? 'rotate-45 bg-bad' : 'rounded-full bg-ok',
        )}
      />
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={onToggle}
        className="flex w-full items-start gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5 text-sm">
            <StateMark look={changeLook(t, event.change)} state={event.change} />
            <PlainText text={event.server} className="font-mono font-medium [overflow-wrap:anywhere]" />
            <span className="text-muted">
              {event.change === 'listed'
                ? t('onList', { list })
                : event.listedForMs === null
                  ? t('offList', { list })
                  : t('offListAfter', { list, time: durationText(event.listedForMs, t.language) })}
            </span>
            <span className="text-xs text-subtle sm:ml-auto">
              <Time iso={event.at} />
            </span>
          </span>
          <span className={cn('mt-0.5 block text-xs text-muted [overflow-wrap:anywhere]', !open && 'line-clamp-2')}>
            <PlainText text={event.reason} lang="en" />
          </span>
        </span>
        <ChevronRight
          aria-hidden
          className={cn('mt-0.5 size-4 shrink-0 text-subtle transition-transform', open && 'rotate-90')}
        />
      </button>
      <div id={id}>{open ? <EventEvidence event={event} /> : null}</div>
    </li>
  );
}
