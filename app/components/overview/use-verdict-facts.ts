'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useMay } from '@/components/shell/user-context.tsx';
import { type BlocklistResponse, blocklistQuery } from '@/lib/blocklist-queries.ts';
import { listedNow, listedThen } from '@/lib/listed-rows.ts';
import { listedAtQuery, trafficQuery } from '@/lib/overview-queries.ts';
import { overviewQuery } from '@/lib/queries.ts';
import { upgradeQuery } from '@/lib/upgrade-queries.ts';
import type { VerdictFacts } from '@/lib/verdict.ts';
import { zoneRates } from '@/lib/zone-rates.ts';
import { useNowMs } from './use-now-ms.ts';
import { useOverviewView } from './use-overview-view.ts';

/**
 * All that the verdict goes by, now or at the moment that the page is paused at; null: not there yet.
 * @param initial the blocklists until they have been asked for
 */
export function useVerdictFacts(initial: BlocklistResponse | undefined): VerdictFacts | null {
  const { at } = useOverviewView();
  const mayListed = useMay('blocklist.read');
  const overview = useQuery(overviewQuery).data;
  const blocklists = useQuery({ ...blocklistQuery, enabled: mayListed }).data ?? initial;
  const then = useQuery({ ...listedAtQuery(at ?? ''), enabled: mayListed && at !== null }).data;
  const upgrade = useQuery(upgradeQuery).data ?? null;
  // The last minute decides, whatever span is shown.
  const traffic = useQuery(trafficQuery('15m', at)).data;
  const nowMs = useNowMs() ?? 0;
  const rates = useMemo(() => (traffic === undefined ? [] : zoneRates(traffic)), [traffic]);
  if (overview === undefined || (mayListed && (at === null ? blocklists : then) === undefined)) return null;
  const watched = overview.clusters.filter(({ isWatched }) => isWatched);
  const serverCount = watched.reduce((sum, { servers }) => sum + servers.length, 0);
  if (at !== null) return { listed: listedThen(then?.listings ?? []), rates, serverCount, now: null };
  const clusters = blocklists?.clusters ?? [];
  return {
    listed: listedNow(clusters, nowMs),
    rates,
    serverCount,
    now: { overview, blocklists: clusters, upgrade },
  };
}
