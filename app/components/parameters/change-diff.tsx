import { ArrowRight } from 'lucide-react';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { storedValue } from '@/lib/parameter-value.ts';
import type { Parameter } from '../../../proxy/control/contract.ts';
import { ConflictNote } from './conflict-note.tsx';
import { type PendingChange, shownValue } from './pending-change.ts';

interface ChangeDiffProps {
  changes: readonly PendingChange[];
  /** What the proxy said against single fields. */
  refusals: readonly { field: string; reason: string }[];
}

/** The changed parameters, old value left, new value right. */
export function ChangeDiff({ changes, refusals }: ChangeDiffProps) {
  const t = useText('parameters');
  const shell = useText('shell');
  return (
    <ul aria-label={t('changes')} className="divide-y divide-line rounded-lg border border-line">
      {changes.map((change) => {
        const { parameter, value } = change;
        const refusal = change.conflict ? undefined : refusals.find(({ field }) => field === parameter.name);
        return (
          <li key={parameter.name} data-change={parameter.name} className="px-3.5 py-3">
            <div className="flex flex-wrap items-center gap-2">
              <code className="font-mono text-sm font-medium [overflow-wrap:anywhere]">{parameter.name}</code>
              {parameter.needReboot ? <Badge tone="warn">{t('afterRestart')}</Badge> : null}
              {parameter.honoured ? null : <Badge title={t('unusedBadgeAbout')}>{t('unusedBadge')}</Badge>}
            </div>
            <div className="mt-2 grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-2">
              <Side
                label={t('oldValue')}
                text={shownValue(shell, parameter, storedValue(parameter))}
                className="bg-bad-soft text-bad"
              />
              <ArrowRight aria-hidden className="size-4 text-subtle" />
              <Side label={t('newValue')} text={shownValue(shell, parameter, value)} className="bg-ok-soft text-ok" />
            </div>
            {refusal === undefined ? null : (
              <p lang="en" className="mt-2 text-xs text-bad">
                {refusal.reason}
              </p>
            )}
            {change.conflict ? <ConflictNote change={change} /> : null}
            {change.settled ? <SettledNote parameter={parameter} /> : null}
          </li>
        );
      })}
    </ul>
  );
}

/** Somebody was faster with the same change (case B101). */
function SettledNote({ parameter }: { parameter: Parameter }) {
  const t = useText('parameters');
  const value = shownValue(useText('shell'), parameter, storedValue(parameter));
  const parts = {
    who: <PlainText text={parameter.changedBy ?? t('somebody')} className="font-semibold" />,
    value: <PlainText text={value} className="font-mono font-semibold" />,
  };
  return (
    <Notice tone="info" alert className="mt-2 text-xs">
      {parameter.changedAt === null
        ? t.rich('settled', parts)
        : t.rich('settledAt', { ...parts, when: <Time iso={parameter.changedAt} /> })}
    </Notice>
  );
}

function Side({ label, text, className }: { label: string; text: string; className: string }) {
  return (
    <p
      className={`max-h-32 overflow-y-auto rounded-md px-2.5 py-1.5 font-mono text-sm [overflow-wrap:anywhere] ${className}`}
    >
      <span className="sr-only">{label}: </span>
      <PlainText text={text} />
    </p>
  );
}
