import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { product } from './product.ts';

/** Adds a console user who may only look, with the administrator's password, straight into the product's store. */
export function addViewer(name: string): void {
  const database = new DatabaseSync(join(product().home, 'odp.db'));
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    database
      .prepare(
        `INSERT INTO "User" (name, passwordHash, role, mustChangePassword, disabled, createdAt)
         SELECT ?, passwordHash, 'viewer', 0, 0, createdAt FROM "User" WHERE name = 'admin'
         ON CONFLICT DO NOTHING`,
      )
      .run(name);
  } finally {
    database.close();
  }
}
