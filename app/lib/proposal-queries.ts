/** What waits for a second person. */
import { queryOptions } from '@tanstack/react-query';
import { proposalResponseSchema, proposalsSchema } from '../../proxy/control/contract.ts';
import { getJson } from './api.ts';

/** Key of everything about proposals: asked again when one is made, decided or over, and when a parameter changes. */
export const proposalsKey = ['proposals'] as const;

export const proposalsQuery = queryOptions({
  queryKey: [...proposalsKey, 'all'],
  queryFn: ({ signal }) => getJson('/api/proposals', proposalsSchema, signal),
});

/** @param id as it stands in the address of the page */
export const proposalQuery = (id: string) =>
  queryOptions({
    queryKey: [...proposalsKey, id],
    queryFn: ({ signal }) => getJson(`/api/proposals/${encodeURIComponent(id)}`, proposalResponseSchema, signal),
    // Not there is an answer.
    retry: false,
  });
