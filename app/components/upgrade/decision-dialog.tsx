'use client';

import { useQuery } from '@tanstack/react-query';
import { useText } from '@/components/texts.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { leavingGeneration, possibleOrders, runningRun } from '@/lib/upgrade-progress.ts';
import { decideUpgrade, upgradeQuery } from '@/lib/upgrade-queries.ts';
import { OrderForm } from './order-form.tsx';

/** Keeps the new generation, or the old one, with a reason. The run may go on while somebody writes. */
export function DecisionDialog({ what, onClose }: { what: 'commit' | 'rollback'; onClose: () => void }) {
  const t = useText('upgrade');
  const { data: state } = useQuery(upgradeQuery);
  const run = state === undefined ? null : runningRun(state);
  const isPossible = state !== undefined && possibleOrders(state)[what];
  const stay = state === undefined ? 0 : (leavingGeneration(state)?.clientSessions ?? 0);
  const wasSwitched = state?.phase === 'move' || state?.phase === 'watch';
  return (
    <OrderForm
      title={t(`${what}.${run?.kind ?? 'upgrade'}`)}
      description={t(`${what}.about`)}
      word={t(`${what}.word`)}
      pendingWord={t(`${what}.pending`)}
      success={t(`${what}.done`)}
      blocked={isPossible ? null : t(run === null ? 'isOver' : 'isDecided')}
      send={(reason) => decideUpgrade(what, { reason })}
      onClose={onClose}
    >
      {isPossible ? <Consequence what={what} stay={stay} wasSwitched={wasSwitched} /> : null}
    </OrderForm>
  );
}

interface ConsequenceProps {
  what: 'commit' | 'rollback';
  /** Sessions that have not gone over. */
  stay: number;
  /** The new generation takes clients. */
  wasSwitched: boolean;
}

/** What becomes of the sessions. */
function Consequence({ what, stay, wasSwitched }: ConsequenceProps) {
  const t = useText('upgrade');
  const limit = <code className="font-mono text-xs">hot_upgrade_exit_timeout</code>;
  if (what === 'rollback') {
    return wasSwitched ? (
      <Notice tone="warn">{t.rich('closedUnlessBack', { limit })}</Notice>
    ) : (
      <Notice tone="info">{t('nobodyNotices')}</Notice>
    );
  }
  return stay === 0 ? (
    <Notice tone="info">{t('allGone')}</Notice>
  ) : (
    <Notice tone="warn">{t.rich('closedUnlessGone', { count: stay, limit })}</Notice>
  );
}
