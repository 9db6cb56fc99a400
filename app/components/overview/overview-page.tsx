'use client';

import { useQuery } from '@tanstack/react-query';
import { QueryFailure } from '@/components/query-failure.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { overviewQuery } from '@/lib/queries.ts';
import { ClusterPanel } from './cluster-panel.tsx';
import { ConfigServerNote } from './config-server-note.tsx';
import { CongestionPanel } from './congestion-panel.tsx';
import { ProxyPanel } from './proxy-panel.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { StatStrip } from './stat-strip.tsx';
import { useRates } from './use-rates.ts';

/** What the proxy is doing now: its numbers, its clusters with every server's state, its main switch. */
export function OverviewPage() {
  const query = useQuery(overviewQuery);
  const overview = query.data;
  const rates = useRates(overview, query.dataUpdatedAt);
  if (overview === undefined) {
    return query.isError ? <QueryFailure query={query} what="the overview" /> : <TableSkeleton rows={8} />;
  }
  return (
    <div className="grid gap-4 p-4 lg:gap-5 lg:p-6">
      <StatStrip overview={overview} requestRate={rates.total} />
      <div className="grid items-start gap-4 lg:gap-5 xl:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid gap-4 lg:gap-5">
          <ConfigServerNote status={overview.configServer} />
          {overview.clusters.map((cluster) => (
            <ClusterPanel key={cluster.name} cluster={cluster} proxyIdc={overview.proxy.idc} rates={rates.byServer} />
          ))}
          <RecentChanges />
        </div>
        <div className="grid gap-4 md:max-xl:grid-cols-2 lg:gap-5">
          <CongestionPanel enabled={overview.proxy.enableCongestion} />
          <ProxyPanel proxy={overview.proxy} />
        </div>
      </div>
    </div>
  );
}
