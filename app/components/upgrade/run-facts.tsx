import type { ReactNode } from 'react';
import { StateMark } from '@/components/state-mark.tsx';
import { Time } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { countText } from '@/lib/numbers.ts';
import type { UpgradeRun } from '@/lib/upgrade-progress.ts';
import type { UpgradeState } from '../../../proxy/control/contract.ts';
import { outcomeLooks } from './words.ts';

/** A run in detail: who ordered it and why, from where to where, and what SHOW PROXYINFO UPGRADE says of it. */
export function RunFacts({ state, run }: { state: UpgradeState; run: UpgradeRun }) {
  const { outcome, oldGeneration, newGeneration, directory, startedAt, by, reason, moved, refused, failures } = run;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-sm md:grid-cols-4">
      {outcome === null ? null : (
        <Fact term="Outcome">
          <StateMark look={outcomeLooks[outcome]} state={outcome} />
        </Fact>
      )}
      <Fact term="Ordered by">
        <PlainText text={by} />
        <span className="block text-xs text-muted">
          <Time iso={startedAt} short />
        </span>
      </Fact>
      <Fact term="Reason">{reason === '' ? 'none given' : <PlainText text={reason} />}</Fact>
      <Fact term="Generations">
        {oldGeneration} → {newGeneration ?? 'none yet'}
      </Fact>
      <Fact term="Directory">
        <PlainText text={directory} className="font-mono text-xs" />
      </Fact>
      <Fact term="Sessions gone over">
        {countText(moved)}
        {refused === 0 ? null : (
          <span className="block text-xs text-warn">{countText(refused)} could not be taken</span>
        )}
      </Fact>
      <Fact term="Attempts failed">{countText(failures)}</Fact>
      <Fact term="Status of the old one">
        <code className="font-mono text-xs">{state.parentStatus}</code>
      </Fact>
      <Fact term="Status of the new one">
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
