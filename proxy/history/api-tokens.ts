import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Database, DatabaseWriter } from './database.ts';
import { databaseErrorText } from './database-error.ts';
import type { WarningLog } from './history-keeper.ts';
import { type Account, accountOf } from './users.ts';

/** What every token begins with: scanners for secrets find one in a repository by it. */
const prefix = 'odp_';

/** `lastUsedAt` is written at most this often. */
const touchEveryMs = 60_000;

/** What a token may do at most; what its owner may do at the moment cuts it further. */
interface TokenLimit {
  /** A role of the control API; null: `rights` says it. */
  readonly role: string | null;
  /** Names of rights of the control API. */
  readonly rights: readonly string[];
}

/** A token of a person, without the secret. */
export interface ApiToken {
  readonly id: number;
  readonly owner: Account;
  readonly ownerDisabled: boolean;
  /** Of a person's tokens no two have the same. */
  readonly name: string;
  readonly limit: TokenLimit;
  readonly reason: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** To the minute; null: never. */
  readonly lastUsedAt: Date | null;
  /** Address of that use. */
  readonly lastUsedFrom: string;
}

/** What a new token is to be. */
type NewToken = Pick<ApiToken, 'name' | 'limit' | 'reason' | 'expiresAt'>;

/** Whether a text is meant to be a token at all. */
export function isApiToken(text: string): boolean {
  return text.startsWith(prefix);
}

/**
 * Tokens with which scripts use the API in the name of a person. The database holds only the SHA-256 of a token and is
 * searched by it: how long that takes tells nothing about the tokens there are.
 */
export class ApiTokens {
  readonly #database: Database;
  readonly #log: WarningLog;
  readonly #now: () => Date;
  readonly #ended = new EventEmitter();

  constructor(database: Database, log: WarningLog, now: () => Date) {
    this.#database = database;
    this.#log = log;
    this.#now = now;
    this.#ended.setMaxListeners(0);
  }

  /**
   * Makes a token in one transaction with what `beside` writes.
   * @returns the secret, which is not kept; null: the owner has one of that name already
   */
  async create(
    owner: Account,
    { name, limit, reason, expiresAt }: NewToken,
    beside: (writer: DatabaseWriter, at: Date) => Promise<unknown>,
  ): Promise<{ secret: string; token: ApiToken } | null> {
    const secret = prefix + randomBytes(32).toString('hex');
    const at = this.#now();
    const times = { createdAt: at, expiresAt };
    const limits = { role: limit.role, rights: JSON.stringify(limit.rights) };
    return await this.#database.$transaction(async (transaction) => {
      const where = { userId_name: { userId: owner.id, name } };
      if ((await transaction.apiToken.findUnique({ where })) !== null) return null;
      const row = await transaction.apiToken.create({
        data: { userId: owner.id, name, hash: hashOf(secret), ...limits, reason, ...times },
        include: { user: true },
      });
      await beside(transaction, at);
      return { secret, token: tokenOf(row) };
    });
  }

  /** The token of a secret, live or not; null: there is none (any more). */
  async find(secret: string): Promise<ApiToken | null> {
    const row = await this.#database.apiToken.findUnique({ where: { hash: hashOf(secret) }, include: { user: true } });
    return row === null ? null : tokenOf(row);
  }

  /** As `find`, by the token's number. */
  async get(id: number): Promise<ApiToken | null> {
    const row = await this.#database.apiToken.findUnique({ where: { id }, include: { user: true } });
    return row === null ? null : tokenOf(row);
  }

  /** Whether a token may be used at this moment. */
  isLive({ expiresAt, ownerDisabled }: ApiToken): boolean {
    return expiresAt > this.#now() && !ownerDisabled;
  }

  /** The tokens of a user, or of everybody, by owner and name. */
  async list(userId: number | null): Promise<ApiToken[]> {
    const rows = await this.#database.apiToken.findMany({
      where: userId === null ? {} : { userId },
      orderBy: [{ user: { name: 'asc' } }, { name: 'asc' }],
      include: { user: true },
    });
    return rows.map(tokenOf);
  }

  /** Removes a token in one transaction with what `beside` writes. @returns false: it is gone already */
  async revoke(id: number, beside: (writer: DatabaseWriter, at: Date) => Promise<unknown>): Promise<boolean> {
    const isDone = await this.#database.$transaction(async (transaction) => {
      const { count } = await transaction.apiToken.deleteMany({ where: { id } });
      if (count > 0) await beside(transaction, this.#now());
      return count > 0;
    });
    this.#ended.emit('ended');
    return isDone;
  }

  /** Notes that a token was used. That it cannot be written stops nobody. */
  async touch({ id, lastUsedAt }: ApiToken, lastUsedFrom: string): Promise<void> {
    const now = this.#now();
    if (lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < touchEveryMs) return;
    try {
      await this.#database.apiToken.updateMany({ where: { id }, data: { lastUsedAt: now, lastUsedFrom } });
    } catch (error) {
      this.#log.warn({ reason: databaseErrorText(error) }, 'the use of an API token could not be stored');
    }
  }

  /** Calls `listener` whenever a token was revoked. @returns the function that ends it. */
  onEnded(listener: () => void): () => void {
    this.#ended.on('ended', listener);
    return () => this.#ended.off('ended', listener);
  }
}

interface StoredToken extends Omit<ApiToken, 'owner' | 'ownerDisabled' | 'limit'> {
  readonly role: string | null;
  readonly rights: string;
  readonly user: Parameters<typeof accountOf>[0] & { readonly disabled: boolean };
}

function tokenOf(row: StoredToken): ApiToken {
  const { id, name, role, rights, reason, createdAt, expiresAt, lastUsedAt, lastUsedFrom, user } = row;
  const limit = { role, rights: JSON.parse(rights) as string[] };
  const times = { createdAt, expiresAt, lastUsedAt, lastUsedFrom };
  return { id, owner: accountOf(user), ownerDisabled: user.disabled, name, limit, reason, ...times };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
