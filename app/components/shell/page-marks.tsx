'use client';

import { ListedCount } from '@/components/blocklist/listed-count.tsx';
import { useDrafts } from '@/components/parameters/draft-provider.tsx';
import { UpgradeMark } from '@/components/upgrade/upgrade-mark.tsx';

/** What a page wants to be seen for, beside its name in the navigation; nothing when there is nothing. */
export function PageMarks({ href }: { href: string }) {
  if (href === '/configuration') return <DraftCount />;
  if (href === '/blocklist') return <ListedCount />;
  if (href === '/upgrade') return <UpgradeMark />;
  return null;
}

function DraftCount() {
  const { count } = useDrafts();
  if (count === 0) return null;
  return (
    <span
      title={`${count} changes not yet applied`}
      className="tabular rounded-full bg-warn-soft px-1.5 text-xs leading-4 font-medium text-warn"
    >
      {count}
      <span className="sr-only"> changes not yet applied</span>
    </span>
  );
}
