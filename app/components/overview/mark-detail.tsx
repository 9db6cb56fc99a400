'use client';

import { useText } from '@/components/texts.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { Mark } from '@/lib/timeline-marks.ts';
import { MarkLine } from './mark-line.tsx';

/** Of marks that are too near to each other the newest few are told. */
const mostTold = 2;

interface MarkDetailProps {
  /** What is pointed at, else what is chosen; empty: neither. */
  marks: readonly Mark[];
  /** An event was chosen, by the address, that is not there. */
  isMissing: boolean;
}

/** Who, what and why of a mark, in a place of its own: nothing moves when it comes and goes. */
export function MarkDetail({ marks, isMissing }: MarkDetailProps) {
  const t = useText('overview');
  return (
    <div
      data-testid="mark-detail"
      className="mt-2 grid h-24 content-start gap-1 overflow-hidden border-t border-line bg-inset px-4 py-2 sm:h-16"
    >
      {marks.length === 0 ? (
        <p className="text-xs text-subtle">{isMissing ? t('notThere') : t('markHint')}</p>
      ) : (
        <>
          {marks.slice(0, mostTold).map((mark) => (
            <div key={mark.id} className="min-w-0">
              <MarkLine mark={mark} />
              {marks.length > 1 || mark.why === '' ? null : (
                <p lang="en" className="line-clamp-2 text-xs text-muted sm:line-clamp-1">
                  <PlainText text={mark.why} />
                </p>
              )}
            </div>
          ))}
          {marks.length > mostTold ? (
            <p className="text-xs text-subtle">{t('andMore', { count: marks.length - mostTold })}</p>
          ) : null}
        </>
      )}
    </div>
  );
}
