import { OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { HistoryAction, HistoryRow } from '../history/history-row.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { Account } from '../history/users.ts';
import {
  changePasswordRequestSchema,
  loginRequestSchema,
  loginResponseSchema,
  type RouteName,
  userSchema,
} from './contract.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { FieldError } from './problem.ts';
import { actorOf, type ControlLog, defineRoute, type RequestContext, type Route, sessionOf } from './route.ts';
import { userView } from './views.ts';

interface SessionRouteServices {
  readonly history: HistoryStore;
  readonly throttle: LoginThrottle;
  readonly log: ControlLog;
}

/** Log-in, log-out, who am I, password. */
export function sessionRoutes(services: SessionRouteServices) {
  const { history, throttle, log } = services;
  const { users, sessions } = history;

  // Log-ins are audited as far as possible, but work without it: with a full disk somebody must be able to look.
  const audit = async (context: RequestContext, name: string, action: HistoryAction): Promise<void> => {
    try {
      await history.log.add(actorOf(context, name), { action });
    } catch (error) {
      log.warn(
        { action, requestId: context.requestId, reason: databaseErrorText(error) },
        'action could not be audited',
      );
    }
  };

  const openSession = async (account: Account) => {
    const { token, expiresAt } = await sessions.open(account);
    return { token, expiresAt: expiresAt.toISOString(), user: userView(account) };
  };

  return {
    login: defineRoute({
      audit: 'handler',
      body: loginRequestSchema,
      response: loginResponseSchema,
      handle: async (context, { body }) => {
        throttle.take(body.name, context.origin);
        const account = await users.verify(body.name, body.password);
        if (account === null) {
          await audit(context, body.name, 'login.failed');
          throw new OdpError('LOGIN_FAILED');
        }
        throttle.succeeded(body.name, context.origin);
        const answer = await openSession(account);
        await audit(context, account.name, 'login');
        return answer;
      },
    }),

    logout: defineRoute({
      audit: { action: 'logout', required: false },
      handle: (context) => sessions.end(sessionOf(context).id),
    }),

    me: defineRoute({
      audit: 'none',
      response: userSchema,
      handle: (context) => userView(sessionOf(context).account),
    }),

    changePassword: defineRoute({
      audit: 'handler',
      body: changePasswordRequestSchema,
      response: loginResponseSchema,
      handle: async (context, { body }) => {
        const { account } = sessionOf(context);
        throttle.take(account.name, context.origin);
        if ((await users.verify(account.name, body.current)) === null) {
          throw new FieldError('current', 'This is not your password.');
        }
        throttle.succeeded(account.name, context.origin);
        if (body.next === body.current) throw new FieldError('next', 'Choose one that differs from the old one.');
        const rows: HistoryRow[] = [];
        await users.changePassword(account, body.next, async (writer, at) => {
          rows.push(await history.log.insert(writer, actorOf(context), { action: 'password.change' }, at));
        });
        sessions.forgetUser(account.id);
        history.log.announce(rows);
        return await openSession({ ...account, mustChangePassword: false });
      },
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}
