import { OdpError } from '../errors/odp-error.ts';
import type { CommandReply } from '../session/internal-commands.ts';
import { COLUMN_TYPE } from '../wire/constants.ts';
import type { ColumnDefinition } from '../wire/result-set.ts';

/** Values in the order of the columns, as text. */
export type Row = readonly (string | null)[];

/** Columns as `name` (VARCHAR) or `name:LONGLONG`, `name:LONG`, `name:TINY`. */
export function columns(...specs: readonly string[]): readonly ColumnDefinition[] {
  return specs.map((spec) => {
    const [, name = spec, type] = /^(.*):(LONGLONG|LONG|TINY)$/.exec(spec) ?? [];
    if (type === 'LONGLONG') return { name, type: COLUMN_TYPE.LONGLONG };
    if (type === 'LONG') return { name, type: COLUMN_TYPE.LONG };
    if (type === 'TINY') return { name, type: COLUMN_TYPE.TINY };
    return { name, type: COLUMN_TYPE.VAR_STRING };
  });
}

/** The answer of a statement that did what it should. */
export const okReply: CommandReply = Object.freeze({ kind: 'ok' });

/** A result set as an answer. */
export function rowsReply(definitions: readonly ColumnDefinition[], rows: readonly Row[]): CommandReply {
  return { kind: 'rows', columns: definitions, rows };
}

/** An ERR packet as an answer. */
export function errorReply(error: OdpError): CommandReply {
  return { kind: 'error', error };
}

/** An answer over the limit becomes an error: rows are never left out (case B98). `limitBytes` 0: no limit. */
export function limitReply(reply: CommandReply, limitBytes: number): CommandReply {
  if (reply.kind !== 'rows' || limitBytes === 0) return reply;
  let bytes = 0;
  for (const row of reply.rows) {
    // Header of the packet, and a length before each value.
    bytes += 4;
    for (const value of row) bytes += 1 + (value === null ? 0 : Buffer.byteLength(value));
    if (bytes > limitBytes) {
      const detail = `the answer of ${reply.rows.length} rows is larger than internal_cmd_mem_limited (${limitBytes} bytes); use LIKE`;
      return errorReply(new OdpError('MEMORY_LIMIT', { detail }));
    }
  }
  return reply;
}
