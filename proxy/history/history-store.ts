import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { ApiTokens } from './api-tokens.ts';
import { Attempts } from './attempts.ts';
import { BlocklistLog } from './blocklist-log.ts';
import { type AuditKey, auditKeyFile, ensureAuditKey, readAuditKey } from './chain/audit-key.ts';
import { beginChain } from './chain/begin-chain.ts';
import { ChainWatch } from './chain/chain-watch.ts';
import { lastCheckpoint } from './chain/checkpoint.ts';
import { type Database, openDatabase } from './database.ts';
import { HistoryKeeper, type WarningLog } from './history-keeper.ts';
import { HistoryLog } from './history-log.ts';
import { LockOut } from './lock-out.ts';
import { migrateDatabase } from './migrate.ts';
import { checkRetention, type Retention } from './retention.ts';
import { Sessions } from './sessions.ts';
import { UserAdministration } from './user-administration.ts';
import { Users } from './users.ts';

/** Everything that lasts, in one SQLite file. */
export interface HistoryStore {
  readonly file: string;
  readonly database: Database;
  readonly log: HistoryLog;
  /** For what is refused, and what is done whether or not it can be written down. */
  readonly attempts: Attempts;
  /** Signs and checks the checkpoints of the history; null: it is missing. */
  readonly auditKey: AuditKey | null;
  /** Whether the chain holds. */
  readonly chain: ChainWatch;
  readonly blocklist: BlocklistLog;
  readonly users: Users;
  readonly administration: UserAdministration;
  readonly lockOut: LockOut;
  readonly sessions: Sessions;
  /** Tokens of people for the API. */
  readonly tokens: ApiTokens;
  close(): Promise<void>;
}

/** Log, limits and clock of the store. */
export interface HistoryStoreOptions {
  readonly log: WarningLog;
  /** Parts left out have their default; see defaultRetention. */
  readonly retention?: Partial<Retention>;
  /** The clock; tests pass their own. */
  readonly now?: () => Date;
}

const migrationsDirectory = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/**
 * Opens `<home>/odp.db`, creating and migrating it as needed.
 * @throws OdpError STORE_UNUSABLE, INVALID_ARGUMENT (retention)
 */
export async function openHistory(home: string, options: HistoryStoreOptions): Promise<HistoryStore> {
  const retention = checkRetention(options.retention ?? {});
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const file = join(home, 'odp.db');
  // Only the proxy's own account may read password hashes; SQLite gives the files beside it the same mode.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  await migrateDatabase(file, migrationsDirectory);
  const database = openDatabase(file);
  const now = options.now ?? (() => new Date());
  const auditKey = await openChain(home, database, options.log, now());
  const log = new HistoryLog(database, auditKey, now, retention);
  const blocklist = new BlocklistLog(database, now, options.log);
  const chain = new ChainWatch(database, auditKey, options.log, now);
  const keepers = [log, ...blocklist.prunables].map((prunable) => new HistoryKeeper(prunable, options.log));
  return {
    file,
    database,
    log,
    attempts: new Attempts(log, options.log),
    auditKey,
    chain,
    blocklist,
    users: new Users(database, now),
    administration: new UserAdministration(database, now),
    lockOut: new LockOut(database, options.log, now),
    sessions: new Sessions(database, options.log, now),
    tokens: new ApiTokens(database, options.log, now),
    close: async () => {
      await blocklist.close();
      await chain.close();
      await Promise.all(keepers.map((keeper) => keeper.close()));
      await database.$disconnect();
    },
  };
}

/**
 * The key of the history's chain, which begins now when there is none. A key that is lost is not replaced: a new one
 * would make everything that the old one has signed look forged.
 */
async function openChain(home: string, database: Database, log: WarningLog, now: Date): Promise<AuditKey | null> {
  const file = join(home, auditKeyFile);
  if ((await lastCheckpoint(database)) === null) {
    const key = firstKey(home, file);
    await beginChain(database, key, now);
    return key;
  }
  let reason = 'there is no such file';
  try {
    const key = readAuditKey(home);
    if (key !== null) return key;
  } catch (error) {
    // A proxy that does not start for it would serve nobody any better.
    reason = errorText(error);
  }
  log.warn(
    { file, reason },
    'the key of the history is missing: checkpoints cannot be verified and old rows are kept; put it back from a backup',
  );
  return null;
}

/** @throws OdpError STORE_UNUSABLE when there is a file that holds no key: whose it is only people can tell */
function firstKey(home: string, file: string): AuditKey {
  try {
    return ensureAuditKey(home);
  } catch (error) {
    throw new OdpError('STORE_UNUSABLE', { file, detail: errorText(error) }, { cause: error });
  }
}
