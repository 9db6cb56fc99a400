'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { blocklistMarksQuery, historyMarksQuery, mostMarks, trafficQuery } from '@/lib/overview-queries.ts';
import { eventSpan, ranges } from '@/lib/overview-view.ts';
import { type Mark, marksOf } from '@/lib/timeline-marks.ts';
import { zoneRates } from '@/lib/zone-rates.ts';
import { AxisLabels } from './axis-labels.tsx';
import { EventLanes } from './event-lanes.tsx';
import { EventList } from './event-list.tsx';
import { MarkDetail } from './mark-detail.tsx';
import { useHeld } from './use-held.ts';
import { useOverviewView } from './use-overview-view.ts';
import { ZoneCharts } from './zone-charts.tsx';

const noMarks: readonly Mark[] = [];

/** What each zone was given to do, and what happened meanwhile, along one axis of time. */
export default function TrafficPanel() {
  const t = useText('overview');
  const { view, range, at, setView } = useOverviewView();
  const [pointed, setPointed] = useState<readonly Mark[]>(noMarks);
  const traffic = useQuery(trafficQuery(range, at));
  const nowMs = Date.parse(at ?? traffic.data?.at ?? '');
  const span = eventSpan(range, at, Number.isNaN(nowMs) ? Date.now() : nowMs);
  const listings = useQuery({ ...blocklistMarksQuery(span), enabled: useMay('blocklist.read') }).data;
  const rows = useQuery({ ...historyMarksQuery(span), enabled: useMay('history.read') }).data;
  const rates = useMemo(() => (traffic.data === undefined ? [] : zoneRates(traffic.data)), [traffic.data]);
  const marks = useMemo(() => marksOf(listings?.events ?? [], rows?.rows ?? [], t), [listings, rows, t]);

  const inZone = view.zone === '' ? marks : marks.filter(({ zone }) => zone === '' || zone === view.zone);
  // A live axis ends with the newest thing there is to see.
  const toMs = at === null ? Math.max(nowMs, inZone[0]?.atMs ?? 0) : nowMs;
  const fromMs = toMs - ranges[range] * 60_000;
  const shown = inZone.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const held = useHeld({ marks: shown, rates, fromMs, toMs });
  const { value } = held;
  const known = new Set(value.marks.map(({ id }) => id));
  const waiting = held.isHeld ? shown.filter(({ id }) => !known.has(id)).length : 0;
  const chosen = value.marks.find(({ id }) => id === view.event);
  const isCut = (listings?.total ?? 0) > mostMarks || (rows?.total ?? 0) > mostMarks;
  if (traffic.data === undefined) {
    return traffic.isError ? <QueryFailure query={traffic} what={t('traffic')} /> : null;
  }
  const choose = (id: string): void => setView({ event: id === view.event ? '' : id });
  return (
    <Panel
      title={t('traffic')}
      aside={held.isHeld ? <Badge tone="warn">{t('held')}</Badge> : <Legend />}
      className="min-w-0 border-0"
    >
      <div {...held.handlers}>
        <div className="grid gap-3 px-4 pt-3">
          <ZoneCharts
            rates={value.rates}
            fromMs={value.fromMs}
            toMs={value.toMs}
            chosenAtMs={chosen?.atMs ?? null}
            only={view.zone}
            onOnly={(zone) => setView({ zone })}
          />
          {Date.parse(traffic.data.since) > value.fromMs ? (
            <p className="text-xs text-subtle">{t.rich('countedSince', { time: <Time iso={traffic.data.since} /> })}</p>
          ) : null}
          <EventLanes
            marks={value.marks}
            fromMs={value.fromMs}
            toMs={value.toMs}
            chosen={chosen ?? null}
            onPoint={setPointed}
            onChoose={choose}
          />
          <AxisLabels fromMs={value.fromMs} toMs={value.toMs} />
        </div>
        <MarkDetail
          marks={pointed.length > 0 ? pointed : chosen === undefined ? noMarks : [chosen]}
          isMissing={view.event !== '' && chosen === undefined && listings !== undefined}
        />
        <EventList marks={value.marks} chosen={view.event} onChoose={choose} waiting={waiting} isCut={isCut} />
      </div>
    </Panel>
  );
}

function Legend() {
  const t = useText('overview');
  return (
    <span className="flex flex-wrap justify-end gap-x-3 text-xs text-muted">
      <span className="inline-flex items-center gap-1.5">
        <i aria-hidden className="h-0.5 w-4 rounded-full bg-accent" /> {t('statementsPerSecond')}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <i aria-hidden className="h-2.5 w-1 bg-bad" />
        <i aria-hidden className="-ml-1 h-1.5 w-1 bg-bad" /> {t('errorsPerSecond')}
      </span>
    </span>
  );
}
