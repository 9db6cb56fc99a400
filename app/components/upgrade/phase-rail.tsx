import { Check, Circle, CircleDot } from 'lucide-react';
import { useText } from '@/components/texts.tsx';
import { cn } from '@/lib/class-names.ts';
import { phasesOf, type RunPhase, type UpgradePhase, type UpgradeRun } from '@/lib/upgrade-progress.ts';

const marks = { done: Check, now: CircleDot, 'to come': Circle } as const;
const colours: Readonly<Record<RunPhase['state'], string>> = {
  done: 'text-ok',
  now: 'font-semibold text-accent',
  'to come': 'text-subtle',
};

/** The phases of a run: behind it, present, ahead. */
export function PhaseRail({ run, phase }: { run: UpgradeRun; phase: UpgradePhase }) {
  const t = useText('upgrade');
  const shell = useText('shell');
  return (
    <ol aria-label={t('phases')} className="flex flex-wrap items-center gap-x-2 gap-y-1.5 text-sm">
      {phasesOf(run, phase).map((one, index) => {
        const Icon = marks[one.state];
        return (
          <li
            key={one.phase}
            data-phase={one.phase}
            data-state={one.state}
            aria-current={one.state === 'now' ? 'step' : undefined}
            className={cn('flex items-center gap-1.5', colours[one.state])}
          >
            {index === 0 ? null : <span aria-hidden className="mr-0.5 h-px w-6 bg-line-strong max-sm:hidden" />}
            <Icon aria-hidden className="size-4" />
            {shell(`phase.${one.phase}`)}
            <span className="sr-only">, {t(`at.${one.state}`)}</span>
          </li>
        );
      })}
    </ol>
  );
}
