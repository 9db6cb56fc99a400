import type { Database } from './database.ts';
import { Prisma } from './generated/client.ts';
import type { HistoryFilter, HistoryRow } from './history-row.ts';

/** Beyond this many rows that fit are not counted: it would take longer than reading a page of them. */
export const countCap = 100_000;

/** Rows that fit the filter, at most `countCap` + 1. */
export async function countRows(database: Database, filter: HistoryFilter): Promise<number> {
  const rows = await database.$queryRaw<{ total: bigint | number }[]>`
    SELECT COUNT(*) AS total FROM (SELECT 1 ${sourceOf(filter, undefined)} LIMIT ${countCap + 1})`;
  return Number(rows[0]?.total ?? 0);
}

/** Up to `limit` rows that fit and are older than `before`, newest first. */
export async function selectRows(
  database: Database,
  filter: HistoryFilter,
  limit: number,
  before: number | undefined,
): Promise<HistoryRow[]> {
  return await database.$queryRaw<HistoryRow[]>(rowsQuery(filter, limit, before));
}

/** The statement of `selectRows`: however many rows there are, an index leads to those wanted, in order. */
export function rowsQuery(filter: HistoryFilter, limit: number, before: number | undefined): Prisma.Sql {
  const order = searchTerms(filter).length > 0 ? Prisma.sql`found.rowid` : Prisma.sql`row.id`;
  return Prisma.sql`SELECT row.* ${sourceOf(filter, before)} ORDER BY ${order} DESC LIMIT ${limit}`;
}

/**
 * Rows of changes with the workers that their request came into force in, which stand in a row of its own.
 * @param rows newest first
 */
export async function withWorkers(database: Database, rows: readonly HistoryRow[]): Promise<HistoryRow[]> {
  const requests = rows.filter(({ outcome }) => outcome === 'persisted').map(({ requestId }) => requestId);
  if (requests.length === 0) return [...rows];
  const applied = await database.historyRow.findMany({
    where: { requestId: { in: [...new Set(requests)] }, action: 'parameter.apply' },
    orderBy: { id: 'asc' },
  });
  return rows.map((row) => {
    const own = applied.find(({ id, requestId }) => requestId === row.requestId && id > row.id);
    if (own === undefined || row.outcome !== 'persisted') return row;
    const { workersApplied, workersTotal, failure } = own;
    return { ...row, workersApplied, workersTotal, failure };
  });
}

/** A time as the database holds it, so that texts compare like times. */
export function storedTime(at: Date): string {
  return at.toISOString().replace('Z', '+00:00');
}

/** FROM and WHERE. With words to search for the index of the text leads, else that of one column, else the ids. */
function sourceOf(filter: HistoryFilter, before: number | undefined): Prisma.Sql {
  const terms = searchTerms(filter);
  const id = terms.length > 0 ? Prisma.sql`found.rowid` : Prisma.sql`row.id`;
  const columns = columnConditions(filter, terms.length === 0);
  const conditions = [...timeConditions(filter, id), ...columns, ...words(filter)];
  if (filter.actions !== undefined) {
    // Few rows have one of these among the many of a busy time: their index leads unless another does.
    const action = Prisma.raw(`${terms.length === 0 && columns.length === 0 ? '' : '+'}row."action"`);
    conditions.push(Prisma.sql`${action} IN (${Prisma.join([...filter.actions])})`);
  }
  if (before !== undefined) conditions.push(Prisma.sql`${id} < ${before}`);
  if (terms.length > 0) conditions.push(Prisma.sql`found."HistoryText" MATCH ${terms.join(' ')}`);
  // That a change came into force belongs to the row of the change.
  if (filter.action === undefined && filter.actions === undefined)
    conditions.push(Prisma.sql`+row.action <> 'parameter.apply'`);
  const from =
    terms.length > 0
      ? Prisma.sql`"HistoryText" AS found CROSS JOIN "HistoryRow" AS row ON row.id = found.rowid`
      : Prisma.sql`"HistoryRow" AS row`;
  return Prisma.sql`FROM ${from} WHERE ${conditions.length === 0 ? Prisma.sql`1` : Prisma.join(conditions, ' AND ')}`;
}

/** Columns with an index each, those first that pick the fewest rows: one leads, the others only check. */
function columnConditions(filter: HistoryFilter, mayLead: boolean): Prisma.Sql[] {
  const wanted = [
    ['requestId', filter.requestId],
    ['parameter', filter.parameter?.toLowerCase()],
    ['token', filter.token],
    ['actor', filter.actor],
    ['origin', filter.origin],
    ['action', filter.action],
    ['outcome', filter.outcome],
    ['role', filter.role],
    ['source', filter.source],
  ] as const;
  return wanted
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value], index) => {
      const column = Prisma.raw(`${mayLead && index === 0 ? '' : '+'}row."${name}"`);
      return Prisma.sql`${column} = ${value}`;
    });
}

/**
 * Times as bounds of the ids, which the pages are ordered by; the index of the times has both. Rows are written in the
 * order of their times but when a clock is set back, so that the times are checked as well.
 */
function timeConditions({ from, to }: HistoryFilter, id: Prisma.Sql): Prisma.Sql[] {
  if (from === undefined && to === undefined) return [];
  const conditions = (prefix: string): Prisma.Sql => {
    const at = Prisma.raw(`${prefix}at`);
    const first = from === undefined ? Prisma.sql`1` : Prisma.sql`${at} >= ${storedTime(new Date(from))}`;
    const last = to === undefined ? Prisma.sql`1` : Prisma.sql`${at} < ${storedTime(new Date(to))}`;
    return Prisma.sql`${first} AND ${last}`;
  };
  const within = conditions('');
  return [
    Prisma.sql`${id} >= (SELECT MIN(id) FROM "HistoryRow" WHERE ${within})`,
    Prisma.sql`${id} <= (SELECT MAX(id) FROM "HistoryRow" WHERE ${within})`,
    conditions('+row.'),
  ];
}

/** The index takes three letters at a time; of a long search some are enough to find the few rows to look at. */
const maxTerms = 32;

/** Every three letters in a row of each word, as the index has them; none for words of one or two letters. */
function searchTerms(filter: HistoryFilter): string[] {
  const terms = wordsOf(filter).flatMap((word) => {
    const letters = [...word];
    return letters.slice(2).map((_, index) => letters.slice(index, index + 3).join(''));
  });
  return [...new Set(terms)].slice(0, maxTerms).map((term) => `"${term.replaceAll('"', '""')}"`);
}

function wordsOf({ text }: HistoryFilter): string[] {
  return (text ?? '')
    .replaceAll('\0', '')
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Each word stands in one of the columns. By hand, since Prisma's `contains` takes `%` and `_` for patterns. */
function words(filter: HistoryFilter): Prisma.Sql[] {
  return wordsOf(filter).map((word) => {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    const like = [
      'parameter',
      'scope',
      'oldValue',
      'newValue',
      'actor',
      'token',
      'reason',
      'failure',
      'origin',
      'requestId',
    ].map((column) => Prisma.sql`${Prisma.raw(`row."${column}"`)} LIKE ${pattern} ESCAPE '\\'`);
    return Prisma.sql`(${Prisma.join(like, ' OR ')})`;
  });
}
