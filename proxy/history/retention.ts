import { setImmediate as nextTurn } from 'node:timers/promises';
import { OdpError } from '../errors/odp-error.ts';
import type { AuditKey } from './chain/audit-key.ts';
import {
  type ChainHead,
  type Checkpoint,
  chainHead,
  contentHash,
  lastCheckpoint,
  writeCheckpoint,
} from './chain/checkpoint.ts';
import { chainStart, rowHash } from './chain/row-hash.ts';
import type { Database, DatabaseWriter } from './database.ts';
import { Prisma } from './generated/client.ts';
import { storedTime } from './history-query.ts';
import type { HistoryRow } from './history-row.ts';

/** How much history is kept. The newest change of each parameter and scope is kept in any case. */
export interface Retention {
  readonly maxRows: number;
  readonly maxAgeDays: number;
}

/** Kept when nothing else is asked for: a year, and at most a million rows (some 600 MB). */
const defaultRetention: Retention = { maxRows: 1_000_000, maxAgeDays: 365 };

/** Rows removed by one statement: short enough that no other write waits noticeably. */
const batchRows = 500;

const dayMs = 86_400_000;

/**
 * Checks a retention rule; parts left out have their default (case B107).
 * @throws OdpError INVALID_ARGUMENT for anything but whole numbers of at least 1.
 */
export function checkRetention(retention: Partial<Retention>): Retention {
  const whole = { ...defaultRetention, ...retention };
  for (const [name, value] of Object.entries(whole)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new OdpError('INVALID_ARGUMENT', {
        detail: `history retention: ${name} = ${value} is not a whole number above 0`,
      });
    }
  }
  return whole;
}

/** The newest row is sealed when so many have come since the last checkpoint, or so long after it. */
const sealAfterRows = 100;
const sealAfterMs = 3_600_000;

/**
 * Removes the rows beyond `maxRows` and those older than `maxAgeDays`, batch by batch, each up to a checkpoint that is
 * signed in the same transaction. Seals the newest row by a checkpoint now and then.
 * @returns rows removed
 * @throws Error when the key is missing, or what is to be removed does not verify: a break is evidence and stays
 */
export async function pruneHistory(
  database: Database,
  key: AuditKey | null,
  retention: Retention,
  now: Date,
): Promise<number> {
  if (key === null) throw new Error('the key that signs checkpoints is missing: the history is kept whole');
  const last = await lastCheckpoint(database);
  const head = await chainHead(database);
  const lastId = await lastToRemove(database, retention, last, head, now);
  const unsealed = head.id - (last?.sealedId ?? 0);
  const mustSeal =
    unsealed >= sealAfterRows || (unsealed > 0 && now.getTime() - (last?.at.getTime() ?? 0) >= sealAfterMs);
  if (!mustSeal && lastId <= (last?.removedId ?? 0) && !(await hasSuperseded(database, lastId))) return 0;
  let removed = 0;
  for (let isOver = false; !isOver; ) {
    const batch = await database.$transaction((transaction) => removeBatch(transaction, key, lastId, now));
    removed += batch.removed;
    isOver = batch.isLast;
    if (!isOver) await nextTurn();
  }
  return removed;
}

/** Rows up to an id that are not the last of their action for a parameter and scope that was made. */
async function supersededRows(
  reader: DatabaseWriter,
  lastId: number,
  limit: number,
): Promise<{ id: bigint | number }[]> {
  return await reader.$queryRaw`
    SELECT old.id FROM "HistoryRow" AS old WHERE old.id <= ${lastId} 
      AND (old.parameter = '' OR old.outcome IN ('refused', 'failed') OR EXISTS (
        SELECT 1 FROM "HistoryRow" AS newer
        WHERE newer.parameter = old.parameter AND newer.scope = old.scope AND newer.action = old.action AND newer.id > old.id
          AND newer.outcome NOT IN ('refused', 'failed'))) LIMIT ${limit}`;
}

/** Whether rows kept before have been followed by newer ones of their parameter since. */
async function hasSuperseded(database: Database, lastId: number): Promise<boolean> {
  return (await supersededRows(database, lastId, 1)).length > 0;
}

