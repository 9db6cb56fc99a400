'use client';

import { useQuery } from '@tanstack/react-query';
import { Timer } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { ProxyClock, useProxyNow } from '@/components/proxy-clock.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { valueText } from '@/lib/parameter-value.ts';
import { parametersQuery, scheduledRevertsQuery } from '@/lib/queries.ts';
import { durationText } from '@/lib/time.ts';
import type { ScheduledRevert } from '../../../proxy/control/contract.ts';

const KeepDialog = dynamic(() => import('./keep-dialog.tsx').then((module) => module.KeepDialog));

/** What goes back by itself: to what, in how long, who asked, and the way to let it stay. Nothing while there is nothing. */
export function ScheduledReverts() {
  const t = useText('parameters');
  const query = useQuery(scheduledRevertsQuery);
  const [keeping, setKeeping] = useState<ScheduledRevert | null>(null);
  const mayWrite = useMay('parameters.write');
  const parameters = useQuery(parametersQuery).data?.parameters ?? [];
  // Two have agreed that it goes back: nobody lets it stay alone.
  const isForTwo = ({ parameter, overtaken }: ScheduledRevert): boolean =>
    !overtaken && parameters.some(({ name, fourEyes }) => fourEyes && name === parameter);
  if (query.data === undefined || query.data.reverts.length === 0) return null;
  return (
    <ProxyClock at={query.data.at} receivedAtMs={query.dataUpdatedAt}>
      <section aria-labelledby="scheduled-reverts" className="border-b border-line bg-warn-soft px-4 py-2.5 lg:px-6">
        <h2 id="scheduled-reverts" className="flex items-center gap-2 text-sm font-semibold text-warn">
          <Timer aria-hidden className="size-4" />
          {t('goesBack')}
        </h2>
        <ul className="mt-1 grid gap-1.5">
          {query.data.reverts.map((revert) => (
            <li key={revert.id} data-revert={revert.parameter} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Planned revert={revert} />
              {mayWrite && !isForTwo(revert) ? (
                <Button size="sm" className="ml-auto" onClick={() => setKeeping(revert)}>
                  {t(revert.overtaken ? 'dismissMore' : 'letStayMore')}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      </section>
      {keeping === null ? null : <KeepDialog revert={keeping} onClose={() => setKeeping(null)} />}
    </ProxyClock>
  );
}

function Planned({ revert }: { revert: ScheduledRevert }) {
  const t = useText('parameters');
  const shell = useText('shell');
  const { parameter, value, dueAt, setBy, reason, overtaken } = revert;
  return (
    <p className="min-w-0 text-sm [overflow-wrap:anywhere]">
      <code className="font-mono font-medium">{parameter}</code> →{' '}
      <PlainText text={valueText(shell, value)} className="font-mono" />{' '}
      {overtaken ? <Badge tone="warn">{t('overtaken')}</Badge> : <TimeLeft until={dueAt} />}{' '}
      <span className="text-xs text-muted">
        {t.rich('dueAt', {
          when: <Time iso={dueAt} />,
          who: <PlainText text={setBy} />,
          reason: <PlainText text={reason} />,
        })}
      </span>
    </p>
  );
}

function TimeLeft({ until }: { until: string }) {
  const t = useText('parameters');
  const now = useProxyNow();
  return (
    <b data-testid="time-left" className="tabular font-semibold whitespace-nowrap">
      {now === null ? '–' : t('dueIn', { time: durationText(Date.parse(until) - now, t.language) })}
    </b>
  );
}
