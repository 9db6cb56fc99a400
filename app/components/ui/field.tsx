import type { ComponentProps, ReactNode } from 'react';
import { cn } from '@/lib/class-names.ts';

/** The look of a text field. */
export const inputClass =
  'h-8 w-full rounded-md border border-line-strong bg-panel px-2.5 text-sm text-fg hover:border-subtle aria-invalid:border-bad';

interface FieldProps extends ComponentProps<'input'> {
  id: string;
  label: string;
  /** Below the field. */
  hint?: ReactNode;
  /** Why the value is refused; announced. */
  error?: string | undefined;
}

/** A labelled text field with its hint and its refusal. */
export function Field({ id, label, hint, error, className, ...rest }: FieldProps) {
  const notes = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={notes === '' ? undefined : notes}
        className={cn(inputClass, 'h-9 text-base', className)}
        {...rest}
      />
      {hint ? (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-xs text-bad">
          {error}
        </p>
      ) : null}
    </div>
  );
}
