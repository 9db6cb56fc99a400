import { useText } from '@/components/texts.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { languageTags } from '@/lib/language.ts';
import { valueText } from '@/lib/parameter-value.ts';
import type { HistoryRow } from '../../../proxy/control/contract.ts';

interface ValueChangeProps {
  row: HistoryRow;
  /** The whole text instead of its beginning. */
  full?: boolean;
  className?: string;
}

/** Characters of a value that stays in one piece, however long the one beside it is. */
const UNBROKEN = 8;
const wrapped = '[overflow-wrap:anywhere]';

/** Old value → new value of a history row; nothing for rows without values. */
export function ValueChange({ row, full = false, className }: ValueChangeProps) {
  const t = useText('history');
  const shell = useText('shell');
  if (row.oldValue === null && row.newValue === null) return null;
  const old = row.oldValue === null ? t('none') : valueText(shell, row.oldValue);
  const next = row.newValue === null ? t('none') : valueText(shell, row.newValue);
  // Where no parameter was changed the proxy says in its own words what was.
  const lang = row.parameter === '' ? 'en' : undefined;
  const own = languageTags[t.language];
  const side = (text: string) =>
    cn('font-mono', text.length > UNBROKEN ? wrapped : 'shrink-0', !full && 'line-clamp-2');
  return (
    <div className={cn('flex min-w-0 items-baseline gap-1.5', className)}>
      <del lang={lang} title={row.oldValue ?? ''} className={cn(side(old), 'text-muted decoration-bad/60')}>
        <span lang={own} className="sr-only">
          {t('oldValue')}:{' '}
        </span>
        <PlainText text={old} />
      </del>
      <span aria-hidden className="text-subtle">
        →
      </span>
      <ins lang={lang} title={row.newValue ?? ''} className={cn(side(next), 'text-fg no-underline')}>
        <span lang={own} className="sr-only">
          {t('newValue')}:{' '}
        </span>
        <PlainText text={next} />
      </ins>
    </div>
  );
}
