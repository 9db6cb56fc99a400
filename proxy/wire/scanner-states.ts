import type { ReplyKind } from './scanner-types.ts';

/** Where in a reply the response scanner is. */
export const SCANNER_STATE = {
  DONE: 0,
  FIRST: 1,
  COLUMNS: 2,
  COLUMNS_END: 3,
  ROWS: 4,
  EXTRA_OK: 5,
  INFILE: 6,
  PREPARE_FIRST: 7,
  PREPARE_PARAMETERS: 8,
  PREPARE_PARAMETERS_END: 9,
  PREPARE_COLUMNS: 10,
  PREPARE_COLUMNS_END: 11,
  FIELDS: 12,
  SINGLE: 13,
} as const;

/** Where each kind of reply begins. */
export const FIRST_STATE: Readonly<Record<ReplyKind, number>> = {
  result: SCANNER_STATE.FIRST,
  prepare: SCANNER_STATE.PREPARE_FIRST,
  rows: SCANNER_STATE.ROWS,
  fields: SCANNER_STATE.FIELDS,
  single: SCANNER_STATE.SINGLE,
};
