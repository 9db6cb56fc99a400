/** INSERT and REPLACE: what the first row puts into the columns of a key. */
import type { SqlDialect } from './classify.ts';
import type { KeyQuestion, KeyTerm } from './key-conditions.ts';
import { readOperand } from './key-operand.ts';
import { KEYWORD } from './keywords.ts';
import { TOKEN } from './lexer.ts';
import { readTableReference } from './table-reference.ts';
import type { TokenList } from './token-list.ts';

interface InsertedValues {
  readonly terms: KeyTerm[];
  /** As `KeyConditions.partition`. */
  readonly partition: string | null;
}

/**
 * A column that gets no value, a default or an expression brings no term. Null: no row of values.
 * @param start number of the table's first token
 */
export function readInsertedValues(
  tokens: TokenList,
  start: number,
  dialect: SqlDialect,
  question: KeyQuestion,
): InsertedValues | null {
  const table = readTableReference(tokens, start, question.table);
  if (table === null) return null;
  const { partition, end } = table;
  const terms = readFirstRow(tokens, end, dialect, question);
  return terms === null && partition === null ? null : { terms: terms ?? [], partition };
}

/** @param start number of the token behind the table */
function readFirstRow(tokens: TokenList, start: number, dialect: SqlDialect, question: KeyQuestion): KeyTerm[] | null {
  if (tokens.at(start).keyword === KEYWORD.SET) return readAssignments(tokens, start + 1, dialect, question);
  // Without a list of columns nobody tells the proxy in what order they stand.
  const names = tokens.isSymbol(start, '(') ? readNames(tokens, start) : null;
  if (names === null) return null;
  const at = tokens.afterGroup(start);
  if (tokens.at(at).keyword !== KEYWORD.VALUES && !tokens.isWord(at, 'VALUE')) return null;
  return readRow(tokens, at + 1, names, dialect, question);
}

function readRow(
  tokens: TokenList,
  open: number,
  names: readonly (string | null)[],
  dialect: SqlDialect,
  { columns }: KeyQuestion,
): KeyTerm[] | null {
  if (!tokens.isSymbol(open, '(')) return null;
  const terms: KeyTerm[] = [];
  let start = open + 1;
  for (let position = 0; ; position += 1) {
    const end = endOfItem(tokens, start);
    if (tokens.at(end).kind === TOKEN.end) return null;
    const column = columns.indexOf(names[position] ?? '');
    if (column >= 0) addTerm(terms, column, tokens, start, end, dialect);
    if (tokens.isSymbol(end, ')')) return names.length === position + 1 ? terms : null;
    start = end + 1;
  }
}

/** `SET a = 1, b = 2`. */
function readAssignments(
  tokens: TokenList,
  start: number,
  dialect: SqlDialect,
  { columns, truncated }: KeyQuestion,
): KeyTerm[] | null {
  const terms: KeyTerm[] = [];
  let at = start;
  for (;;) {
    const after = afterName(tokens, at);
    const name = tokens.name(after - 1)?.toLowerCase();
    if (!tokens.isSymbol(after, '=')) return null;
    const end = endOfItem(tokens, after + 1);
    const column = columns.indexOf(name ?? '');
    if (column >= 0 && !(truncated && tokens.at(end).kind === TOKEN.end)) {
      addTerm(terms, column, tokens, after + 1, end, dialect);
    }
    if (!tokens.isSymbol(end, ',')) return terms;
    at = end + 1;
  }
}

function addTerm(
  terms: KeyTerm[],
  column: number,
  tokens: TokenList,
  start: number,
  end: number,
  dialect: SqlDialect,
): void {
  const operand = readOperand(tokens, start, end, dialect);
  if (operand !== null) terms.push({ column, operator: '=', operand });
}

/** The comma or parenthesis behind an item of a list, or ON of ON DUPLICATE KEY; the end when there is none. */
function endOfItem(tokens: TokenList, start: number): number {
  let at = start;
  while (tokens.at(at).kind !== TOKEN.end) {
    if (tokens.isSymbol(at, ',') || tokens.isSymbol(at, ')') || tokens.isWord(at, 'ON')) return at;
    at = tokens.isSymbol(at, '(') ? tokens.afterGroup(at) : at + 1;
  }
  return at;
}

/** `(a, t.b)` as lower-case names; null when it is something else. */
function readNames(tokens: TokenList, open: number): (string | null)[] | null {
  const names: (string | null)[] = [];
  let at = open + 1;
  if (tokens.isSymbol(at, ')')) return null;
  for (;;) {
    at = afterName(tokens, at);
    names.push(tokens.name(at - 1)?.toLowerCase() ?? null);
    if (tokens.isSymbol(at, ')')) return names;
    if (!tokens.isSymbol(at, ',')) return null;
    at += 1;
  }
}

/** The number of the token behind `a`, `a.b` or `a.b.c`. */
function afterName(tokens: TokenList, start: number): number {
  let at = start + 1;
  while (tokens.isSymbol(at, '.')) at += 2;
  return at;
}
