import type { ChangeResult, ConfigStore } from '../config/config-store.ts';
import { specOf } from '../config/plan-changes.ts';
import type { ScheduledReverts } from '../config/scheduled-reverts.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { type ValueAt, valuesBefore } from '../history/values-at.ts';
import {
  type ChangeRequest,
  type ChangeResponse,
  cancelRevertSchema,
  changeOverrideSchema,
  changeRequestSchema,
  changeResponseSchema,
  parametersResponseSchema,
  type RouteName,
  revertParamsSchema,
  scheduledRevertsSchema,
} from './contract.ts';
import { FieldError } from './problem.ts';
import { actorOf, defineRoute, type Route } from './route.ts';
import { parameterView, revertView } from './views.ts';

interface ParameterRouteServices {
  readonly store: ConfigStore;
  readonly reverts: ScheduledReverts;
  readonly history: HistoryStore;
  readonly now: () => Date;
}

/** This proxy takes no network ids. */
const noNetwork = { vid: -1 };

/** The configuration: seen, changed, and set back by itself. */
export function parameterRoutes({ store, reverts, history, now }: ParameterRouteServices) {
  const viewOf = ({ changed, unchanged, workers }: ChangeResult): ChangeResponse => ({
    parameters: changed.map((status) => parameterView(store, reverts, status)),
    unchanged: [...unchanged],
    workers: [...workers],
  });

  /** The reason as the history keeps it. @throws FieldError when the change does not undo what it says */
  const reasonOf = async ({ undoes, changes, overrides = [], reason }: ChangeRequest): Promise<string> => {
    if (undoes === undefined) return reason;
    const before = await valuesBefore(history.database, undoes);
    if (before.length === 0) {
      throw new FieldError('undoes', `the history has no change of a parameter with number ${undoes}`);
    }
    const isBack = ({ parameter, scope, value }: ValueAt): boolean =>
      (scope === '' ? changes : overrides).some((change) => change.name === parameter && change.value === value);
    if (!before.some(isBack)) {
      const values = before.map(({ parameter, value }) => `${parameter} to '${value ?? ''}'`).join(', ');
      throw new FieldError('undoes', `it is undone by setting ${values}`);
    }
    return `revert of #${undoes}: ${reason}`;
  };

  return {
    parameters: defineRoute({
      audit: 'none',
      response: parametersResponseSchema,
      handle: () => ({ parameters: store.parameters().map((status) => parameterView(store, reverts, status)) }),
    }),

    changeParameters: defineRoute({
      audit: 'handler',
      body: changeRequestSchema,
      response: changeResponseSchema,
      handle: async (context, { body }) => {
        const { changes, revertAfterMs } = body;
        const overrides = (body.overrides ?? []).map((one) => ({ ...one, scope: { ...one.scope, ...noNetwork } }));
        const reason = await reasonOf(body);
        const request = { ...actorOf(context), changes, overrides, reason };
        if (revertAfterMs === undefined) return viewOf(await store.change(request));
        return viewOf(await reverts.change(request, new Date(now().getTime() + revertAfterMs)));
      },
    }),

    changeOverride: defineRoute({
      audit: 'handler',
      body: changeOverrideSchema,
      response: changeResponseSchema,
      handle: async (context, { body }) => {
        const { name, value, baseRevision, reason } = body;
        const overrides = [{ name, scope: { ...body.scope, ...noNetwork }, value, baseRevision }];
        const result = await store.change({ ...actorOf(context), changes: [], overrides, reason });
        return viewOf(result.changed.length === 0 ? { ...result, unchanged: [specOf(name).name] } : result);
      },
    }),

    scheduledReverts: defineRoute({
      audit: 'none',
      response: scheduledRevertsSchema,
      handle: () => ({ at: now().toISOString(), reverts: reverts.list().map((one) => revertView(reverts, one)) }),
    }),

    cancelRevert: defineRoute({
      audit: 'handler',
      query: revertParamsSchema,
      body: cancelRevertSchema,
      handle: (context, { query, body }) => reverts.cancel(query.id, actorOf(context), body.reason),
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}
