import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OdpError } from '../errors/odp-error.ts';
import { connectDriver, type Driver } from './database.ts';
import { databaseErrorText } from './database-error.ts';

interface Migration {
  readonly name: string;
  readonly sql: string;
  /** As Prisma computes it: SHA-256 of the file, hex. */
  readonly checksum: string;
}

/** The table that Prisma's own migrate commands keep, so that they agree with this runner. */
const migrationsTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL,
  "checksum" TEXT NOT NULL,
  "finished_at" DATETIME,
  "migration_name" TEXT NOT NULL,
  "logs" TEXT,
  "rolled_back_at" DATETIME,
  "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
  "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0
);`;

/**
 * Brings a database file up to date: creates it when missing, turns WAL on (it stays on in the file), and applies what
 * is missing of `directory/<time>_<name>/migration.sql` in one transaction. Prisma's migrate command is not used since
 * it downloads an engine; node:sqlite is not either, since two SQLite libraries in one process undo each other's locks.
 *
 * A complete database is not written to: reading must go on with a full disk (case B107).
 * @returns names of the migrations applied now.
 * @throws OdpError STORE_UNUSABLE when the file is of a newer version, an applied migration has changed since, or SQLite
 * refuses.
 */
export async function migrateDatabase(file: string, directory: string): Promise<string[]> {
  const migrations = readMigrations(directory);
  try {
    const driver = await connectDriver(file);
    try {
      const missing = await missingMigrations(driver, migrations, file);
      if (missing.length > 0) await applyAll(driver, missing, migrations, file);
      return missing.map((migration) => migration.name);
    } finally {
      await driver.dispose();
    }
  } catch (error) {
    if (error instanceof OdpError) throw error;
    throw new OdpError('STORE_UNUSABLE', { file, detail: databaseErrorText(error) }, { cause: error });
  }
}

function readMigrations(directory: string): Migration[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, 'migration.sql')))
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(directory, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql, 'utf8').digest('hex') };
    });
}

async function missingMigrations(driver: Driver, migrations: readonly Migration[], file: string): Promise<Migration[]> {
  const tables = await query(
    driver,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name = '_prisma_migrations'",
  );
  if (tables.length === 0) return [...migrations];
  const rows = await query(
    driver,
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const applied = new Set<string>();
  for (const [nameCell, checksum, finishedAt] of rows) {
    const name = String(nameCell);
    const problem = problemOf(name, known.get(name), checksum, finishedAt);
    if (problem !== undefined) throw new OdpError('STORE_UNUSABLE', { file, detail: problem });
    applied.add(name);
  }
  return migrations.filter((migration) => !applied.has(migration.name));
}

function problemOf(
  name: string,
  migration: Migration | undefined,
  checksum: unknown,
  finishedAt: unknown,
): string | undefined {
  if (migration === undefined) return `it was made by a newer version (migration ${name} is not known here)`;
  if (finishedAt === null) return `migration ${name} was begun by another tool and not finished`;
  if (migration.checksum !== checksum) return `migration ${name} has changed since it was applied`;
  return undefined;
}

async function applyAll(
  driver: Driver,
  missing: readonly Migration[],
  migrations: readonly Migration[],
  file: string,
): Promise<void> {
  const now = Date.now();
  const steps = missing.map(
    ({ name, sql, checksum }) => `${sql}
INSERT INTO _prisma_migrations (id, checksum, started_at, finished_at, migration_name, applied_steps_count)
VALUES ('${randomUUID()}', '${checksum}', ${now}, ${now}, '${name.replaceAll("'", "''")}', 1);`,
  );
  // Neither pragma works inside a transaction. The driver rolls back what a failed script leaves open.
  const script = ['PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE;', migrationsTable, ...steps];
  try {
    await driver.executeScript([...script, 'COMMIT;'].join('\n'));
  } catch (error) {
    // A second process may have been faster; then there is nothing left to do.
    if ((await missingMigrations(driver, migrations, file)).length > 0) throw error;
  }
}

async function query(driver: Driver, sql: string): Promise<unknown[][]> {
  const result = await driver.queryRaw({ sql, args: [], argTypes: [] });
  return result.rows;
}
