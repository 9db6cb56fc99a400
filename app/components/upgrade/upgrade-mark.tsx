'use client';

import { useQuery } from '@tanstack/react-query';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { runningRun } from '@/lib/upgrade-progress.ts';
import { upgradeQuery } from '@/lib/upgrade-queries.ts';

/** That the proxy is being replaced, beside the page's name in the navigation; nothing while it is not. */
export function UpgradeMark() {
  const t = useText('shell');
  const { data } = useQuery({ ...upgradeQuery, enabled: useMay('topology.read') });
  const run = data === undefined ? null : runningRun(data);
  if (data === undefined || run === null) return null;
  return (
    <span
      title={`${t(`run.${run.kind}`, { number: String(run.number) })}: ${t(`phase.${data.phase}`).toLowerCase()}`}
      className="grid size-4 place-items-center rounded-full bg-info-soft text-info"
    >
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      <span className="sr-only"> {t('underWay')}</span>
    </span>
  );
}
