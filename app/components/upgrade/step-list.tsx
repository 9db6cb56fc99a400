import { History } from 'lucide-react';
import Link from 'next/link';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { UpgradeRun } from '@/lib/upgrade-progress.ts';
import { phaseWords, runName } from './words.ts';

/** What has happened in the present or last run, newest first. All runs are in the history. */
export function StepList({ run }: { run: UpgradeRun | null }) {
  return (
    <Panel
      title="Steps"
      aside={
        <span className="flex items-center gap-3 text-xs text-muted">
          {run === null ? null : runName(run)}
          <Link href="/history?q=action:upgrade.step" className="text-accent hover:underline">
            All in the history
          </Link>
        </span>
      }
    >
      {run === null ? (
        <EmptyState icon={History} title="There was no upgrade since the proxy was started">
          Each step of one is kept here and in the history, with who ordered it and why.
        </EmptyState>
      ) : (
        <ol aria-label="Steps, newest first" className="divide-y divide-line">
          {run.steps.toReversed().map(({ number, at, phase, text, by }) => (
            <li
              key={number}
              data-step={number}
              className="grid gap-x-4 gap-y-0.5 px-4 py-2 text-sm md:grid-cols-[auto_1fr]"
            >
              <p className="text-xs text-muted md:w-52 md:pt-0.5">
                <Time iso={at} />
              </p>
              <p className="min-w-0 [overflow-wrap:anywhere]">
                <Badge className="mr-2">{phaseWords[phase]}</Badge>
                <PlainText text={text} />
                {by === 'odp' ? null : (
                  <span className="text-muted">
                    {' '}
                    by <PlainText text={by} />
                  </span>
                )}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
