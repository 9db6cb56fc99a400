'use client';

import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/components/ui/notice.tsx';
import { leavingGeneration, possibleOrders, runningRun } from '@/lib/upgrade-progress.ts';
import { decideUpgrade, upgradeQuery } from '@/lib/upgrade-queries.ts';
import { OrderForm } from './order-form.tsx';
import { kindWords, sessionsText } from './words.ts';

const words = {
  commit: { word: 'Commit', pendingWord: 'Committing …', success: 'It is committed; the old generation leaves' },
  rollback: { word: 'Roll back', pendingWord: 'Rolling back …', success: 'It is rolled back; sessions come back' },
} as const;

/** Keeps the new generation, or the old one, with a reason. The run may go on while somebody writes. */
export function DecisionDialog({ what, onClose }: { what: 'commit' | 'rollback'; onClose: () => void }) {
  const { data: state } = useQuery(upgradeQuery);
  const run = state === undefined ? null : runningRun(state);
  const isPossible = state !== undefined && possibleOrders(state)[what];
  const kind = kindWords[run?.kind ?? 'upgrade'].toLowerCase();
  const stay = state === undefined ? 0 : (leavingGeneration(state)?.clientSessions ?? 0);
  const wasSwitched = state?.phase === 'move' || state?.phase === 'watch';
  return (
    <OrderForm
      title={what === 'commit' ? `Commit the ${kind}` : `Roll the ${kind} back`}
      description={
        what === 'commit'
          ? 'The new generation stays, and the old one ends when its last session has gone over.'
          : 'The old generation takes new clients again, and the new one ends when its last session is back.'
      }
      {...words[what]}
      blocked={
        isPossible
          ? null
          : run === null
            ? 'The run is over: there is nothing to decide any more.'
            : 'It is decided already.'
      }
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
  const limit = <code className="font-mono text-xs">hot_upgrade_exit_timeout</code>;
  if (what === 'rollback') {
    return wasSwitched ? (
      <Notice tone="warn">A session that cannot come back in {limit} is closed.</Notice>
    ) : (
      <Notice tone="info">No client has been served by the new generation yet: nobody notices.</Notice>
    );
  }
  return stay === 0 ? (
    <Notice tone="info">Every session has gone over.</Notice>
  ) : (
    <Notice tone="warn">
      {sessionsText(stay)} {stay === 1 ? 'has' : 'have'} not gone over yet. What cannot in {limit} is closed.
    </Notice>
  );
}
