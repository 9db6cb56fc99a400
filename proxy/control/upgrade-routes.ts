import { type RouteName, upgradeDecisionSchema, upgradeStartSchema, upgradeStateSchema } from './contract.ts';
import { actorOf, defineRoute, type RequestContext, type Route } from './route.ts';
import type { UpgradeService } from './upgrade-service.ts';

/** Replacing the running proxy: how far it is, and orders. Every step that follows gets its row in the history. */
export function upgradeRoutes(service: UpgradeService) {
  const decision = (type: 'commit' | 'rollback') =>
    defineRoute({
      audit: 'handler',
      body: upgradeDecisionSchema,
      response: upgradeStateSchema,
      handle: async (context, { body }) => {
        await service.order({ type, ...whoOf(context), reason: body.reason });
        return service.state();
      },
    });

  return {
    upgrade: defineRoute({ audit: 'none', response: upgradeStateSchema, handle: () => service.state() }),

    upgradeStart: defineRoute({
      audit: 'handler',
      body: upgradeStartSchema,
      response: upgradeStateSchema,
      handle: async (context, { body }) => {
        await service.order({ type: 'start', ...body, ...whoOf(context) });
        return service.state();
      },
    }),

    upgradeCommit: decision('commit'),
    upgradeRollback: decision('rollback'),
  } satisfies Partial<Record<RouteName, Route>>;
}

/** Who orders, for the rows that the steps leave. */
function whoOf(context: RequestContext) {
  const { actor: by, role = '', token = '', origin } = actorOf(context);
  const source = token === '' ? 'console' : 'api';
  return { by, role, token, origin, source } as const;
}
