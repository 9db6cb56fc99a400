import {
  type RouteName,
  routeExplainRequestSchema,
  routeExplainResponseSchema,
  routingChoicesSchema,
} from './contract.ts';
import { defineRoute, type Route } from './route.ts';
import type { RoutingService } from './routing-service.ts';
import { explainView } from './routing-views.ts';

/** Where a statement would go and why, and what there is to choose from when asking. */
export function routingRoutes(service: RoutingService) {
  return {
    routingExplain: defineRoute({
      audit: 'none',
      body: routeExplainRequestSchema,
      response: routeExplainResponseSchema,
      handle: async (_context, { body }) => explainView(await service.explain(body)),
    }),

    routingChoices: defineRoute({
      audit: 'none',
      response: routingChoicesSchema,
      handle: () => service.choices(),
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}
