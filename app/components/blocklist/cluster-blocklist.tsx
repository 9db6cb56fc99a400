'use client';

import { useQuery } from '@tanstack/react-query';
import { startTransition, useCallback, useState } from 'react';
import { DemoBadge } from '@/components/demo-badge.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { blocklistQuery } from '@/lib/blocklist-queries.ts';
import { countText } from '@/lib/numbers.ts';
import { overviewQuery } from '@/lib/queries.ts';
import type { BlocklistCluster, BlocklistServer } from '../../../proxy/control/contract.ts';
import { ReleaseDialog } from './release-dialog.tsx';
import { ServerCard } from './server-card.tsx';

const probeLookMs = 5_000;

/** Of the servers that are on no list as many are drawn at first, and more each time; the filter finds the others. */
const step = 60;

interface ClusterBlocklistProps {
  cluster: BlocklistCluster;
  /** Those of its servers that the filter leaves. */
  servers: readonly BlocklistServer[];
}

/** One cluster's servers: the listed first, then the others by region and zone. */
export function ClusterBlocklist({ cluster, servers }: ClusterBlocklistProps) {
  const t = useText('blocklist');
  const shell = useText('shell');
  const { data: overview } = useQuery(overviewQuery);
  const mayRelease = useMay('blocklist.release');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  // Probes that are answered are no news of the event stream; whoever looks at them sees them all the same.
  useQuery({ ...blocklistQuery, refetchInterval: open.size > 0 ? probeLookMs : false });
  const [releasing, setReleasing] = useState<string | null>(null);
  const [limit, setLimit] = useState(step);
  const toggle = useCallback(
    (address: string): void =>
      setOpen((old) => {
        const next = new Set(old);
        if (!next.delete(address)) next.add(address);
        return next;
      }),
    [],
  );
  const listed = servers.filter((server) => server.listings.length > 0);
  const others = servers.filter((server) => server.listings.length === 0);
  const inOrder = regionsOf(others).flatMap(([, members]) => members);
  const card = (server: BlocklistServer) => (
    <ServerCard
      key={server.address}
      server={server}
      parameters={cluster.parameters}
      open={open.has(server.address)}
      onToggle={toggle}
      onRelease={mayRelease ? setReleasing : undefined}
    />
  );
  const headingId = `blocklist-${cluster.name}`;
  const target = cluster.servers.find(({ address }) => address === releasing);
  return (
    <section aria-labelledby={headingId} className="overflow-hidden rounded-lg border border-line bg-panel">
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
        <h2 id={headingId} className="flex items-center gap-2 text-sm font-semibold">
          <PlainText text={cluster.name} className="font-mono [overflow-wrap:anywhere]" />
          {overview?.clusters.some(({ name, demo }) => demo && name === cluster.name) ? <DemoBadge /> : null}
        </h2>
        <p className="tabular ml-auto text-xs text-muted">
          {listed.length === 0 ? null : (
            <b className="font-semibold text-bad">{t('listedShort', { count: listed.length })} · </b>
          )}
          {shell('servers', { count: servers.length })}
        </p>
      </header>
      {listed.length === 0 ? null : (
        <ul aria-label={t('listedServers')} className="divide-y divide-line">
          {listed.map(card)}
        </ul>
      )}
      {regionsOf(inOrder.slice(0, limit)).map(([region, members]) => (
        <section key={region} aria-label={t('region', { region })}>
          <h3 className="border-y border-line bg-inset px-4 py-1.5 text-xs font-semibold tracking-wide text-muted uppercase">
            <PlainText text={region === '' ? t('regionUnknown') : region} />
          </h3>
          <ul className="divide-y divide-line">{members.map(card)}</ul>
        </section>
      ))}
      {others.length > limit ? (
        <p className="flex flex-wrap items-center justify-center gap-3 border-t border-line px-4 py-3 text-xs text-muted">
          <span className="tabular">{t('unlistedShown', { shown: countText(limit), count: others.length })}</span>
          <Button size="sm" onClick={() => startTransition(() => setLimit(limit + step))}>
            {t('showMore', { count: Math.min(step, others.length - limit) })}
          </Button>
        </p>
      ) : null}
      {target === undefined ? null : (
        <ReleaseDialog cluster={cluster.name} server={target} onClose={() => setReleasing(null)} />
      )}
    </section>
  );
}

/** Servers by region, within it by zone, both in the order in which they first come. */
function regionsOf(servers: readonly BlocklistServer[]): [string, BlocklistServer[]][] {
  const regions = Map.groupBy(servers, ({ region }) => region);
  return [...regions].map(([region, members]) => [
    region,
    [...Map.groupBy(members, ({ zone }) => zone).values()].flat(),
  ]);
}
