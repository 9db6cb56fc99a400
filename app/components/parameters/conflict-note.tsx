'use client';

import { Time } from '@/components/time-zone.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { storedValue } from '@/lib/parameter-value.ts';
import { useDrafts } from './draft-provider.tsx';
import { type PendingChange, shownValue } from './pending-change.ts';

/** Somebody changed a parameter under an edit: both values, who it was, and the two ways on (case B101). */
export function ConflictNote({ change }: { change: PendingChange }) {
  const { rebase, discard } = useDrafts();
  const { parameter, value } = change;
  return (
    <Notice tone="warn" alert className="mt-2 text-xs">
      <p>
        <PlainText text={parameter.changedBy ?? 'Somebody'} className="font-semibold" /> set this to{' '}
        <PlainText text={shownValue(parameter, storedValue(parameter))} className="font-mono font-semibold" />
        {parameter.changedAt === null ? null : (
          <>
            {' '}
            at <Time iso={parameter.changedAt} />
          </>
        )}
        . Yours is <PlainText text={shownValue(parameter, value)} className="font-mono font-semibold" />.
      </p>
      <p className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => discard([parameter.name])}>
          Take theirs
        </Button>
        <Button size="sm" onClick={() => rebase(parameter)}>
          Keep mine
        </Button>
      </p>
    </Notice>
  );
}
