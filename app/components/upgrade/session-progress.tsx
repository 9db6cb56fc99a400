'use client';

import { Remaining } from '@/components/proxy-clock.tsx';
import { countText } from '@/lib/numbers.ts';
import { nextDeadline, runningRun, sessionProgress } from '@/lib/upgrade-progress.ts';
import type { UpgradeState } from '../../../proxy/control/contract.ts';
import { sessionsText } from './words.ts';

/** How many sessions have gone over, and what happens next by itself. */
export function Progress({ state }: { state: UpgradeState }) {
  const progress = sessionProgress(state);
  const isBack = state.phase === 'rollback';
  if (runningRun(state) === null) return null;
  const total = progress === null ? 0 : progress.moved + progress.left;
  const share = total === 0 ? 100 : Math.floor(((progress?.moved ?? 0) * 100) / total);
  return (
    <div className="grid gap-1.5">
      {progress === null ? null : (
        <>
          <div
            role="progressbar"
            aria-label={isBack ? 'Sessions that have come back' : 'Sessions that have gone over'}
            aria-valuenow={share}
            aria-valuemin={0}
            aria-valuemax={100}
            className="h-2 overflow-hidden rounded-full bg-inset"
          >
            <div className="h-full rounded-full bg-accent-fill transition-[width]" style={{ width: `${share}%` }} />
          </div>
          <p className="tabular text-sm" data-testid="progress">
            <b className="font-semibold">{countText(progress.moved)}</b> {isBack ? 'come back' : 'gone over'},{' '}
            {sessionsText(progress.left)} still {isBack ? 'to come back' : 'to go'}
          </p>
        </>
      )}
      <p className="text-sm text-muted" data-testid="next">
        <Next state={state} />
      </p>
    </div>
  );
}

function Next({ state }: { state: UpgradeState }) {
  const next = nextDeadline(state);
  if (next === null) return 'Sessions that are left may stay until they can go over.';
  const remaining = <Remaining until={next.at} />;
  if (next.what === 'close') return <>Sessions that are left are closed in {remaining}.</>;
  if (next.what === 'commit') return <>Committed by itself in {remaining}, unless something is wrong.</>;
  return <>Without a commit it is rolled back in {remaining}.</>;
}