/** The last row that the rule gives up. All before it go too, so that what stays is one piece (case B105: clocks go back). */
async function lastToRemove(
  database: Database,
  { maxRows, maxAgeDays }: Retention,
  last: Checkpoint | null,
  head: ChainHead,
  now: Date,
): Promise<number> {
  const done = last?.removedId ?? 0;
  const oldest = storedTime(new Date(now.getTime() - maxAgeDays * dayMs));
  const young = await database.$queryRaw<{ id: bigint | number }[]>`
    SELECT id FROM "HistoryRow" WHERE id > ${done} AND +at >= ${oldest} ORDER BY id LIMIT 1`;
  const tooOld = young[0] === undefined ? head.id : Number(young[0].id) - 1;
  return Math.max(done, tooOld, head.id - maxRows);
}

/** One batch, in the caller's transaction: checks it, signs what stays true without it, removes it. */
async function removeBatch(
  transaction: DatabaseWriter,
  key: AuditKey,
  lastId: number,
  now: Date,
): Promise<{ removed: number; isLast: boolean }> {
  const last = await lastCheckpoint(transaction);
  const before = { id: last?.removedId ?? 0, hash: last?.removedHash ?? chainStart };
  const rows = await transaction.$queryRaw<HistoryRow[]>`
    SELECT * FROM "HistoryRow" WHERE id > ${before.id} AND id <= ${lastId} ORDER BY id LIMIT ${batchRows}`;
  const end = endOfIntact(rows, before);
  const keptBefore = await transaction.$queryRaw<HistoryRow[]>`
    SELECT * FROM "HistoryRow" WHERE id <= ${before.id} ORDER BY id`;
  if (last !== null && contentHash(keptBefore) !== last.keptHash) {
    throw new Error(
      'the oldest entries of the history are not those that were kept: nothing is removed (audit verify)',
    );
  }
  const superseded = await supersededRows(transaction, end.id, -1);
  const head = await chainHead(transaction);
  // Another process may have done it already.
  if (superseded.length > 0 || end.id > before.id || head.id > (last?.sealedId ?? -1)) {
    const gone = new Set(superseded.map(({ id }) => Number(id)));
    const kept = [...keptBefore, ...rows].filter(({ id }) => !gone.has(Number(id)));
    await writeCheckpoint(transaction, key, {
      at: now,
      sealedId: head.id,
      sealedHash: head.hash,
      removedId: end.id,
      removedHash: end.hash,
      keptRows: kept.length,
      keptHash: contentHash(kept),
    });
    await transaction.$executeRaw`
      DELETE FROM "HistoryRow" WHERE id IN (SELECT value FROM json_each(${JSON.stringify([...gone])}))`;
    // Checkpoints whose row is gone say nothing any more that the newest one does not say.
    await transaction.historyCheckpoint.deleteMany({ where: { sealedId: { lt: end.id } } });
  }
  return { removed: superseded.length, isLast: rows.length < batchRows };
}

/** @returns id and hash of the last row. @throws Error at the first that does not fit the one before */
function endOfIntact(rows: readonly HistoryRow[], before: ChainHead): ChainHead {
  let end = before;
  for (const row of rows) {
    if (rowHash(end.hash, row) !== row.hash) {
      throw new Error(
        `entry ${row.id} of the history does not fit the one before it: nothing is removed (audit verify)`,
      );
    }
    end = { id: Number(row.id), hash: row.hash };
  }
  return end;
}

/** As `pruneHistory`, for tables in which no row has to stay. */
export async function pruneTable(
  database: Database,
  table: 'BlocklistTransition' | 'ServerFailure',
  retention: Retention,
  now: Date,
): Promise<number> {
  const name = Prisma.raw(`"${table}"`);
  const oldest = storedTime(new Date(now.getTime() - retention.maxAgeDays * dayMs));
  // Ids grow by one and rows go from the front only: no need to count them, which would take long with many.
  const newest = await database.$queryRaw<{ id: bigint | number | null }[]>`SELECT MAX(id) AS id FROM ${name}`;
  const firstTooMany = Number(newest[0]?.id ?? 0) - retention.maxRows;
  let removed = 0;
  for (;;) {
    const count = await database.$executeRaw`
      DELETE FROM ${name} WHERE id IN (
        SELECT id FROM ${name} WHERE id <= ${firstTooMany} OR at < ${oldest} LIMIT ${batchRows})`;
    removed += count;
    if (count < batchRows) return removed;
    await nextTurn();
  }
}
