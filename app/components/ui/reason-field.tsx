import { useText } from '@/components/texts.tsx';
import { cn } from '@/lib/class-names.ts';
import { inputClass } from './field.tsx';

interface ReasonFieldProps {
  readonly id: string;
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** Why something is changed: asked before every change, kept in the history. Ctrl or ⌘ with Enter sends the form. */
export function ReasonField({ id, value, onChange }: ReasonFieldProps) {
  const t = useText('common');
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {t('reason')}
      </label>
      <textarea
        id={id}
        required
        maxLength={500}
        rows={2}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
        placeholder={t('reasonHint')}
        className={cn(inputClass, 'h-auto resize-y py-1.5')}
      />
    </div>
  );
}
