/**
 * What a statement says of the columns of a partitioning key: values it puts into them, or conditions that every row it
 * meets fulfils (cases B60, B74). What can't be known for certain is left out; it never guesses.
 */
import type { SqlDialect } from './classify.ts';
import { readInsertedValues } from './inserted-values.ts';
import type { KeyOperand } from './key-operand.ts';
import { KEYWORD } from './keywords.ts';
import { SqlLexer, TOKEN } from './lexer.ts';
import { isMultiByteCharset } from './names.ts';
import { TokenList } from './token-list.ts';
import { readWhere } from './where-conditions.ts';

export type KeyOperator = '=' | '<=>' | '<' | '<=' | '>' | '>=';

export interface KeyTerm {
  /** Number in the list of columns asked for. */
  readonly column: number;
  readonly operator: KeyOperator;
  readonly operand: KeyOperand;
}

export interface KeyConditions {
  /** `values`: the first row that is inserted. `where`: all terms hold for every row that is met. */
  readonly source: 'values' | 'where';
  readonly terms: readonly KeyTerm[];
}

export interface KeyQuestion {
  /** Table name without database, as the statement writes it. */
  readonly table: string;
  /** Names in lower case. */
  readonly columns: readonly string[];
  /** `text` is only the beginning of the statement. */
  readonly truncated: boolean;
}

/** Null: nothing is known, e.g. since the statement is of another kind or too long. */
export function readKeyConditions(text: Buffer, dialect: SqlDialect, question: KeyQuestion): KeyConditions | null {
  const lexer = new SqlLexer();
  const isMultiByte = isMultiByteCharset(dialect.charset);
  const { truncated } = question;
  lexer.reset(text, text.length, truncated, isMultiByte, dialect.ansiQuotes, dialect.noBackslashEscapes);
  const tokens = new TokenList(lexer);
  const found = readTerms(tokens, dialect, question);
  return found === null || found.terms.length === 0 || tokens.overflow ? null : found;
}

function readTerms(tokens: TokenList, dialect: SqlDialect, question: KeyQuestion): KeyConditions | null {
  switch (tokens.at(0).keyword) {
    case KEYWORD.INSERT:
    case KEYWORD.REPLACE:
      return wrap('values', readInsertedValues(tokens, dialect, question));
    case KEYWORD.SELECT:
      return fromTable(tokens, findAtTop(tokens, 1, KEYWORD.FROM) + 1, dialect, question);
    case KEYWORD.UPDATE:
    case KEYWORD.DELETE: {
      let at = 1;
      const isDelete = tokens.at(0).keyword === KEYWORD.DELETE;
      while (MODIFIERS.has(tokens.at(at).keyword)) at += 1;
      if (isDelete && tokens.at(at).keyword !== KEYWORD.FROM) return null;
      return fromTable(tokens, isDelete ? at + 1 : at, dialect, question);
    }
    default:
      return null;
  }
}

const MODIFIERS: ReadonlySet<number> = new Set([KEYWORD.LOW_PRIORITY, KEYWORD.QUICK, KEYWORD.IGNORE]);

function fromTable(tokens: TokenList, start: number, dialect: SqlDialect, question: KeyQuestion): KeyConditions | null {
  // Whatever is still to come may be an OR.
  if (question.truncated) return null;
  return wrap('where', readWhere(tokens, start, dialect, question));
}

const wrap = (source: KeyConditions['source'], terms: readonly KeyTerm[] | null): KeyConditions | null =>
  terms === null ? null : { source, terms };

/** The number of the next token that is this keyword, outside parentheses; of the end when there is none. */
function findAtTop(tokens: TokenList, start: number, keyword: number): number {
  let at = start;
  while (tokens.at(at).kind !== TOKEN.end && tokens.at(at).keyword !== keyword) {
    at = tokens.isSymbol(at, '(') ? tokens.afterGroup(at) : at + 1;
  }
  return at;
}
