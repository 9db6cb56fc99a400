'use client';

import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Keys } from '@/components/ui/keys.tsx';
import { useDrafts } from './draft-provider.tsx';
import type { PendingChange } from './pending-change.ts';

interface DraftBarProps {
  changes: readonly PendingChange[];
  onReview: () => void;
}

/** How many edits wait, what is wrong with them, and the way to apply or drop them. Sticks to the page's foot. */
export function DraftBar({ changes, onReview }: DraftBarProps) {
  const t = useText('parameters');
  const { discard } = useDrafts();
  const invalid = changes.filter((change) => change.invalid !== null).length;
  const conflicts = changes.filter((change) => change.conflict).length;
  return (
    <div role="status" className="sticky bottom-14 z-10 lg:bottom-0">
      {changes.length === 0 ? null : (
        <div className="fade-in flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-raised px-4 py-2.5 shadow-pop lg:px-6">
          <p className="text-sm">
            {t.rich('notYetApplied', {
              count: changes.length,
              number: <b className="tabular font-semibold">{changes.length}</b>,
            })}
            {invalid > 0 ? <span className="text-bad"> · {t('notValid', { count: invalid })}</span> : null}
            {conflicts > 0 ? <span className="text-warn"> · {t('byOthers', { count: conflicts })}</span> : null}
          </p>
          <div className="ml-auto flex items-center gap-2">
            <Button variant="ghost" onClick={() => discard(changes.map((change) => change.parameter.name))}>
              {t('discard')}
            </Button>
            <Button variant="primary" disabled={invalid > 0} onClick={onReview}>
              {t('review', { count: changes.length })}
              <span className="hidden opacity-90 lg:inline [&_kbd]:border-white/30 [&_kbd]:bg-transparent [&_kbd]:text-white">
                <Keys keys={['Ctrl', '↵']} />
              </span>
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
