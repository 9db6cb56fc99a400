'use client';

import { useQuery } from '@tanstack/react-query';
import { useProxyNow } from '@/components/proxy-clock.tsx';
import { trafficQuery } from '@/lib/overview-queries.ts';
import { useOverviewView } from './use-overview-view.ts';

/**
 * Milliseconds since 1970 by the proxy's clock; before the page runs in the browser the time of its answer, so that times
 * take as much room from the first; null: not known.
 */
export function useNowMs(): number | null {
  const { at } = useOverviewView();
  const told = useQuery(trafficQuery('15m', at)).data?.at;
  return useProxyNow() ?? (told === undefined ? null : Date.parse(told));
}
