import { History } from 'lucide-react';
import Link from 'next/link';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { UpgradeRun } from '@/lib/upgrade-progress.ts';

/** What has happened in the present or last run, newest first. All runs are in the history. */
export function StepList({ run }: { run: UpgradeRun | null }) {
  const t = useText('upgrade');
  const shell = useText('shell');
  return (
    <Panel
      title={t('steps')}
      aside={
        <span className="flex items-center gap-3 text-xs text-muted">
          {run === null ? null : shell(`run.${run.kind}`, { number: String(run.number) })}
          <Link href="/history?q=action:upgrade.step" className="text-accent hover:underline">
            {t('allInHistory')}
          </Link>
        </span>
      }
    >
      {run === null ? (
        <EmptyState icon={History} title={t('noRunYet')}>
          {t('noRunAbout')}
        </EmptyState>
      ) : (
        <ol aria-label={t('newestFirst')} className="divide-y divide-line">
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
                <Badge className="mr-2">{shell(`phase.${phase}`)}</Badge>
                <PlainText text={text} lang="en" />
                {by === 'odp' ? null : (
                  <span className="text-muted"> {t.rich('stepBy', { user: <PlainText text={by} /> })}</span>
                )}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
