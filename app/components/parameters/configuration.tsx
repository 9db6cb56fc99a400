'use client';

import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import dynamic from 'next/dynamic';
import { parseAsString, useQueryState } from 'nuqs';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { parameterMatcher } from '@/lib/parameter-filter.ts';
import { proposalsQuery } from '@/lib/proposal-queries.ts';
import { parametersQuery } from '@/lib/queries.ts';
import type { Parameter } from '../../../proxy/control/contract.ts';
import { DraftBar } from './draft-bar.tsx';
import { useDrafts } from './draft-provider.tsx';
import { EffectPreview } from './effect-preview.tsx';
import { ParameterFilter } from './parameter-filter.tsx';
import { ParameterTable } from './parameter-table.tsx';
import { pendingChanges } from './pending-change.ts';
import { ScheduledReverts } from './scheduled-reverts.tsx';

// Only who changes something fetches what changes are reviewed with.
const ConfirmDialog = dynamic(() => import('./confirm-dialog.tsx').then((module) => module.ConfirmDialog));

const WaitingProposals = dynamic(() =>
  import('@/components/proposals/waiting-proposals.tsx').then((module) => module.WaitingProposals),
);

const none: readonly Parameter[] = [];

/** All parameters: find, edit, review, apply. */
export function Configuration() {
  const t = useText('parameters');
  const query = useQuery(parametersQuery);
  const proposals = useQuery(proposalsQuery);
  const waiting = proposals.data?.proposals.filter(({ state }) => state === 'waiting') ?? [];
  const parameters = query.data?.parameters ?? none;
  const [q, setQ] = useQueryState('q', parseAsString.withDefault('').withOptions({ history: 'replace' }));
  const search = useDeferredValue(q);
  const { drafts, discard } = useDrafts();
  const [reviewing, setReviewing] = useState(false);
  const shown = useMemo(
    () => parameters.filter(parameterMatcher(search, (name) => drafts.has(name))),
    [parameters, search, drafts],
  );
  const changes = useMemo(() => pendingChanges(t, parameters, drafts), [t, parameters, drafts]);
  useReviewShortcut(changes.length > 0, () => setReviewing(true));

  if (query.isError && query.data === undefined) return <QueryFailure query={query} what={t('theParameters')} />;
  return (
    <>
      {proposals.data === undefined || waiting.length === 0 ? null : (
        <WaitingProposals proposals={waiting} at={proposals.data.at} receivedAtMs={proposals.dataUpdatedAt} />
      )}
      <ScheduledReverts />
      <ParameterFilter
        text={q}
        onChange={(text) => void setQ(text === '' ? null : text)}
        parameters={parameters}
        shown={shown.length}
      />
      {query.data === undefined ? (
        <TableSkeleton rows={12} />
      ) : shown.length === 0 ? (
        <EmptyState icon={SearchX} title={t('noneFits')}>
          <Button className="mt-2" onClick={() => void setQ(null)}>
            {t('clearSearch')}
          </Button>
        </EmptyState>
      ) : (
        <ParameterTable parameters={shown} />
      )}
      <DraftBar changes={changes} onReview={() => setReviewing(true)} />
      {reviewing && changes.length > 0 ? (
        <ConfirmDialog
          open
          onOpenChange={setReviewing}
          changes={changes}
          preview={<EffectPreview changes={changes} />}
          className="sm:top-[6vh] sm:max-h-[88dvh] sm:w-[min(52rem,calc(100vw-2rem))]"
          onApplied={(names) => {
            setReviewing(false);
            discard(names);
          }}
        />
      ) : null}
    </>
  );
}

function useReviewShortcut(enabled: boolean, review: () => void): void {
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      const inDialog = event.target instanceof Element && event.target.closest('[role="dialog"]') !== null;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !inDialog) review();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}
