/** The WHERE of a SELECT, UPDATE or DELETE: comparisons of key columns with values that hold for every row it meets. */
import type { SqlDialect } from './classify.ts';
import type { KeyOperator, KeyQuestion, KeyTerm } from './key-conditions.ts';
import { readOperand } from './key-operand.ts';
import { KEYWORD } from './keywords.ts';
import { TOKEN } from './lexer.ts';
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
  /** How the table's columns are qualified, in lower case: its alias, else its name. */
  readonly qualifier: string;
  /** Names without qualifier may be other tables' columns. */
  readonly needsQualifier: boolean;
  readonly terms: KeyTerm[];
}

/** @param start the first table's name */
export function readWhere(
  tokens: TokenList,
  start: number,
  dialect: SqlDialect,
  question: KeyQuestion,
): KeyTerm[] | null {
  let at = start;
  let name = tokens.name(at);
  if (name === null) return null;
  if (tokens.isSymbol(at + 1, '.')) {
    at += 2;
    name = tokens.name(at);
  }
  if (name !== question.table || tokens.isWord(at + 1, 'PARTITION')) return null;
  at += 1;
  let qualifier = name;
  if (tokens.at(at).keyword === KEYWORD.AS) at += 1;
  const alias = isPlainWord(tokens, at) ? tokens.name(at) : null;
  if (alias !== null) {
    qualifier = alias;
    at += 1;
  }
  const isAlone = tokens.at(at).keyword === KEYWORD.WHERE || tokens.at(at).keyword === KEYWORD.SET;
  while (tokens.at(at).keyword !== KEYWORD.WHERE) {
    const { keyword, kind } = tokens.at(at);
    if (kind === TOKEN.end || CLAUSES.has(keyword) || SET_OPERATIONS.has(keyword)) return null;
    at = tokens.isSymbol(at, '(') ? tokens.afterGroup(at) : at + 1;
  }
  const end = endOfCondition(tokens, at + 1);
  if (end < 0) return null;
  const reading = {
    tokens,
    dialect,
    question,
    qualifier: qualifier.toLowerCase(),
    needsQualifier: !isAlone,
    terms: [],
  };
  readConjunction(reading, at + 1, end);
  return reading.terms;
}

/** Words that may follow a table are no alias. */
function isPlainWord(tokens: TokenList, at: number): boolean {
  const { kind, keyword } = tokens.at(at);
  if (kind === TOKEN.quotedName) return true;
  return kind === TOKEN.word && keyword === 0 && !NO_ALIAS.some((word) => tokens.isWord(at, word));
}
const NO_ALIAS = ['LEFT', 'RIGHT', 'INNER', 'CROSS', 'NATURAL', 'FULL', 'ON', 'USE', 'FORCE', 'PARTITION'];

/** Where the condition ends; -1 when what follows makes it doubtful: a set operation, an OR, an assignment. */
function endOfCondition(tokens: TokenList, start: number): number {
  let end = -1;
  let at = start;
  while (tokens.at(at).kind !== TOKEN.end) {
    const { keyword, symbol } = tokens.at(at);
    if (SET_OPERATIONS.has(keyword) || symbol === 0x3a) return -1;
    if (end < 0 && CLAUSES.has(keyword) && !tokens.isSymbol(at - 1, '.')) end = at;
    if (end >= 0 && isOr(tokens, at)) return -1;
    at = tokens.isSymbol(at, '(') ? tokens.afterGroup(at) : at + 1;
  }
  return end < 0 ? at : end;
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
  for (let at = start; at < end; at = tokens.isSymbol(at, '(') ? tokens.afterGroup(at) : at + 1) {
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
  if (tokens.isSymbol(start, '(') && tokens.afterGroup(start) === end) {
    return readConjunction(reading, start + 1, end - 1);
  }
  const column = readColumn(reading, start, end);
  if (column !== null) return readComparison(reading, column.column, column.end, end);
  for (let at = start + 1; at < end; at = tokens.isSymbol(at, '(') ? tokens.afterGroup(at) : at + 1) {
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
    while (and < end && !isAnd(tokens, and)) and = tokens.isSymbol(and, '(') ? tokens.afterGroup(and) : and + 1;
    if (tokens.at(and).keyword !== KEYWORD.AND) return;
    addTerm(reading, column, '>=', at + 1, and);
    addTerm(reading, column, '<=', and + 1, end);
  }
}

/** `<>`, `<<` and the like are none. */
function operatorAt(tokens: TokenList, at: number): KeyOperator | null {
  const operator = OPERATORS.find((candidate) => tokens.isOperator(at, candidate));
  if (operator === undefined) return null;
  const next = tokens.at(at + operator.length);
  const isLonger = next.symbol !== 0 && '<>=!'.includes(String.fromCharCode(next.symbol));
  return isLonger ? null : operator;
}

function addTerm(reading: Reading, column: number, operator: KeyOperator, start: number, end: number): void {
  const operand = readOperand(reading.tokens, start, end, reading.dialect);
  // A comparison with NULL is never true: what is met then doesn't matter, and isn't worth a rule.
  if (operand === null || (operand.kind === 'null' && operator !== '<=>')) return;
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
  if (qualifier === null ? reading.needsQualifier : qualifier !== reading.qualifier) return null;
  const name = at < limit ? tokens.name(at)?.toLowerCase() : undefined;
  const column = question.columns.indexOf(name ?? '');
  return column < 0 ? null : { column, end: at + 1 };
}
