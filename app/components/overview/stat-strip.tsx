'use client';

import { useEffect, useState } from 'react';
import { useText } from '@/components/texts.tsx';
import type { Language } from '@/lib/language.ts';
import { bytesText, countText, rateText } from '@/lib/numbers.ts';
import { durationText } from '@/lib/time.ts';
import type { Overview } from '../../../proxy/control/contract.ts';

interface StatStripProps {
  overview: Overview;
  /** Requests per second, or null when not known yet. */
  requestRate: number | null;
}

/** The proxy in six numbers. */
export function StatStrip({ overview, requestRate }: StatStripProps) {
  const t = useText('overview');
  const { workers, rssBytes, startedAt } = overview.proxy;
  const sum = (pick: (worker: (typeof workers)[number]) => number): string =>
    countText(workers.reduce((total, worker) => total + pick(worker), 0));
  const uptime = useUptime(startedAt, t.language);
  const stats = [
    { label: t('stat.clientSessions'), value: sum((worker) => worker.clientSessions) },
    { label: t('stat.serverSessions'), value: sum((worker) => worker.serverSessions) },
    { label: t('stat.requestRate'), value: requestRate === null ? '–' : rateText(requestRate) },
    { label: t('stat.requests'), value: sum((worker) => worker.requests) },
    { label: t('stat.memory'), value: bytesText(rssBytes) },
    { label: t('stat.upFor'), value: uptime },
  ];
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 xl:grid-cols-6">
      {stats.map(({ label, value }) => (
        <div key={label} className="flex flex-col-reverse justify-end bg-panel px-4 py-3">
          <dd className="tabular mt-0.5 text-xl font-semibold tracking-tight">{value}</dd>
          <dt className="text-xs text-muted">{label}</dt>
        </div>
      ))}
    </dl>
  );
}

/** How long the proxy has been up, as text; a dash in the server's HTML, whose clock is not the reader's. */
function useUptime(startedAt: string, language: Language): string {
  const [text, setText] = useState('–');
  useEffect(() => {
    const update = (): void => setText(durationText(Date.now() - Date.parse(startedAt), language));
    update();
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, [startedAt, language]);
  return text;
}
