'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { ValueChange } from '@/components/history/value-change.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { historyQuery } from '@/lib/queries.ts';

/** The last few configuration changes, whichever door they came through. */
export function RecentChanges() {
  const mayRead = useMay('history.read');
  const { data } = useInfiniteQuery({
    ...historyQuery({ action: 'parameter.change', outcome: 'persisted' }),
    enabled: mayRead,
  });
  if (!mayRead) return null;
  const rows = data?.pages[0]?.rows.slice(0, 5) ?? [];
  return (
    <Panel
      title="Recent changes"
      aside={
        <Link href="/history" className="rounded text-xs text-accent hover:underline">
          History
        </Link>
      }
    >
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-sm text-muted">
          {data === undefined ? 'Loading …' : 'No parameter has been changed yet.'}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {rows.map((row) => (
            <li
              key={row.id}
              className="grid gap-x-4 gap-y-0.5 px-4 py-2 text-xs sm:grid-cols-[minmax(0,6fr)_minmax(0,5fr)_minmax(0,5fr)_auto]"
            >
              <code className="font-mono font-medium [overflow-wrap:anywhere]">{row.parameter}</code>
              <ValueChange row={row} />
              <PlainText text={row.actor} className="truncate text-muted" />
              <Time iso={row.at} short />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
