'use client';

import { LineChart, niceMax } from '@/components/charts/line-chart.tsx';
import { useLoadHistory } from '@/components/charts/load-history.tsx';
import { useText } from '@/components/texts.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { growthOf, hitsKey, missesKey, ratesOf } from '@/lib/load-history.ts';
import { bytesText, rateText } from '@/lib/numbers.ts';
import type { Cluster, Overview } from '../../../proxy/control/contract.ts';

/** How often the caches were of use over the last minutes, and what is in them. */
export function CacheCharts({ overview }: { overview: Overview | undefined }) {
  return (
    <div className="grid gap-4 p-4 pb-0 empty:hidden lg:gap-5 lg:p-6 lg:pb-4">
      {overview?.clusters.map((cluster) => (
        <ClusterCache key={cluster.name} cluster={cluster} many={overview.clusters.length > 1} />
      ))}
    </div>
  );
}

function ClusterCache({ cluster, many }: { cluster: Cluster; many: boolean }) {
  const t = useText('locations');
  const history = useLoadHistory();
  const { name, locations } = cluster;
  const hits = ratesOf(history, [hitsKey(name)]);
  const misses = ratesOf(history, [missesKey(name)]);
  const used = growthOf(history, [hitsKey(name), missesKey(name)]);
  const fromMemory = growthOf(history, [hitsKey(name)]);
  const share = !used || fromMemory === null ? null : fromMemory / used;
  const nowMs = history.at(-1)?.atMs ?? 0;
  const percent = share === null ? '–' : `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
  return (
    <Panel
      title={many ? t('cacheOf', { cluster: name }) : t('cache')}
      aside={
        <p className="tabular text-right text-xs text-muted">
          {t('cacheFacts', { ...locations, bytes: bytesText(locations.bytes) })}
        </p>
      }
    >
      <div className="grid gap-x-6 gap-y-3 p-4 text-xs md:grid-cols-[10rem_1fr_1fr]">
        <p data-testid="hit-rate" className="text-muted">
          <span className="tabular block text-xl font-semibold text-fg">{percent}</span>
          {t('toldFromMemory')}
        </p>
        <Chart title={t('hits')} label={t('hitsOf', { cluster: name })} points={hits} nowMs={nowMs} />
        <Chart title={t('misses')} label={t('missesOf', { cluster: name })} points={misses} nowMs={nowMs} />
      </div>
    </Panel>
  );
}

interface ChartProps {
  title: string;
  label: string;
  points: ReturnType<typeof ratesOf>;
  nowMs: number;
}

function Chart({ title, label, points, nowMs }: ChartProps) {
  const t = useText('locations');
  const max = niceMax(points.map(({ rate }) => rate ?? 0));
  const now = points.at(-1)?.rate ?? null;
  const nowText = now === null ? '–' : rateText(now);
  return (
    <figure className="min-w-0">
      <figcaption className="flex justify-between gap-2 text-muted">
        <span>{t.rich('perSecond', { title, rate: <b className="tabular font-semibold text-fg">{nowText}</b> })}</span>
        <span className="tabular">{t('top', { rate: rateText(max) })}</span>
      </figcaption>
      <LineChart
        points={points.map(({ atMs, rate }) => ({ atMs, value: rate }))}
        max={max}
        nowMs={nowMs}
        label={t('chartLabel', {
          what: label,
          now: nowText,
          most: rateText(Math.max(0, ...points.map(({ rate }) => rate ?? 0))),
        })}
        className="mt-1"
      />
      <p aria-hidden className="mt-0.5 flex justify-between text-muted">
        <span>{t('ago5')}</span>
        <span>{t('now')}</span>
      </p>
    </figure>
  );
}
