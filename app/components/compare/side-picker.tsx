'use client';

import { useId, useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { useTimeZone } from '@/components/time-zone.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { cn } from '@/lib/class-names.ts';
import { type SideKind, type SideText, sideKinds } from '@/lib/compare-side.ts';
import type { Text } from '@/lib/text.ts';
import { instantOf, zonedTime } from '@/lib/time.ts';
import type { Catalog } from '@/messages/catalog.ts';
import { type ConfigFile, configFileSchema } from '../../../proxy/control/contract.ts';

interface SidePickerProps {
  label: string;
  side: SideText;
  onChange: (side: SideText) => void;
  onFile: (file: ConfigFile | null) => void;
}

/** Chooses one of the two configurations to be compared. */
export function SidePicker({ label, side, onChange, onFile }: SidePickerProps) {
  const t = useText('compare');
  const id = useId();
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <label htmlFor={id} className="w-10 text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        value={side.kind}
        onChange={(event) => onChange({ kind: event.target.value as SideKind, value: '' })}
        className={cn(inputClass, 'w-auto')}
      >
        {sideKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(`kind.${kind}`)}
          </option>
        ))}
      </select>
      {side.kind === 'time' ? <TimeField label={label} side={side} onChange={onChange} /> : null}
      {side.kind === 'entry' ? (
        <input
          aria-label={t('numberOfEntry', { side: label })}
          inputMode="numeric"
          placeholder={t('numberHint')}
          value={side.value}
          onChange={(event) => onChange({ kind: 'entry', value: event.target.value.trim() })}
          className={cn(inputClass, 'w-48 font-mono')}
        />
      ) : null}
      {side.kind === 'file' ? <FileField label={label} onFile={onFile} /> : null}
    </div>
  );
}

function TimeField({ label, side, onChange }: Pick<SidePickerProps, 'label' | 'side' | 'onChange'>) {
  const t = useText('compare');
  const { zone } = useTimeZone();
  const shown = Number.isNaN(Date.parse(side.value)) ? null : zonedTime(side.value, zone);
  return (
    <input
      type="datetime-local"
      step={1}
      aria-label={t('timeIn', { side: label, zone })}
      defaultValue={shown === null ? '' : `${shown.day}T${shown.clock}`}
      onChange={(event) => {
        const { value } = event.target;
        onChange({ kind: 'time', value: value === '' ? '' : instantOf(value, zone) });
      }}
      className={cn(inputClass, 'w-auto')}
    />
  );
}

function FileField({ label, onFile }: Pick<SidePickerProps, 'label' | 'onFile'>) {
  const t = useText('compare');
  const [refusal, setRefusal] = useState<string | null>(null);
  const errorId = useId();
  const read = async (file: File | undefined): Promise<void> => {
    const result = file === undefined ? { file: null, refusal: null } : readConfigFile(t, await file.text());
    setRefusal(result.refusal);
    onFile(result.file);
  };
  return (
    <>
      <input
        type="file"
        accept=".json,application/json"
        aria-label={t('exported', { side: label })}
        aria-describedby={refusal === null ? undefined : errorId}
        onChange={(event) => void read(event.target.files?.[0])}
        className="max-w-full text-sm file:mr-2 file:h-8 file:rounded-md file:border file:border-line-strong file:bg-panel file:px-3 file:text-fg"
      />
      {refusal === null ? null : (
        <p id={errorId} role="alert" className="text-xs text-bad [overflow-wrap:anywhere]">
          {refusal}
        </p>
      )}
    </>
  );
}

function readConfigFile(
  t: Text<Catalog['compare']>,
  text: string,
): { file: ConfigFile | null; refusal: string | null } {
  try {
    // Editors on Windows may begin a file with a byte order mark.
    const parsed = configFileSchema.safeParse(JSON.parse(text.replace(/^\uFEFF/, '')));
    if (parsed.success) return { file: parsed.data, refusal: null };
    const [issue] = parsed.error.issues;
    return { file: null, refusal: t('noConfiguration', { why: `${issue?.path.join('.')}: ${issue?.message}` }) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { file: null, refusal: t('noJson', { why: error.message }) };
  }
}
