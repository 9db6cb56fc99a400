import { inputClass } from '@/components/ui/field.tsx';
import { cn } from '@/lib/class-names.ts';

interface FilterSelectProps {
  label: string;
  value: string;
  /** The first one is usually '': any. */
  options: readonly (readonly [value: string, word: string])[];
  onChange: (value: string) => void;
  className?: string;
}

/** One choice of a list's filter. */
export function FilterSelect({ label, value, options, onChange, className }: FilterSelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={cn(inputClass, 'w-auto', className)}
    >
      {options.map(([option, word]) => (
        <option key={option} value={option}>
          {word}
        </option>
      ))}
    </select>
  );
}
