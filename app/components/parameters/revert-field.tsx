import { useText } from '@/components/texts.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { cn } from '@/lib/class-names.ts';

const minuteMs = 60_000;

/** What is offered; the API takes anything from a minute to a week. */
const choicesMinutes: readonly number[] = [5, 10, 30, 60, 4 * 60, 24 * 60];

interface RevertFieldProps {
  /** Milliseconds; null: it stays. */
  value: number | null;
  onChange: (value: number | null) => void;
}

/** Whether what is changed goes back by itself, and when. */
export function RevertField({ value, onChange }: RevertFieldProps) {
  const t = useText('parameters');
  return (
    <div className="grid gap-1.5">
      <label htmlFor="revert-after" className="text-sm font-medium">
        {t('goesBack')}
      </label>
      <select
        id="revert-after"
        aria-describedby="revert-after-about"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
        className={cn(inputClass, 'sm:w-60')}
      >
        <option value="">{t('goesBackNever')}</option>
        {choicesMinutes.map((minutes) => (
          <option key={minutes} value={minutes * minuteMs}>
            {minutes < 60 ? t('afterMinutes', { count: minutes }) : t('afterHours', { count: minutes / 60 })}
          </option>
        ))}
      </select>
      <p id="revert-after-about" className="text-xs text-muted">
        {t(value === null ? 'staysAbout' : 'goesBackAbout')}
      </p>
    </div>
  );
}
