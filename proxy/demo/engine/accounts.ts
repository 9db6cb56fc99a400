import { passwordStage1, passwordStage2 } from '../../wire/auth.ts';
import { MysqlError } from '../mysql-error.ts';
import type { EngineConnection } from './connection.ts';

/** A user of a tenant. Hosts are not told apart: every account is `user@%`. */
export interface Account {
  readonly user: string;
  /** SHA1(SHA1(password)); null for the empty password. */
  readonly stage2: Buffer | null;
}

/** The users of one tenant, kept in its file. */
export class Accounts {
  readonly #connection: EngineConnection;
  readonly #byName = new Map<string, Account>();

  constructor(connection: EngineConnection) {
    this.#connection = connection;
    connection.exec('CREATE TABLE IF NOT EXISTS __users (name TEXT PRIMARY KEY, stage2 BLOB)');
    for (const [name, stage2] of connection.all('SELECT name, stage2 FROM __users')) {
      const user = String(name);
      this.#byName.set(user, { user, stage2: stage2 instanceof Uint8Array ? Buffer.from(stage2) : null });
    }
  }

  find(user: string): Account | undefined {
    return this.#byName.get(user);
  }

  get all(): Account[] {
    return [...this.#byName.values()];
  }

  /** Makes or changes a user. */
  save(user: string, stage2: Buffer | null): void {
    this.#connection.run('INSERT OR REPLACE INTO __users VALUES (:name, :stage2)', {
      ':name': user,
      ':stage2': stage2,
    });
    this.#byName.set(user, { user, stage2 });
  }

  drop(user: string): void {
    this.#connection.run('DELETE FROM __users WHERE name = :name', { ':name': user });
    this.#byName.delete(user);
  }
}

/** What is stored for a password; null for the empty one. */
export function storedPassword(password: string): Buffer | null {
  return password === '' ? null : passwordStage2(passwordStage1(password));
}

/** Reads `*` and 40 hex digits, the written form of a stored password. */
export function parseStoredPassword(text: string): Buffer | null {
  if (text === '') return null;
  if (!/^\*[0-9a-fA-F]{40}$/.test(text)) throw new MysqlError('WRONG_ARGUMENTS', { name: 'PASSWORD' });
  return Buffer.from(text.slice(1), 'hex');
}
