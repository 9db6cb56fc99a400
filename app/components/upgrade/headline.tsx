'use client';

import { CircleAlert, CircleCheck, type LucideIcon, RefreshCw, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Elapsed } from '@/components/proxy-clock.tsx';
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
import { nowText, runName, sessionsText } from './words.ts';

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
  const { run } = state;
  const running = runningRun(state);
  const { icon: Icon, tone } = lookOf(state);
  return (
    <section
      aria-label="Now"
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
            <h2 className="text-xl font-semibold tracking-tight">{titleOf(state)}</h2>
          </div>
          <p className="mt-0.5 text-sm text-muted">
            <Subtitle state={state} />
          </p>
        </div>
        {onOrder === undefined ? null : (
          <div className="flex flex-wrap gap-2">
            {running === null ? (
              <Button variant="primary" disabled={!may.start} onClick={() => onOrder('upgrade')}>
                Upgrade …
              </Button>
            ) : (
              <>
                <Button disabled={!may.rollback} onClick={() => onOrder('rollback')}>
                  Roll back …
                </Button>
                <Button variant="primary" disabled={!may.commit} onClick={() => onOrder('commit')}>
                  Commit …
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

function titleOf(state: UpgradeState): string {
  const { run, generations } = state;
  const active = generations.find(({ role }) => role === 'active');
  if (run?.outcome === null) return nowText(state, run);
  if (active === undefined) return 'No generation serves just now';
  if (run !== null) return `${runName(run)} is ${run.outcome}`;
  return `Generation ${active.id} serves`;
}

function Subtitle({ state }: { state: UpgradeState }): ReactNode {
  const { run, generations } = state;
  const active = generations.find(({ role }) => role === 'active');
  if (run?.outcome === null) {
    return (
      <>
        {runName(run)}, ordered by <PlainText text={run.by} className="font-medium text-fg" />{' '}
        <Elapsed since={run.startedAt} /> ago: <PlainText text={run.reason} />
      </>
    );
  }
  if (active === undefined) return 'It is started again. Clients that connect meanwhile wait for it.';
  const serves = (
    <>
      Version <PlainText text={active.version === '' ? 'not told yet' : active.version} />, up for{' '}
      <Elapsed since={active.startedAt} />, {sessionsText(active.clientSessions)}.
    </>
  );
  return run === null ? (
    <>{serves} It has not been replaced since the proxy was started.</>
  ) : (
    <>
      {run.endedAt === null ? null : (
        <>
          <Elapsed since={run.endedAt} /> ago.{' '}
        </>
      )}
      Generation {active.id} serves. {serves}
    </>
  );
}

/** What went wrong, and how often it may still be tried. */
function Failure({ run: { failures, failure, retriesLeft, outcome, steps } }: { run: UpgradeRun }) {
  if (outcome === 'given up') {
    return (
      <Notice tone="bad">
        <PlainText text={steps.at(-1)?.text ?? failure} />
      </Notice>
    );
  }
  if (failures === 0) return null;
  const left =
    outcome !== null ? '' : retriesLeft === 1 ? ' One attempt is left.' : ` ${retriesLeft} attempts are left.`;
  return (
    <Notice tone="warn">
      <b>{failures === 1 ? 'One attempt has failed.' : `${failures} attempts have failed.`}</b>
      {left} <PlainText text={failure} />
    </Notice>
  );
}
