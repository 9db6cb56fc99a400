'use client';

import { ListedCount } from '@/components/blocklist/listed-count.tsx';
import { useDrafts } from '@/components/parameters/draft-provider.tsx';
import { WaitingCount } from '@/components/proposals/waiting-count.tsx';
import { useText } from '@/components/texts.tsx';
import { UpgradeMark } from '@/components/upgrade/upgrade-mark.tsx';

/** What a page wants to be seen for, beside its name in the navigation; nothing when there is nothing. */
export function PageMarks({ href }: { href: string }) {
  if (href === '/configuration') {
    return (
      <>
        <DraftCount />
        <WaitingCount />
      </>
    );
  }
  if (href === '/blocklist') return <ListedCount />;
  if (href === '/upgrade') return <UpgradeMark />;
  return null;
}

function DraftCount() {
  const t = useText('shell');
  const { count } = useDrafts();
  if (count === 0) return null;
  return (
    <span
      title={t('draftChanges', { count })}
      className="tabular rounded-full bg-warn-soft px-1.5 text-xs leading-4 font-medium text-warn"
    >
      <span aria-hidden>{count}</span>
      <span className="sr-only">{t('draftChanges', { count })}</span>
    </span>
  );
}
