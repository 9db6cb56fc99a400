'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { ErrorText } from '@/components/error-text.tsx';
import { ProxyClock } from '@/components/proxy-clock.tsx';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { possibleOrders } from '@/lib/upgrade-progress.ts';
import { upgradeQuery } from '@/lib/upgrade-queries.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { GenerationTable } from './generation-table.tsx';
import { Headline } from './headline.tsx';
import { RestartPanel } from './restart-panel.tsx';
import { StartDialog } from './start-dialog.tsx';
import { StepList } from './step-list.tsx';
import { WaitingSessions } from './waiting-sessions.tsx';
import { WorkersDialog } from './workers-dialog.tsx';
import { WorkersPanel } from './workers-panel.tsx';

const orders = ['upgrade', 'restart', 'workers', 'commit', 'rollback'] as const;
export type OrderName = (typeof orders)[number];

const view = { q: parseAsString.withDefault(''), order: parseAsStringLiteral(orders) };

/** Replacing the running proxy without losing a session: how far it is, whom it waits for, and orders. */
export function UpgradePage() {
  const t = useText('upgrade');
  const [{ q, order }, setView] = useQueryStates(view, { history: 'replace' });
  const mayOrder = useMay('proxy.upgrade');
  const query = useQuery(upgradeQuery);
  const state = query.data;
  if (state === undefined) {
    return query.isError ? <QueryFailure query={query} what={t('theState')} /> : <TableSkeleton rows={8} />;
  }
  const may = possibleOrders(state);
  const open = (next: OrderName): void => void setView({ order: next });
  const close = (): void => void setView({ order: null });
  return (
    <ProxyClock at={state.at} receivedAtMs={query.dataUpdatedAt}>
      <div className="grid items-start gap-4 p-4 lg:gap-5 lg:p-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-4 lg:gap-5">
          {query.isError ? (
            <Notice tone="warn">{t.rich('lastSeen', { error: <ErrorText error={query.error} /> })}</Notice>
          ) : null}
          <Headline state={state} may={may} onOrder={mayOrder ? open : undefined} />
          <GenerationTable state={state} />
          <WaitingSessions state={state} search={q} onSearch={(text) => void setView({ q: text })} />
          <StepList run={state.run} />
        </div>
        <div className="grid min-w-0 gap-4 md:max-xl:grid-cols-2 md:max-xl:items-start lg:gap-5">
          <RestartPanel mayStart={may.start} onOrder={mayOrder ? open : undefined} />
          <WorkersPanel state={state} mayStart={may.start} onOrder={mayOrder ? open : undefined} />
        </div>
      </div>
      {mayOrder ? <OrderDialog order={order} onClose={close} /> : null}
    </ProxyClock>
  );
}

function OrderDialog({ order, onClose }: { order: OrderName | null; onClose: () => void }) {
  switch (order) {
    case 'upgrade':
    case 'restart':
      return <StartDialog kind={order} onClose={onClose} />;
    case 'commit':
    case 'rollback':
      return <DecisionDialog what={order} onClose={onClose} />;
    case 'workers':
      return <WorkersDialog onClose={onClose} />;
    case null:
      return null;
  }
}
