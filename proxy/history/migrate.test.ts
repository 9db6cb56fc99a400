import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectDriver, openDatabase } from './database.ts';
import { migrateDatabase } from './migrate.ts';

const shipped = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
let directory: string;
let file: string;
let migrations: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'odp migrate #1 ?'));
  file = join(directory, 'a.db');
  migrations = join(directory, 'migrations');
  cpSync(shipped, migrations, { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function addMigration(name: string, sql: string): void {
  mkdirSync(join(migrations, name));
  writeFileSync(join(migrations, name, 'migration.sql'), sql);
}

describe('migrateDatabase', () => {
  it('creates the file, in WAL mode, and keeps the table that Prisma keeps', async () => {
    const applied = await migrateDatabase(file, migrations);
    expect(applied[0]).toMatch(/_init$/);
    expect(await migrateDatabase(file, migrations)).toEqual([]);
    const database = openDatabase(file);
    const rows = await database.$queryRawUnsafe<Record<string, unknown>[]>('SELECT * FROM _prisma_migrations');
    expect(rows.map((row) => row.migration_name)).toEqual(applied);
    expect(rows[0]).toMatchObject({ rolled_back_at: null, applied_steps_count: 1 });
    expect(rows[0]?.checksum).toMatch(/^[0-9a-f]{64}$/);
    const pragma = async (name: string) =>
      Object.values((await database.$queryRawUnsafe<object[]>(`PRAGMA ${name}`))[0] ?? {});
    expect(await pragma('journal_mode')).toEqual(['wal']);
    expect(Number((await pragma('synchronous'))[0])).toBe(2);
    expect(Number((await pragma('busy_timeout'))[0])).toBe(5000);
    expect(Number((await pragma('foreign_keys'))[0])).toBe(1);
    await database.$disconnect();
  });

  it('fits the Prisma schema', async () => {
    await migrateDatabase(file, migrations);
    const database = openDatabase(file);
    const createdAt = new Date('2026-01-01T00:00:00.123Z');
    const user = { name: 'a', passwordHash: 'h', role: 'viewer', mustChangePassword: true, createdAt };
    const { id } = await database.user.create({ data: user });
    const times = { createdAt, lastSeenAt: createdAt, expiresAt: createdAt };
    await database.session.create({ data: { id: 's', userId: id, ...times } });
    await database.user.delete({ where: { id } });
    expect(await database.session.count()).toBe(0);
    await database.$disconnect();
  });

  it('makes operators of before DBAs, who may change parameters as they could', async () => {
    const later = readdirSync(migrations).filter((name) => /^\d/.test(name) && name >= '20261201170000');
    for (const name of later) renameSync(join(migrations, name), join(directory, name));
    await migrateDatabase(file, migrations);
    const driver = await connectDriver(file);
    for (const role of ['viewer', 'operator', 'administrator']) {
      await driver.executeScript(`INSERT INTO "User" ("name", "passwordHash", "role", "mustChangePassword", "createdAt")
        VALUES ('${role}', 'h', '${role}', false, '2026-01-01T00:00:00.000+00:00')`);
    }
    await driver.dispose();
    for (const name of later) renameSync(join(directory, name), join(migrations, name));
    await migrateDatabase(file, migrations);
    const database = openDatabase(file);
    const users = await database.user.findMany({ select: { name: true, role: true } });
    expect(users.map(({ name, role }) => `${name} ${role}`)).toEqual([
      'viewer viewer',
      'operator dba',
      'administrator administrator',
    ]);
    await database.$disconnect();
  });

  it('applies what is missing, all or nothing', async () => {
    await migrateDatabase(file, migrations);
    addMigration('20990101000000_good', 'CREATE TABLE "Good" ("id" INTEGER);');
    addMigration('20990102000000_bad', 'CREATE TABLE "Half" ("id" INTEGER); CREATE TABLE "User" ("id" INTEGER);');
    await expect(migrateDatabase(file, migrations)).rejects.toMatchObject({
      code: 'STORE_UNUSABLE',
      message: expect.stringMatching(/table "?User"? already exists/),
    });
    const database = openDatabase(file);
    const tables = await database.$queryRawUnsafe<{ name: string }[]>(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    );
    expect(tables.map((table) => table.name)).not.toContain('Good');
    await database.$disconnect();
    rmSync(join(migrations, '20990102000000_bad'), { recursive: true });
    expect(await migrateDatabase(file, migrations)).toEqual(['20990101000000_good']);
  });

  it('refuses a database of a newer version and one whose migration has changed', async () => {
    addMigration('20990101000000_later', 'CREATE TABLE "Later" ("id" INTEGER);');
    await migrateDatabase(file, migrations);
    await expect(migrateDatabase(file, shipped)).rejects.toThrow(/newer version \(migration 20990101000000_later/);
    writeFileSync(join(migrations, '20990101000000_later', 'migration.sql'), 'SELECT 1;');
    await expect(migrateDatabase(file, migrations)).rejects.toThrow(/20990101000000_later has changed/);
  });

  it('refuses what is no database, naming the file', async () => {
    writeFileSync(file, 'this is a text and not a database, whatever its name says'.repeat(100));
    await expect(migrateDatabase(file, migrations)).rejects.toThrow(/a\.db cannot be used: .*not a database/);
  });

  it('is safe when two processes start at once', async () => {
    const both = await Promise.all([migrateDatabase(file, migrations), migrateDatabase(file, migrations)]);
    expect(both.flat().length).toBeGreaterThan(0);
    const copy = join(directory, 'copy.db');
    copyFileSync(file, copy);
    expect(readFileSync(copy).subarray(0, 15).toString()).toBe('SQLite format 3');
    expect(await migrateDatabase(file, migrations)).toEqual([]);
  });
});
