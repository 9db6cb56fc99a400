import { z } from 'zod';
import { type Overview, overviewSchema, type RouteName, trafficQuerySchema, trafficSchema } from './contract.ts';
import type { EventHub } from './event-hub.ts';
import { defineRoute, type Route, sessionOf } from './route.ts';
import type { TrafficService } from './traffic-service.ts';

interface DataRouteServices {
  readonly overview: () => Overview;
  readonly traffic: TrafficService;
  readonly hub: EventHub;
}

/** Overview, what the zones did, and the event stream. */
export function dataRoutes({ overview, traffic, hub }: DataRouteServices) {
  return {
    health: defineRoute({
      audit: 'none',
      response: z.object({ status: z.literal('ok') }),
      handle: () => ({ status: 'ok' as const }),
    }),

    overview: defineRoute({ audit: 'none', response: overviewSchema, handle: () => overview() }),

    traffic: defineRoute({
      audit: 'none',
      query: trafficQuerySchema,
      response: trafficSchema,
      handle: (_context, { query }) => traffic.window(query),
    }),

    events: defineRoute({
      audit: 'none',
      handle: (context) => hub.add(context.response, sessionOf(context)),
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}
