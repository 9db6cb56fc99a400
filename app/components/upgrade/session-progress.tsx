'use client';

import { Remaining } from '@/components/proxy-clock.tsx';
import { useText } from '@/components/texts.tsx';
import { countText } from '@/lib/numbers.ts';
import { nextDeadline, runningRun, sessionProgress } from '@/lib/upgrade-progress.ts';
import type { UpgradeState } from '../../../proxy/control/contract.ts';

/** How many sessions have gone over, and what happens next by itself. */
export function Progress({ state }: { state: UpgradeState }) {
  const t = useText('upgrade');
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
            aria-label={t(isBack ? 'haveComeBack' : 'haveGoneOver')}
            aria-valuenow={share}
            aria-valuemin={0}
            aria-valuemax={100}
            className="h-2 overflow-hidden rounded-full bg-inset"
          >
            <div className="h-full rounded-full bg-accent-fill transition-[width]" style={{ width: `${share}%` }} />
          </div>
          <p className="tabular text-sm" data-testid="progress">
            {t.rich(isBack ? 'backAndLeft' : 'goneAndLeft', {
              moved: <b className="font-semibold">{countText(progress.moved)}</b>,
              left: t('sessionCount', { count: progress.left }),
            })}
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
  const t = useText('upgrade');
  const next = nextDeadline(state);
  if (next === null) return t('mayStay');
  const time = <Remaining until={next.at} />;
  if (next.what === 'close') return t.rich('closedIn', { time });
  if (next.what === 'commit') return t.rich('committedIn', { time });
  return t.rich('rolledBackIn', { time });
}
