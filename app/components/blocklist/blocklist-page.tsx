'use client';

import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { parseAsString, useQueryStates } from 'nuqs';
import { memo, useDeferredValue, useMemo } from 'react';
import { ProxyClock } from '@/components/proxy-clock.tsx';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { type BlocklistView, eventFilter, isShown } from '@/lib/blocklist-filter.ts';
import { blocklistQuery } from '@/lib/blocklist-queries.ts';
import type { BlocklistCluster } from '../../../proxy/control/contract.ts';
import { AlertPanel } from './alert-panel.tsx';
import { BlocklistFilterBar } from './blocklist-filter-bar.tsx';
import { ClusterBlocklist } from './cluster-blocklist.tsx';
import { Headline } from './headline.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { Timeline } from './timeline.tsx';

const text = parseAsString.withDefault('');
const view = { cluster: text, zone: text, server: text, list: text, change: text };

/** Which servers get no requests and why, what the lists did, and the values that they go by. */
export function BlocklistPage() {
  const t = useText('blocklist');
  const [state, setState] = useQueryStates(view, { history: 'replace' });
  // What was chosen shows at once; the lists follow.
  const shownView = useDeferredValue(state);
  const query = useQuery(blocklistQuery);
  if (query.data === undefined) {
    return query.isError ? <QueryFailure query={query} what={t('blocklists')} /> : <TableSkeleton rows={8} />;
  }
  const { at, clusters } = query.data;
  return (
    <ProxyClock at={at} receivedAtMs={query.dataUpdatedAt}>
      <BlocklistFilterBar view={state} clusters={clusters} onChange={(next) => void setState(next)} />
      <div className="grid items-start gap-4 p-4 lg:gap-5 lg:p-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-4 lg:gap-5">
          <Lists clusters={clusters} view={shownView} setView={setState} />
          <Timeline
            filter={eventFilter(shownView)}
            change={state.change}
            onChange={(change) => void setState({ change })}
          />
        </div>
        <div className="grid min-w-0 gap-4 md:max-xl:grid-cols-2 md:max-xl:items-start lg:gap-5">
          <SettingsPanel clusters={clusters} />
          <AlertPanel />
        </div>
      </div>
    </ProxyClock>
  );
}

interface ListsProps {
  clusters: readonly BlocklistCluster[];
  view: BlocklistView;
  setView: (next: null) => Promise<unknown>;
}

const Lists = memo(function Lists({ clusters, view, setView }: ListsProps) {
  const t = useText('blocklist');
  const common = useText('common');
  const filter = useMemo(() => eventFilter(view), [view]);
  const shown = useMemo(
    () =>
      clusters
        .map((cluster) => ({ cluster, servers: cluster.servers.filter((server) => isShown(cluster, server, filter)) }))
        .filter(({ servers }) => servers.length > 0),
    [clusters, filter],
  );
  return (
    <>
      <Headline clusters={clusters} />
      {shown.map(({ cluster, servers }) => (
        <ClusterBlocklist key={cluster.name} cluster={cluster} servers={servers} />
      ))}
      {shown.length === 0 ? (
        <section aria-label={t('servers')} className="rounded-lg border border-line bg-panel">
          <EmptyState icon={SearchX} title={t(clusters.length === 0 ? 'noCluster' : 'noServerFits')}>
            {clusters.length === 0 ? null : (
              <Button className="mt-2" onClick={() => void setView(null)}>
                {common('clearFilter')}
              </Button>
            )}
          </EmptyState>
        </section>
      ) : null}
    </>
  );
});
