'use client';

import { useDrafts } from '@/components/parameters/draft-provider.tsx';
import type { PendingChange } from '@/components/parameters/pending-change.ts';
import { useText } from '@/components/texts.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { cn } from '@/lib/class-names.ts';
import { storedValue } from '@/lib/parameter-value.ts';
import type { Parameter } from '../../../proxy/control/contract.ts';
import type { settingNames } from './words.ts';

interface SettingRowProps {
  name: (typeof settingNames)[number];
  parameter: Parameter;
  change: PendingChange | null;
  disabled: boolean;
  onSubmit: () => void;
}

/** One of the five values: what it means, and a field for it. */
export function SettingRow({ name, parameter, change, disabled, onSubmit }: SettingRowProps) {
  const t = useText('blocklist');
  const { edit, discard } = useDrafts();
  const stored = storedValue(parameter);
  const invalid = change?.invalid ?? null;
  return (
    <li
      data-setting={name}
      className="grid grid-cols-[minmax(0,1fr)_6rem] items-center gap-x-3 border-b border-line py-2 last:border-b-0"
    >
      <p className="min-w-0">
        <code className="block font-mono text-xs [overflow-wrap:anywhere]">{name}</code>
        <span id={`${name}-about`} className="block text-xs text-muted">
          {t(`setting.${name}`)}
        </span>
      </p>
      {disabled ? (
        <span className="text-right font-mono text-sm">{stored}</span>
      ) : (
        <input
          aria-label={name}
          aria-describedby={`${name}-about ${name}-note`}
          aria-invalid={invalid === null ? undefined : true}
          autoComplete="off"
          spellCheck={false}
          value={change?.value ?? stored}
          onChange={(event) => edit(parameter, event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') discard([name]);
            if (event.key === 'Enter') onSubmit();
          }}
          className={cn(inputClass, 'text-right font-mono', change !== null && 'border-accent')}
        />
      )}
      <p id={`${name}-note`} className="col-span-2 text-right text-xs">
        {invalid === null ? null : (
          <span role="alert" className="text-bad">
            {invalid}
          </span>
        )}
        {change === null || invalid !== null ? null : (
          <span className={change.conflict ? 'text-warn' : 'text-muted'}>
            {change.conflict
              ? t.rich('setBy', {
                  who: parameter.changedBy ?? t('somebody'),
                  value: <span className="font-mono">{stored}</span>,
                })
              : t.rich('was', { value: <span className="font-mono">{stored}</span> })}
          </span>
        )}
      </p>
    </li>
  );
}
