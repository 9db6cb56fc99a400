import { z } from 'zod';
import { type Overview, overviewSchema, type RouteName } from './contract.ts';
import type { EventHub } from './event-hub.ts';
import { defineRoute, type Route, sessionOf } from './route.ts';

interface DataRouteServices {
  readonly overview: () => Overview;
  readonly hub: EventHub;
}

/** Overview and the event stream. */
export function dataRoutes({ overview, hub }: DataRouteServices) {
  return {
    health: defineRoute({
      audit: 'none',
      response: z.object({ status: z.literal('ok') }),
      handle: () => ({ status: 'ok' as const }),
    }),

    overview: defineRoute({ audit: 'none', response: overviewSchema, handle: () => overview() }),

    events: defineRoute({
      audit: 'none',
      handle: (context) => hub.add(context.response, sessionOf(context)),
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}
