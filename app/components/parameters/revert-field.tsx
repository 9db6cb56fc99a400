import { inputClass } from '@/components/ui/field.tsx';
import { cn } from '@/lib/class-names.ts';

const minuteMs = 60_000;

/** What is offered; the API takes anything from a minute to a week. */
const choices: readonly (readonly [ms: number, word: string])[] = [
  [5 * minuteMs, 'after 5 minutes'],
  [10 * minuteMs, 'after 10 minutes'],
  [30 * minuteMs, 'after 30 minutes'],
  [60 * minuteMs, 'after 1 hour'],
  [4 * 60 * minuteMs, 'after 4 hours'],
  [24 * 60 * minuteMs, 'after 24 hours'],
];

interface RevertFieldProps {
  /** Milliseconds; null: it stays. */
  value: number | null;
  onChange: (value: number | null) => void;
}

/** Whether what is changed goes back by itself, and when. */
export function RevertField({ value, onChange }: RevertFieldProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor="revert-after" className="text-sm font-medium">
        Goes back by itself
      </label>
      <select
        id="revert-after"
        aria-describedby="revert-after-about"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
        className={cn(inputClass, 'sm:w-60')}
      >
        <option value="">no, until somebody changes it</option>
        {choices.map(([ms, word]) => (
          <option key={ms} value={ms}>
            {word}
          </option>
        ))}
      </select>
      <p id="revert-after-about" className="text-xs text-muted">
        {value === null
          ? 'A restart of the proxy changes nothing in that.'
          : 'Also over a restart. What somebody else changes meanwhile is left alone, and the history says so.'}
      </p>
    </div>
  );
}
