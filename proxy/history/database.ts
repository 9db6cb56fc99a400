import { PrismaLibSql } from '@prisma/adapter-libsql';
import { PrismaClient } from './generated/client.ts';

/** Prisma's client on the one database file. */
export type Database = PrismaClient;

/** What a write needs: the database itself or an open transaction of it. */
export type DatabaseWriter = Pick<
  PrismaClient,
  | 'parameter'
  | 'parameterOverride'
  | 'scheduledRevert'
  | 'proposal'
  | 'historyRow'
  | 'historyCheckpoint'
  | 'user'
  | 'session'
  | 'apiToken'
  | '$queryRaw'
  | '$executeRaw'
>;

type LibSqlClient = ReturnType<PrismaLibSql['createClient']>;
type LibSqlTransaction = Awaited<ReturnType<LibSqlClient['transaction']>>;

/** How long a statement waits for another process's lock (ms). */
const busyTimeoutMs = 5_000;

/** Prisma's driver without Prisma on top: for scripts. */
export type Driver = Awaited<ReturnType<PrismaLibSql['connect']>>;

/**
 * Opens a migrated database file. SQLite's own default `synchronous = FULL` stays: with WAL a commit that was answered
 * survives the end of the process and of the machine.
 */
export function openDatabase(file: string): Database {
  return new PrismaClient({ adapter: new OneConnection(configOf(file)) });
}

/** Opens the bare driver; the caller disposes of it. */
export function connectDriver(file: string): Promise<Driver> {
  return new OneConnection(configOf(file)).connect();
}

function configOf(file: string): { url: string; timeout: number } {
  // The path is put in as a URL path, so that blanks, `?` and `#` in it are not read as something else.
  return { url: `file:${file.split('/').map(encodeURIComponent).join('/')}`, timeout: busyTimeoutMs };
}

/**
 * The libsql client opens a further connection after each transaction and leaves the last one to the garbage collector:
 * a thousand changes held a thousand descriptors. Here a transaction runs on the one connection (the adapter holds all
 * other statements back meanwhile) and takes the write lock at its beginning, so that it cannot fail in the middle.
 */
class OneConnection extends PrismaLibSql {
  override createClient(config: Parameters<PrismaLibSql['createClient']>[0]): LibSqlClient {
    const client = super.createClient(config);
    client.transaction = async (): Promise<LibSqlTransaction> => {
      await client.execute('BEGIN IMMEDIATE');
      let closed = false;
      const rollback = async (): Promise<void> => {
        closed = true;
        await client.execute('ROLLBACK');
      };
      const commit = async (): Promise<void> => {
        try {
          await client.execute('COMMIT');
          closed = true;
        } catch (error) {
          // A commit refused for a full disk may leave the transaction open, or may have rolled it back already.
          await rollback().catch((second: unknown) => {
            if (!/no transaction is active/.test(String(second))) throw second;
          });
          throw error;
        }
      };
      return {
        execute: (statement) => client.execute(statement),
        batch: async (statements) => {
          const results = [];
          for (const statement of statements) results.push(await client.execute(statement));
          return results;
        },
        executeMultiple: (sql) => client.executeMultiple(sql),
        commit,
        rollback,
        close: () => undefined,
        get closed() {
          return closed;
        },
      };
    };
    return client;
  }
}
