/** Reads SQL on the tables. */
import { OdpError } from '../../errors/odp-error.ts';
import { TokenStream } from '../token-stream.ts';
import { type Condition, readColumn, readCondition, readGroup, readLiteral } from './condition.ts';
import { findTable, otherTables, type Table, type TableName, type TableRow } from './tables.ts';

/** A change of the table, as plain data: sent to where the rows are. */
export type TableChange =
  | {
      readonly kind: 'write';
      readonly table: TableName;
      readonly mode: 'insert' | 'replace';
      readonly rows: readonly TableRow[];
    }
  | { readonly kind: 'delete'; readonly table: TableName; readonly where: Condition | null };

export interface TableQuery {
  readonly kind: 'select';
  readonly table: TableName;
  /** What is wanted, by the name that it is given; a column, or `count` for the number of rows. */
  readonly items: readonly { readonly name: string; readonly column: string }[];
  readonly where: Condition | null;
  readonly order: readonly { readonly column: string; readonly descending: boolean }[];
  readonly offset: number;
  readonly limit: number;
}

/** Of one statement (reference: 200 rows, 1 MB). */
const MAX_ROWS = 200;
const MAX_STATEMENT_LENGTH = 1 << 20;

/**
 * A statement on one of the tables, read; null: it is about something else.
 * @throws OdpError BAD_INTERNAL_COMMAND, UNKNOWN_COLUMN, INVALID_ARGUMENT, NOT_SUPPORTED
 */
export function readTableStatement(statement: string): TableQuery | TableChange | null {
  const about = aboutTable(statement);
  if (about === null) return null;
  const { verb, table } = about;
  if (statement.length > MAX_STATEMENT_LENGTH)
    throw notSupported(`a statement of more than ${MAX_STATEMENT_LENGTH} bytes`);
  const tokens = new TokenStream(statement);
  tokens.take();
  switch (verb) {
    case 'SELECT':
      return readSelect(tokens, table);
    case 'DELETE': {
      tokens.expectWord('FROM');
      expectTable(tokens, table);
      const where = readWhere(tokens, table);
      tokens.expectEnd();
      return { kind: 'delete', table: table.name, where };
    }
    case 'UPDATE':
      throw notSupported(`UPDATE ${table.name}; use REPLACE INTO ${table.name}`);
    default:
      return readWrite(tokens, table, verb === 'INSERT' ? 'insert' : 'replace');
  }
}

/** First word of a statement on one of the tables; null: it is about something else. */
function aboutTable(statement: string): { verb: string; table: Table } | null {
  const tokens = new TokenStream(statement);
  const verb = tokens.take()?.text.toUpperCase() ?? '';
  if (!/^(SELECT|INSERT|REPLACE|DELETE|UPDATE)$/.test(verb)) return null;
  // The table stands after FROM or INTO, or at once.
  if (verb === 'SELECT') while (tokens.current !== null && !tokens.isWord('FROM')) tokens.take();
  for (const word of ['FROM', 'INTO']) tokens.acceptWord(word);
  const token = tokens.current;
  if (token?.kind !== 'word' && token?.kind !== 'quoted') return null;
  if (otherTables.includes(token.text.toLowerCase())) throw notSupported(`the table ${token.text.toLowerCase()}`);
  const table = findTable(token.text);
  return table === undefined ? null : { verb, table };
}

function expectTable(tokens: TokenStream, table: Table): void {
  const name = tokens.expectName(table.name);
  if (name.toLowerCase() !== table.name) throw new OdpError('BAD_INTERNAL_COMMAND', { detail: `no table '${name}'` });
}

function readWhere(tokens: TokenStream, table: Table): Condition | null {
  return tokens.acceptWord('WHERE') ? readCondition(tokens, table) : null;
}

function readSelect(tokens: TokenStream, table: Table): TableQuery {
  const items: { name: string; column: string }[] = [];
  do {
    if (tokens.acceptSymbol('*')) items.push(...table.columns.map((column) => ({ name: column, column })));
    else items.push(readItem(tokens, table));
  } while (tokens.acceptSymbol(','));
  tokens.expectWord('FROM');
  expectTable(tokens, table);
  const where = readWhere(tokens, table);
  const order: { column: string; descending: boolean }[] = [];
  if (tokens.acceptWord('ORDER')) {
    tokens.expectWord('BY');
    do {
      const column = readColumn(tokens, table);
      const descending = tokens.acceptWord('DESC');
      if (!descending) tokens.acceptWord('ASC');
      order.push({ column, descending });
    } while (tokens.acceptSymbol(','));
  }
  const { offset, limit } = readLimit(tokens);
  tokens.expectEnd();
  if (items.some(({ column }) => column === 'count') && items.some(({ column }) => column !== 'count')) {
    throw notSupported('COUNT(*) beside columns');
  }
  return { kind: 'select', table: table.name, items, where, order, offset, limit };
}

function readItem(tokens: TokenStream, table: Table): { name: string; column: string } {
  const isCount = tokens.acceptWord('COUNT');
  if (isCount) for (const symbol of ['(', '*', ')']) tokens.expectSymbol(symbol);
  const column = isCount ? 'count' : readColumn(tokens, table);
  const hasAlias = tokens.acceptWord('AS');
  return { name: hasAlias ? tokens.expectName('a column name') : isCount ? 'COUNT(*)' : column, column };
}

function readLimit(tokens: TokenStream): { offset: number; limit: number } {
  if (!tokens.acceptWord('LIMIT')) return { offset: 0, limit: Number.MAX_SAFE_INTEGER };
  const first = tokens.expectId('a number of rows');
  if (tokens.acceptSymbol(',')) return { offset: first, limit: tokens.expectId('a number of rows') };
  return { offset: tokens.acceptWord('OFFSET') ? tokens.expectId('a number of rows') : 0, limit: first };
}

function readWrite(tokens: TokenStream, table: Table, mode: 'insert' | 'replace'): TableChange {
  tokens.acceptWord('INTO');
  expectTable(tokens, table);
  if (tokens.current?.text !== '(') throw tokens.unexpected(`the columns, some of ${table.writable.join(', ')},`);
  const columns = readGroup(tokens, () => readColumn(tokens, table));
  const derived = columns.find((column) => !table.writable.includes(column));
  if (derived !== undefined) throw notSupported(`a value for ${derived}, which follows from the parameter`);
  if (new Set(columns).size < columns.length) {
    throw new OdpError('INVALID_ARGUMENT', { detail: 'a column is named twice' });
  }
  const missing = table.required.find((column) => !columns.includes(column));
  if (missing !== undefined) throw new OdpError('INVALID_ARGUMENT', { detail: `the column ${missing} is missing` });
  if (!tokens.acceptWord('VALUES')) tokens.expectWord('VALUE');
  const rows: TableRow[] = [];
  do {
    const values = readGroup(tokens, () => readLiteral(tokens));
    if (values.length !== columns.length) {
      const detail = `row ${rows.length + 1} has ${values.length} values for ${columns.length} columns`;
      throw new OdpError('INVALID_ARGUMENT', { detail });
    }
    const given = Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '']));
    rows.push({ ...table.defaults, ...given });
    if (rows.length > MAX_ROWS) throw notSupported(`more than ${MAX_ROWS} rows in one statement`);
  } while (tokens.acceptSymbol(','));
  tokens.expectEnd();
  return { kind: 'write', table: table.name, mode, rows };
}

function notSupported(detail: string): OdpError {
  return new OdpError('NOT_SUPPORTED', { detail });
}
