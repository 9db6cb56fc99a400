import { OdpError } from '../errors/odp-error.ts';
import type { HistoryRow } from '../history/history-row.ts';
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
import { actorOf, defineRoute, type RequestContext, type Route, sessionOf, tokenOf } from './route.ts';
import { userView } from './views.ts';

interface SessionRouteServices {
  readonly history: HistoryStore;
  readonly throttle: LoginThrottle;
}

/**
 * Log-in, log-out, who am I, password. Log-ins are audited as far as possible, but work without it: with a full disk
 * somebody must be able to look (case B107).
 */
export function sessionRoutes(services: SessionRouteServices) {
  const { history, throttle } = services;
  const { users, sessions, lockOut } = history;

  const openSession = async (account: Account, context: RequestContext) => {
    const { token, expiresAt } = await sessions.open(account, context);
    return { token, expiresAt: expiresAt.toISOString(), user: userView({ id: '', account, token: null }) };
  };

  return {
    login: defineRoute({
      audit: 'handler',
      body: loginRequestSchema,
      response: loginResponseSchema,
      handle: async (context, { body }) => {
        const actor = actorOf(context, body.name);
        const locked = throttle.take(body.name, context.origin);
        if (locked !== null) {
          // Once for each time that the door is shut: guessing must not be able to fill the history.
          if (locked.isFirst) await history.attempts.refused(actor, [{ action: 'login.locked' }], locked.error);
          throw locked.error;
        }
        const check = await lockOut.begin(body.name);
        try {
          const account = await users.verify(body.name, body.password);
          // After the same time and with the same words as an unknown name: a lock must not tell that there is one.
          if (account === null || check.isLocked) {
            const error = new OdpError('LOGIN_FAILED');
            const entry = { action: 'login.failed', reason: check.isLocked ? 'the account is locked' : '' } as const;
            await history.attempts.refused(actor, [entry], error, (writer, at) =>
              account === null ? lockOut.failed(writer, body.name, context.origin, at) : Promise.resolve(null),
            );
            throw error;
          }
          throttle.succeeded(body.name, context.origin);
          // What the browser had before is nobody's any more, so that none can be planted and go on beside the new one.
          const before = tokenOf(context.request);
          if (before !== null) await sessions.endToken(before);
          const answer = await openSession(account, context);
          await lockOut.succeeded(account.id, context.origin);
          const by = { ...actorOf(context, account.name), role: account.role };
          await history.attempts.note(by, { action: 'login' });
          return answer;
        } finally {
          check.done();
        }
      },
    }),

    logout: defineRoute({
      audit: { action: 'logout', required: false },
      handle: (context) => sessions.end(sessionOf(context).id),
    }),

    me: defineRoute({
      audit: 'none',
      response: userSchema,
      handle: (context) => userView(sessionOf(context)),
    }),

    changePassword: defineRoute({
      audit: 'handler',
      body: changePasswordRequestSchema,
      response: loginResponseSchema,
      handle: async (context, { body }) => {
        const { account } = sessionOf(context);
        const locked = throttle.take(account.name, context.origin);
        if (locked !== null) throw locked.error;
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
        return await openSession({ ...account, mustChangePassword: false }, context);
      },
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}
