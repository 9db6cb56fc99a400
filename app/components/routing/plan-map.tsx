'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { cn } from '@/lib/class-names.ts';
import { listWordWithin } from '@/lib/list-words.ts';
import { layOutMap, type MapNode } from '@/lib/route-map.ts';
import { visibleText } from '@/lib/visible-text.ts';
import type { Cluster, RouteCandidate, RoutePlan } from '../../../proxy/control/contract.ts';

interface PlanMapProps {
  cluster: Cluster;
  plan: RoutePlan;
  /** Where it went before the last change. */
  before: readonly string[];
}

/** The plan on the cluster's map: regions contain IDCs, those zones, those servers. The list below says the same in words. */
export function PlanMap({ cluster, plan, before }: PlanMapProps) {
  const t = useText('routing');
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const map = useMemo(() => layOutMap(cluster, width), [cluster, width]);
  const order = new Map(
    plan.candidates.map((candidate, index) => [candidate.address, { candidate, place: index + 1 }]),
  );
  const label = t('mapLabel', {
    cluster: cluster.name,
    servers: plan.sharedBy.join(` ${t('or')} `) || t('noServer'),
  });
  return (
    <Panel title={t('map')} aside={<Legend />}>
      <div className="p-3">
        <div ref={frame} className="min-h-20">
          {width === 0 ? null : (
            <svg role="img" aria-label={visibleText(label)} width={map.width} height={map.height} className="block">
              {map.nodes.map((node) =>
                node.kind === 'server' ? (
                  <ServerNode
                    key={node.key}
                    node={node}
                    place={order.get(node.name)?.place ?? null}
                    candidate={order.get(node.name)?.candidate ?? null}
                    isTarget={plan.sharedBy.includes(node.name)}
                    wasTarget={before.includes(node.name)}
                    forced={plan.forced}
                  />
                ) : (
                  <AreaNode key={node.key} node={node} />
                ),
              )}
            </svg>
          )}
        </div>
      </div>
    </Panel>
  );
}

const areas = {
  region: { box: 'fill-inset stroke-line-strong', radius: 8 },
  idc: { box: 'fill-panel stroke-line', radius: 6 },
  zone: { box: 'fill-inset stroke-line', radius: 5 },
} as const;

function AreaNode({ node }: { node: MapNode }) {
  const t = useText('routing');
  const { box, radius } = areas[node.kind === 'server' ? 'zone' : node.kind];
  const name = node.name === '' ? t('notKnown') : node.name;
  const title = node.kind === 'region' ? t('mapRegion', { name }) : node.kind === 'idc' ? `IDC ${name}` : name;
  return (
    <g>
      <rect {...boxOf(node)} rx={radius} className={box} />
      <text x={node.x + 9} y={node.y + 16} className="fill-muted text-xs font-medium">
        {fitting(visibleText(title), node.width - 18)}
      </text>
    </g>
  );
}

interface ServerNodeProps {
  node: MapNode;
  place: number | null;
  candidate: RouteCandidate | null;
  isTarget: boolean;
  wasTarget: boolean;
  forced: boolean;
}

function ServerNode({ node, place, candidate, isTarget, wasTarget, forced }: ServerNodeProps) {
  const t = useText('routing');
  const shell = useText('shell');
  const listNames = candidate?.lists.map((list) => listWordWithin(shell, list)).join(', ') ?? '';
  const isDropped = candidate !== null && candidate.lists.length > 0 && !candidate.isRetry && !forced;
  const words = [
    t(candidate?.role ?? (candidate === null ? 'notUsed' : 'noReplica')),
    isTarget ? t('goesHere') : wasTarget ? t('wentHere') : '',
    isDropped ? t('leftOutBy', { lists: listNames }) : '',
    candidate?.isRetry ? t('retryDue') : '',
  ];
  const wordClass = isDropped ? 'fill-bad' : isTarget ? 'fill-accent' : 'fill-muted';
  return (
    <g data-map-server={node.name} data-target={isTarget}>
      <rect
        {...boxOf(node)}
        rx="5"
        strokeWidth={isTarget ? 2 : 1}
        strokeDasharray={wasTarget && !isTarget ? '5 3' : undefined}
        className={cn(
          isTarget
            ? 'fill-accent-soft stroke-accent'
            : isDropped
              ? 'fill-bad-soft stroke-bad'
              : 'fill-panel stroke-line-strong',
          wasTarget && !isTarget && !isDropped && 'stroke-accent',
        )}
      />
      <circle
        cx={node.x + 20}
        cy={node.y + 23}
        r="11"
        className={
          place === null
            ? 'fill-none stroke-line-strong'
            : isTarget
              ? 'fill-accent-fill'
              : 'fill-hover stroke-line-strong'
        }
      />
      <text
        x={node.x + 20}
        y={node.y + 27}
        textAnchor="middle"
        className={cn('tabular text-xs font-semibold', isTarget ? 'fill-white' : 'fill-fg')}
      >
        {place ?? '–'}
      </text>
      <text
        x={node.x + 38}
        y={node.y + 19}
        textDecoration={isDropped ? 'line-through' : undefined}
        className={cn('font-mono text-xs', isDropped || place === null ? 'fill-subtle' : 'fill-fg')}
      >
        {fitting(visibleText(node.name), node.width - 46)}
      </text>
      {candidate?.role === 'leader' ? <LeaderMark x={node.x + 38} y={node.y + 27} /> : null}
      <text x={node.x + (candidate?.role === 'leader' ? 53 : 38)} y={node.y + 36} className={cn('text-xs', wordClass)}>
        {fitting(words.filter((word) => word !== '').join(' · '), node.width - 60)}
      </text>
    </g>
  );
}

function LeaderMark({ x, y }: { x: number; y: number }) {
  return <path d={`M${x} ${y + 10}V${y + 1}l3 4 2.5-5 2.5 5 3-4v9z`} className="fill-warn" />;
}

const boxOf = ({ x, y, width, height }: MapNode) => ({ x: x + 1, y, width: width - 2, height });

/** Kana, Han characters and their punctuation. */
const wide = /[\u2e80-\u9fff\uff00-\uff60]/;

/** Cut to about the width: a glyph of the map's text is some 6.9 pixels wide, a wide one 12. */
function fitting(text: string, width: number): string {
  const room = Math.max(4, Math.floor(width / 6.9));
  let end = 0;
  const glyphs = Array.from(text, (glyph) => {
    end += wide.test(glyph) ? 12 / 6.9 : 1;
    return { glyph, end };
  });
  if (end <= room) return text;
  const kept = glyphs.filter((one) => one.end <= room - 1).map(({ glyph }) => glyph);
  return `${kept.join('')}…`;
}

function Legend() {
  const t = useText('routing');
  return (
    <ul className="flex flex-wrap justify-end gap-x-3 gap-y-0.5 text-xs text-muted" aria-label={t('legend')}>
      <li className="inline-flex items-center gap-1.5">
        <span aria-hidden className="size-3 rounded-sm border-2 border-accent bg-accent-soft" /> {t('goesHere')}
      </li>
      <li className="inline-flex items-center gap-1.5">
        <svg aria-hidden viewBox="0 0 11 10" className="h-2.5 w-3">
          <path d="M0 10V1l3 4 2.5-5 2.5 5 3-4v9z" className="fill-warn" />
        </svg>
        {t('leader')}
      </li>
      <li className="inline-flex items-center gap-1.5">
        <span aria-hidden className="size-3 rounded-sm border border-bad bg-bad-soft" /> <s>{t('leftOut')}</s>
      </li>
    </ul>
  );
}
