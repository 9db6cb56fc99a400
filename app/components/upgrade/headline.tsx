'use client';

import { CircleAlert, CircleCheck, type LucideIcon, RefreshCw, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Elapsed } from '@/components/proxy-clock.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { type possibleOrders, runningRun, type UpgradeRun } from '@/lib/upgrade-progress.ts';
import type { UpgradeState } from '../../../proxy/control/contract.ts';
import { PhaseRail } from './phase-rail.tsx';
import { RunFacts } from './run-facts.tsx';
import { Progress } from './session-progress.tsx';
import type { OrderName } from './upgrade-page.tsx';
import { nowText, type UpgradeText } from './words.ts';

interface HeadlineProps {
  state: UpgradeState;
  may: ReturnType<typeof possibleOrders>;
  /** Undefined: the reader may order nothing. */
  onOrder: ((order: OrderName) => void) | undefined;
}

interface Look {
  readonly icon: LucideIcon;
  readonly tone: 'ok' | 'info' | 'warn' | 'bad';
}

const discs: Readonly<Record<Look['tone'], string>> = {
  ok: 'bg-ok-soft text-ok',
  info: 'bg-info-soft text-info',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};

/** The one thing to know at a glance: is the proxy being replaced, and how far is it? Announced when it changes. */
export function Headline({ state, may, onOrder }: HeadlineProps) {
  const t = useText('upgrade');
  const shell = useText('shell');
  const { run } = state;
  const running = runningRun(state);
  const { icon: Icon, tone } = lookOf(state);
  return (
    <section
      aria-label={t('now')}
      data-testid="headline"
      data-phase={state.phase}
      data-outcome={run?.outcome ?? ''}
      className="rounded-lg border border-line bg-panel"
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3 px-4 py-4 lg:px-5">
        <span className={cn('grid size-11 shrink-0 place-items-center rounded-full', discs[tone])}>
          <Icon aria-hidden className="size-5.5" />
        </span>
        <div className="min-w-0 flex-1 basis-60">
          <div role="status">
            <h2 className="text-xl font-semibold tracking-tight">
              {titleOf(state, t, run === null ? '' : shell(`run.${run.kind}`, { number: String(run.number) }))}
            </h2>
          </div>
          <p className="mt-0.5 text-sm text-muted">
            <Subtitle state={state} />
          </p>
        </div>
        {onOrder === undefined ? null : (
          <div className="flex flex-wrap gap-2">
            {running === null ? (
              <Button variant="primary" disabled={!may.start} onClick={() => onOrder('upgrade')}>
                {t('orderUpgrade')}
              </Button>
            ) : (
              <>
                <Button disabled={!may.rollback} onClick={() => onOrder('rollback')}>
                  {t('orderRollback')}
                </Button>
                <Button variant="primary" disabled={!may.commit} onClick={() => onOrder('commit')}>
                  {t('orderCommit')}
                </Button>
              </>
            )}
          </div>
        )}
      </div>
      {run === null ? null : (
        <div className="grid gap-4 border-t border-line px-4 py-4 lg:px-5">
          <PhaseRail run={run} phase={state.phase} />
          <Progress state={state} />
          <Failure run={run} />
          <RunFacts state={state} run={run} />
        </div>
      )}
    </section>
  );
}

function lookOf({ run, generations, phase }: UpgradeState): Look {
  if (!generations.some(({ role }) => role === 'active')) return { icon: CircleAlert, tone: 'bad' };
  if (phase === 'rollback') return { icon: Undo2, tone: 'warn' };
  if (run?.outcome === null) return { icon: RefreshCw, tone: 'info' };
  if (run?.outcome === 'given up') return { icon: CircleAlert, tone: 'bad' };
  if (run?.outcome === 'rolled back') return { icon: Undo2, tone: 'warn' };
  return { icon: CircleCheck, tone: 'ok' };
}

/** @param name of the run */
function titleOf(state: UpgradeState, t: UpgradeText, name: string): string {
  const { run, generations } = state;
  const active = generations.find(({ role }) => role === 'active');
  if (run?.outcome === null) return nowText(state, run, t);
  if (active === undefined) return t('noneServes');
  if (run !== null) return t(`runIs.${run.outcome}`, { run: name });
  return t('isServing', { id: String(active.id) });
}

function Subtitle({ state }: { state: UpgradeState }): ReactNode {
  const t = useText('upgrade');
  const shell = useText('shell');
  const { run, generations } = state;
  const active = generations.find(({ role }) => role === 'active');
  if (run?.outcome === null) {
    return t.rich('orderedAgo', {
      run: shell(`run.${run.kind}`, { number: String(run.number) }),
      user: <PlainText text={run.by} className="font-medium text-fg" />,
      time: <Elapsed since={run.startedAt} />,
      reason: <PlainText text={run.reason} />,
    });
  }
  if (active === undefined) return t('startedAgain');
  const facts = t.rich('serverFacts', {
    version: <PlainText text={active.version === '' ? t('notTold') : active.version} />,
    time: <Elapsed since={active.startedAt} />,
    sessions: t('sessionCount', { count: active.clientSessions }),
  });
  const id = String(active.id);
  if (run === null) return t.rich('notReplaced', { facts });
  if (run.endedAt === null) return t.rich('servesNow', { id, facts });
  return t.rich('endedAgo', { time: <Elapsed since={run.endedAt} />, id, facts });
}

/** What went wrong, and how often it may still be tried. */
function Failure({ run: { failures, failure, retriesLeft, outcome, steps } }: { run: UpgradeRun }) {
  const t = useText('upgrade');
  if (outcome === 'given up') {
    return (
      <Notice tone="bad">
        <PlainText text={steps.at(-1)?.text ?? failure} lang="en" />
      </Notice>
    );
  }
  if (failures === 0) return null;
  const left = outcome !== null ? '' : ` ${t('attemptsLeft', { count: retriesLeft })}`;
  return (
    <Notice tone="warn">
      <b>{t('attemptsFailed', { count: failures })}</b>
      {left} <PlainText text={failure} lang="en" />
    </Notice>
  );
}
