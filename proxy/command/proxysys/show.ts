/** SHOW for the proxysys tenant: what clients and graphical tools ask when they connect. */
import { OdpError } from '../../errors/odp-error.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { likeMatch } from '../../sql/like-match.ts';
import type { ColumnDefinition } from '../../wire/result-set.ts';
import { columns, type Row, rowsReply } from '../result.ts';
import type { CommandServices } from '../services.ts';
import type { TokenStream } from '../token-stream.ts';
import { proxysysVariables } from './variables.ts';

interface ShowAnswer {
  readonly columns: readonly ColumnDefinition[];
  readonly rows: readonly Row[];
}

const none = (...names: readonly string[]): ShowAnswer => ({ columns: columns(...names), rows: [] });

const charsets: ShowAnswer = {
  columns: columns('Charset', 'Description', 'Default collation', 'Maxlen:LONGLONG'),
  rows: [
    ['binary', 'Binary pseudo charset', 'binary', '1'],
    ['utf8mb4', 'UTF-8 Unicode', 'utf8mb4_general_ci', '4'],
  ],
};

/** By the words after SHOW [FULL | GLOBAL | SESSION | LOCAL | EXTENDED]; the longest that fits counts. */
const answers: Readonly<Record<string, ShowAnswer>> = {
  DATABASES: none('Database'),
  SCHEMAS: none('Database'),
  TABLES: none('Tables_in_proxysys'),
  'FULL TABLES': none('Tables_in_proxysys', 'Table_type'),
  STATUS: none('Variable_name', 'Value'),
  WARNINGS: none('Level', 'Code:LONG', 'Message'),
  ERRORS: none('Level', 'Code:LONG', 'Message'),
  ENGINES: none('Engine', 'Support', 'Comment', 'Transactions', 'XA', 'Savepoints'),
  'STORAGE ENGINES': none('Engine', 'Support', 'Comment', 'Transactions', 'XA', 'Savepoints'),
  PLUGINS: none('Name', 'Status', 'Type', 'Library', 'License'),
  CHARSET: charsets,
  'CHARACTER SET': charsets,
  COLLATION: {
    columns: columns('Collation', 'Charset', 'Id:LONGLONG', 'Default', 'Compiled', 'Sortlen:LONGLONG'),
    rows: [
      ['binary', 'binary', '63', 'Yes', 'Yes', '1'],
      ['utf8mb4_bin', 'utf8mb4', '46', '', 'Yes', '1'],
      ['utf8mb4_general_ci', 'utf8mb4', '45', 'Yes', 'Yes', '1'],
    ],
  },
};

/**
 * Answers the rest of `SHOW …`.
 * @throws OdpError BAD_INTERNAL_COMMAND for what is not in the table
 */
export function answerShow(tokens: TokenStream, services: CommandServices): CommandReply {
  const first = tokens.current;
  const isFull = tokens.acceptWord('FULL');
  for (const word of ['EXTENDED', 'GLOBAL', 'SESSION', 'LOCAL']) tokens.acceptWord(word);
  const answer = findAnswer(tokens, isFull, services);
  if (answer === null) {
    const what = first === null ? '' : tokens.source(first.start, first.start + 64);
    throw new OdpError('BAD_INTERNAL_COMMAND', { detail: `root@proxysys has no SHOW ${what}`.trimEnd() });
  }
  const fits = readFilter(tokens, answer.columns);
  tokens.expectEnd();
  return rowsReply(answer.columns, answer.rows.filter(fits));
}

function findAnswer(tokens: TokenStream, isFull: boolean, services: CommandServices): ShowAnswer | null {
  if (tokens.acceptWord('VARIABLES')) {
    return { columns: columns('Variable_name', 'Value'), rows: [...proxysysVariables(services)] };
  }
  if (tokens.acceptWord('COUNT')) return countAnswer(tokens);
  const words = [isFull ? 'FULL' : null, takeWord(tokens)].filter((word) => word !== null).join(' ');
  const answer = lookUp(words);
  if (answer !== null || words === '') return answer;
  return lookUp(`${words} ${takeWord(tokens) ?? ''}`);
}

function countAnswer(tokens: TokenStream): ShowAnswer | null {
  for (const symbol of ['(', '*', ')']) tokens.expectSymbol(symbol);
  const word = takeWord(tokens);
  if (word !== 'WARNINGS' && word !== 'ERRORS') return null;
  const name = word === 'WARNINGS' ? 'warning_count' : 'error_count';
  return { columns: columns(`@@session.${name}:LONGLONG`), rows: [['0']] };
}

function lookUp(words: string): ShowAnswer | null {
  return Object.hasOwn(answers, words) ? (answers[words] ?? null) : null;
}

function takeWord(tokens: TokenStream): string | null {
  return tokens.current?.kind === 'word' ? (tokens.take()?.text.toUpperCase() ?? null) : null;
}

type RowFilter = (row: Row) => boolean;

/** LIKE 'p' on the first column, or WHERE: `name = 'a' OR name LIKE 'b%' OR name IN ('c', 'd')`; LIMIT is passed over. */
function readFilter(tokens: TokenStream, definitions: readonly ColumnDefinition[]): RowFilter {
  const like = tokens.acceptLike();
  if (like !== null) return ([name]) => likeMatch(like, name ?? '');
  if (tokens.acceptWord('LIMIT')) {
    tokens.expectId('a number of rows');
    return () => true;
  }
  if (!tokens.acceptWord('WHERE')) return () => true;
  const conditions: RowFilter[] = [];
  do {
    conditions.push(readCondition(tokens, definitions));
  } while (tokens.acceptWord('OR'));
  return (row) => conditions.some((fits) => fits(row));
}

function readCondition(tokens: TokenStream, definitions: readonly ColumnDefinition[]): RowFilter {
  const column = tokens.expectName('a column name');
  const index = definitions.findIndex(({ name }) => name.toLowerCase() === column.toLowerCase());
  if (index < 0) throw new OdpError('BAD_INTERNAL_COMMAND', { detail: `there is no column '${column}'` });
  const like = tokens.acceptLike();
  if (like !== null) return (row) => likeMatch(like, row[index] ?? '');
  const values = tokens.acceptWord('IN') ? readList(tokens) : readEqual(tokens);
  return (row) => values.includes((row[index] ?? '').toLowerCase());
}

function readEqual(tokens: TokenStream): string[] {
  tokens.expectSymbol('=');
  return [tokens.expectName('a value').toLowerCase()];
}

function readList(tokens: TokenStream): string[] {
  const values: string[] = [];
  tokens.expectSymbol('(');
  do {
    values.push(tokens.expectName('a value').toLowerCase());
  } while (tokens.acceptSymbol(','));
  tokens.expectSymbol(')');
  return values;
}
