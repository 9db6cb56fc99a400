import { OdpError } from '../errors/odp-error.ts';
import type { ApiToken } from '../history/api-tokens.ts';
import type { DatabaseWriter } from '../history/database.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { HistoryEntry } from '../history/history-log.ts';
import type { HistoryRow } from '../history/history-row.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { knownRole, limitRights, rightsOf } from './callers.ts';
import {
  makeTokenRequestSchema,
  makeTokenResponseSchema,
  maxTokenLifeMs,
  type Permission,
  type RouteName,
  revokeTokenRequestSchema,
  roleSchema,
  type Token,
  tokenParamsSchema,
  tokensQuerySchema,
  tokensResponseSchema,
} from './contract.ts';
import { permissionDescriptions, rolePermissions } from './permissions.ts';
import { FieldError } from './problem.ts';
import { actorOf, checkRight, defineRoute, type RequestContext, type Route, sessionOf } from './route.ts';

/** More than anybody can keep apart. */
const maxTokensEach = 50;

/** A person's tokens for the API: seen, made, revoked; an administrator sees and revokes everybody's. */
export function tokenRoutes({ history, now }: { history: HistoryStore; now: () => Date }) {
  const { tokens, log } = history;

  /** Runs a change of tokens whose row is written in the same transaction. @throws OdpError STORE_FAILED */
  const audited = async <Result>(
    context: RequestContext,
    entry: HistoryEntry,
    change: (beside: (writer: DatabaseWriter, at: Date) => Promise<void>) => Promise<Result>,
  ): Promise<Result> => {
    const rows: HistoryRow[] = [];
    try {
      const result = await change(async (writer, at) => {
        rows.push(await log.insert(writer, actorOf(context), entry, at));
      });
      log.announce(rows);
      return result;
    } catch (error) {
      throw new OdpError('STORE_FAILED', { detail: databaseErrorText(error) }, { cause: error });
    }
  };

  const checkExpiry = (expiresAt: Date): void => {
    const leftMs = expiresAt.getTime() - now().getTime();
    if (leftMs <= 0) throw new FieldError('expiresAt', 'it is over already');
    if (leftMs > maxTokenLifeMs) throw new FieldError('expiresAt', 'a token lives for 366 days at most');
  };

  return {
    tokens: defineRoute({
      audit: 'none',
      query: tokensQuerySchema,
      response: tokensResponseSchema,
      handle: async (context, { query }) => {
        const caller = sessionOf(context);
        if (query.whose === 'all') checkRight(caller, 'tokens.manage');
        const found = await tokens.list(query.whose === 'all' ? null : caller.account.id);
        return {
          at: now().toISOString(),
          tokens: found.map((token) => tokenView(token, tokens.isLive(token))),
          canGive: giftsOf(rightsOf(caller)),
        };
      },
    }),

    makeToken: defineRoute({
      audit: 'handler',
      body: makeTokenRequestSchema,
      response: makeTokenResponseSchema,
      handle: async (context, { body: { name, role, rights, reason, expiresAt } }) => {
        const caller = sessionOf(context);
        const limit = { role, rights };
        for (const right of limitRights(limit)) checkRight(caller, right);
        const end = new Date(expiresAt);
        checkExpiry(end);
        if ((await tokens.list(caller.account.id)).length >= maxTokensEach) {
          throw new FieldError('name', `you have ${maxTokensEach} tokens: revoke one that is not needed any more`);
        }
        const newValue = `token '${name}': ${limitText(limit)}, until ${end.toISOString()}`;
        const made = await audited(context, { action: 'token.create', newValue, reason }, (beside) =>
          tokens.create(caller.account, { name, limit, reason, expiresAt: end }, beside),
        );
        if (made === null) throw new FieldError('name', 'you have a token of this name already');
        return { secret: made.secret, token: tokenView(made.token, true) };
      },
    }),

    revokeToken: defineRoute({
      audit: 'handler',
      query: tokenParamsSchema,
      body: revokeTokenRequestSchema,
      handle: async (context, { query, body: { reason } }) => {
        const caller = sessionOf(context);
        const gone = new OdpError('NOT_FOUND', { detail: `token ${query.id} is not there (any more)` });
        const token = await tokens.get(query.id);
        // Whose a number is, and whether it is one, is no business of others.
        if (token?.owner.id !== caller.account.id) checkRight(caller, 'tokens.manage');
        if (token === null) throw gone;
        const oldValue = `token '${token.name}' of ${token.owner.name}: ${limitText(token.limit)}`;
        const entry = { action: 'token.revoke', oldValue, newValue: 'revoked', reason } as const;
        if (!(await audited(context, entry, (beside) => tokens.revoke(query.id, beside)))) throw gone;
      },
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}

function tokenView(token: ApiToken, isLive: boolean): Token {
  const { id, owner, ownerDisabled, name, limit, reason, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = token;
  return {
    id,
    owner: owner.name,
    name,
    role: limit.role === null ? null : knownRole(limit.role),
    rights: [...limitRights(limit)],
    allowed: isLive ? [...rightsOf({ id: '', account: owner, token })] : [],
    reason,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    lastUsedFrom,
    state: ownerDisabled ? 'owner-disabled' : isLive ? 'live' : 'expired',
  };
}

/** Roles and rights that somebody with these rights can give to a token. */
function giftsOf(own: readonly Permission[]) {
  return {
    roles: roleSchema.options.filter((role) => rolePermissions[role].every((right) => own.includes(right))),
    rights: own.map((right) => ({ right, about: permissionDescriptions[right] })),
  };
}

/** For the history. */
function limitText({ role, rights }: ApiToken['limit']): string {
  return role === null ? `rights ${rights.join(', ')}` : `role ${role}`;
}
