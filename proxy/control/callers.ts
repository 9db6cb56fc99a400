import { OdpError } from '../errors/odp-error.ts';
import { type ApiToken, isApiToken } from '../history/api-tokens.ts';
import type { Actor } from '../history/history-row.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { LiveSession } from '../history/sessions.ts';
import { type Permission, permissionSchema, type Role, roleSchema } from './contract.ts';
import { LoginThrottle } from './login-throttle.ts';
import { rolePermissions } from './permissions.ts';

/** Who calls: a person who is logged in, or a script with a token in the name of one. */
export interface Caller extends LiveSession {
  /** Null: a log-in. */
  readonly token: ApiToken | null;
}

/** Where a call comes from, for the history. */
type CallFacts = Pick<Actor, 'origin' | 'requestId'>;

/** Tells who is behind a bearer token: a log-in's or an API token. */
export class Callers {
  readonly #history: HistoryStore;
  readonly #throttle: LoginThrottle;

  constructor(history: HistoryStore, now: () => Date) {
    this.#history = history;
    this.#throttle = new LoginThrottle(now);
  }

  /** @throws OdpError NOT_LOGGED_IN, TOKEN_REFUSED, TOO_MANY_ATTEMPTS */
  async find(bearer: string, call: CallFacts): Promise<Caller> {
    if (isApiToken(bearer)) return await this.#byToken(bearer, call);
    const session = await this.#history.sessions.find(bearer);
    if (session === null) throw new OdpError('NOT_LOGGED_IN');
    return { ...session, token: null };
  }

  /** The caller as it is now; null: the log-in or token is over. */
  async check({ id, token }: Caller): Promise<Caller | null> {
    const { sessions, tokens } = this.#history;
    if (token === null) {
      const session = await sessions.check(id);
      return session === null ? null : { ...session, token: null };
    }
    const now = await tokens.get(token.id);
    return now !== null && tokens.isLive(now) ? callerOf(now) : null;
  }

  /** Calls `listener` whenever a log-in or token was ended before its time or may have other rights. @returns the function that ends it. */
  onChanged(listener: () => void): () => void {
    const ends = [this.#history.sessions.onChanged(listener), this.#history.tokens.onEnded(listener)];
    return () => {
      for (const end of ends) end();
    };
  }

  /** A right token always comes through, so that nobody at the same address can shut it out. */
  async #byToken(secret: string, call: CallFacts): Promise<Caller> {
    const { tokens, attempts } = this.#history;
    const token = await tokens.find(secret);
    if (token !== null && tokens.isLive(token)) {
      await tokens.touch(token, call.origin);
      return callerOf(token);
    }
    const actor =
      token === null ? ({ actor: '', source: 'api', ...call } as const) : actorOfCaller(callerOf(token), call);
    const locked = this.#throttle.take(secret, call.origin);
    const error = locked?.error ?? new OdpError('TOKEN_REFUSED', { detail: whyNot(token) });
    // Once for each time that the door is shut: guessing must not be able to fill the history.
    if (locked === null || locked.isFirst) await attempts.refused(actor, [{ action: 'token.refused' }], error);
    throw error;
  }
}

/** What a caller may do now: the role's rights, of a token as far as it has them. */
export function rightsOf({ account, token }: Caller): readonly Permission[] {
  const own = rolePermissions[account.role];
  if (token === null) return own;
  const most = limitRights(token.limit);
  return own.filter((right) => most.includes(right));
}

/** What a token may do at most. A role or right that this version does not know gives none. */
export function limitRights({ role, rights }: ApiToken['limit']): readonly Permission[] {
  if (role === null) return permissionSchema.options.filter((right) => rights.includes(right));
  const known = knownRole(role);
  return known === null ? [] : rolePermissions[known];
}

/** @returns null for one that this version does not know */
export function knownRole(role: string): Role | null {
  return roleSchema.options.find((known) => known === role) ?? null;
}

/** Who is acting, for history rows. */
export function actorOfCaller({ account, token }: Caller, call: CallFacts): Actor {
  const source = token === null ? 'console' : 'api';
  return { actor: account.name, role: account.role, token: token?.name ?? '', source, ...call };
}

function callerOf(token: ApiToken): Caller {
  return { id: `token-${token.id}`, account: token.owner, token };
}

function whyNot(token: ApiToken | null): string {
  if (token === null) return 'there is none like it, or it was revoked';
  return token.ownerDisabled ? 'its owner is disabled' : `it expired at ${token.expiresAt.toISOString()}`;
}
