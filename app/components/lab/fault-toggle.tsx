'use client';

import { cn } from '@/lib/class-names.ts';

interface FaultToggleProps {
  label: string;
  /** Where the label alone does not say whose fault it is. */
  accessibleName?: string;
  about?: string;
  on: boolean;
  disabled: boolean;
  onToggle: () => void;
}

/** A fault that is switched on and off: pressed, marked and coloured while it lasts. */
export function FaultToggle({ label, accessibleName, about, on, disabled, onToggle }: FaultToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={accessibleName}
      title={about}
      disabled={disabled}
      onClick={onToggle}
      className={cn(
        'inline-flex h-7 items-center gap-1.5 rounded-md border border-line-strong bg-panel px-2 text-xs font-medium whitespace-nowrap hover:bg-hover',
        'disabled:cursor-not-allowed aria-pressed:border-transparent aria-pressed:bg-bad-soft aria-pressed:text-bad',
      )}
    >
      <span aria-hidden className={cn('size-2 rounded-full border border-current', on && 'bg-current')} />
      {label}
    </button>
  );
}
