'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProxyClock } from '@/components/proxy-clock.tsx';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { demoQuery } from '@/lib/demo-queries.ts';
import { EventList } from './event-list.tsx';
import { FaultList } from './fault-list.tsx';
import { LoadPanel } from './load-panel.tsx';
import { Scenarios } from './scenarios.tsx';
import { ServerFaults } from './server-faults.tsx';
import { useLab } from './use-lab.ts';

/** The demo lab: what is wrong with the demo cluster, by whose hand, and what the proxy does about it. */
export function LabPage() {
  const t = useText('lab');
  const query = useQuery(demoQuery);
  const mayInject = useMay('demo.faults');
  const [reason, setReason] = useState('');
  const lab = useLab(reason);
  const state = query.data;
  if (state === undefined) {
    return query.isError ? <QueryFailure query={query} what={t('state')} /> : <TableSkeleton rows={8} />;
  }
  // Those who may only look get no controls at all.
  const acting = mayInject ? lab : null;
  return (
    <ProxyClock at={state.at} receivedAtMs={query.dataUpdatedAt}>
      <div className="grid items-start gap-4 p-4 lg:gap-5 lg:p-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid min-w-0 gap-4 lg:gap-5">
          {query.isError ? <Notice tone="warn">{t('notReadNow')}</Notice> : null}
          <Notice tone="info">
            {t('about')} {mayInject ? null : t('mayLook')}
          </Notice>
          <FaultList state={state} lab={acting} reason={reason} onReason={setReason} />
          <Scenarios state={state} lab={acting} />
          <ServerFaults state={state} lab={acting} />
        </div>
        <div className="grid min-w-0 gap-4 lg:gap-5 xl:sticky xl:top-[calc(var(--head)+1.5rem)]">
          <LoadPanel load={state.load} lab={acting} />
          <EventList />
        </div>
      </div>
    </ProxyClock>
  );
}
