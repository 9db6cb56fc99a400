import { Search } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { inputClass } from '@/components/ui/field.tsx';
import { cn } from '@/lib/class-names.ts';

interface SearchBoxProps extends Pick<ComponentProps<'input'>, 'value' | 'placeholder' | 'maxLength' | 'onKeyDown'> {
  /** Of the text that describes it. */
  helpId: string;
  label: string;
  /** What may be typed; read out only. */
  help: ReactNode;
  onChange: (text: string) => void;
  /** Of the box around it: how wide it may be. */
  className?: string;
}

/** The search field of a list: the one that `/` goes to. */
export function SearchBox({
  helpId,
  label,
  help,
  onChange,
  className = 'basis-60 xl:max-w-sm',
  ...rest
}: SearchBoxProps) {
  return (
    <div className={cn('relative min-w-0 flex-1', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-subtle" />
      <input
        data-search
        type="search"
        onChange={(event) => onChange(event.target.value)}
        aria-label={label}
        aria-describedby={helpId}
        className={cn(inputClass, 'pl-8')}
        {...rest}
      />
      <p id={helpId} className="sr-only">
        {help}
      </p>
    </div>
  );
}
