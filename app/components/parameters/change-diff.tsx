import { ArrowRight } from 'lucide-react';
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
  return (
    <ul aria-label="Changes" className="divide-y divide-line rounded-lg border border-line">
      {changes.map((change) => {
        const { parameter, value } = change;
        const refusal = change.conflict ? undefined : refusals.find(({ field }) => field === parameter.name);
        return (
          <li key={parameter.name} data-change={parameter.name} className="px-3.5 py-3">
            <div className="flex flex-wrap items-center gap-2">
              <code className="font-mono text-sm font-medium [overflow-wrap:anywhere]">{parameter.name}</code>
              {parameter.needReboot ? <Badge tone="warn">after restart</Badge> : null}
              {parameter.honoured ? null : (
                <Badge title="Listed and stored, but this version does not act on it yet">not used yet</Badge>
              )}
            </div>
            <div className="mt-2 grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-2">
              <Side label="old" text={shownValue(parameter, storedValue(parameter))} className="bg-bad-soft text-bad" />
              <ArrowRight aria-hidden className="size-4 text-subtle" />
              <Side label="new" text={shownValue(parameter, value)} className="bg-ok-soft text-ok" />
            </div>
            {refusal === undefined ? null : <p className="mt-2 text-xs text-bad">{refusal.reason}</p>}
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
  return (
    <Notice tone="info" alert className="mt-2 text-xs">
      <PlainText text={parameter.changedBy ?? 'Somebody'} className="font-semibold" /> has set this to{' '}
      <PlainText text={shownValue(parameter, storedValue(parameter))} className="font-mono font-semibold" /> already
      {parameter.changedAt === null ? null : (
        <>
          {' '}
          at <Time iso={parameter.changedAt} />
        </>
      )}
      : nothing is left to change here.
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
