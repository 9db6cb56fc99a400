/** What the Routing page asks for. */
import { queryOptions } from '@tanstack/react-query';
import {
  type RouteExplainRequest,
  routeExplainResponseSchema,
  routingChoicesSchema,
} from '../../proxy/control/contract.ts';
import { getJson, postJson } from './api.ts';

/** Blocklists, leaders and settings of live sessions change by themselves: the plan on the page follows. */
const planEveryMs = 5_000;

export function routePlanQuery(request: RouteExplainRequest | null) {
  return queryOptions({
    queryKey: ['route-plan', request],
    queryFn: async () => ({
      request,
      answer: routeExplainResponseSchema.parse(await postJson('/api/routing/explain', request)),
    }),
    enabled: request !== null,
    refetchInterval: planEveryMs,
    retry: false,
  });
}

export const routingChoicesQuery = queryOptions({
  queryKey: ['routing-choices'],
  queryFn: ({ signal }) => getJson('/api/routing/choices', routingChoicesSchema, signal),
});
