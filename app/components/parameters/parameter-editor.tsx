'use client';

import { RotateCcw, Undo2 } from 'lucide-react';
import { useText } from '@/components/texts.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { Switch } from '@/components/ui/switch.tsx';
import { cn } from '@/lib/class-names.ts';
import { boolText, isModified, isOn, storedValue, valueText } from '@/lib/parameter-value.ts';
import type { Parameter } from '../../../proxy/control/contract.ts';
import { useDrafts } from './draft-provider.tsx';
import { type PendingChange, shownValue } from './pending-change.ts';

interface EditorProps {
  parameter: Parameter;
  change: PendingChange | null;
  disabled: boolean;
}

/** The control that fits the parameter's type, with what is wrong and what it was. */
export function ParameterEditor({ parameter, change, disabled }: EditorProps) {
  const t = useText('parameters');
  const shell = useText('shell');
  const { edit, discard } = useDrafts();
  const text = change?.value ?? storedValue(parameter);
  const errorId = `${parameter.name}-error`;
  const invalid = change?.invalid ?? null;
  const canReset = !disabled && change === null && !parameter.secret && isModified(parameter);
  return (
    <div>
      <div className="flex items-center gap-1">
        {/* The key changes with the stored value: a change from elsewhere is seen. */}
        <div
          key={`${parameter.revision}`}
          className={cn('min-w-0 flex-1 rounded-md', parameter.revision > 0 && 'flash')}
        >
          <Control
            parameter={parameter}
            text={text}
            disabled={disabled}
            invalid={invalid !== null}
            edited={change !== null}
            describedBy={invalid === null ? undefined : errorId}
            onEdit={(value) => edit(parameter, value)}
            onUndo={() => discard([parameter.name])}
          />
        </div>
        <span className="size-7 shrink-0">
          {change !== null ? (
            <SmallButton
              label={t('undoEdit', { name: parameter.name })}
              icon={Undo2}
              onClick={() => discard([parameter.name])}
            />
          ) : canReset ? (
            <SmallButton
              label={t('toDefault', { name: parameter.name })}
              icon={RotateCcw}
              onClick={() => edit(parameter, parameter.defaultValue)}
              quiet
            />
          ) : null}
        </span>
      </div>
      {invalid === null ? null : (
        <p id={errorId} role="alert" className="mt-1 pl-2 text-xs text-bad">
          {invalid}
        </p>
      )}
      {change !== null && !change.conflict ? (
        <p className="mt-1 pl-2 text-xs text-muted [overflow-wrap:anywhere]">
          {t.rich('was', {
            value: <PlainText text={shownValue(shell, parameter, storedValue(parameter))} className="font-mono" />,
          })}
        </p>
      ) : null}
    </div>
  );
}

interface ControlProps {
  parameter: Parameter;
  text: string;
  disabled: boolean;
  invalid: boolean;
  edited: boolean;
  describedBy: string | undefined;
  onEdit: (value: string) => void;
  onUndo: () => void;
}

function Control(props: ControlProps) {
  const shell = useText('shell');
  const { parameter, text, disabled, edited, onEdit } = props;
  if (parameter.type === 'bool') {
    return (
      <span className="flex h-8 items-center gap-2.5 px-2">
        <Switch
          label={parameter.name}
          checked={isOn(text)}
          disabled={disabled}
          onCheckedChange={(on) => onEdit(boolText(on))}
        />
        <span className={cn('font-mono text-sm', isOn(text) ? 'text-fg' : 'text-muted')}>{text}</span>
      </span>
    );
  }
  if (disabled) {
    return (
      <PlainText text={valueText(shell, text)} className="block truncate px-2 py-1.5 font-mono text-sm text-muted" />
    );
  }
  if (parameter.choices.length > 0) {
    return (
      <select
        aria-label={parameter.name}
        value={text}
        onChange={(event) => onEdit(event.target.value)}
        className={boxClass(edited)}
      >
        {parameter.choices.includes(text) ? null : <option value={text}>{valueText(shell, text)}</option>}
        {parameter.choices.map((choice) => (
          <option key={choice} value={choice}>
            {valueText(shell, choice)}
          </option>
        ))}
      </select>
    );
  }
  return <TextControl {...props} />;
}

function TextControl({ parameter, text, invalid, edited, describedBy, onEdit, onUndo }: ControlProps) {
  const t = useText('parameters');
  // A secret's stars are not its text: the field stays empty until a new one is typed, and leaves the old one alone.
  const masked = parameter.secret && !edited;
  return (
    <span className="relative block">
      <input
        type={parameter.secret ? 'password' : 'text'}
        aria-label={parameter.name}
        aria-invalid={invalid ? true : undefined}
        aria-describedby={describedBy}
        autoComplete={parameter.secret ? 'new-password' : 'off'}
        spellCheck={false}
        value={masked ? '' : text}
        placeholder={masked ? (storedValue(parameter) === '' ? t('notSet') : '••••••') : t('empty')}
        onChange={(event) => {
          if (parameter.secret && event.target.value === '') onUndo();
          else onEdit(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onUndo();
        }}
        className={cn(boxClass(edited), parameter.unit !== '' && 'pr-14')}
      />
      {parameter.unit === '' ? null : (
        <span
          aria-hidden
          title={t('unitAbout', { unit: parameter.unit })}
          className="absolute top-2 right-2.5 text-xs text-subtle opacity-0 group-hover/row:opacity-100 group-focus-within/row:opacity-100"
        >
          {t('inUnit', { unit: parameter.unit })}
        </span>
      )}
    </span>
  );
}

function boxClass(edited: boolean): string {
  return cn(
    'h-8 w-full truncate rounded-md border border-transparent bg-transparent px-2 font-mono text-sm text-fg transition-colors',
    'group-hover/row:border-line-strong hover:border-subtle focus:border-subtle focus:bg-panel aria-invalid:border-bad!',
    edited && 'border-accent! bg-panel',
  );
}

interface SmallButtonProps {
  label: string;
  icon: typeof Undo2;
  onClick: () => void;
  /** Seen only while its row is pointed at or has the focus. */
  quiet?: boolean;
}

function SmallButton({ label, icon: Icon, onClick, quiet = false }: SmallButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className={cn(
        'grid size-7 place-items-center rounded-md text-subtle hover:bg-hover hover:text-fg',
        quiet && 'lg:opacity-0 lg:focus-visible:opacity-100 lg:group-hover/row:opacity-100',
      )}
    >
      <Icon aria-hidden className="size-3.5" />
    </button>
  );
}
