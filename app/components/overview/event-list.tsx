'use client';

import { ArrowUpRight } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { mostMarks } from '@/lib/overview-queries.ts';
import type { Mark } from '@/lib/timeline-marks.ts';
import { visibleText } from '@/lib/visible-text.ts';
import { MarkLine } from './mark-line.tsx';

const shownAtFirst = 6;

interface EventListProps {
  marks: readonly Mark[];
  /** Id of the chosen one; empty: none is. */
  chosen: string;
  onChoose: (id: string) => void;
  /** Events that have come while the list is held. */
  waiting: number;
  /** There are more than are shown. */
  isCut: boolean;
}

/** The marks as a list: the same for those who read or listen. */
export function EventList({ marks, chosen, onChoose, waiting, isCut }: EventListProps) {
  const t = useText('overview');
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? marks : marks.slice(0, shownAtFirst);
  return (
    <div className="border-t border-line">
      <div role="status">
        {waiting === 0 ? null : (
          <p className="border-b border-line bg-accent-soft px-4 py-1 text-xs text-accent">
            {t('waitingEvents', { count: waiting })}
          </p>
        )}
      </div>
      {marks.length === 0 ? (
        <p className="px-4 py-3 text-sm text-muted">{t('noEvents')}</p>
      ) : (
        <ol aria-label={t('eventsNewest')} className="divide-y divide-line">
          {shown.map((mark) => (
            <li
              key={mark.id}
              data-event={mark.id}
              data-lane={mark.lane}
              className={cn('flex items-start gap-2 px-2 py-1', mark.id === chosen && 'bg-accent-soft')}
            >
              <button
                type="button"
                aria-pressed={mark.id === chosen}
                onClick={() => onChoose(mark.id)}
                className="min-w-0 flex-1 rounded-md px-2 py-1 text-left hover:bg-hover"
              >
                <MarkLine mark={mark} />
                {mark.why === '' ? null : (
                  <span lang="en" className="line-clamp-2 text-xs text-muted [overflow-wrap:anywhere]">
                    <PlainText text={mark.why} />
                  </span>
                )}
              </button>
              <Link
                href={mark.href}
                prefetch={false}
                // Mostly the title, which is what has to be read out well.
                lang={mark.titleLang}
                aria-label={visibleText(t('openRow', { title: mark.title }))}
                title={t('open')}
                className="mt-1 grid size-7 shrink-0 place-items-center rounded-md text-subtle hover:bg-hover hover:text-fg"
              >
                <ArrowUpRight aria-hidden className="size-4" />
              </Link>
            </li>
          ))}
        </ol>
      )}
      {marks.length > shown.length ? (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="w-full border-t border-line px-4 py-2 text-left text-sm text-accent hover:bg-hover"
        >
          {t('allEvents', { count: marks.length })}
        </button>
      ) : null}
      {isCut ? (
        <p className="border-t border-line px-4 py-2 text-xs text-subtle">{t('newestOnly', { count: mostMarks })}</p>
      ) : null}
    </div>
  );
}
