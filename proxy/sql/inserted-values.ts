/** INSERT and REPLACE: what the first row puts into the columns of a key. */
import type { SqlDialect } from './classify.ts';
import type { KeyQuestion, KeyTerm } from './key-conditions.ts';
import { type KeyOperand, readOperand } from './key-operand.ts';
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
 * A column that gets an expression brings no term. Null: no row of values.
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
  const hasList = tokens.isSymbol(start, '(');
  const names = hasList ? readNames(tokens, start) : null;
  if (hasList && names === null) return null;
  const at = hasList ? tokens.afterGroup(start) : start;
  if (tokens.at(at).keyword !== KEYWORD.VALUES && !tokens.isWord(at, 'VALUE')) return null;
  const items = readItems(tokens, at + 1);
  if (items === null) return null;
  const terms: KeyTerm[] = [];
  // `VALUES ()` gives every column its default, whatever the list.
  if (items.length > 0) {
    if (names !== null && names.length !== items.length) return null;
    for (const [column, name] of question.columns.entries()) {
      const place = names === null ? question.positions[column] : names.indexOf(name);
      const item = place === null || place === undefined ? undefined : items[place];
      if (item !== undefined) addTerm(terms, column, tokens, item, dialect);
    }
  }
  const isGiven = (name: string): boolean => items.length > 0 && (names === null || names.includes(name));
  addDefaults(terms, question, isGiven);
  return terms;
}

type Span = readonly [start: number, end: number];

/** The items of the row whose parenthesis should stand at `open`; null when there is none, or no end of it. */
function readItems(tokens: TokenList, open: number): Span[] | null {
  if (!tokens.isSymbol(open, '(')) return null;
  const items: Span[] = [];
  let start = open + 1;
  if (tokens.isSymbol(start, ')')) return items;
  for (;;) {
    const end = endOfItem(tokens, start);
    if (tokens.at(end).kind === TOKEN.end) return null;
    items.push([start, end]);
    if (tokens.isSymbol(end, ')')) return items;
    start = end + 1;
  }
}

/** `SET a = 1, b = 2`. */
function readAssignments(
  tokens: TokenList,
  start: number,
  dialect: SqlDialect,
  question: KeyQuestion,
): KeyTerm[] | null {
  const { columns, truncated } = question;
  const terms: KeyTerm[] = [];
  const given = new Set<string>();
  let at = start;
  for (;;) {
    const after = afterName(tokens, at);
    const name = tokens.name(after - 1)?.toLowerCase() ?? '';
    if (!tokens.isSymbol(after, '=')) return null;
    const end = endOfItem(tokens, after + 1);
    const isCut = truncated && tokens.at(end).kind === TOKEN.end;
    const column = columns.indexOf(name);
    given.add(name);
    if (column >= 0 && !isCut) addTerm(terms, column, tokens, [after + 1, end], dialect);
    if (!tokens.isSymbol(end, ',')) {
      if (!isCut) addDefaults(terms, question, (other) => given.has(other));
      return terms;
    }
    at = end + 1;
  }
}

function addDefaults(terms: KeyTerm[], { columns }: KeyQuestion, isGiven: (name: string) => boolean): void {
  for (const [column, name] of columns.entries()) {
    if (!isGiven(name)) terms.push({ column, operator: '=', operand: DEFAULT });
  }
}

const DEFAULT: KeyOperand = { kind: 'default' };

function addTerm(terms: KeyTerm[], column: number, tokens: TokenList, [start, end]: Span, dialect: SqlDialect): void {
  const isDefault = end === start + 1 && tokens.isWord(start, 'DEFAULT');
  const operand = isDefault ? DEFAULT : readOperand(tokens, start, end, dialect);
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
  if (tokens.isSymbol(at, ')')) return names;
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
