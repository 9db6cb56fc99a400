import type { Database, DatabaseWriter } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import type { HistoryRow } from '../history-row.ts';
import type { AuditKey } from './audit-key.ts';
import { type ChainHead, chainHead, contentHash, lastCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { chainFormat, chainStart, rowHash } from './row-hash.ts';

/** Rows chained by one statement. */
const batchRows = 500;

/**
 * Begins the chain of a database that has none: chains the rows that an older version has left, and signs the first
 * checkpoint. What was altered before that moment cannot be told.
 * @returns whether it began now
 */
export async function beginChain(database: Database, key: AuditKey, now: Date): Promise<boolean> {
  return await database.$transaction(
    async (transaction) => {
      // Another process may have been faster: what counts is seen with the lock held.
      if ((await lastCheckpoint(transaction)) !== null) return false;
      await chainRows(transaction, { id: 0, hash: chainStart });
      const head = await chainHead(transaction);
      await writeCheckpoint(transaction, key, {
        at: now,
        sealedId: head.id,
        sealedHash: head.hash,
        removedId: 0,
        removedHash: chainStart,
        keptRows: 0,
        keptHash: contentHash([]),
      });
      return true;
    },
    // A hundred thousand rows take some seconds.
    { timeout: 300_000, maxWait: 60_000 },
  );
}

/**
 * Chains every row behind a place, in the order of their ids. Gaps that an older version's retention has left between
 * them are closed over: a row is chained to the one before it that is there.
 */
export async function chainRows(writer: DatabaseWriter, behind: ChainHead): Promise<void> {
  let { id: lastId, hash: before } = behind;
  for (;;) {
    const rows = await writer.$queryRaw<HistoryRow[]>`
      SELECT * FROM "HistoryRow" WHERE id > ${lastId} ORDER BY id LIMIT ${batchRows}`;
    const hashes: Record<number, string> = {};
    for (const row of rows) {
      before = rowHash(before, { ...row, chainFormat }) ?? '';
      lastId = row.id;
      hashes[lastId] = before;
    }
    await writer.$executeRaw(Prisma.sql`
      UPDATE "HistoryRow" SET hash = one.value, "chainFormat" = ${chainFormat}
      FROM json_each(${JSON.stringify(hashes)}) AS one WHERE "HistoryRow".id = CAST(one.key AS INTEGER)`);
    if (rows.length < batchRows) return;
  }
}
