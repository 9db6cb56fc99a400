'use client';

import { useText } from '@/components/texts.tsx';

/** Grey lines where rows will be, of the same height as the rows. */
export function TableSkeleton({ rows }: { rows: number }) {
  const t = useText('common');
  return (
    <div role="status" className="animate-pulse">
      <span className="sr-only">{t('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical lines that never move
        <div key={row} className="flex h-14 items-center gap-8 border-b border-line px-4 lg:px-6">
          <div className="h-3 w-1/3 rounded bg-hover" />
          <div className="h-3 w-1/5 rounded bg-hover" />
          <div className="h-3 w-1/6 rounded bg-hover" />
        </div>
      ))}
    </div>
  );
}
