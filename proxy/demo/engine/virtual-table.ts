import type { SqlValue, VirtualTable } from '../translate/context.ts';
import { BIGINT, datetime, LONG_TEXT, type SqlType, varbinary, varchar } from '../translate/sql-type.ts';

const TYPES: Readonly<Record<string, SqlType>> = {
  n: BIGINT,
  s: varchar(4096),
  t: datetime(6),
  l: LONG_TEXT,
  b: varbinary(8192),
};

/**
 * A table made when it is read.
 * @param columns names with their kind: `NAME:n` number, `:s` string, `:t` moment, `:l` long text, `:b` bytes
 * @param rows one object per row; a column that is not in it is NULL
 */
export function virtualTable(
  database: string,
  name: string,
  columns: string,
  rows: () => readonly Readonly<Record<string, SqlValue>>[],
): VirtualTable {
  const definitions = columns
    .trim()
    .split(/\s+/)
    .map((column) => {
      const [columnName = '', kind = 's'] = column.split(':');
      return { name: columnName, type: TYPES[kind] ?? varchar(4096) };
    });
  return {
    kind: 'virtual',
    database,
    name,
    columns: definitions,
    rows: () => rows().map((row) => definitions.map((column) => row[column.name] ?? null)),
  };
}
