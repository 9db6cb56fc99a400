'use client';

import { Play, Square } from 'lucide-react';
import { niceMax } from '@/components/charts/line-chart.tsx';
import { Remaining, useProxyNow } from '@/components/proxy-clock.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { countText } from '@/lib/numbers.ts';
import type { SampleLoad } from '../../../proxy/control/contract.ts';
import { LoadKinds } from './load-kinds.tsx';
import { SecondBars } from './second-bars.tsx';
import type { Lab } from './use-lab.ts';

const minutes = 5;

/** The small application of the demo: what becomes of its statements, how long they take, and where they go. */
export function LoadPanel({ load, lab }: { load: SampleLoad | null; lab: Lab | null }) {
  const t = useText('lab');
  const running = load?.running ?? false;
  return (
    <Panel
      title={t('load')}
      aside={
        lab === null ? null : (
          <Button
            size="sm"
            variant={running ? 'secondary' : 'primary'}
            disabled={lab.isBusy}
            onClick={() => lab.load(running ? 0 : minutes)}
          >
            {running ? <Square aria-hidden className="size-3.5" /> : <Play aria-hidden className="size-3.5" />}
            {t(running ? 'loadStop' : 'loadStart')}
          </Button>
        )
      }
    >
      <p className="px-4 pt-3 text-xs text-muted">
        {t('loadAbout')}{' '}
        {load?.running ? t.rich('loadEnds', { time: <Remaining until={load.endsAt} /> }) : t('loadOff')}
      </p>
      {load === null ? <div className="h-3" /> : <LoadNumbers load={load} />}
    </Panel>
  );
}

function LoadNumbers({ load }: { load: SampleLoad }) {
  const t = useText('lab');
  const nowMs = useProxyNow() ?? Date.parse(load.seconds.at(-1)?.at ?? load.startedAt);
  const sums = Object.values(load.total);
  const ok = sums.reduce((sum, kind) => sum + kind.ok, 0);
  const failed = sums.reduce((sum, kind) => sum + kind.failed, 0);
  const slowest = Math.max(0, ...Object.values(load.recent).map(({ slowestMs }) => slowestMs));
  const most = niceMax(load.seconds.map(({ slowestMs }) => slowestMs));
  const stats = [
    { name: 'ok', label: t('succeeded'), value: countText(ok) },
    { name: 'failed', label: t('failedCount'), value: countText(failed) },
    { name: 'waiting', label: t('waiting'), value: countText(load.waiting) },
    { name: 'slowest', label: t('slowest'), value: t('milliseconds', { number: slowest }) },
  ];
  const bars = load.seconds.map((second) => ({ ...second, atMs: Date.parse(second.at) }));
  return (
    <div className="grid gap-3 px-4 py-3" data-testid="load" data-running={load.running}>
      <dl className="grid grid-cols-4 gap-2 max-sm:grid-cols-2">
        {stats.map(({ name, label, value }) => (
          <div key={name} className="flex flex-col-reverse justify-end">
            <dd
              data-load-number={name}
              className={cn(
                'tabular text-lg font-semibold tracking-tight',
                name === 'failed' && failed > 0 && 'text-bad',
              )}
            >
              {value}
            </dd>
            <dt className="text-xs text-muted">{label}</dt>
          </div>
        ))}
      </dl>
      <SecondBars
        seconds={bars.map(({ atMs, ...second }) => ({
          atMs,
          parts: [
            [second.ok, 'fill-ok'],
            [second.failed, 'fill-bad'],
          ],
        }))}
        max={niceMax(bars.map((second) => second.ok + second.failed))}
        nowMs={nowMs}
        label={t('perSecond', {
          ok: bars.reduce((sum, second) => sum + second.ok, 0),
          failed: bars.reduce((sum, second) => sum + second.failed, 0),
        })}
      />
      <SecondBars
        seconds={bars.map(({ atMs, slowestMs }) => ({ atMs, parts: [[slowestMs, 'fill-accent']] }))}
        max={most}
        nowMs={nowMs}
        label={t('slowestOf', { most })}
      />
      <LoadKinds load={load} />
      <section aria-label={t('lastFailures')} className="grid gap-1">
        <h3 className="text-xs font-medium text-muted">{t('lastFailures')}</h3>
        {load.failures.length === 0 ? (
          <p className="text-xs text-muted">{t('noFailure')}</p>
        ) : (
          <ul className="grid gap-1 text-xs">
            {load.failures.map(({ at, kind, text }, index) => (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: several may fail in one moment, and rows hold no state.
                key={index}
                className="[overflow-wrap:anywhere]"
              >
                <span className="text-subtle">
                  <Time iso={at} />
                </span>{' '}
                {t(`kind.${kind}`)}:{' '}
                <span lang="en">
                  <PlainText text={text} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
