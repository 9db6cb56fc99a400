'use client';

import { useQuery } from '@tanstack/react-query';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { proposalsQuery } from '@/lib/proposal-queries.ts';

/** How many proposals wait for a second person, beside the page's name in the navigation; nothing while none does. */
export function WaitingCount() {
  const t = useText('shell');
  const { data } = useQuery({ ...proposalsQuery, enabled: useMay('parameters.read') });
  const count = data?.proposals.filter(({ state }) => state === 'waiting').length ?? 0;
  if (count === 0) return null;
  return (
    <span
      title={t('waitingProposals', { count })}
      className="tabular rounded-full bg-info-soft px-1.5 text-xs leading-4 font-medium text-info"
    >
      <span aria-hidden>{count}</span>
      <span className="sr-only">{t('waitingProposals', { count })}</span>
    </span>
  );
}
