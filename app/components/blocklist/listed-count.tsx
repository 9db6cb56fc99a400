'use client';

import { useQuery } from '@tanstack/react-query';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { blocklistQuery } from '@/lib/blocklist-queries.ts';
import { listedServers } from '@/lib/listed-servers.ts';

/** How many servers are listed, beside the page's name in the navigation; nothing while none is. */
export function ListedCount() {
  const t = useText('shell');
  const { data } = useQuery({ ...blocklistQuery, enabled: useMay('blocklist.read') });
  const count = data === undefined ? 0 : listedServers(data.clusters).length;
  if (count === 0) return null;
  return (
    <span
      title={t('listedCount', { count })}
      className="tabular rounded-full bg-bad-soft px-1.5 text-xs leading-4 font-medium text-bad"
    >
      {count}
      <span className="sr-only"> {t('listed')}</span>
    </span>
  );
}
