/** Answers SQL on the tables. */
import type { CommandReply } from '../../session/internal-commands.ts';
import { columns, rowsReply } from '../result.ts';
import type { Caller, CommandServices } from '../services.ts';
import { compareCells, fits } from './condition.ts';
import type { TableChange, TableQuery } from './table-statement.ts';
import type { TableRow } from './tables.ts';

/** @throws OdpError what the store says */
export async function answerTable(
  statement: TableQuery | TableChange,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  if (statement.kind === 'select') return select(statement, await services.tableRows(statement.table));
  return { kind: 'ok', affectedRows: await services.changeTable(statement, caller) };
}

function select({ items, where, order, offset, limit }: TableQuery, all: readonly TableRow[]): CommandReply {
  const rows = all.filter((row) => fits(where, row));
  if (items[0]?.column === 'count') {
    const counts = [items.map(() => String(rows.length))];
    const definitions = columns(...items.map(({ name }) => `${name}:LONGLONG`));
    return rowsReply(definitions, counts.slice(offset, offset + limit));
  }
  if (order.length > 0) {
    rows.sort((left, right) => {
      for (const { column, descending } of order) {
        const found = compareCells(column, left[column] ?? '', right[column] ?? '');
        if (found !== 0) return descending ? -found : found;
      }
      return 0;
    });
  }
  const cells = rows.slice(offset, offset + limit).map((row) => items.map(({ column }) => row[column] ?? ''));
  return rowsReply(columns(...items.map(({ name }) => name)), cells);
}
