'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DemoBadge } from '@/components/demo-badge.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { overviewQuery } from '@/lib/queries.ts';
import type { BlocklistCluster, BlocklistServer } from '../../../proxy/control/contract.ts';
import { ReleaseDialog } from './release-dialog.tsx';
import { ServerCard } from './server-card.tsx';
import { serversText } from './words.ts';

interface ClusterBlocklistProps {
  cluster: BlocklistCluster;
  /** Those of its servers that the filter leaves. */
  servers: readonly BlocklistServer[];
}

/** One cluster's servers: the listed first, then the others by region and zone. */
export function ClusterBlocklist({ cluster, servers }: ClusterBlocklistProps) {
  const { data: overview } = useQuery(overviewQuery);
  const mayRelease = useMay('blocklist.release');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [releasing, setReleasing] = useState<string | null>(null);
  const toggle = (address: string): void =>
    setOpen((old) => {
      const next = new Set(old);
      if (!next.delete(address)) next.add(address);
      return next;
    });
  const listed = servers.filter((server) => server.listings.length > 0);
  const others = servers.filter((server) => server.listings.length === 0);
  const card = (server: BlocklistServer) => (
    <ServerCard
      key={server.address}
      server={server}
      parameters={cluster.parameters}
      open={open.has(server.address)}
      onToggle={() => toggle(server.address)}
      onRelease={mayRelease ? () => setReleasing(server.address) : undefined}
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
          {listed.length === 0 ? null : <b className="font-semibold text-bad">{listed.length} listed · </b>}
          {serversText(servers.length)}
        </p>
      </header>
      {listed.length === 0 ? null : (
        <ul aria-label="Listed servers" className="divide-y divide-line">
          {listed.map(card)}
        </ul>
      )}
      {groupsOf(others).map(({ region, zone, servers: members }) => (
        <section
          key={`${region} ${zone}`}
          aria-label={`Region ${region}, zone ${zone}`}
          className="border-t border-line first-of-type:border-t-0"
        >
          <h3 className="flex items-baseline gap-2 bg-inset px-4 py-1.5 text-xs">
            <PlainText text={zone === '' ? 'zone not known' : zone} className="font-medium text-muted" />
            <PlainText text={region === '' ? 'region not known' : region} className="text-subtle" />
          </h3>
          <ul className="divide-y divide-line">{members.map(card)}</ul>
        </section>
      ))}
      {target === undefined ? null : (
        <ReleaseDialog cluster={cluster.name} server={target} onClose={() => setReleasing(null)} />
      )}
    </section>
  );
}

interface ServerGroup {
  readonly region: string;
  readonly zone: string;
  readonly servers: BlocklistServer[];
}

/** Servers by region and zone, in the order in which these first come. */
function groupsOf(servers: readonly BlocklistServer[]): ServerGroup[] {
  const groups = new Map<string, ServerGroup>();
  for (const server of servers) {
    const { region, zone } = server;
    const key = JSON.stringify([region, zone]);
    const group = groups.get(key) ?? { region, zone, servers: [] };
    groups.set(key, group);
    group.servers.push(server);
  }
  // Zones of one region stand together, also when the cluster names them mixed.
  const regions = [...new Set([...groups.values()].map(({ region }) => region))];
  return regions.flatMap((region) => [...groups.values()].filter((group) => group.region === region));
}
