import type { Database } from './database.ts';

/** What the history knows of the values after one of its entries. */
export interface ValuesAt {
  /** Number of that entry; 0: before all. */
  readonly entry: number;
  /** When it was written; null: there is none. */
  readonly at: Date | null;
  /** Only what was ever changed: all else is as it is now. */
  readonly values: readonly ValueAt[];
  /** False: entries after it have been removed by the retention rule, so that values may be later ones. */
  readonly complete: boolean;
}

/** A parameter's text at a point in time. */
export interface ValueAt {
  readonly parameter: string;
  /** As `scopeText` writes it; empty: for everybody. */
  readonly scope: string;
  /** Secrets: stars. Null: no value of its own. */
  readonly value: string | null;
  /** It has been changed since. */
  readonly changedSince: boolean;
}

/** The entry that was the newest at a time; 0: there was none. By its number, whatever the clock did (case B105). */
export async function entryAt(database: Database, at: Date): Promise<number> {
  const row = await database.historyRow.findFirst({
    where: { at: { lte: at } },
    orderBy: { id: 'desc' },
    select: { id: true },
  });
  return row?.id ?? 0;
}

/** The values as they were after an entry. */
export async function valuesAt(database: Database, entry: number): Promise<ValuesAt> {
  type Row = { parameter: string; scope: string; value: string | null };
  const before = await database.$queryRaw<Row[]>`
    SELECT parameter, scope, newValue AS value FROM "HistoryRow" WHERE id IN (
      SELECT MAX(id) FROM "HistoryRow" WHERE parameter > '' AND action = 'parameter.change' AND outcome NOT IN ('refused', 'failed') AND id <= ${entry}
      GROUP BY parameter, scope)`;
  const after = await database.$queryRaw<Row[]>`
    SELECT parameter, scope, oldValue AS value FROM "HistoryRow" WHERE id IN (
      SELECT MIN(id) FROM "HistoryRow" WHERE parameter > '' AND action = 'parameter.change' AND outcome NOT IN ('refused', 'failed') AND id > ${entry}
      GROUP BY parameter, scope)`;
  const keyOf = ({ parameter, scope }: Row): string => `${parameter} ${scope}`;
  const known = new Set(before.map(keyOf));
  const changed = new Set(after.map(keyOf));
  const values = [...before, ...after.filter((row) => !known.has(keyOf(row)))];
  const [own, later, newest] = await Promise.all([
    database.historyRow.findUnique({ where: { id: entry }, select: { at: true } }),
    database.historyRow.count({ where: { id: { gt: entry } } }),
    database.historyRow.findFirst({ orderBy: { id: 'desc' }, select: { id: true } }),
  ]);
  return {
    entry,
    at: own?.at ?? null,
    values: values.map((row) => ({ ...row, changedSince: changed.has(keyOf(row)) })),
    // Ids grow by one, and only the retention rule removes rows.
    complete: later === Math.max(0, (newest?.id ?? entry) - entry),
  };
}

/** Changes that one request may have made: their entries stand side by side. */
const maxEntriesOfRequest = 400;

/** What the request of an entry changed, oldest first, as it was before; empty: the entry is no change of a parameter. */
export async function valuesBefore(database: Database, entry: number): Promise<ValueAt[]> {
  const own = await database.historyRow.findUnique({ where: { id: entry } });
  if (own?.action !== 'parameter.change' || own.outcome === 'refused' || own.outcome === 'failed') return [];
  const rows = await database.historyRow.findMany({
    where: {
      id: { gt: entry - maxEntriesOfRequest, lt: entry + maxEntriesOfRequest },
      // Written together: request ids of the SQL door begin anew with each start.
      at: own.at,
      requestId: own.requestId,
      action: 'parameter.change',
    },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ parameter, scope, oldValue }) => ({ parameter, scope, value: oldValue, changedSince: true }));
}
