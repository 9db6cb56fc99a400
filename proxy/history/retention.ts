import { setImmediate as nextTurn } from 'node:timers/promises';
import { OdpError } from '../errors/odp-error.ts';
import type { Database } from './database.ts';
import { Prisma } from './generated/client.ts';
import { storedTime } from './history-query.ts';

/** How much history is kept. The newest row of each parameter and scope is kept in any case. */
export interface Retention {
  readonly maxRows: number;
  readonly maxAgeDays: number;
}

/** Kept when nothing else is asked for: a year, and at most a hundred thousand rows (some 30 MB). */
const defaultRetention: Retention = { maxRows: 100_000, maxAgeDays: 365 };

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

/** Removes the rows beyond `maxRows` and those older than `maxAgeDays`, batch by batch. @returns rows removed. */
export async function pruneHistory(database: Database, retention: Retention, now: Date): Promise<number> {
  const firstTooMany = await database.historyRow.findFirst({
    orderBy: { id: 'desc' },
    skip: retention.maxRows,
    select: { id: true },
  });
  const oldest = storedTime(new Date(now.getTime() - retention.maxAgeDays * dayMs));
  let removed = 0;
  for (;;) {
    const count = await database.$executeRaw`
      DELETE FROM "HistoryRow" WHERE id IN (
        SELECT id FROM "HistoryRow" AS old
        WHERE (old.id <= ${firstTooMany?.id ?? 0} OR old.at < ${oldest})
          AND (old.parameter = '' OR EXISTS (
            SELECT 1 FROM "HistoryRow" AS newer WHERE newer.parameter = old.parameter AND newer.scope = old.scope AND newer.id > old.id))
        ORDER BY id LIMIT ${batchRows})`;
    removed += count;
    if (count < batchRows) return removed;
    await nextTurn();
  }
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
