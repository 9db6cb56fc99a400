'use client';

import { Maximize2, Minimize2 } from 'lucide-react';
import { memo } from 'react';
import { niceMax } from '@/components/charts/line-chart.tsx';
import { useText } from '@/components/texts.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { rateText } from '@/lib/numbers.ts';
import { zoneName } from '@/lib/verdict.ts';
import { visibleText } from '@/lib/visible-text.ts';
import { topOf, type ZoneRates } from '@/lib/zone-rates.ts';
import { laneGrid } from './lane-grid.ts';

interface ZoneChartsProps {
  rates: readonly ZoneRates[];
  fromMs: number;
  toMs: number;
  /** Where the chosen mark is; null: none is chosen. */
  chosenAtMs: number | null;
  /** The zone that is shown alone; empty: all are. */
  only: string;
  onOnly: (zone: string) => void;
}

/** A small chart for each zone, all of one scale, so that they can be compared. */
export function ZoneCharts({ rates, fromMs, toMs, chosenAtMs, only, onOnly }: ZoneChartsProps) {
  const t = useText('overview');
  const shown = only === '' ? rates : rates.filter(({ key }) => key === only);
  const tops = { statements: niceMax([topOf(shown, 'statements')]), errors: niceMax([topOf(shown, 'errors')]) };
  if (shown.length === 0 && only === '') return <p className="py-3 text-sm text-muted">{t('noTraffic')}</p>;
  return (
    <div className="grid gap-2">
      {shown.map((zone) => (
        <ZoneRow
          key={zone.key}
          zone={zone}
          fromMs={fromMs}
          toMs={toMs}
          chosenAtMs={chosenAtMs}
          topStatements={tops.statements}
          topErrors={tops.errors}
          isAlone={only !== ''}
          onAlone={() => onOnly(only === '' ? zone.key : '')}
        />
      ))}
      {shown.length === 0 ? (
        <button
          type="button"
          onClick={() => onOnly('')}
          className="justify-self-start rounded text-sm text-accent hover:underline"
        >
          {t('allZones')}
        </button>
      ) : null}
    </div>
  );
}

interface ZoneRowProps extends Omit<ZoneChartsProps, 'rates' | 'only' | 'onOnly'> {
  zone: ZoneRates;
  topStatements: number;
  topErrors: number;
  isAlone: boolean;
  onAlone: () => void;
}

function ZoneRow({ zone, isAlone, onAlone, ...chart }: ZoneRowProps) {
  const t = useText('overview');
  const name = zoneName(zone, t);
  const { last, trouble } = zone;
  const now =
    last === null
      ? t('notKnown')
      : t('zoneNow', { statements: rateText(last.statements), errors: rateText(last.errors) });
  const Icon = isAlone ? Minimize2 : Maximize2;
  return (
    <section data-zone={zone.key} aria-label={visibleText(t('chartOf', { zone: name, now }))} className={laneGrid}>
      <div className="min-w-0 text-xs">
        <p className="flex items-center gap-1">
          <span title={visibleText(zone.cluster)} className="truncate font-medium">
            <PlainText text={name} />
          </span>
          <button
            type="button"
            aria-label={isAlone ? t('allZones') : visibleText(t('onlyZone', { zone: name }))}
            onClick={onAlone}
            className="grid size-6 shrink-0 place-items-center rounded text-subtle hover:bg-hover hover:text-fg"
          >
            <Icon aria-hidden className="size-3" />
          </button>
        </p>
        <p
          data-testid="zone-now"
          className={cn('tabular flex flex-wrap gap-x-2 text-subtle', trouble !== null && 'font-medium text-bad')}
        >
          {last === null ? (
            t('notKnown')
          ) : (
            <>
              <span>
                {rateText(last.statements)} {t('statementsPerSecond')}
              </span>
              <span data-errors={last.errors}>
                {rateText(last.errors)} {t('errorsPerSecond')}
              </span>
            </>
          )}
        </p>
      </div>
      <Chart points={zone.points} isTall={isAlone} {...chart} />
    </section>
  );
}

const width = 360;

interface ChartProps {
  points: ZoneRates['points'];
  fromMs: number;
  toMs: number;
  chosenAtMs: number | null;
  topStatements: number;
  topErrors: number;
  isTall: boolean;
}

/** Statements as a line above, errors as bars below: told apart by shape, not by colour alone. */
const Chart = memo(function Chart({ points, fromMs, toMs, chosenAtMs, topStatements, topErrors, isTall }: ChartProps) {
  const [lineHeight, barHeight] = isTall ? [96, 36] : [32, 14];
  const height = lineHeight + barHeight;
  const x = (atMs: number): number => ((atMs - fromMs) / (toMs - fromMs)) * width;
  const y = (value: number): number => lineHeight - 1 - (value / topStatements) * (lineHeight - 3);
  const second = points[1];
  const barWidth =
    points[0] === undefined || second === undefined ? 1 : Math.max(0.8, x(second.atMs) - x(points[0].atMs));
  return (
    <div aria-hidden className="relative min-w-0">
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        style={{ height }}
        className="block w-full overflow-hidden"
      >
        {[1, lineHeight, height - 0.5].map((at) => (
          <line key={at} x1="0" x2={width} y1={at} y2={at} vectorEffect="non-scaling-stroke" className="stroke-line" />
        ))}
        <path
          d={linePath(points.map(({ atMs, statements }) => (statements === null ? null : [x(atMs), y(statements)])))}
          fill="none"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
          className="stroke-accent"
        />
        <path
          d={points
            .filter(({ errors }) => errors !== null && errors > 0)
            .map(({ atMs, errors }) => {
              const tall = Math.max(2, ((errors ?? 0) / topErrors) * (barHeight - 2));
              return `M${(x(atMs) - barWidth / 2).toFixed(1)},${height}v${(-tall).toFixed(1)}h${barWidth.toFixed(1)}v${tall.toFixed(1)}z`;
            })
            .join('')}
          className="fill-bad"
        />
      </svg>
      {chosenAtMs === null ? null : (
        <span className="absolute inset-y-0 w-px bg-fg" style={{ left: `${(x(chosenAtMs) / width) * 100}%` }} />
      )}
    </div>
  );
});

/** A line that has gaps where nothing is known. */
function linePath(points: readonly (readonly [number, number] | null)[]): string {
  let pen = 'M';
  return points
    .map((point) => {
      if (point === null) {
        pen = 'M';
        return '';
      }
      const step = `${pen}${point[0].toFixed(1)},${point[1].toFixed(1)}`;
      pen = 'L';
      return step;
    })
    .join('');
}
