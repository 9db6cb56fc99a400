import { type ReactNode, useId } from 'react';
import { cn } from '@/lib/class-names.ts';

interface PanelProps {
  /** Heading text; also names the region for screen readers. */
  title: string;
  /** Beside the heading. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A titled block of a page. */
export function Panel({ title, aside, className, children }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cn('rounded-lg border border-line bg-panel', className)}>
      <div className="flex min-h-11 items-center justify-between gap-3 border-b border-line px-4 py-2">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
