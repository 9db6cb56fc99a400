import { LRUCache } from 'lru-cache';
import { OdpError } from '../errors/odp-error.ts';

/** Failed log-ins of one user from one address that are let through within the window. */
const maxForUser = 5;

/** Failed log-ins from one address, whatever the users: guessing names must not be cheaper. */
const maxForOrigin = 50;

const windowMs = 5 * 60_000;

interface Attempts {
  count: number;
  /** When the window ends (ms since 1970). */
  readonly untilMs: number;
  /** Somebody was turned away in this window. */
  isLocked: boolean;
}

/** Why an attempt is not let through. */
interface Locked {
  /** TOO_MANY_ATTEMPTS with the seconds to wait. */
  readonly error: OdpError;
  /** The first one that this window has turned away. */
  readonly isFirst: boolean;
}

/**
 * Slows guessing of passwords down (case B112). An attempt counts before its password is checked, so that many at once
 * are no way round; one that succeeds takes the user's counts back. Known and unknown users are treated alike.
 */
export class LoginThrottle {
  readonly #now: () => Date;
  /** Bounded: an attacker with many names only makes old entries fall out. */
  readonly #attempts = new LRUCache<string, Attempts>({ max: 20_000 });

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Counts an attempt. @returns null when it is let through */
  take(user: string, origin: string): Locked | null {
    return this.#count(originKey(origin), maxForOrigin) ?? this.#count(userKey(user, origin), maxForUser);
  }

  /** Tells that the last attempt was right. */
  succeeded(user: string, origin: string): void {
    this.#attempts.delete(userKey(user, origin));
    const attempts = this.#attempts.get(originKey(origin));
    if (attempts !== undefined) attempts.count -= 1;
  }

  /** Forgets what was counted for a user, from wherever: somebody who knows has let them in again. */
  forget(user: string): void {
    for (const key of this.#attempts.keys()) if (JSON.parse(key)[1] === user) this.#attempts.delete(key);
  }

  #count(key: string, max: number): Locked | null {
    const nowMs = this.#now().getTime();
    const known = this.#attempts.get(key);
    const attempts =
      known === undefined || known.untilMs <= nowMs ? { count: 0, untilMs: nowMs + windowMs, isLocked: false } : known;
    if (attempts.count >= max) {
      const isFirst = !attempts.isLocked;
      attempts.isLocked = true;
      const seconds = Math.ceil((attempts.untilMs - nowMs) / 1000);
      return { isFirst, error: new OdpError('TOO_MANY_ATTEMPTS', { seconds }) };
    }
    attempts.count += 1;
    this.#attempts.set(key, attempts);
    return null;
  }
}

function originKey(origin: string): string {
  return JSON.stringify([origin]);
}

function userKey(user: string, origin: string): string {
  return JSON.stringify([origin, user]);
}
