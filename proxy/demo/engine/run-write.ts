import { MysqlError } from '../mysql-error.ts';
import type { SqlValue } from '../translate/context.ts';
import type { EmittedInsert } from '../translate/emit-write.ts';
import type { Table } from './catalog.ts';
import type { BindValues, EngineConnection } from './connection.ts';
import { type DuplicateKey, duplicateKeyOf } from './constraint-error.ts';
import type { Plan } from './plan.ts';
import { type OkResult, ok } from './result.ts';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export interface WriteOptions {
  /** CLIENT_FOUND_ROWS: rows that match count, not rows that changed. */
  readonly foundRows: boolean;
  /** First id that AUTO_INCREMENT made in the statement, 0 when none. */
  firstId(): bigint;
}

/** Rows of one engine statement: keeps translated texts of bulk inserts short of the engine's limits. */
const ROWS_AT_ONCE = 500;

/** Runs a translated change of rows on the connection that holds the writer lock. */
export function runWrite(
  connection: EngineConnection,
  plan: Plan,
  values: BindValues,
  options: WriteOptions,
): OkResult {
  switch (plan.kind) {
    case 'insert':
      return runInsert(connection, plan.insert, values, options);
    case 'update': {
      const matched = Number(connection.all(plan.update.countSql, values)[0]?.[0] ?? 0);
      const changed = withDuplicates(plan.update.table, () => connection.run(plan.update.sql, values), unknownValue);
      const info = `Rows matched: ${matched}  Changed: ${changed}  Warnings: 0`;
      return ok(options.foundRows ? matched : changed, 0n, info);
    }
    case 'delete':
      return ok(connection.run(plan.sql, values));
    case 'select':
      throw new MysqlError('INTERNAL', { detail: 'a SELECT is no change' });
  }
}

function withDuplicates<Result>(
  table: Table,
  run: () => Result,
  tell: (key: DuplicateKey) => { key: string; value: string },
): Result {
  try {
    return run();
  } catch (error) {
    const duplicate = duplicateKeyOf(error, table);
    if (!duplicate) throw error;
    throw new MysqlError('DUPLICATE_ENTRY', tell(duplicate));
  }
}

function runInsert(
  connection: EngineConnection,
  insert: EmittedInsert,
  values: BindValues,
  options: WriteOptions,
): OkResult {
  const { table, head, rows, source } = insert;
  if (insert.onConflict && rows) return runUpsert(connection, insert, rows, values, options);
  const conflict = insert.mode === 'ignore' ? ' ON CONFLICT DO NOTHING' : '';
  const begin = insert.mode === 'replace' ? head.replace(/^INSERT/, 'INSERT OR REPLACE') : head;
  const count = (): number => Number(connection.all(`SELECT count(*) FROM ${quoted(table.storeName)}`)[0]?.[0] ?? 0);
  const before = insert.mode === 'replace' ? count() : 0;
  let written = 0;
  const records = rows?.length ?? 0;
  if (rows) {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      const part = rows.slice(at, at + ROWS_AT_ONCE);
      const sql = `${begin} VALUES ${part.join(', ')}${conflict}`;
      written += withDuplicates(
        table,
        () => connection.run(sql, values),
        (duplicate) => firstDuplicate(connection, insert, part, values, duplicate),
      );
    }
  } else {
    written = withDuplicates(table, () => connection.run(`${begin} ${source ?? ''}${conflict}`, values), unknownValue);
  }
  const replaced = insert.mode === 'replace' ? written - (count() - before) : 0;
  const total = rows ? records : written;
  const skipped = insert.mode === 'ignore' ? total - written : replaced;
  const info = total > 1 || source ? `Records: ${total}  Duplicates: ${skipped}  Warnings: 0` : '';
  return ok(written + replaced, options.firstId(), info);
}

/** ON DUPLICATE KEY UPDATE counts 1 for a new row, 2 for a changed one and 0 for one that stays the same. */
function runUpsert(
  connection: EngineConnection,
  { table, head, onConflict }: EmittedInsert,
  rows: readonly string[],
  values: BindValues,
  options: WriteOptions,
): OkResult {
  let affected = 0;
  let duplicates = 0;
  for (const row of rows) {
    if (connection.run(`${head} VALUES ${row} ON CONFLICT DO NOTHING`, values) > 0) {
      affected += 1;
      continue;
    }
    duplicates++;
    const sql = `${head} VALUES ${row} ON CONFLICT DO UPDATE ${onConflict}`;
    const changed = withDuplicates(table, () => connection.run(sql, values), unknownValue);
    affected += changed > 0 ? 2 : options.foundRows ? 1 : 0;
  }
  const info = rows.length > 1 ? `Records: ${rows.length}  Duplicates: ${duplicates}  Warnings: 0` : '';
  return ok(affected, options.firstId(), info);
}

/** A statement whose rows cannot be evaluated again. */
const unknownValue = ({ key }: DuplicateKey): { key: string; value: string } => ({ key, value: '' });

/** MySQL looks at the primary key before the others; the engine may have met another one first. */
function firstDuplicate(
  connection: EngineConnection,
  insert: EmittedInsert,
  rows: readonly string[],
  values: BindValues,
  met: DuplicateKey,
): { key: string; value: string } {
  const { primaryKey } = insert.table;
  const primary = primaryKey.length > 0 && met.key !== 'PRIMARY' ? { key: 'PRIMARY', columns: primaryKey } : null;
  const value = primary ? duplicateValue(connection, insert, rows, values, primary) : '';
  return value !== ''
    ? { key: 'PRIMARY', value }
    : { key: met.key, value: duplicateValue(connection, insert, rows, values, met) };
}

/** Finds the value that the failed key would have had twice, which the engine's error does not tell. */
function duplicateValue(
  connection: EngineConnection,
  { table, columns }: EmittedInsert,
  rows: readonly string[],
  values: BindValues,
  duplicate: DuplicateKey,
): string {
  const positions = duplicate.columns.map((name) =>
    columns.findIndex((column) => column.toLowerCase() === name.toLowerCase()),
  );
  if (positions.some((position) => position < 0)) return '';
  const condition = duplicate.columns.map((name, index) => `${quoted(name)} = :k${index}`).join(' AND ');
  const seen = new Set<string>();
  for (const row of rows) {
    const made = connection.all(`SELECT * FROM (VALUES ${row})`, values)[0] ?? [];
    const key = positions.map((position) => made[position] ?? null);
    const text = key.map(keyText).join('-');
    const places = Object.fromEntries(key.map((value, index) => [`:k${index}`, value]));
    const stored = connection.all(`SELECT 1 FROM ${quoted(table.storeName)} WHERE ${condition} LIMIT 1`, places);
    if (stored.length > 0 || seen.has(text.toLowerCase())) return text;
    seen.add(text.toLowerCase());
  }
  return '';
}

function keyText(value: SqlValue): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);
}
