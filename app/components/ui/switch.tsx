'use client';

import { Switch as Radix } from 'radix-ui';
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
export function Switch({ label, checked, onCheckedChange, disabled, describedBy, className }: SwitchProps) {
  return (
    <Radix.Root
      aria-label={label}
      aria-describedby={describedBy}
      checked={checked}
      onCheckedChange={onCheckedChange}
      disabled={disabled ?? false}
      className={cn(
        'relative h-5 w-9 shrink-0 rounded-full border border-transparent bg-subtle transition-colors',
        'data-[state=checked]:bg-accent-fill disabled:cursor-not-allowed disabled:opacity-50',
        className,
      )}
    >
      <Radix.Thumb className="block size-4 translate-x-px rounded-full bg-white shadow-sm transition-transform data-[state=checked]:translate-x-[17px]" />
    </Radix.Root>
  );
}
