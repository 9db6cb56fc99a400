import type { SqlValue } from '../translate/context.ts';
import type { Origin } from '../translate/scope.ts';
import type { SqlType } from '../translate/sql-type.ts';

export interface ResultColumn {
  readonly label: string;
  readonly type: SqlType;
  readonly origin: Origin | null;
}

/** A result set whose rows are made while they are taken. `close` must be called once, also after the last row. */
export interface RowsResult {
  readonly kind: 'rows';
  readonly columns: readonly ResultColumn[];
  readonly rows: Iterator<readonly SqlValue[]>;
  close(rowCount: number): void;
}

export interface OkResult {
  readonly kind: 'ok';
  readonly affectedRows: number;
  readonly insertId: bigint;
  /** Text of the OK packet, such as `Rows matched: 1  Changed: 1  Warnings: 0`. */
  readonly info: string;
}

/** LOAD DATA LOCAL INFILE: the client has to send the file; `load` takes its content. */
export interface LocalFileResult {
  readonly kind: 'localFile';
  readonly file: string;
  load(content: Buffer): Promise<OkResult>;
}

export type StatementResult = RowsResult | OkResult | LocalFileResult;

export function ok(affectedRows = 0, insertId = 0n, info = ''): OkResult {
  return { kind: 'ok', affectedRows, insertId, info };
}

/** A result set of rows that are all there already. */
export function rowsOf(columns: readonly ResultColumn[], rows: readonly (readonly SqlValue[])[]): RowsResult {
  return { kind: 'rows', columns, rows: rows[Symbol.iterator](), close: () => undefined };
}
