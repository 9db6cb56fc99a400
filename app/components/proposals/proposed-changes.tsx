'use client';

import { ArrowRight } from 'lucide-react';
import { scopeWords } from '@/components/parameters/scope-words.ts';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { valueText } from '@/lib/parameter-value.ts';
import type { Parameter, ProposedChange } from '../../../proxy/control/contract.ts';

interface ProposedChangesProps {
  changes: readonly ProposedChange[];
  parameters: readonly Parameter[];
}

/** What a proposal would change, old value left, new value right; under it what somebody has made of it since. */
export function ProposedChanges({ changes, parameters }: ProposedChangesProps) {
  const t = useText('proposals');
  const parametersText = useText('parameters');
  return (
    <ul aria-label={t('changes')} className="divide-y divide-line rounded-lg border border-line bg-panel">
      {changes.map((change) => {
        const { name, scope, oldValue, newValue, moved } = change;
        const needReboot = parameters.find((parameter) => parameter.name === name)?.needReboot ?? false;
        return (
          <li key={`${name} ${JSON.stringify(scope)}`} data-change={name} className="px-3.5 py-3">
            <div className="flex flex-wrap items-center gap-2">
              <code className="font-mono text-sm font-medium [overflow-wrap:anywhere]">{name}</code>
              {scope === null ? null : (
                <PlainText text={scopeWords(parametersText, scope)} className="text-xs text-muted" />
              )}
              {needReboot ? <Badge tone="warn">{t('afterRestart')}</Badge> : null}
            </div>
            <div className="mt-2 grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-2">
              <Side label={t('old')} text={oldValue} className="bg-bad-soft text-bad" />
              <ArrowRight aria-hidden className="size-4 text-subtle" />
              <Side label={t('new')} text={newValue} className="bg-ok-soft text-ok" />
            </div>
            {moved === null ? null : <MovedNote moved={moved} />}
          </li>
        );
      })}
    </ul>
  );
}

function MovedNote({ moved }: { moved: NonNullable<ProposedChange['moved']> }) {
  const t = useText('proposals');
  const shell = useText('shell');
  const { value, by, at } = moved;
  return (
    <Notice tone="warn" className="mt-2 text-xs">
      {value === null || at === null
        ? t('movedGone')
        : t.rich('movedBy', {
            value: <PlainText text={valueText(shell, value)} className="font-mono font-semibold" />,
            name: <PlainText text={by ?? ''} className="font-semibold" />,
            time: <Time iso={at} />,
          })}
    </Notice>
  );
}

function Side({ label, text, className }: { label: string; text: string | null; className: string }) {
  const t = useText('proposals');
  const shell = useText('shell');
  return (
    <p
      className={`max-h-32 overflow-y-auto rounded-md px-2.5 py-1.5 font-mono text-sm [overflow-wrap:anywhere] ${className}`}
    >
      <span className="sr-only">{label}: </span>
      {text === null ? t('noValue') : <PlainText text={valueText(shell, text)} />}
    </p>
  );
}
