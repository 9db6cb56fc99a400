'use client';

import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, SearchX } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { EffectPreview } from '@/components/parameters/effect-preview.tsx';
import { pendingChange } from '@/components/parameters/pending-change.ts';
import { ProxyClock, Remaining } from '@/components/proxy-clock.tsx';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useLanguage, useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge, type Tone } from '@/components/ui/badge.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { ApiError } from '@/lib/api.ts';
import type { ParametersText } from '@/lib/parameter-check.ts';
import { proposalQuery } from '@/lib/proposal-queries.ts';
import { parametersQuery } from '@/lib/queries.ts';
import { durationText } from '@/lib/time.ts';
import type { Parameter, Proposal } from '../../../proxy/control/contract.ts';
import { DecideDialog, type Step } from './decide-dialog.tsx';
import { ProposalActions } from './proposal-actions.tsx';
import { ProposedChanges } from './proposed-changes.tsx';

const none: readonly Parameter[] = [];

const tones: Record<Proposal['state'], Tone> = {
  waiting: 'info',
  approved: 'ok',
  refused: 'bad',
  withdrawn: 'neutral',
  expired: 'neutral',
};

/** One proposal, live: what it changes, who asked and why, what it would do, and what may be done about it. */
export function ProposalPage({ id }: { id: string }) {
  const t = useText('proposals');
  const parametersText = useText('parameters');
  const query = useQuery(proposalQuery(id));
  const parameters = useQuery(parametersQuery).data?.parameters ?? none;
  const [step, setStep] = useState<Step | null>(null);
  const proposal = query.data?.proposal;
  const isNone = query.error instanceof ApiError && (query.error.status === 404 || query.error.status === 400);
  return (
    <div className="grid gap-4 p-4 lg:gap-5 lg:p-6">
      <p>
        <Link href="/configuration" className="inline-flex items-center gap-1.5 text-sm text-muted hover:text-fg">
          <ArrowLeft aria-hidden className="size-4" />
          {t('configuration')}
        </Link>
      </p>
      {query.data === undefined || proposal === undefined ? (
        isNone ? (
          <EmptyState icon={SearchX} title={t('none', { id })}>
            {t('noneAbout')}
          </EmptyState>
        ) : query.isError ? (
          <QueryFailure query={query} what={t('what')} />
        ) : (
          <TableSkeleton rows={6} />
        )
      ) : (
        <ProxyClock at={query.data.at} receivedAtMs={query.dataUpdatedAt}>
          <section aria-labelledby="proposal" className="rounded-lg border border-line bg-panel">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3">
              <h2 id="proposal" className="text-base font-semibold">
                {t('title', { id })}
              </h2>
              <span role="status">
                <Badge tone={tones[proposal.state]}>{t(`state.${proposal.state}`)}</Badge>
              </span>
              <ProposalActions proposal={proposal} onStep={setStep} />
            </div>
            <Facts proposal={proposal} />
          </section>
          <Notes proposal={proposal} />
          <ProposedChanges changes={proposal.changes} parameters={parameters} />
          {proposal.state === 'waiting' ? (
            <EffectPreview changes={changesOf(parametersText, proposal, parameters)} />
          ) : null}
          {step === null ? null : <DecideDialog proposal={proposal} step={step} onClose={() => setStep(null)} />}
        </ProxyClock>
      )}
    </div>
  );
}

/** What its effects can be worked out from: what it changes for everybody, on what there is now. */
function changesOf(t: ParametersText, { changes }: Proposal, parameters: readonly Parameter[]) {
  return changes.flatMap(({ name, scope, newValue }) => {
    const parameter = parameters.find((one) => one.name === name);
    if (parameter === undefined || parameter.secret || scope !== null || newValue === null) return [];
    return [pendingChange(t, parameter, { value: newValue, baseRevision: parameter.revision })];
  });
}

function Notes({ proposal }: { proposal: Proposal }) {
  const t = useText('proposals');
  if (proposal.state !== 'waiting') return null;
  return (
    <>
      {proposal.isMine ? <Notice tone="info">{t('mine')}</Notice> : null}
      {proposal.changes.some(({ moved }) => moved !== null) ? (
        <Notice tone="warn" alert>
          {t('movedAbout')}
        </Notice>
      ) : null}
    </>
  );
}

function Facts({ proposal }: { proposal: Proposal }) {
  const t = useText('proposals');
  const language = useLanguage();
  const { state, proposer, proposedAt, reason, expiresAt, revertAfterMs, decidedBy, decidedAt, decisionReason } =
    proposal;
  return (
    <dl className="grid gap-x-4 gap-y-3 p-4 text-sm md:grid-cols-2">
      <Fact term={t('proposedBy')}>
        <PlainText text={proposer} /> <Time iso={proposedAt} />
      </Fact>
      <Fact term={t('why')}>
        <PlainText text={reason} />
      </Fact>
      {state === 'waiting' ? (
        <Fact term={t('expires')}>
          <Time iso={expiresAt} /> · {t.rich('left', { left: <Remaining until={expiresAt} /> })}
        </Fact>
      ) : null}
      {revertAfterMs === null ? null : (
        <Fact term={t('goesBack')}>{t('goesBackAfter', { time: durationText(revertAfterMs, language) })}</Fact>
      )}
      {decidedBy === null || decidedAt === null ? null : (
        <>
          <Fact term={t('decidedBy')}>
            <PlainText text={decidedBy} /> <Time iso={decidedAt} />
          </Fact>
          <Fact term={t('decision')}>
            <PlainText text={decisionReason ?? ''} />
          </Fact>
        </>
      )}
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{term}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
