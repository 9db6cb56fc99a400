'use client';

import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { DemoBadge } from '@/components/demo-badge.tsx';
import { StateMark } from '@/components/state-mark.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { isHealthy, serverLooks, zoneLooks } from '@/lib/server-state.ts';
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
          Problems only
        </label>
      </header>
      <ClusterNotes cluster={cluster} />
      {regions.length === 0 ? (
        <EmptyState icon={CircleCheck} title="No server has a problem" />
      ) : (
        <div className="grid gap-5 p-4">
          {regions.map((region) => (
            <Region key={region.name} region={region} proxyIdc={proxyIdc} rates={rates} />
          ))}
        </div>
      )}
      <footer className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 text-xs text-subtle">
        <span>
          {cluster.demo ? 'Demonstration: these servers run inside this product and hold no real data.' : null}
        </span>
        <span>
          {cluster.refreshedAt === null ? (
            'Not read yet'
          ) : (
            <>
              Read <Time iso={cluster.refreshedAt} />
            </>
          )}
        </span>
      </footer>
    </section>
  );
}

function ClusterNotes({ cluster }: { cluster: Cluster }) {
  return (
    <div className="grid gap-2 px-4 pt-3 empty:hidden">
      {cluster.error === null ? null : (
        <Notice tone="bad" alert>
          The last refresh of the topology failed: <PlainText text={cluster.error} />
        </Notice>
      )}
      {cluster.source === 'rslist' ? (
        <Notice tone="info">
          {cluster.isWatched
            ? "Only the configured addresses are known so far; the cluster's own views have not been read."
            : 'Nobody has logged in to this cluster lately, so that its servers are not watched.'}
        </Notice>
      ) : null}
    </div>
  );
}

function StateCounts({ cluster }: { cluster: Cluster }) {
  const counts = new Map<Cluster['servers'][number]['state'], number>();
  for (const server of cluster.servers) counts.set(server.state, (counts.get(server.state) ?? 0) + 1);
  return (
    <ul aria-label="Servers by state" className="flex flex-wrap gap-x-3 gap-y-1">
      {[...counts].map(([state, count]) => (
        <li key={state}>
          <StateMark look={serverLooks[state]} state={state} count={count} />
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
  return (
    <section aria-label={`Region ${region.name}`}>
      <h3 className="mb-2 flex items-center gap-2 text-xs font-semibold tracking-wide text-muted uppercase">
        <PlainText text={region.name === '' ? 'Region not known' : region.name} />
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
  return (
    <section
      aria-label={`IDC ${idc.name}`}
      className={cn('flex flex-col rounded-md border border-line bg-inset', wide && 'md:col-span-2')}
    >
      <h4 className="flex h-9 items-center gap-2 px-3 text-sm font-medium">
        <PlainText text={idc.name === '' ? 'IDC not known' : idc.name} />
        {local ? (
          <Badge tone="accent" title="The proxy itself is in this IDC">
            local
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
  const { zone } = node;
  return (
    <section aria-label={`Zone ${node.name}`} className="bg-panel px-3 py-2.5">
      <h5 className="flex items-center gap-2 text-xs text-muted">
        <PlainText text={node.name} className="font-medium [overflow-wrap:anywhere]" />
        {zone !== null && zone.type !== 'ReadWrite' ? (
          <Badge>{zone.type === 'ReadOnly' ? 'read-only' : 'encryption'}</Badge>
        ) : null}
        {zone === null ? <span>not in the cluster's zone list</span> : null}
        {zone !== null && zone.state !== 'ACTIVE' ? (
          <StateMark look={zoneLooks[zone.state]} state={zone.state} className="ml-auto" />
        ) : null}
      </h5>
      {node.servers.length === 0 ? (
        <p className="mt-1.5 text-xs text-subtle">no server shown</p>
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
