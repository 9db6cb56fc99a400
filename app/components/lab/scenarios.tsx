'use client';

import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { cn } from '@/lib/class-names.ts';
import { type Scenario, scenariosOf } from '@/lib/lab-scenarios.ts';
import type { DemoState } from '../../../proxy/control/contract.ts';
import type { Lab } from './use-lab.ts';
import { watched } from './words.ts';

/** Guided tours through what goes wrong with a cluster: what is done, what to watch, and the way back. */
export function Scenarios({ state, lab }: { state: DemoState; lab: Lab | null }) {
  const t = useText('lab');
  return (
    <Panel title={t('scenarios')}>
      <ul className="grid gap-px overflow-hidden rounded-b-lg bg-line sm:grid-cols-2">
        {scenariosOf(state).map((scenario) => (
          <ScenarioCard key={scenario.name} scenario={scenario} lab={lab} />
        ))}
      </ul>
    </Panel>
  );
}

function ScenarioCard({ scenario, lab }: { scenario: Scenario; lab: Lab | null }) {
  const t = useText('lab');
  const { name, target, other, isOn, begin, undo } = scenario;
  const title = t(`${name}.title`);
  return (
    <li
      data-scenario={name}
      data-on={isOn}
      className={cn('grid content-start gap-2 bg-panel px-4 py-3', isOn && 'bg-warn-soft')}
    >
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-sm font-semibold">{title}</h3>
        {isOn ? <StateMark look={{ word: t('underWay'), tone: 'warn', shape: 'turn' }} state={t('underWay')} /> : null}
        {lab === null ? null : (
          <Button
            size="sm"
            className="ml-auto"
            disabled={lab.isBusy}
            aria-label={t(isOn ? 'undoOf' : 'beginOf', { scenario: title })}
            onClick={() => lab.inject(...(isOn ? undo : begin))}
          >
            {t(isOn ? 'undo' : 'begin')}
          </Button>
        )}
      </div>
      <p className="text-xs font-medium text-muted">{t('watch')}</p>
      <ul className="grid list-disc gap-1 pl-4 text-xs text-muted">
        {watched[name](t, { target, other }).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </li>
  );
}
