'use client';

import { Search } from 'lucide-react';
import { Keys } from '@/components/ui/keys.tsx';

/** Opens the palette; looks like a search field on wide screens. */
export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      aria-label="Find a page, a parameter or an action"
      className="flex h-8 items-center gap-2 rounded-md border border-line bg-inset px-2.5 text-sm text-subtle hover:border-line-strong hover:text-muted max-sm:hidden"
    >
      <Search aria-hidden className="size-4" />
      <span className="hidden xl:inline">Search …</span>
      <span aria-hidden className="hidden lg:inline">
        <Keys keys={['Ctrl', 'K']} />
      </span>
    </button>
  );
}
