import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Database } from './database.ts';
import { databaseErrorText } from './database-error.ts';
import type { WarningLog } from './history-keeper.ts';
import { type Account, accountOf } from './users.ts';

/** A log-in without any request for this long ends. */
const sessionIdleMs = 12 * 3_600_000;

/** A log-in ends after this long whatever the activity. */
const sessionMaxMs = 24 * 3_600_000;

/** `lastSeenAt` is written at most this often. */
const touchEveryMs = 60_000;

/** Characters of what a browser says that it is. */
const maxAgentLength = 300;

/** Where a log-in was opened. */
export interface Opened {
  /** Address. */
  readonly origin: string;
  /** The browser's User-Agent; may be empty. */
  readonly agent: string;
}

interface SessionTimes extends Opened {
  readonly userId: number;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** An open log-in as lists show it. */
export interface OpenLogIn extends SessionTimes {
  /** SHA-256 of the token, hex. */
  readonly id: string;
}

/** A live log-in. */
export interface LiveSession {
  /** SHA-256 of the token, hex. */
  readonly id: string;
  readonly account: Account;
}

/**
 * Log-ins of the console. The database holds only the hash of a token. When it cannot be written (full disk), log-ins
 * still work and are kept in memory, so that somebody can look and clean up (case B107).
 */
export class Sessions {
  readonly #database: Database;
  readonly #log: WarningLog;
  readonly #now: () => Date;
  readonly #unsaved = new Map<string, SessionTimes>();
  readonly #endedUnsaved = new Set<string>();
  readonly #changed = new EventEmitter();

  constructor(database: Database, log: WarningLog, now: () => Date) {
    this.#database = database;
    this.#log = log;
    this.#now = now;
    this.#changed.setMaxListeners(0);
  }

  /** Opens a log-in with a new random token (case B112). */
  async open(account: Account, { origin, agent }: Opened): Promise<{ token: string; expiresAt: Date }> {
    const token = randomBytes(32).toString('base64url');
    const now = this.#now();
    const times = {
      userId: account.id,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + sessionMaxMs),
      origin,
      agent: agent.slice(0, maxAgentLength),
    };
    const id = idOf(token);
    try {
      await this.#removeOver();
      await this.#database.session.create({ data: { id, ...times } });
    } catch (error) {
      this.#warn(error, 'a log-in could not be stored and will end with this process');
      this.#unsaved.set(id, times);
    }
    return { token, expiresAt: times.expiresAt };
  }

  /** The live log-in of a token, its role as it is now; null when it is none (any more). Counts as activity. */
  async find(token: string): Promise<LiveSession | null> {
    const id = idOf(token);
    const session = await this.check(id);
    if (session !== null) await this.#touch(id);
    return session;
  }

  /** As `find` by the log-in's id, without counting as activity. */
  async check(id: string): Promise<LiveSession | null> {
    if (this.#endedUnsaved.has(id)) return null;
    const times = this.#unsaved.get(id) ?? (await this.#database.session.findUnique({ where: { id } }));
    if (times === null || isOver(times, this.#now())) return null;
    const user = await this.#database.user.findUnique({ where: { id: times.userId } });
    return user === null || user.disabled ? null : { id, account: accountOf(user) };
  }

  /** Open log-ins of a user, or of everybody, newest first. */
  async list(userId?: number): Promise<OpenLogIn[]> {
    const where = userId === undefined ? {} : { userId };
    const stored = await this.#database.session.findMany({ where });
    const unsaved = [...this.#unsaved].map(([id, times]) => ({ id, ...times }));
    const now = this.#now();
    return [...stored, ...unsaved.filter((one) => userId === undefined || one.userId === userId)]
      .filter((one) => !isOver(one, now) && !this.#endedUnsaved.has(one.id))
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  }

  /** Ends one log-in. */
  async end(id: string): Promise<void> {
    this.#unsaved.delete(id);
    try {
      await this.#database.session.deleteMany({ where: { id } });
    } catch (error) {
      this.#warn(error, 'the end of a log-in could not be stored');
      this.#endedUnsaved.add(id);
    }
    this.lookAgain();
  }

  /** Ends the log-in of a token, if there is one. */
  async endToken(token: string): Promise<void> {
    if ((await this.check(idOf(token))) !== null) await this.end(idOf(token));
  }

  /** Forgets what memory holds of log-ins that were removed from the database. */
  forget(ended: readonly Pick<OpenLogIn, 'id'>[]): void {
    for (const { id } of ended) this.#unsaved.delete(id);
    this.lookAgain();
  }

  /** Forgets what memory holds of a user whose stored log-ins were removed with a password change. */
  forgetUser(userId: number): void {
    for (const [id, times] of this.#unsaved) if (times.userId === userId) this.#unsaved.delete(id);
    this.lookAgain();
  }

  /** Has everybody look who holds a log-in: some was ended, or its user has another role. */
  lookAgain(): void {
    this.#changed.emit('changed');
  }

  /** Calls `listener` whenever some log-in was ended before its time or may have other rights. @returns what ends it. */
  onChanged(listener: () => void): () => void {
    this.#changed.on('changed', listener);
    return () => this.#changed.off('changed', listener);
  }

  async #touch(id: string): Promise<void> {
    const now = this.#now();
    const before = new Date(now.getTime() - touchEveryMs);
    const times = this.#unsaved.get(id);
    if (times !== undefined) {
      this.#unsaved.set(id, { ...times, lastSeenAt: now });
      return;
    }
    const row = await this.#database.session.findUnique({ where: { id }, select: { lastSeenAt: true } });
    if (row === null || row.lastSeenAt > before) return;
    try {
      await this.#database.session.updateMany({ where: { id }, data: { lastSeenAt: now } });
    } catch (error) {
      this.#warn(error, 'the activity of a log-in could not be stored');
    }
  }

  async #removeOver(): Promise<void> {
    const now = this.#now();
    const idleSince = new Date(now.getTime() - sessionIdleMs);
    await this.#database.session.deleteMany({
      where: { OR: [{ expiresAt: { lte: now } }, { lastSeenAt: { lte: idleSince } }] },
    });
    for (const [id, times] of this.#unsaved) if (isOver(times, now)) this.#unsaved.delete(id);
  }

  #warn(error: unknown, text: string): void {
    this.#log.warn({ reason: databaseErrorText(error) }, text);
  }
}

function isOver(times: SessionTimes, now: Date): boolean {
  return times.expiresAt <= now || now.getTime() - times.lastSeenAt.getTime() >= sessionIdleMs;
}

function idOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
