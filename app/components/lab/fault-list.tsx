'use client';

import { Undo2 } from 'lucide-react';
import { Elapsed } from '@/components/proxy-clock.tsx';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { endOf, leadersMoved } from '@/lib/lab-faults.ts';
import type { ActiveFault, DemoState } from '../../../proxy/control/contract.ts';
import type { Lab } from './use-lab.ts';
import { useFaultWord } from './words.ts';

interface FaultListProps {
  state: DemoState;
  /** Null: the reader may only look. */
  lab: Lab | null;
  reason: string;
  onReason: (reason: string) => void;
}

/** Every fault that lasts, as the demo tells it: whoever began it, and whether or not this page was open. */
export function FaultList({ state, lab, reason, onReason }: FaultListProps) {
  const t = useText('lab');
  return (
    <Panel
      title={t('now')}
      aside={
        lab === null ? null : (
          <span className="flex flex-wrap justify-end gap-2">
            {leadersMoved(state) ? (
              <Button size="sm" disabled={lab.isBusy} onClick={() => lab.inject({ fault: 'spreadLeaders' })}>
                {t('leadersBack')}
              </Button>
            ) : null}
            <Button size="sm" disabled={lab.isBusy} onClick={() => lab.inject({ fault: 'reset' })}>
              <Undo2 aria-hidden className="size-3.5" />
              {t('reset')}
            </Button>
          </span>
        )
      }
    >
      {state.faults.length === 0 ? (
        <p className="px-4 py-3 text-sm text-muted">{t('nothingWrong')}</p>
      ) : (
        <ul className="divide-y divide-line">
          {state.faults.map((fault) => (
            <FaultRow key={`${fault.fault} ${fault.target}`} fault={fault} state={state} lab={lab} />
          ))}
        </ul>
      )}
      {lab === null ? null : (
        <div className="grid gap-1 border-t border-line px-4 py-3">
          <label htmlFor="lab-reason" className="text-xs font-medium">
            {t('reasonOptional')}
          </label>
          <input
            id="lab-reason"
            value={reason}
            maxLength={500}
            placeholder={t('reasonGoes')}
            onChange={(event) => onReason(event.target.value)}
            className={cn(inputClass, 'max-w-xl')}
          />
        </div>
      )}
    </Panel>
  );
}

function FaultRow({ fault, state, lab }: { fault: ActiveFault; state: DemoState; lab: Lab | null }) {
  const t = useText('lab');
  const word = useFaultWord()(fault.fault);
  const end = endOf(fault, state);
  return (
    <li
      data-fault={fault.fault}
      data-target={fault.target}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm"
    >
      <StateMark look={{ word, tone: 'bad', shape: 'triangle' }} state={fault.fault} />
      <PlainText text={fault.target} className="font-mono [overflow-wrap:anywhere]" />
      {fault.detail === '' ? null : (
        <span lang="en" className="text-xs text-muted">
          <PlainText text={fault.detail} />
        </span>
      )}
      <span className="text-xs text-subtle">{t.rich('since', { time: <Elapsed since={fault.since} /> })}</span>
      {lab === null || end === null ? null : (
        <Button
          size="sm"
          variant="ghost"
          className="ml-auto"
          disabled={lab.isBusy}
          aria-label={t('endOf', { fault: word, target: fault.target })}
          onClick={() => lab.inject(end)}
        >
          {t('end')}
        </Button>
      )}
    </li>
  );
}
