import type { StatementText } from '../engine/engine.ts';
import type { ResultColumn, RowsResult } from '../engine/result.ts';
import { MysqlError } from '../mysql-error.ts';
import type { SqlValue } from '../translate/context.ts';
import type { ParameterTypes } from './read-parameters.ts';

/** A statement made by COM_STMT_PREPARE. */
export interface PreparedStatement {
  readonly id: number;
  readonly text: StatementText;
  readonly paramCount: number;
  types: ParameterTypes;
  readonly longData: Map<number, Buffer[]>;
  cursor: Cursor | null;
}

/** Rows that are fetched in portions. They are read from the engine when the cursor is opened. */
export interface Cursor {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly SqlValue[])[];
  at: number;
}

/** Largest number of rows that a cursor holds. */
const MAX_CURSOR_ROWS = 1_000_000;

/** The prepared statements of one connection. */
export class PreparedStatements {
  readonly #byId = new Map<number, PreparedStatement>();
  #lastId: number;

  /** @param lastId the first statement gets the next number */
  constructor(lastId: number) {
    this.#lastId = lastId;
  }

  add(text: StatementText, paramCount: number): PreparedStatement {
    this.#lastId++;
    const statement = { id: this.#lastId, text, paramCount, types: [], longData: new Map(), cursor: null };
    this.#byId.set(statement.id, statement);
    return statement;
  }

  /** @throws MysqlError UNKNOWN_STATEMENT */
  get(id: number): PreparedStatement {
    const found = this.#byId.get(id);
    if (!found) throw new MysqlError('UNKNOWN_STATEMENT');
    return found;
  }

  find(id: number): PreparedStatement | undefined {
    return this.#byId.get(id);
  }

  close(id: number): void {
    this.#byId.delete(id);
  }

  clear(): void {
    this.#byId.clear();
  }
}

/** Takes all rows of a result into a cursor. */
export function openCursor(result: RowsResult): Cursor {
  const rows: (readonly SqlValue[])[] = [];
  try {
    for (let item = result.rows.next(); !item.done; item = result.rows.next()) {
      if (rows.length === MAX_CURSOR_ROWS) {
        throw new MysqlError('NOT_SUPPORTED', { detail: `a cursor over more than ${MAX_CURSOR_ROWS} rows` });
      }
      rows.push(item.value);
    }
  } finally {
    result.close(rows.length);
  }
  return { columns: result.columns, rows, at: 0 };
}
