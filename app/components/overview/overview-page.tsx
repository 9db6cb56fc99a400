'use client';

import { useQuery } from '@tanstack/react-query';
import { ProxyClock } from '@/components/proxy-clock.tsx';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useText } from '@/components/texts.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import type { BlocklistResponse } from '@/lib/blocklist-queries.ts';
import { trafficQuery } from '@/lib/overview-queries.ts';
import { overviewQuery } from '@/lib/queries.ts';
import { ClusterPanel } from './cluster-panel.tsx';
import { ConfigServerNote } from './config-server-note.tsx';
import { CongestionPanel } from './congestion-panel.tsx';
import { LazyTraffic } from './lazy-traffic.tsx';
import { ProxyPanel } from './proxy-panel.tsx';
import { StatStrip } from './stat-strip.tsx';
import { TimeBar } from './time-bar.tsx';
import { useOverviewView } from './use-overview-view.ts';
import { usePaused } from './use-paused.ts';
import { useRates } from './use-rates.ts';
import { VerdictPanel } from './verdict-panel.tsx';

interface OverviewPageProps {
  /** As it was when the page was made: the frame has asked for it by then, so that the cache takes it too late. */
  blocklist: BlocklistResponse | undefined;
}

/** Is anything wrong, where, since when, why; then what the proxy is doing, its clusters, its main switch. */
export function OverviewPage({ blocklist }: OverviewPageProps) {
  const t = useText('overview');
  const { at } = useOverviewView();
  const query = useQuery(overviewQuery);
  const clock = useQuery(trafficQuery('15m', at));
  const overview = usePaused(query.data, at);
  const rates = useRates(query.data, query.dataUpdatedAt);
  const shownRates = usePaused(rates, at) ?? rates;
  if (overview === undefined) {
    return query.isError ? <QueryFailure query={query} what={t('theOverview')} /> : <TableSkeleton rows={8} />;
  }
  const body = (
    <div className="grid gap-4 p-4 lg:gap-5 lg:p-6">
      <VerdictPanel blocklist={blocklist} />
      <TimeBar />
      <LazyTraffic />
      <StatStrip overview={overview} requestRate={shownRates.total} />
      <div className="grid items-start gap-4 lg:gap-5 xl:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid gap-4 lg:gap-5">
          <ConfigServerNote status={overview.configServer} />
          {overview.clusters.map((cluster) => (
            <ClusterPanel
              key={cluster.name}
              cluster={cluster}
              proxyIdc={overview.proxy.idc}
              rates={shownRates.byServer}
            />
          ))}
        </div>
        <div className="grid gap-4 md:max-xl:grid-cols-2 lg:gap-5">
          <CongestionPanel enabled={overview.proxy.enableCongestion} />
          <ProxyPanel proxy={overview.proxy} />
        </div>
      </div>
    </div>
  );
  // Until the proxy has told its time nothing counts.
  if (clock.data === undefined) return body;
  return (
    <ProxyClock at={clock.data.at} receivedAtMs={clock.dataUpdatedAt}>
      {body}
    </ProxyClock>
  );
}
