import { OdpError } from '../errors/odp-error.ts';
import type { Database, DatabaseWriter } from './database.ts';
import { databaseErrorText } from './database-error.ts';
import { noFailures } from './lock-out.ts';
import { hashOf, isPassword, oneTimePassword } from './passwords.ts';

/** What a console user may do; the rights of each are in the control API's permissions. */
const userRoles = ['viewer', 'operator', 'dba', 'auditor', 'administrator'] as const;
export type UserRole = (typeof userRoles)[number];

/** A console user as the rest of the proxy sees one: without the hash. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly role: UserRole;
  /** True until a first-run password has been replaced. */
  readonly mustChangePassword: boolean;
}

const administratorName = 'admin';

/** Console users as themselves: the first one, and passwords, of which only hashes are kept. */
export class Users {
  readonly #database: Database;
  readonly #now: () => Date;

  constructor(database: Database, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /**
   * Makes the user `admin` when there is no user at all, or gives `admin` a new password when `reset` asks for it (the
   * way back in for someone who lost theirs), in one transaction with what `beside` writes.
   * @returns the one-time password, to be shown once; null when nothing was done.
   */
  async ensureAdministrator(
    reset: boolean,
    beside: (writer: DatabaseWriter, action: 'user.create' | 'user.reset', at: Date) => Promise<unknown>,
  ): Promise<string | null> {
    const isFirstRun = (await this.#database.user.count()) === 0;
    if (!isFirstRun && !reset) return null;
    const password = oneTimePassword();
    const data = {
      passwordHash: await hashOf(password),
      role: 'administrator',
      mustChangePassword: true,
      disabled: false,
      ...noFailures,
    };
    await this.#database.$transaction(async (transaction) => {
      const user = await transaction.user.upsert({
        where: { name: administratorName },
        create: { name: administratorName, createdAt: this.#now(), ...data },
        update: { ...data, revision: { increment: 1 } },
      });
      await transaction.session.deleteMany({ where: { userId: user.id } });
      await beside(transaction, isFirstRun ? 'user.create' : 'user.reset', this.#now());
    });
    return password;
  }

  /** The account that the name and password belong to; null for a wrong or disabled one, after the same time. */
  async verify(name: string, password: string): Promise<Account | null> {
    const user = await this.#database.user.findUnique({ where: { name } });
    const isRight = await isPassword(user?.passwordHash ?? null, password);
    return user !== null && isRight && !user.disabled ? accountOf(user) : null;
  }

  /**
   * Sets a user's own password and ends all of the user's sessions, in one transaction with what `beside` writes.
   * @throws OdpError STORE_FAILED: the old password then stays.
   */
  async changePassword(
    account: Account,
    password: string,
    beside: (writer: DatabaseWriter, at: Date) => Promise<unknown>,
  ): Promise<void> {
    const passwordHash = await hashOf(password);
    try {
      await this.#database.$transaction(async (transaction) => {
        const data = { passwordHash, mustChangePassword: false };
        await transaction.user.update({ where: { id: account.id }, data });
        await transaction.session.deleteMany({ where: { userId: account.id } });
        await beside(transaction, this.#now());
      });
    } catch (error) {
      throw new OdpError('STORE_FAILED', { detail: databaseErrorText(error) }, { cause: error });
    }
  }
}

/** Takes the hash off a user row. */
export function accountOf(user: { id: number; name: string; role: string; mustChangePassword: boolean }): Account {
  const { id, name, mustChangePassword } = user;
  // A role that this version does not know gets the fewest rights.
  const role = userRoles.find((known) => known === user.role) ?? 'viewer';
  return { id, name, role, mustChangePassword };
}
