'use client';

import { useText } from '@/components/texts.tsx';
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
  const t = useText('parameters');
  const shell = useText('shell');
  const { parameter, value } = change;
  const shown = (text: string) => (
    <PlainText text={shownValue(shell, parameter, text)} className="font-mono font-semibold" />
  );
  const parts = {
    who: <PlainText text={parameter.changedBy ?? t('somebody')} className="font-semibold" />,
    value: shown(storedValue(parameter)),
    mine: shown(value),
  };
  return (
    <Notice tone="warn" alert className="mt-2 text-xs">
      <p>
        {parameter.changedAt === null
          ? t.rich('conflict', parts)
          : t.rich('conflictAt', { ...parts, when: <Time iso={parameter.changedAt} /> })}
      </p>
      <p className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => discard([parameter.name])}>
          {t('takeTheirs')}
        </Button>
        <Button size="sm" onClick={() => rebase(parameter)}>
          {t('keepMine')}
        </Button>
      </p>
    </Notice>
  );
}
