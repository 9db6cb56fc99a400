import type { HistoryRow } from './contract.ts';

const columns = [
  ['id', (row: HistoryRow) => String(row.id)],
  ['at', (row: HistoryRow) => row.at],
  ['action', (row: HistoryRow) => row.action],
  ['actor', (row: HistoryRow) => row.actor],
  ['source', (row: HistoryRow) => row.source],
  ['origin', (row: HistoryRow) => row.origin],
  ['parameter', (row: HistoryRow) => row.parameter],
  ['old_value', (row: HistoryRow) => row.oldValue ?? ''],
  ['new_value', (row: HistoryRow) => row.newValue ?? ''],
  ['reason', (row: HistoryRow) => row.reason],
  ['request_id', (row: HistoryRow) => row.requestId],
  // Columns are only ever added, at the end.
  ['scope', (row: HistoryRow) => row.scope],
  ['role', (row: HistoryRow) => row.role],
  ['outcome', (row: HistoryRow) => row.outcome],
  ['failure', (row: HistoryRow) => row.failure],
  ['workers_applied', (row: HistoryRow) => String(row.workers?.applied ?? '')],
  ['workers', (row: HistoryRow) => String(row.workers?.total ?? '')],
  ['hash', (row: HistoryRow) => row.hash],
  ['token', (row: HistoryRow) => row.token],
] as const;

/** Byte order mark (spreadsheets then read UTF-8) and the line of column names. */
export function csvHead(): string {
  return `\uFEFF${columns.map(([name]) => name).join(',')}\r\n`;
}

/** One line of RFC 4180. */
export function csvLine(row: HistoryRow): string {
  return `${columns.map(([, cell]) => csvCell(cell(row))).join(',')}\r\n`;
}

/**
 * One cell. Spreadsheets run what begins with = + - @ or a tab or carriage return as a formula: such a cell gets an
 * apostrophe in front, which makes it text (case B114; so `-1` is `'-1` here, the JSON list has it exactly).
 */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
