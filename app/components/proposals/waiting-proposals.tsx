'use client';

import { UsersRound } from 'lucide-react';
import Link from 'next/link';
import { ProxyClock, Remaining } from '@/components/proxy-clock.tsx';
import { useText } from '@/components/texts.tsx';
import { buttonClass } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { valueText } from '@/lib/parameter-value.ts';
import type { Proposal } from '../../../proxy/control/contract.ts';

interface WaitingProposalsProps {
  proposals: readonly Proposal[];
  /** The proxy's time when it answered, and when that was by this browser's clock (milliseconds since 1970). */
  at: string;
  receivedAtMs: number;
}

/** What waits for a second person: what it would change, who asked and why, how long it waits, and the way to it. */
export function WaitingProposals({ proposals, at, receivedAtMs }: WaitingProposalsProps) {
  const t = useText('proposals');
  return (
    <ProxyClock at={at} receivedAtMs={receivedAtMs}>
      <section aria-labelledby="waiting-proposals" className="border-b border-line bg-info-soft px-4 py-2.5 lg:px-6">
        <h2 id="waiting-proposals" className="flex items-center gap-2 text-sm font-semibold text-info">
          <UsersRound aria-hidden className="size-4" />
          {t('waitFor')}
        </h2>
        <ul className="mt-1 grid gap-1.5">
          {proposals.map((proposal) => (
            <li key={proposal.id} data-proposal={proposal.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Wanted proposal={proposal} />
              <Link
                href={`/configuration/proposals/${proposal.id}`}
                aria-label={`${t('look')}: ${t('title', { id: String(proposal.id) })}`}
                className={cn(buttonClass('secondary', 'sm'), 'ml-auto')}
              >
                {t('look')}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </ProxyClock>
  );
}

function Wanted({ proposal }: { proposal: Proposal }) {
  const t = useText('proposals');
  const shell = useText('shell');
  const { changes, proposer, expiresAt, reason } = proposal;
  const [first, ...others] = changes;
  return (
    <p className="min-w-0 text-sm [overflow-wrap:anywhere]">
      <code className="font-mono font-medium">{first?.name}</code> →{' '}
      <PlainText text={valueText(shell, first?.newValue ?? '')} className="font-mono" />{' '}
      {others.length === 0 ? null : `${t('andMore', { count: others.length })} `}
      <span className="text-xs text-muted">
        {t.rich('byFor', {
          name: <PlainText text={proposer} />,
          left: <Remaining until={expiresAt} />,
          reason: <PlainText text={reason} />,
        })}
      </span>
    </p>
  );
}
