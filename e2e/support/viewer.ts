import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Role } from '../../proxy/control/contract.ts';
import { product } from './product.ts';

/** Adds a console user who may only look, with the administrator's password, straight into the product's store. */
export function addViewer(name: string): void {
  addUser(name, 'viewer');
}

/** As `addViewer`, with a role; somebody of that name who is there already gets it. */
export function addUser(name: string, role: Role): void {
  withStore((database) => {
    database
      .prepare(
        `INSERT INTO "User" (name, passwordHash, role, mustChangePassword, disabled, createdAt)
         SELECT ?, passwordHash, ?, 0, 0, createdAt FROM "User" WHERE name = 'admin'
         ON CONFLICT (name) DO UPDATE SET role = excluded.role`,
      )
      .run(name, role);
  });
}

/** A user's row as the store has it. */
export function storedUser(name: string): Record<string, unknown> {
  return withStore((database) => database.prepare('SELECT * FROM "User" WHERE name = ?').get(name) ?? {});
}

/** The newest row of an action in the history of the store. */
export function newestRow(action: string): Record<string, unknown> {
  return withStore(
    (database) =>
      database.prepare('SELECT * FROM "HistoryRow" WHERE action = ? ORDER BY id DESC LIMIT 1').get(action) ?? {},
  );
}

function withStore<Result>(use: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(product().home, 'odp.db'));
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    return use(database);
  } finally {
    database.close();
  }
}
