import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { valueText } from '@/lib/parameter-value.ts';
import type { HistoryRow } from '../../../proxy/control/contract.ts';

interface ValueChangeProps {
  row: HistoryRow;
  /** The whole text instead of its beginning. */
  full?: boolean;
  className?: string;
}

/** Old value → new value of a history row; nothing for rows without values. */
export function ValueChange({ row, full = false, className }: ValueChangeProps) {
  if (row.oldValue === null && row.newValue === null) return null;
  const side = cn('font-mono [overflow-wrap:anywhere]', !full && 'line-clamp-2');
  return (
    <div className={cn('flex min-w-0 items-baseline gap-1.5', className)}>
      <del title={row.oldValue ?? ''} className={cn(side, 'text-muted decoration-bad/60')}>
        <span className="sr-only">old: </span>
        <PlainText text={row.oldValue === null ? '(none)' : valueText(row.oldValue)} />
      </del>
      <span aria-hidden className="text-subtle">
        →
      </span>
      <ins title={row.newValue ?? ''} className={cn(side, 'text-fg no-underline')}>
        <span className="sr-only">new: </span>
        <PlainText text={row.newValue === null ? '(none)' : valueText(row.newValue)} />
      </ins>
    </div>
  );
}
