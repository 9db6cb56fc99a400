import { OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { OpenLogIn } from '../history/sessions.ts';
import {
  endedLogInsSchema,
  endLogInsSchema,
  endOwnLogInsSchema,
  type LogIn,
  logInsResponseSchema,
  type RouteName,
  userParamsSchema,
} from './contract.ts';
import { actorOf, defineRoute, type RequestContext, type Route, sessionOf } from './route.ts';

interface LogInRouteServices {
  readonly history: HistoryStore;
  readonly now: () => Date;
}

/** Where people are logged in to the console, and ending that: everybody's own log-ins, and those of others. */
export function logInRoutes({ history, now }: LogInRouteServices) {
  const { sessions, administration, log } = history;

  const listOf = async (context: RequestContext, userId: number) => {
    const logIns = await sessions.list(userId);
    return { at: now().toISOString(), logIns: logIns.map((one) => logInView(one, sessionOf(context).id)) };
  };

  /** Ends one, or all but the one that is asked from; in one transaction with its row. @returns how many */
  const end = async (
    context: RequestContext,
    user: { readonly id: number; readonly name: string },
    logIn: string | null,
    reason: string,
  ): Promise<number> => {
    const open = (await sessions.list(user.id)).filter(({ id }) => id !== sessionOf(context).id);
    const ended = open.filter(({ id }) => logIn === null || id === logIn);
    if (ended.length === 0) return 0;
    const oldValue = `${user.name}: ${ended.map(logInText).join('; ')}`;
    const ids = ended.map(({ id }) => id);
    try {
      await log.add(actorOf(context), { action: 'login.end', oldValue, newValue: 'ended', reason }, async (writer) => {
        await writer.session.deleteMany({ where: { id: { in: ids } } });
        return null;
      });
    } catch (error) {
      throw new OdpError('STORE_FAILED', { detail: databaseErrorText(error) }, { cause: error });
    }
    sessions.forget(ended);
    return ended.length;
  };

  return {
    ownLogIns: defineRoute({
      audit: 'none',
      response: logInsResponseSchema,
      handle: (context) => listOf(context, sessionOf(context).account.id),
    }),

    endOwnLogIns: defineRoute({
      audit: 'handler',
      body: endOwnLogInsSchema,
      response: endedLogInsSchema,
      handle: async (context, { body }) => {
        return { ended: await end(context, sessionOf(context).account, body.logIn, 'their own') };
      },
    }),

    userLogIns: defineRoute({
      audit: 'none',
      query: userParamsSchema,
      response: logInsResponseSchema,
      handle: async (context, { query }) => listOf(context, (await administration.get(query.id)).id),
    }),

    endUserLogIns: defineRoute({
      audit: 'handler',
      query: userParamsSchema,
      body: endLogInsSchema,
      response: endedLogInsSchema,
      handle: async (context, { query, body }) => {
        return { ended: await end(context, await administration.get(query.id), body.logIn, body.reason) };
      },
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}

function logInText({ createdAt, origin }: OpenLogIn): string {
  return `log-in of ${createdAt.toISOString()}${origin === '' ? '' : ` from ${origin}`}`;
}

function logInView({ id, createdAt, lastSeenAt, expiresAt, origin, agent }: OpenLogIn, currentId: string): LogIn {
  return {
    id,
    openedAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    origin,
    agent,
    isCurrent: id === currentId,
  };
}
