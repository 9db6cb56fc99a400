import type { Database } from './database.ts';
import { Prisma } from './generated/client.ts';
import type { HistoryFilter, HistoryRow } from './history-row.ts';

/** Rows that fit the filter. */
export async function countRows(database: Database, filter: HistoryFilter): Promise<number> {
  const rows = await database.$queryRaw<{ total: bigint | number }[]>`
    SELECT COUNT(*) AS total FROM "HistoryRow" WHERE ${conditionOf(filter)}`;
  return Number(rows[0]?.total ?? 0);
}

/** Up to `limit` rows that fit and are older than `before`, newest first. */
export async function selectRows(
  database: Database,
  filter: HistoryFilter,
  limit: number,
  before: number | undefined,
): Promise<HistoryRow[]> {
  const older = before === undefined ? Prisma.sql`1` : Prisma.sql`id < ${before}`;
  return await database.$queryRaw<HistoryRow[]>`
    SELECT * FROM "HistoryRow" WHERE ${older} AND ${conditionOf(filter)} ORDER BY id DESC LIMIT ${limit}`;
}

/** A time as the database holds it, so that texts compare like times. */
export function storedTime(at: Date): string {
  return at.toISOString().replace('Z', '+00:00');
}

/** SQL by hand, since Prisma's `contains` takes `%` and `_` for patterns and offers no escape. */
function conditionOf(filter: HistoryFilter): Prisma.Sql {
  const conditions = [Prisma.sql`1`];
  if (filter.parameter) conditions.push(Prisma.sql`parameter = ${filter.parameter.toLowerCase()}`);
  if (filter.actor) conditions.push(Prisma.sql`actor = ${filter.actor}`);
  if (filter.source) conditions.push(Prisma.sql`source = ${filter.source}`);
  if (filter.action) conditions.push(Prisma.sql`action = ${filter.action}`);
  if (filter.from) conditions.push(Prisma.sql`at >= ${storedTime(new Date(filter.from))}`);
  if (filter.to) conditions.push(Prisma.sql`at < ${storedTime(new Date(filter.to))}`);
  if (filter.text) {
    const pattern = `%${filter.text.replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(Prisma.sql`(
      parameter LIKE ${pattern} ESCAPE '\\' OR oldValue LIKE ${pattern} ESCAPE '\\' OR newValue LIKE ${pattern} ESCAPE '\\'
      OR scope LIKE ${pattern} ESCAPE '\\' OR actor LIKE ${pattern} ESCAPE '\\' OR reason LIKE ${pattern} ESCAPE '\\')`);
  }
  return Prisma.join(conditions, ' AND ');
}
