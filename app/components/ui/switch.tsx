'use client';

import { cn } from '@/lib/class-names.ts';

interface SwitchProps {
  /** Names the switch for screen readers. */
  label: string;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
  describedBy?: string;
  className?: string;
}

/** An on/off switch: position and colour both tell, and the word stands beside it where it is used. */
export function Switch({ label, checked, onCheckedChange, disabled = false, describedBy, className }: SwitchProps) {
  const state = checked ? 'checked' : 'unchecked';
  return (
    <button
      type="button"
      role="switch"
      aria-label={label}
      aria-describedby={describedBy}
      aria-checked={checked}
      data-state={state}
      onClick={() => onCheckedChange(!checked)}
      disabled={disabled}
      className={cn(
        'relative h-5 w-9 shrink-0 rounded-full border border-transparent bg-subtle transition-colors',
        'data-[state=checked]:bg-accent-fill disabled:cursor-not-allowed disabled:opacity-50',
        className,
      )}
    >
      <span
        data-state={state}
        className="block size-4 translate-x-px rounded-full bg-white shadow-sm transition-transform data-[state=checked]:translate-x-[17px]"
      />
    </button>
  );
}
