/** The WHERE of a SELECT, UPDATE or DELETE: comparisons of key columns with values that hold for every row it meets. */
import type { SqlDialect } from './classify.ts';
import type { KeyOperator, KeyQuestion, KeyTerm } from './key-conditions.ts';
import { readOperand } from './key-operand.ts';
import { KEYWORD } from './keywords.ts';
import type { QueryBlock } from './query-block.ts';
import { readTableReference } from './table-reference.ts';
import type { TokenList } from './token-list.ts';

/** Keywords that end a WHERE. */
const CLAUSES: ReadonlySet<number> = new Set([
  KEYWORD.GROUP,
  KEYWORD.ORDER,
  KEYWORD.HAVING,
  KEYWORD.LIMIT,
  KEYWORD.WINDOW,
  KEYWORD.FOR,
  KEYWORD.LOCK,
  KEYWORD.INTO,
  KEYWORD.PROCEDURE,
]);
const SET_OPERATIONS: ReadonlySet<number> = new Set([KEYWORD.UNION, KEYWORD.EXCEPT, KEYWORD.MINUS, KEYWORD.INTERSECT]);
const OPERATORS: readonly KeyOperator[] = ['<=>', '<=', '>=', '=', '<', '>'];
const MIRRORED: Readonly<Record<KeyOperator, KeyOperator>> = {
  '=': '=',
  '<=>': '<=>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

interface Reading {
  readonly tokens: TokenList;
  readonly dialect: SqlDialect;
  readonly question: KeyQuestion;
  /** How the table's columns are qualified, in lower case. */
  readonly qualifier: string;
  /** The table stands alone: names without qualifier are its columns, and no outer join brings rows without it. */
  readonly isAlone: boolean;
  readonly terms: KeyTerm[];
}

export interface WhereTerms {
  readonly terms: readonly KeyTerm[];
  /** The only partition that the table is read in, in lower case; null when none is named. */
  readonly partition: string | null;
}

/** Null: nothing is known of the rows. */
export function readWhere(
  tokens: TokenList,
  block: QueryBlock,
  dialect: SqlDialect,
  question: KeyQuestion,
): WhereTerms | null {
  const table = readTableReference(tokens, block.table, question.table);
  if (table === null) return null;
  const { partition, qualifier } = table;
  const { keyword } = tokens.at(table.end);
  const isAlone = keyword === KEYWORD.WHERE || keyword === KEYWORD.SET;
  const reading: Reading = { tokens, dialect, question, qualifier, isAlone, terms: [] };
  const start = findWhere(tokens, table.end, block.end);
  const end = start < 0 ? -1 : endOfCondition(tokens, start, block.end);
  if (end >= 0) readConjunction(reading, start, end);
  return { terms: reading.terms, partition };
}

/** The number of the token behind WHERE; -1 when there is none in `[start, end)`. */
function findWhere(tokens: TokenList, start: number, end: number): number {
  for (let at = start; at < end; at = next(tokens, at)) {
    if (tokens.at(at).keyword === KEYWORD.WHERE) return at + 1;
    if (CLAUSES.has(tokens.at(at).keyword) || isSetOperation(tokens, at)) return -1;
  }
  return -1;
}

/** Whatever stands in parentheses counts as one. */
const next = (tokens: TokenList, at: number): number => (tokens.isSymbol(at, '(') ? tokens.afterGroup(at) : at + 1);

/** Some of their words may be names of columns too. */
function isSetOperation(tokens: TokenList, at: number): boolean {
  if (!SET_OPERATIONS.has(tokens.at(at).keyword)) return false;
  const { keyword } = tokens.at(at + 1);
  const isQuery = keyword === KEYWORD.SELECT || keyword === KEYWORD.VALUES || keyword === KEYWORD.TABLE;
  return isQuery || keyword === KEYWORD.ALL || tokens.isWord(at + 1, 'DISTINCT') || tokens.isSymbol(at + 1, '(');
}

/** Where the condition ends; -1 when what follows makes it doubtful: an OR, an assignment. */
function endOfCondition(tokens: TokenList, start: number, limit: number): number {
  let end = -1;
  for (let at = start; at < limit; at = next(tokens, at)) {
    const { keyword, symbol } = tokens.at(at);
    if (symbol === 0x3a) return -1;
    if (isSetOperation(tokens, at)) return end < 0 ? at : end;
    if (end < 0 && CLAUSES.has(keyword) && !tokens.isSymbol(at - 1, '.')) end = at;
    if (end >= 0 && isOr(tokens, at)) return -1;
  }
  return end < 0 ? limit : end;
}

const isOr = (tokens: TokenList, at: number): boolean =>
  tokens.isWord(at, 'OR') || tokens.isWord(at, 'XOR') || tokens.isOperator(at, '||');

const isAnd = (tokens: TokenList, at: number): boolean =>
  tokens.at(at).keyword === KEYWORD.AND || tokens.isOperator(at, '&&');

/** Reads `[start, end)`; nothing is taken from it when an OR, or a CASE, divides it. */
function readConjunction(reading: Reading, start: number, end: number): void {
  const { tokens } = reading;
  const cuts: number[] = [];
  let inBetween = false;
  for (let at = start; at < end; at = next(tokens, at)) {
    if (isOr(tokens, at) || tokens.isWord(at, 'CASE') || tokens.at(at).symbol === 0x3a) return;
    if (tokens.isWord(at, 'BETWEEN')) inBetween = true;
    else if (isAnd(tokens, at)) {
      if (!inBetween) cuts.push(at);
      inBetween = false;
    }
  }
  let from = start;
  for (const cut of [...cuts, end]) {
    readCondition(reading, from, cut);
    from = cut + (tokens.isSymbol(cut, '&') ? 2 : 1);
  }
}

function readCondition(reading: Reading, start: number, end: number): void {
  const { tokens } = reading;
  if (tokens.isSymbol(start, '(')) {
    const after = tokens.afterGroup(start);
    if (after === end) return readConjunction(reading, start + 1, end - 1);
    const items = itemsOf(tokens, start);
    if (items !== null && items.length > 1) return readRows(reading, items, after, end);
  }
  const column = readColumn(reading, start, end);
  if (column !== null) return readComparison(reading, column.column, column.end, end);
  for (let at = start + 1; at < end; at = next(tokens, at)) {
    const operator = operatorAt(tokens, at);
    if (operator === null) continue;
    const right = readColumn(reading, at + operator.length, end);
    if (right !== null && right.end === end) addTerm(reading, right.column, MIRRORED[operator], start, at);
    return;
  }
}

/** What follows a key column, in `[at, end)`. */
function readComparison(reading: Reading, column: number, at: number, end: number): void {
  const { tokens } = reading;
  const operator = operatorAt(tokens, at);
  if (operator !== null) return addTerm(reading, column, operator, at + operator.length, end);
  if (tokens.at(at).keyword === KEYWORD.IN) {
    // One value; a list of several is no operand.
    if (tokens.isSymbol(at + 1, '(') && tokens.afterGroup(at + 1) === end) {
      addTerm(reading, column, '=', at + 2, end - 1);
    }
  } else if (tokens.isWord(at, 'IS')) {
    if (end === at + 2 && tokens.isWord(at + 1, 'NULL')) addTerm(reading, column, '<=>', at + 1, end);
  } else if (tokens.isWord(at, 'BETWEEN')) {
    let and = at + 1;
    while (and < end && !isAnd(tokens, and)) and = next(tokens, and);
    if (tokens.at(and).keyword !== KEYWORD.AND) return;
    addTerm(reading, column, '>=', at + 1, and);
    addTerm(reading, column, '<=', and + 1, end);
  }
}

type Span = readonly [start: number, end: number];

const QUERIES: ReadonlySet<number> = new Set([KEYWORD.SELECT, KEYWORD.WITH, KEYWORD.VALUES, KEYWORD.TABLE]);

/** What the commas divide inside the parentheses at `open`; null when they aren't closed, or hold a query. */
function itemsOf(tokens: TokenList, open: number): Span[] | null {
  const close = tokens.afterGroup(open) - 1;
  if (!tokens.isSymbol(close, ')') || QUERIES.has(tokens.at(open + 1).keyword)) return null;
  const items: Span[] = [];
  let start = open + 1;
  for (let at = start; at < close; at = next(tokens, at)) {
    if (!tokens.isSymbol(at, ',')) continue;
    items.push([start, at]);
    start = at + 1;
  }
  items.push([start, close]);
  return items;
}

/** `(a, b) = (1, 2)`, `(a, b) IN ((1, 2))`: item by item. */
function readRows(reading: Reading, left: readonly Span[], at: number, end: number): void {
  const { tokens } = reading;
  const operator = operatorAt(tokens, at);
  let open = at + (operator?.length ?? 0);
  let after = end;
  if (operator === null) {
    if (tokens.at(at).keyword !== KEYWORD.IN || !tokens.isSymbol(at + 1, '(')) return;
    if (tokens.afterGroup(at + 1) !== end) return;
    open = at + 2;
    after = end - 1;
  } else if (operator !== '=' && operator !== '<=>') return;
  if (!tokens.isSymbol(open, '(') || tokens.afterGroup(open) !== after) return;
  const right = itemsOf(tokens, open);
  if (right === null || right.length !== left.length) return;
  for (const [index, item] of left.entries()) {
    const other = right[index];
    if (other !== undefined) readPair(reading, operator ?? '=', item, other);
  }
}

function readPair(reading: Reading, operator: KeyOperator, left: Span, right: Span): void {
  const column = readColumn(reading, ...left);
  if (column?.end === left[1]) return addTerm(reading, column.column, operator, ...right);
  const other = readColumn(reading, ...right);
  if (other?.end === right[1]) addTerm(reading, other.column, operator, ...left);
}

/** `<>`, `<<` and the like are none. */
function operatorAt(tokens: TokenList, at: number): KeyOperator | null {
  const operator = OPERATORS.find((candidate) => tokens.isOperator(at, candidate));
  if (operator === undefined) return null;
  const following = tokens.at(at + operator.length);
  const isLonger = following.symbol !== 0 && '<>=!'.includes(String.fromCharCode(following.symbol));
  return isLonger ? null : operator;
}

function addTerm(reading: Reading, column: number, operator: KeyOperator, start: number, end: number): void {
  const operand = readOperand(reading.tokens, start, end, reading.dialect);
  // A comparison with NULL is never true: what is met then doesn't matter, and isn't worth a rule.
  if (operand === null || (operand.kind === 'null' && operator !== '<=>')) return;
  // An outer join makes rows of NULLs, for which all partitions are read.
  if (operator === '<=>' && !reading.isAlone) return;
  reading.terms.push({ column, operator, operand });
}

/** The key column that begins at `start`, qualified or not, or alone in parentheses. */
function readColumn(reading: Reading, start: number, limit: number): { column: number; end: number } | null {
  const { tokens, question } = reading;
  if (tokens.isSymbol(start, '(')) {
    const end = tokens.afterGroup(start);
    const inner = end <= limit ? readColumn(reading, start + 1, end - 1) : null;
    return inner !== null && inner.end === end - 1 ? { column: inner.column, end } : null;
  }
  let at = start;
  let qualifier: string | null = null;
  while (tokens.isSymbol(at + 1, '.')) {
    qualifier = tokens.name(at)?.toLowerCase() ?? '';
    at += 2;
  }
  if (qualifier === null ? !reading.isAlone : qualifier !== reading.qualifier) return null;
  const name = at < limit ? tokens.name(at)?.toLowerCase() : undefined;
  const column = question.columns.indexOf(name ?? '');
  return column < 0 ? null : { column, end: at + 1 };
}
