'use client';

import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { Mark } from '@/lib/timeline-marks.ts';

/** State, time, what, and by whom, on one line where there is room. */
export function MarkLine({ mark }: { mark: Mark }) {
  const t = useText('overview');
  return (
    <span className="flex flex-wrap items-baseline gap-x-2.5 text-sm">
      <StateMark look={mark.look} state={mark.look.word} />
      <PlainText text={mark.title} lang={mark.titleLang} className="min-w-0 font-medium [overflow-wrap:anywhere]" />
      {mark.who === '' ? null : (
        <span className="text-xs text-muted">{t.rich('by', { who: <PlainText text={mark.who} /> })}</span>
      )}
      <span className="text-xs text-subtle">
        <Time iso={mark.at} />
      </span>
    </span>
  );
}
