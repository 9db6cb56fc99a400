/** Reads SQL on the table `proxy_config`. */
import { OdpError } from '../../errors/odp-error.ts';
import { TokenStream } from '../token-stream.ts';
import { type Condition, readColumn, readCondition, readGroup, readLiteral } from './condition.ts';
import { type ConfigColumn, configColumns, type WrittenRow, writableColumns } from './config-row.ts';

/** A change of the table, as plain data: sent to where the rows are. */
export type TableChange =
  | { readonly kind: 'write'; readonly mode: 'insert' | 'replace'; readonly rows: readonly WrittenRow[] }
  | { readonly kind: 'delete'; readonly where: Condition | null };

export interface TableQuery {
  readonly kind: 'select';
  /** What is wanted, by the name that it is given; a column, or the number of rows. */
  readonly items: readonly { readonly name: string; readonly column: ConfigColumn | 'count' }[];
  readonly where: Condition | null;
  readonly order: readonly { readonly column: ConfigColumn; readonly descending: boolean }[];
  readonly offset: number;
  readonly limit: number;
}

/** Tables that the reference keeps beside this one. */
const otherTables = ['white_list', 'resource_unit', 'ssl_config', 'all_table_version'];
/** Of one statement (reference: 200 rows, 1 MB). */
const MAX_ROWS = 200;
const MAX_STATEMENT_LENGTH = 1 << 20;

const defaults = { vid: '-1', vip: '', vport: '0', tenant_name: '', cluster_name: '' };

/**
 * A statement on `proxy_config`, read; null: it is about something else.
 * @throws OdpError BAD_INTERNAL_COMMAND, UNKNOWN_COLUMN, INVALID_ARGUMENT, NOT_SUPPORTED
 */
export function readTableStatement(statement: string): TableQuery | TableChange | null {
  const verb = aboutTable(statement);
  if (verb === null) return null;
  if (statement.length > MAX_STATEMENT_LENGTH)
    throw notSupported(`a statement of more than ${MAX_STATEMENT_LENGTH} bytes`);
  const tokens = new TokenStream(statement);
  tokens.take();
  switch (verb) {
    case 'SELECT':
      return readSelect(tokens);
    case 'DELETE': {
      tokens.expectWord('FROM');
      expectTable(tokens);
      const where = readWhere(tokens);
      tokens.expectEnd();
      return { kind: 'delete', where };
    }
    case 'UPDATE':
      throw notSupported('UPDATE proxy_config; use REPLACE INTO proxy_config');
    default:
      return readWrite(tokens, verb === 'INSERT' ? 'insert' : 'replace');
  }
}

/** First word of a statement on one of the tables; null: it is about something else. */
function aboutTable(statement: string): string | null {
  const tokens = new TokenStream(statement);
  const verb = tokens.take()?.text.toUpperCase() ?? '';
  if (!/^(SELECT|INSERT|REPLACE|DELETE|UPDATE)$/.test(verb)) return null;
  // The table stands after FROM or INTO, or at once.
  if (verb === 'SELECT') while (tokens.current !== null && !tokens.isWord('FROM')) tokens.take();
  for (const word of ['FROM', 'INTO']) tokens.acceptWord(word);
  const token = tokens.current;
  if (token?.kind !== 'word' && token?.kind !== 'quoted') return null;
  const table = token.text.toLowerCase();
  if (otherTables.includes(table)) throw notSupported(`the table ${table}`);
  return table === 'proxy_config' ? verb : null;
}

function expectTable(tokens: TokenStream): void {
  const name = tokens.expectName('proxy_config');
  if (name.toLowerCase() !== 'proxy_config')
    throw new OdpError('BAD_INTERNAL_COMMAND', { detail: `no table '${name}'` });
}

function readWhere(tokens: TokenStream): Condition | null {
  return tokens.acceptWord('WHERE') ? readCondition(tokens) : null;
}

function readSelect(tokens: TokenStream): TableQuery {
  const items: { name: string; column: ConfigColumn | 'count' }[] = [];
  do {
    if (tokens.acceptSymbol('*')) items.push(...configColumns.map((column) => ({ name: column, column })));
    else items.push(readItem(tokens));
  } while (tokens.acceptSymbol(','));
  tokens.expectWord('FROM');
  expectTable(tokens);
  const where = readWhere(tokens);
  const order: { column: ConfigColumn; descending: boolean }[] = [];
  if (tokens.acceptWord('ORDER')) {
    tokens.expectWord('BY');
    do {
      const column = readColumn(tokens);
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
  return { kind: 'select', items, where, order, offset, limit };
}

function readItem(tokens: TokenStream): { name: string; column: ConfigColumn | 'count' } {
  const isCount = tokens.acceptWord('COUNT');
  if (isCount) for (const symbol of ['(', '*', ')']) tokens.expectSymbol(symbol);
  const column = isCount ? 'count' : readColumn(tokens);
  const hasAlias = tokens.acceptWord('AS');
  return { name: hasAlias ? tokens.expectName('a column name') : isCount ? 'COUNT(*)' : column, column };
}

function readLimit(tokens: TokenStream): { offset: number; limit: number } {
  if (!tokens.acceptWord('LIMIT')) return { offset: 0, limit: Number.MAX_SAFE_INTEGER };
  const first = tokens.expectId('a number of rows');
  if (tokens.acceptSymbol(',')) return { offset: first, limit: tokens.expectId('a number of rows') };
  return { offset: tokens.acceptWord('OFFSET') ? tokens.expectId('a number of rows') : 0, limit: first };
}

function readWrite(tokens: TokenStream, mode: 'insert' | 'replace'): TableChange {
  tokens.acceptWord('INTO');
  expectTable(tokens);
  if (tokens.current?.text !== '(') throw tokens.unexpected(`the columns, some of ${writableColumns.join(', ')},`);
  const columns = readGroup(tokens, () => readColumn(tokens)).map((column) => {
    const writable = writableColumns.find((known) => known === column);
    if (writable === undefined) throw notSupported(`a value for ${column}, which follows from the parameter`);
    return writable;
  });
  if (new Set(columns).size < columns.length) {
    throw new OdpError('INVALID_ARGUMENT', { detail: 'a column is named twice' });
  }
  const missing = (['name', 'value', 'config_level'] as const).find((column) => !columns.includes(column));
  if (missing !== undefined) throw new OdpError('INVALID_ARGUMENT', { detail: `the column ${missing} is missing` });
  if (!tokens.acceptWord('VALUES')) tokens.expectWord('VALUE');
  const rows: WrittenRow[] = [];
  do {
    const values = readGroup(tokens, () => readLiteral(tokens));
    if (values.length !== columns.length) {
      const detail = `row ${rows.length + 1} has ${values.length} values for ${columns.length} columns`;
      throw new OdpError('INVALID_ARGUMENT', { detail });
    }
    const given = Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '']));
    rows.push({ ...defaults, name: '', value: '', config_level: '', ...given });
    if (rows.length > MAX_ROWS) throw notSupported(`more than ${MAX_ROWS} rows in one statement`);
  } while (tokens.acceptSymbol(','));
  tokens.expectEnd();
  return { kind: 'write', mode, rows };
}

function notSupported(detail: string): OdpError {
  return new OdpError('NOT_SUPPORTED', { detail });
}
