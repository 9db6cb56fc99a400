import { ArrowRight } from 'lucide-react';
import { scopeWords } from '@/components/parameters/scope-words.ts';
import { useText } from '@/components/texts.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { valueText } from '@/lib/parameter-value.ts';
import type { CompareDifference } from '../../../proxy/control/contract.ts';

interface DifferenceListProps {
  differences: readonly CompareDifference[];
  /** Whether it matters what could not be taken over here. */
  showProblems: boolean;
}

/** What differs and nothing else, old value left, new value right. */
export function DifferenceList({ differences, showProblems }: DifferenceListProps) {
  const t = useText('compare');
  const parameters = useText('parameters');
  return (
    <ul aria-label={t('differences')} className="divide-y divide-line rounded-lg border border-line bg-panel">
      {differences.map((difference) => {
        const { name, scope, from, to, needReboot, problem } = difference;
        return (
          <li key={`${name} ${JSON.stringify(scope)}`} data-difference={name} className="px-3.5 py-3">
            <div className="flex flex-wrap items-center gap-2">
              <code className="font-mono text-sm font-medium [overflow-wrap:anywhere]">{name}</code>
              {scope === null ? null : (
                <PlainText text={scopeWords(parameters, scope)} className="text-xs text-muted" />
              )}
              {needReboot ? <Badge tone="warn">{parameters('afterRestart')}</Badge> : null}
            </div>
            <div className="mt-2 grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-2">
              <Side label={parameters('oldValue')} text={from} className="bg-bad-soft text-bad" />
              <ArrowRight aria-hidden className="size-4 text-subtle" />
              <Side label={parameters('newValue')} text={to} className="bg-ok-soft text-ok" />
            </div>
            {showProblems && problem !== null ? (
              <p className="mt-2 text-xs text-bad [overflow-wrap:anywhere]">
                {t.rich('cannotTakeOver', { why: <span lang="en">{problem}</span> })}
              </p>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

function Side({ label, text, className }: { label: string; text: string | null; className: string }) {
  const t = useText('compare');
  const shell = useText('shell');
  return (
    <p
      className={`max-h-32 overflow-y-auto rounded-md px-2.5 py-1.5 font-mono text-sm [overflow-wrap:anywhere] ${className}`}
    >
      <span className="sr-only">{label}: </span>
      {text === null ? t('noOwnValue') : <PlainText text={valueText(shell, text)} />}
    </p>
  );
}
