'use client';

import { useQuery } from '@tanstack/react-query';
import { DemoBadge } from '@/components/demo-badge.tsx';
import { useText } from '@/components/texts.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { overviewQuery } from '@/lib/queries.ts';

/** Which clusters this proxy serves, and plainly when one is the demo. */
export function ClusterLabel() {
  const t = useText('shell');
  const { data } = useQuery(overviewQuery);
  const clusters = data?.clusters ?? [];
  if (clusters.length === 0) return null;
  const [first] = clusters;
  return (
    <div className="flex min-w-0 items-center gap-2 text-sm text-muted">
      <span aria-hidden className="hidden text-line-strong sm:inline">
        /
      </span>
      <span className="hidden truncate font-mono sm:inline">
        {clusters.length === 1 && first ? <PlainText text={first.name} /> : t('clusters', { count: clusters.length })}
      </span>
      {clusters.some((cluster) => cluster.demo) ? <DemoBadge /> : null}
    </div>
  );
}
