import type { Database, DatabaseWriter } from './database.ts';
import { databaseErrorText } from './database-error.ts';
import type { WarningLog } from './history-keeper.ts';
import type { HistoryEntry } from './history-log.ts';

/** Wrong passwords for one name, from wherever, that lock its account. */
const maxFailures = 10;

/** Failures belong together within this time of the first (ms). */
const windowMs = 15 * 60_000;

/** How long an account stays locked (ms). */
const lockMs = 15 * 60_000;

/** Wrong passwords of an account, as its row has them. */
export interface Failures {
  readonly failedLogins: number;
  readonly failedSince: Date | null;
  readonly failedAt: Date | null;
  readonly failedFrom: string;
  readonly lockedUntil: Date | null;
}

/** What a row is like without any failure; the last one stays to be seen. */
export const noFailures = { failedLogins: 0, failedSince: null, lockedUntil: null } as const;

/** Whether the right password is refused as well. */
export function isLocked({ lockedUntil }: Pick<Failures, 'lockedUntil'>, now: Date): boolean {
  return lockedUntil !== null && lockedUntil > now;
}

/** Wrong passwords that count now. */
export function failureCount({ failedLogins, failedSince }: Pick<Failures, 'failedLogins' | 'failedSince'>, now: Date) {
  return failedSince !== null && now.getTime() - failedSince.getTime() < windowMs ? failedLogins : 0;
}

/** What a wrong password makes of them. One while it is locked does not lock it for longer: that could go on for ever. */
export function afterFailure(failures: Failures, now: Date, from: string): Failures {
  const seen = { ...failures, failedAt: now, failedFrom: from };
  if (isLocked(failures, now)) return seen;
  const before = failureCount(failures, now);
  const failedLogins = before + 1;
  const failedSince = before === 0 ? now : failures.failedSince;
  const lockedUntil = failedLogins >= maxFailures ? new Date(now.getTime() + lockMs) : null;
  return { ...seen, failedLogins, failedSince, lockedUntil };
}

/** A password that is being checked. */
export interface PasswordCheck {
  /** The account takes no password now. Must not be told: it would say that the name exists. */
  readonly isLocked: boolean;
  /** To be called once, when its outcome is written. */
  readonly done: () => void;
}

/**
 * Locks an account after many wrong passwords from any addresses, which the throttle by address lets through. Works with
 * the database alone, so that a restart unlocks nothing; without it (full disk) nothing is counted, and people get in.
 */
export class LockOut {
  readonly #database: Database;
  readonly #log: WarningLog;
  readonly #now: () => Date;
  /** Checks under way by name: many at once are no way round. Names of nobody are counted alike. */
  readonly #underWay = new Map<string, number>();

  constructor(database: Database, log: WarningLog, now: () => Date) {
    this.#database = database;
    this.#log = log;
    this.#now = now;
  }

  /** Begins a check. */
  async begin(name: string): Promise<PasswordCheck> {
    const before = this.#underWay.get(name) ?? 0;
    this.#underWay.set(name, before + 1);
    const done = (): void => {
      const others = (this.#underWay.get(name) ?? 1) - 1;
      if (others === 0) this.#underWay.delete(name);
      else this.#underWay.set(name, others);
    };
    try {
      const user = await this.#database.user.findUnique({ where: { name } });
      const now = this.#now();
      const failed = user === null ? 0 : failureCount(user, now);
      return { isLocked: (user !== null && isLocked(user, now)) || failed + before >= maxFailures, done };
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Counts a wrong password in the transaction of its history row. @returns the row that says so if it locks the account */
  async failed(writer: DatabaseWriter, name: string, from: string, at: Date): Promise<HistoryEntry | null> {
    const user = await writer.user.findUnique({ where: { name } });
    if (user === null) return null;
    const { failedLogins, failedSince, failedAt, failedFrom, lockedUntil } = afterFailure(user, at, from);
    const data = { failedLogins, failedSince, failedAt, failedFrom, lockedUntil };
    await writer.user.update({ where: { id: user.id }, data });
    if (lockedUntil === null || isLocked(user, at)) return null;
    const newValue = `${name}: locked until ${lockedUntil.toISOString()}`;
    return { action: 'user.lock', newValue, reason: `${failedLogins} wrong passwords` };
  }

  /** Notes a log-in, which forgets the failures before it. Never fails. */
  async succeeded(id: number, from: string): Promise<void> {
    try {
      const data = { ...noFailures, lastLoginAt: this.#now(), lastLoginFrom: from };
      await this.#database.user.updateMany({ where: { id }, data });
    } catch (error) {
      this.#log.warn({ reason: databaseErrorText(error) }, 'the last log-in of a user could not be stored');
    }
  }
}
