'use client';

import { Plus, X } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { valueText } from '@/lib/parameter-value.ts';
import type { Parameter, ParameterOverride } from '../../../proxy/control/contract.ts';
import { scopeWords } from './scope-words.ts';

const LevelDialog = dynamic(() => import('./level-dialog.tsx').then((module) => module.LevelDialog));

interface ParameterLevelsProps {
  parameter: Parameter;
  mayWrite: boolean;
}

/** The values of a parameter for parts of the sessions, to see, set and take away; nothing for global parameters. */
export function ParameterLevels({ parameter, mayWrite }: ParameterLevelsProps) {
  const t = useText('parameters');
  const shell = useText('shell');
  const [open, setOpen] = useState(false);
  /** The value to be taken away; null: one is to be set. */
  const [leaving, setLeaving] = useState<ParameterOverride | null>(null);
  if (parameter.configLevel === 'LEVEL_GLOBAL') return null;
  const show = (override: ParameterOverride | null): void => {
    setLeaving(override);
    setOpen(true);
  };
  return (
    <div className="mt-0.5 pl-2 text-xs">
      {parameter.overrides.length === 0 ? null : (
        <ul aria-label={t('partValues', { name: parameter.name })} className="grid gap-0.5">
          {parameter.overrides.map((override) => (
            <li key={override.revision} className="flash flex items-center gap-1.5 rounded">
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <PlainText text={scopeWords(t, override)} className="text-muted" />{' '}
                <PlainText text={valueText(shell, override.value)} className="font-mono" />
              </span>
              {mayWrite ? (
                <button
                  type="button"
                  aria-label={t('takeAwayValue', { name: parameter.name, scope: scopeWords(t, override) })}
                  onClick={() => show(override)}
                  className="grid size-6 shrink-0 place-items-center rounded text-subtle hover:bg-hover hover:text-fg"
                >
                  <X aria-hidden className="size-3.5" />
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {mayWrite ? (
        <button
          type="button"
          aria-label={t('setForPart', { name: parameter.name })}
          onClick={() => show(null)}
          className="inline-flex h-6 items-center gap-1 rounded text-subtle hover:text-fg"
        >
          <Plus aria-hidden className="size-3.5" />
          {t('forPart')}
        </button>
      ) : null}
      {open ? <LevelDialog open onOpenChange={setOpen} parameter={parameter} leaving={leaving} /> : null}
    </div>
  );
}
