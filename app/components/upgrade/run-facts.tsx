import type { ReactNode } from 'react';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { countText } from '@/lib/numbers.ts';
import type { UpgradeRun } from '@/lib/upgrade-progress.ts';
import type { UpgradeState } from '../../../proxy/control/contract.ts';
import { outcomeLooks } from './words.ts';

/** A run in detail: who ordered it and why, from where to where, and what SHOW PROXYINFO UPGRADE says of it. */
export function RunFacts({ state, run }: { state: UpgradeState; run: UpgradeRun }) {
  const t = useText('upgrade');
  const { outcome, oldGeneration, newGeneration, directory, startedAt, by, reason, moved, refused, failures } = run;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-sm md:grid-cols-4">
      {outcome === null ? null : (
        <Fact term={t('outcome')}>
          <StateMark look={{ ...outcomeLooks[outcome], word: t(`outcome.${outcome}`) }} state={outcome} />
        </Fact>
      )}
      <Fact term={t('orderedBy')}>
        <PlainText text={by} />
        <span className="block text-xs text-muted">
          <Time iso={startedAt} short />
        </span>
      </Fact>
      <Fact term={t('reason')}>{reason === '' ? t('noneGiven') : <PlainText text={reason} />}</Fact>
      <Fact term={t('generations')}>
        {oldGeneration} → {newGeneration ?? t('noneYet')}
      </Fact>
      <Fact term={t('directory')}>
        <PlainText text={directory} className="font-mono text-xs" />
      </Fact>
      <Fact term={t('sessionsGoneOver')}>
        {countText(moved)}
        {refused === 0 ? null : <span className="block text-xs text-warn">{t('notTaken', { refused })}</span>}
      </Fact>
      <Fact term={t('failedAttempts')}>{countText(failures)}</Fact>
      <Fact term={t('oldStatus')}>
        <code className="font-mono text-xs">{state.parentStatus}</code>
      </Fact>
      <Fact term={t('newStatus')}>
        <code className="font-mono text-xs">{state.childStatus}</code>
      </Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{term}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
