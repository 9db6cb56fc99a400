import type { ConfigStore, ChangeRequest as StoreRequest } from '../config/config-store.ts';
import { specOf } from '../config/plan-changes.ts';
import type { Proposals } from '../config/proposals.ts';
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
import { actorOf, defineRoute, personOf, type RequestContext, type Route } from './route.ts';
import { changeView, parameterView, revertView } from './views.ts';

interface ParameterRouteServices {
  readonly store: ConfigStore;
  readonly reverts: ScheduledReverts;
  readonly proposals: Proposals;
  readonly history: HistoryStore;
  readonly now: () => Date;
}

/** This proxy takes no network ids. */
const noNetwork = { vid: -1 };

/** The configuration: seen, changed, and set back by itself. */
export function parameterRoutes({ store, reverts, proposals, history, now }: ParameterRouteServices) {
  const make = async (
    context: RequestContext,
    request: Pick<StoreRequest, 'changes' | 'overrides' | 'reason'>,
    revertAfterMs: number | null = null,
  ): Promise<ChangeResponse> => {
    const person = personOf(context);
    const result = await proposals.change({ ...person.actor, ...request }, person, revertAfterMs);
    return changeView(store, reverts, result, result.proposal?.id ?? null);
  };

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
        return await make(context, { changes, overrides, reason }, revertAfterMs);
      },
    }),

    changeOverride: defineRoute({
      audit: 'handler',
      body: changeOverrideSchema,
      response: changeResponseSchema,
      handle: async (context, { body }) => {
        const { name, value, baseRevision, reason } = body;
        const overrides = [{ name, scope: { ...body.scope, ...noNetwork }, value, baseRevision }];
        const answer = await make(context, { changes: [], overrides, reason });
        const isMade = answer.parameters.length > 0 || answer.proposal !== null;
        return isMade ? answer : { ...answer, unchanged: [specOf(name).name] };
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
