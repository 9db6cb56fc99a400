'use client';

import type { UseQueryResult } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import { ErrorText } from '@/components/error-text.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';

interface QueryFailureProps {
  query: Pick<UseQueryResult, 'error' | 'refetch' | 'isFetching'>;
  /** What could not be loaded, as in "Could not load …", in the reader's language. */
  what: string;
}

/** Stands where data would be when it could not be loaded: why, and a way to try again. */
export function QueryFailure({ query, what }: QueryFailureProps) {
  const t = useText('common');
  return (
    <div role="alert">
      <EmptyState icon={PlugZap} title={t('couldNotLoad', { what })}>
        <p>
          <ErrorText error={query.error} />
        </p>
        <Button className="mt-3" disabled={query.isFetching} onClick={() => void query.refetch()}>
          {t(query.isFetching ? 'trying' : 'tryAgain')}
        </Button>
      </EmptyState>
    </div>
  );
}
