import { OdpError } from '../errors/odp-error.ts';
import type { Database, DatabaseWriter } from './database.ts';
import { databaseErrorText } from './database-error.ts';
import type { User as UserRow } from './generated/client.ts';
import type { HistoryEntry } from './history-log.ts';
import { type Failures, isLocked, noFailures } from './lock-out.ts';
import { hashOf, oneTimePassword } from './passwords.ts';
import { type Account, accountOf, type UserRole } from './users.ts';

/** A console user as administrators see one. */
export interface UserRecord extends Account, Failures {
  readonly disabled: boolean;
  readonly createdAt: Date;
  /** Grows by one with each change by an administrator. */
  readonly revision: number;
  readonly lastLoginAt: Date | null;
  readonly lastLoginFrom: string;
}

/** What an administrator does to a user. `reset`: a new one-time password. */
export type UserEdit =
  | { readonly what: 'role'; readonly role: UserRole }
  | { readonly what: 'disable' | 'enable' | 'reset' | 'unlock' };

/** One change, and what it is based on. */
export interface UserChange {
  readonly id: number;
  /** As the administrator saw it: another one by now refuses the change. */
  readonly revision: number;
  /** Account id of the administrator. */
  readonly by: number;
  readonly edit: UserEdit;
}

/** Writes the history row of a change in its transaction. */
export type UserAudit = (writer: DatabaseWriter, entry: HistoryEntry, at: Date) => Promise<unknown>;

interface Changed {
  readonly user: UserRecord;
  /** To be shown once; null: the change makes none. */
  readonly oneTimePassword: string | null;
}

/**
 * What administrators do to users. Users are disabled, never removed: a later one of the same name would be taken for the
 * one that the history tells of (case B104).
 */
export class UserAdministration {
  readonly #database: Database;
  readonly #now: () => Date;

  constructor(database: Database, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** Everybody, by name. */
  async list(): Promise<UserRecord[]> {
    const rows = await this.#database.user.findMany({ orderBy: { name: 'asc' } });
    return rows.map(recordOf);
  }

  /** @throws OdpError NOT_FOUND */
  async get(id: number): Promise<UserRecord> {
    return recordOf(await rowOf(this.#database, id));
  }

  /** Makes a user with a one-time password. @throws OdpError USER_EXISTS, STORE_FAILED */
  async create(name: string, role: UserRole, audit: UserAudit): Promise<Changed> {
    const password = oneTimePassword();
    const passwordHash = await hashOf(password);
    return await this.#transaction(async (writer, at) => {
      if ((await writer.user.findUnique({ where: { name } })) !== null) throw new OdpError('USER_EXISTS', { name });
      const data = { name, role, passwordHash, mustChangePassword: true, createdAt: at };
      const user = await writer.user.create({ data });
      await audit(writer, { action: 'user.create', newValue: `${name}: ${role}` }, at);
      return { user: recordOf(user), oneTimePassword: password };
    });
  }

  /**
   * Makes one change. Disabling and a new password end the user's log-ins; another role counts from the next request on.
   * @throws OdpError NOT_FOUND; USER_CHANGED: somebody else was faster; USER_NOT_CHANGED with the reason; STORE_FAILED
   */
  async change({ id, revision, by, edit }: UserChange, audit: UserAudit): Promise<Changed> {
    const password = edit.what === 'reset' ? oneTimePassword() : null;
    const passwordHash = password === null ? null : await hashOf(password);
    return await this.#transaction(async (writer, at) => {
      const row = await rowOf(writer, id);
      if (row.revision !== revision) throw new OdpError('USER_CHANGED', { name: row.name });
      await checkEdit(writer, row, by, edit, at);
      const data = dataOf(edit, passwordHash);
      const user = await writer.user.update({ where: { id }, data: { ...data, revision: { increment: 1 } } });
      if (edit.what === 'disable' || edit.what === 'reset') await writer.session.deleteMany({ where: { userId: id } });
      await audit(writer, entryOf(row, edit), at);
      return { user: recordOf(user), oneTimePassword: password };
    });
  }

  async #transaction<Result>(write: (writer: DatabaseWriter, at: Date) => Promise<Result>): Promise<Result> {
    try {
      return await this.#database.$transaction((writer) => write(writer, this.#now()));
    } catch (error) {
      if (error instanceof OdpError) throw error;
      throw new OdpError('STORE_FAILED', { detail: databaseErrorText(error) }, { cause: error });
    }
  }
}

async function rowOf(reader: Pick<DatabaseWriter, 'user'>, id: number): Promise<UserRow> {
  const row = await reader.user.findUnique({ where: { id } });
  if (row === null) throw new OdpError('NOT_FOUND', { detail: `there is no user ${id}` });
  return row;
}

/** @throws OdpError USER_NOT_CHANGED */
async function checkEdit(writer: DatabaseWriter, row: UserRow, by: number, edit: UserEdit, at: Date): Promise<void> {
  const refuse = (detail: string) => new OdpError('USER_NOT_CHANGED', { name: row.name, detail });
  if (row.id === by && edit.what !== 'unlock') throw refuse('this is yourself');
  if (edit.what === 'role' && row.role === edit.role) throw refuse(`the role is ${row.role} already`);
  if (edit.what === 'disable' && row.disabled) throw refuse('it is disabled already');
  if (edit.what === 'enable' && !row.disabled) throw refuse('it is enabled already');
  if (edit.what === 'unlock' && !isLocked(row, at)) throw refuse('it is not locked (any more)');
  const isLowered = edit.what === 'disable' || edit.what === 'role';
  if (!isLowered || row.role !== 'administrator' || row.disabled) return;
  // Also where two administrators lower each other at once.
  const others = await writer.user.count({ where: { role: 'administrator', disabled: false, id: { not: row.id } } });
  if (others === 0) throw refuse('it is the last enabled administrator');
}

function dataOf(edit: UserEdit, passwordHash: string | null) {
  if (edit.what === 'role') return { role: edit.role };
  if (edit.what === 'disable' || edit.what === 'enable') return { disabled: edit.what === 'disable' };
  return passwordHash === null ? noFailures : { ...noFailures, passwordHash, mustChangePassword: true };
}

function entryOf(row: UserRow, edit: UserEdit): HistoryEntry {
  const { name } = row;
  switch (edit.what) {
    case 'role':
      return { action: 'user.role', oldValue: `${name}: ${row.role}`, newValue: `${name}: ${edit.role}` };
    case 'disable':
      return { action: 'user.disable', oldValue: `${name}: enabled`, newValue: `${name}: disabled` };
    case 'enable':
      return { action: 'user.enable', oldValue: `${name}: disabled`, newValue: `${name}: enabled` };
    case 'unlock': {
      const until = row.lockedUntil?.toISOString() ?? '';
      return { action: 'user.unlock', oldValue: `${name}: locked until ${until}`, newValue: `${name}: not locked` };
    }
    case 'reset':
      return { action: 'user.reset', newValue: `${name}: a one-time password` };
  }
}

function recordOf(row: UserRow): UserRecord {
  const { disabled, createdAt, revision, lastLoginAt, lastLoginFrom } = row;
  const { failedLogins, failedSince, failedAt, failedFrom, lockedUntil } = row;
  const failures = { failedLogins, failedSince, failedAt, failedFrom, lockedUntil };
  return { ...accountOf(row), disabled, createdAt, revision, lastLoginAt, lastLoginFrom, ...failures };
}
