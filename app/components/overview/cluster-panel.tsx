'use client';

import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { DemoBadge } from '@/components/demo-badge.tsx';
import { ServerMark, ZoneMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { isHealthy } from '@/lib/server-state.ts';
import { type IdcNode, type RegionNode, topologyTree, type ZoneNode } from '@/lib/topology-tree.ts';
import type { Cluster } from '../../../proxy/control/contract.ts';
import { ServerRow } from './server-row.tsx';

interface ClusterPanelProps {
  cluster: Cluster;
  /** The IDC that the proxy itself is in, or empty. */
  proxyIdc: string;
  /** Requests per second by server address. */
  rates: ReadonlyMap<string, number | null>;
}

/** One cluster: region → IDC → zone → server, each server with its state and why. */
export function ClusterPanel({ cluster, proxyIdc, rates }: ClusterPanelProps) {
  const t = useText('overview');
  const [problemsOnly, setProblemsOnly] = useState(false);
  const servers = problemsOnly ? cluster.servers.filter((server) => !isHealthy(server.state)) : cluster.servers;
  const regions = topologyTree({ ...cluster, servers }).filter((region) => !problemsOnly || regionHasServers(region));
  const headingId = `cluster-${cluster.name}`;
  return (
    <section aria-labelledby={headingId} className="rounded-lg border border-line bg-panel">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2.5">
        <h2 id={headingId} className="flex items-center gap-2 text-sm font-semibold">
          <PlainText text={cluster.name} className="font-mono [overflow-wrap:anywhere]" />
          {cluster.demo ? <DemoBadge /> : null}
        </h2>
        <StateCounts cluster={cluster} />
        <label className="ml-auto flex items-center gap-2 text-xs text-muted">
          <input
            type="checkbox"
            checked={problemsOnly}
            onChange={(event) => setProblemsOnly(event.target.checked)}
            className="size-3.5 accent-(--accent-fill)"
          />
          {t('problemsOnly')}
        </label>
      </header>
      <ClusterNotes cluster={cluster} />
      {regions.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t('noProblem')} />
      ) : (
        <div className="grid gap-5 p-4">
          {regions.map((region) => (
            <Region key={region.name} region={region} proxyIdc={proxyIdc} rates={rates} />
          ))}
        </div>
      )}
      <footer className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 text-xs text-subtle">
        <span>{cluster.demo ? t('demoServers') : null}</span>
        <span>
          {cluster.refreshedAt === null
            ? t('notReadYet')
            : t.rich('readAt', { time: <Time iso={cluster.refreshedAt} /> })}
        </span>
      </footer>
    </section>
  );
}

function ClusterNotes({ cluster }: { cluster: Cluster }) {
  const t = useText('overview');
  return (
    <div className="grid gap-2 px-4 pt-3 empty:hidden">
      {cluster.error === null ? null : (
        <Notice tone="bad" alert>
          {t.rich('refreshFailed', { why: <PlainText text={cluster.error} lang="en" /> })}
        </Notice>
      )}
      {cluster.source === 'rslist' ? (
        <Notice tone="info">{t(cluster.isWatched ? 'configuredOnly' : 'notWatched')}</Notice>
      ) : null}
    </div>
  );
}

function StateCounts({ cluster }: { cluster: Cluster }) {
  const t = useText('overview');
  const counts = new Map<Cluster['servers'][number]['state'], number>();
  for (const server of cluster.servers) counts.set(server.state, (counts.get(server.state) ?? 0) + 1);
  return (
    <ul aria-label={t('serversByState')} className="flex flex-wrap gap-x-3 gap-y-1">
      {[...counts].map(([state, count]) => (
        <li key={state}>
          <ServerMark state={state} count={count} />
        </li>
      ))}
    </ul>
  );
}

interface RegionProps {
  region: RegionNode;
  proxyIdc: string;
  rates: ReadonlyMap<string, number | null>;
}

function Region({ region, proxyIdc, rates }: RegionProps) {
  const t = useText('overview');
  return (
    <section aria-label={region.name === '' ? t('regionNotKnown') : t('regionOf', { name: region.name })}>
      <h3 className="mb-2 flex items-center gap-2 text-xs font-semibold tracking-wide text-muted uppercase">
        <PlainText text={region.name === '' ? t('regionNotKnown') : region.name} />
        <span aria-hidden className="h-px flex-1 bg-line" />
      </h3>
      <div className="grid gap-3 md:grid-cols-2">
        {region.idcs.map((idc) => (
          <Idc
            key={idc.name}
            idc={idc}
            local={idc.name !== '' && idc.name === proxyIdc}
            rates={rates}
            wide={region.idcs.length === 1}
          />
        ))}
      </div>
    </section>
  );
}

interface IdcProps {
  idc: IdcNode;
  /** The proxy is in this IDC. */
  local: boolean;
  /** The only one of its region: takes the row, zones side by side. */
  wide: boolean;
  rates: ReadonlyMap<string, number | null>;
}

function Idc({ idc, local, wide, rates }: IdcProps) {
  const t = useText('overview');
  return (
    <section
      aria-label={idc.name === '' ? t('idcNotKnown') : t('idcOf', { name: idc.name })}
      className={cn('flex flex-col rounded-md border border-line bg-inset', wide && 'md:col-span-2')}
    >
      <h4 className="flex h-9 items-center gap-2 px-3 text-sm font-medium">
        <PlainText text={idc.name === '' ? t('idcNotKnown') : idc.name} />
        {local ? (
          <Badge tone="accent" title={t('localAbout')}>
            {t('local')}
          </Badge>
        ) : null}
      </h4>
      <div
        className={cn(
          'grid flex-1 gap-px overflow-hidden rounded-b-md border-t border-line bg-line',
          wide && 'md:grid-cols-2',
        )}
      >
        {idc.zones.map((node) => (
          <ZoneBlock key={node.name} node={node} rates={rates} />
        ))}
      </div>
    </section>
  );
}

function ZoneBlock({ node, rates }: { node: ZoneNode; rates: ReadonlyMap<string, number | null> }) {
  const t = useText('overview');
  const { zone } = node;
  return (
    <section aria-label={t('zoneOf', { name: node.name })} className="bg-panel px-3 py-2.5">
      <h5 className="flex items-center gap-2 text-xs text-muted">
        <PlainText text={node.name} className="font-medium [overflow-wrap:anywhere]" />
        {zone !== null && zone.type !== 'ReadWrite' ? (
          <Badge>{t(zone.type === 'ReadOnly' ? 'readOnly' : 'encryption')}</Badge>
        ) : null}
        {zone === null ? <span>{t('notInZoneList')}</span> : null}
        {zone !== null && zone.state !== 'ACTIVE' ? <ZoneMark state={zone.state} className="ml-auto" /> : null}
      </h5>
      {node.servers.length === 0 ? (
        <p className="mt-1.5 text-xs text-subtle">{t('noServerShown')}</p>
      ) : (
        <ul>
          {node.servers.map((server) => (
            <ServerRow key={server.address} server={server} rate={rates.get(server.address) ?? null} />
          ))}
        </ul>
      )}
    </section>
  );
}

function regionHasServers(region: RegionNode): boolean {
  return region.idcs.some((idc) => idc.zones.some((zone) => zone.servers.length > 0));
}
