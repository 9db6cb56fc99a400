import type { HistoryRow } from '../history/history-row.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { UserAudit, UserEdit } from '../history/user-administration.ts';
import {
  changedUserSchema,
  createUserSchema,
  permissionSchema,
  type RouteName,
  roleSchema,
  userChangeSchema,
  userParamsSchema,
  userRoleSchema,
  usersResponseSchema,
} from './contract.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { permissionDescriptions, roleDescriptions, rolePermissions } from './permissions.ts';
import { actorOf, defineRoute, type RequestContext, type Route, sessionOf } from './route.ts';
import { accountView } from './views.ts';

interface UserRouteServices {
  readonly history: HistoryStore;
  readonly throttle: LoginThrottle;
  readonly now: () => Date;
}

/** Who may use the console, with which role, and what administrators do about it: each with a reason. */
export function userRoutes({ history, throttle, now }: UserRouteServices) {
  const { administration, sessions } = history;

  const view = async (user: Parameters<typeof accountView>[0], context: RequestContext) => {
    const logIns = await sessions.list(user.id);
    return accountView(user, logIns.length, sessionOf(context).account.id, now());
  };

  /** Runs a change with the history row that it brings; both are there, or neither. */
  const audited = async <Result>(
    context: RequestContext,
    reason: string,
    run: (audit: UserAudit) => Promise<Result>,
  ) => {
    const rows: HistoryRow[] = [];
    const result = await run(async (writer, entry, at) => {
      rows.push(await history.log.insert(writer, actorOf(context), { ...entry, reason }, at));
    });
    history.log.announce(rows);
    return result;
  };

  const change = async (context: RequestContext, id: number, revision: number, reason: string, edit: UserEdit) => {
    const by = sessionOf(context).account.id;
    const { user, oneTimePassword } = await audited(context, reason, (audit) =>
      administration.change({ id, revision, by, edit }, audit),
    );
    if (edit.what === 'disable' || edit.what === 'reset') sessions.forgetUser(id);
    if (edit.what === 'role') sessions.lookAgain();
    if (edit.what === 'unlock' || edit.what === 'reset') throttle.forget(user.name);
    return { user: await view(user, context), oneTimePassword };
  };

  const simpleChange = (what: Exclude<UserEdit['what'], 'role'>) =>
    defineRoute({
      audit: 'handler',
      query: userParamsSchema,
      body: userChangeSchema,
      response: changedUserSchema,
      handle: (context, { query, body }) => change(context, query.id, body.revision, body.reason, { what }),
    });

  return {
    users: defineRoute({
      audit: 'none',
      response: usersResponseSchema,
      handle: async (context) => {
        const [users, logIns, at] = [await administration.list(), await sessions.list(), now()];
        const own = sessionOf(context).account.id;
        const openOf = (id: number) => logIns.filter(({ userId }) => userId === id).length;
        return {
          at: at.toISOString(),
          users: users.map((user) => accountView(user, openOf(user.id), own, at)),
          roles: roleSchema.options.map((role) => {
            return { role, about: roleDescriptions[role], permissions: [...rolePermissions[role]] };
          }),
          rights: permissionSchema.options.map((permission) => {
            return { permission, about: permissionDescriptions[permission] };
          }),
        };
      },
    }),

    createUser: defineRoute({
      audit: 'handler',
      body: createUserSchema,
      response: changedUserSchema,
      handle: async (context, { body }) => {
        const { user, oneTimePassword } = await audited(context, body.reason, (audit) =>
          administration.create(body.name, body.role, audit),
        );
        return { user: await view(user, context), oneTimePassword };
      },
    }),

    changeUserRole: defineRoute({
      audit: 'handler',
      query: userParamsSchema,
      body: userRoleSchema,
      response: changedUserSchema,
      handle: (context, { query, body }) =>
        change(context, query.id, body.revision, body.reason, { what: 'role', role: body.role }),
    }),

    disableUser: simpleChange('disable'),
    enableUser: simpleChange('enable'),
    resetUser: simpleChange('reset'),
    unlockUser: simpleChange('unlock'),
  } satisfies Partial<Record<RouteName, Route>>;
}
