'use client';

import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { trafficQuery } from '@/lib/overview-queries.ts';
import { useHydrated } from '@/lib/use-hydrated.ts';
import { useOverviewView } from './use-overview-view.ts';

const TrafficPanel = lazy(() => import('./traffic-panel.tsx'));

/** Height without the charts, with a few events, and that of one chart (px): what is below must not move when they come. */
const frameHeight = 640;
const chartHeight = 54;

/** The charts and events, fetched after the verdict is there. */
export function LazyTraffic() {
  const { range, at, view } = useOverviewView();
  const zones = useQuery(trafficQuery(range, at)).data?.zones.length ?? 1;
  const minHeight = frameHeight + chartHeight * (view.zone === '' ? Math.max(1, zones) : 2);
  const isHydrated = useHydrated();
  return (
    <div className="grid rounded-lg border border-line bg-panel" style={{ minHeight }}>
      {isHydrated ? (
        <Suspense fallback={null}>
          <TrafficPanel />
        </Suspense>
      ) : null}
    </div>
  );
}
