'use client';

import type { UseQueryResult } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { errorText } from '@/lib/api.ts';

interface QueryFailureProps {
  query: Pick<UseQueryResult, 'error' | 'refetch' | 'isFetching'>;
  /** What could not be loaded, as in "Could not load …". */
  what: string;
}

/** Stands where data would be when it could not be loaded: why, and a way to try again. */
export function QueryFailure({ query, what }: QueryFailureProps) {
  return (
    <div role="alert">
      <EmptyState icon={PlugZap} title={`Could not load ${what}`}>
        <p>{errorText(query.error)}</p>
        <Button className="mt-3" disabled={query.isFetching} onClick={() => void query.refetch()}>
          {query.isFetching ? 'Trying …' : 'Try again'}
        </Button>
      </EmptyState>
    </div>
  );
}
