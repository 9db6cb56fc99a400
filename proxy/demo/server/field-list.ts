import type { ResultColumn } from '../engine/result.ts';
import type { DemoSession } from '../engine/session.ts';
import { MysqlError } from '../mysql-error.ts';
import { sourceColumns } from '../translate/emit-select.ts';

/** The columns of a table for COM_FIELD_LIST; the pattern chooses by name as LIKE does. */
export function expandTable(session: DemoSession, name: string, pattern: string): ResultColumn[] {
  if (session.database === '') throw new MysqlError('NO_DATABASE');
  const table = session.findTable(session.database, name);
  const chosen = new RegExp(
    `^${pattern
      .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
      .replace(/%/g, '.*')
      .replace(/_/g, '.')}$`,
    'is',
  );
  return sourceColumns(table, table.name)
    .filter((column) => pattern === '' || chosen.test(column.name))
    .map(({ name: label, type, origin }) => ({ label, type, origin }));
}
