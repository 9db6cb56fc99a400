import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { overviewQuery } from '@/lib/queries.ts';
import { type ConsolePage, shownPages } from './pages.ts';
import { useUser } from './user-context.tsx';

/** The pages that the signed-in user may open at this proxy, in the order of the navigation. */
export function usePages(): readonly ConsolePage[] {
  const { permissions } = useUser();
  const { data: hasLab = false } = useQuery({ ...overviewQuery, select: ({ proxy }) => proxy.hasLab });
  // The same ones as long as nothing has changed: who listens to keys by them need not begin anew.
  return useMemo(() => shownPages(hasLab, permissions), [hasLab, permissions]);
}
