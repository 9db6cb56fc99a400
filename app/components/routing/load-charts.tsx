'use client';

import { LineChart, niceMax } from '@/components/charts/line-chart.tsx';
import { useLoadHistory } from '@/components/charts/load-history.tsx';
import { useText } from '@/components/texts.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { growthOf, type LoadSample, ratesOf, serverKey } from '@/lib/load-history.ts';
import { rateText } from '@/lib/numbers.ts';
import type { Cluster, Overview } from '../../../proxy/control/contract.ts';

/** Where the requests really go: share and rate of every zone and server over the last minutes. */
export function LoadCharts({ overview }: { overview: Overview | undefined }) {
  const history = useLoadHistory();
  return (
    <>
      {overview?.clusters.map((cluster) => (
        <ClusterLoad key={cluster.name} cluster={cluster} history={history} many={overview.clusters.length > 1} />
      ))}
    </>
  );
}

interface Line {
  readonly name: string;
  readonly isZone: boolean;
  readonly keys: readonly string[];
}

/** @param unknownZone the name of the zone that is not known */
function linesOf({ name, zones, servers }: Cluster, unknownZone: string): Line[] {
  const names = new Set([...zones.map((zone) => zone.name), ...servers.map(({ zone }) => zone)]);
  return [...names].flatMap((zone): Line[] => {
    const members = servers.filter((server) => server.zone === zone);
    if (members.length === 0) return [];
    const keys = members.map(({ address }) => serverKey(name, address));
    return [
      { name: zone === '' ? unknownZone : zone, isZone: true, keys },
      ...members.map(
        ({ address }, index): Line => ({ name: address, isZone: false, keys: keys.slice(index, index + 1) }),
      ),
    ];
  });
}

function ClusterLoad({ cluster, history, many }: { cluster: Cluster; history: readonly LoadSample[]; many: boolean }) {
  const t = useText('routing');
  const lines = linesOf(cluster, t('zoneNotKnown')).map((line) => ({ ...line, rates: ratesOf(history, line.keys) }));
  const all = cluster.servers.map(({ address }) => serverKey(cluster.name, address));
  const total = growthOf(history, all) ?? 0;
  const max = niceMax(lines.flatMap(({ rates }) => rates.map(({ rate }) => rate ?? 0)));
  const nowMs = history.at(-1)?.atMs ?? 0;
  return (
    <Panel
      title={many ? t('requestsNowOf', { cluster: cluster.name }) : t('requestsNow')}
      aside={<p className="text-xs text-muted">{t('lastMinutes')}</p>}
    >
      <table className="w-full table-fixed text-sm">
        <caption className="sr-only">{t('loadCaption', { cluster: cluster.name })}</caption>
        <thead className="text-xs text-muted">
          <tr>
            <th scope="col" className="py-2 pl-4 text-left font-medium">
              {t('zoneAndServer')}
            </th>
            <th scope="col" className="w-28 py-2 text-right font-medium sm:w-36">
              {t('share')}
            </th>
            <th scope="col" className="w-20 py-2 pr-4 text-right font-medium">
              {t('perSecond')}
            </th>
            <th scope="col" className="w-[38%] py-2 pr-4 text-left font-medium max-md:hidden">
              {t('chartHead', { rate: rateText(max) })}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, isZone, keys, rates }) => {
            const share = total === 0 ? null : (growthOf(history, keys) ?? 0) / total;
            const rate = rates.at(-1)?.rate ?? null;
            const percent = share === null ? '–' : `${Math.round(share * 100)} %`;
            return (
              <tr
                key={`${isZone} ${name}`}
                data-load={name}
                className={cn('border-t border-line', isZone && 'bg-inset')}
              >
                <th
                  scope="row"
                  className={cn(
                    'py-1.5 text-left [overflow-wrap:anywhere]',
                    isZone ? 'pl-4 font-medium' : 'pl-8 font-mono font-normal max-sm:pl-4 max-sm:text-xs',
                  )}
                >
                  <PlainText text={name} />
                </th>
                <td className="tabular py-1.5 text-right">
                  <span className="flex items-center justify-end gap-2">
                    <span aria-hidden className="h-2 w-12 overflow-hidden rounded-full bg-line sm:w-20">
                      <span className="block h-full bg-accent-fill" style={{ width: `${(share ?? 0) * 100}%` }} />
                    </span>
                    <span className="w-10">{percent}</span>
                  </span>
                </td>
                <td className="tabular py-1.5 pr-4 text-right">{rate === null ? '–' : rateText(rate)}</td>
                <td className="py-1.5 pr-4 max-md:hidden">
                  <LineChart
                    points={rates.map((point) => ({ atMs: point.atMs, value: point.rate }))}
                    max={max}
                    nowMs={nowMs}
                    label={t('chartLabel', { name, percent, rate: rate === null ? t('notKnown') : rateText(rate) })}
                    className={isZone ? '' : 'h-7'}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}
