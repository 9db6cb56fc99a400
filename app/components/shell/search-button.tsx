'use client';

import { Search } from 'lucide-react';
import { useText } from '@/components/texts.tsx';
import { Keys } from '@/components/ui/keys.tsx';

/** Opens the palette; looks like a search field on wide screens. */
export function SearchButton({ onClick }: { onClick: () => void }) {
  const t = useText('shell');
  return (
    <button
      type="button"
      onClick={onClick}
      aria-label={t('find')}
      className="flex h-8 items-center gap-2 rounded-md border border-line bg-inset px-2.5 text-sm text-subtle hover:border-line-strong hover:text-muted max-sm:hidden"
    >
      <Search aria-hidden className="size-4" />
      <span className="hidden xl:inline">{t('search')}</span>
      <span aria-hidden className="hidden lg:inline">
        <Keys keys={['Ctrl', 'K']} />
      </span>
    </button>
  );
}
