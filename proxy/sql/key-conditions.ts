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
import { findBlock } from './query-block.ts';
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
  /** The only partition that the statement names by PARTITION (…), in lower case; null without one. */
  readonly partition: string | null;
}

export interface KeyQuestion {
  /** Table name without database, as the statement writes it. */
  readonly table: string;
  /** Byte offset of the table's name in the text, qualified or not. */
  readonly tableAt: number;
  /** Names in lower case. */
  readonly columns: readonly string[];
  /** The places of these columns in an INSERT that lists none, from 0; null: not known. */
  readonly positions: readonly (number | null)[];
  /** `text` is only the beginning of the statement. */
  readonly truncated: boolean;
}

/**
 * What the part of the statement says that the first table belongs to: in a UNION its first member, a sub-query in FROM,
 * the body of a WITH. Null: nothing is known, e.g. since the statement is of another kind or too long.
 */
export function readKeyConditions(text: Buffer, dialect: SqlDialect, question: KeyQuestion): KeyConditions | null {
  const lexer = new SqlLexer();
  const isMultiByte = isMultiByteCharset(dialect.charset);
  const { truncated } = question;
  lexer.reset(text, text.length, truncated, isMultiByte, dialect.ansiQuotes, dialect.noBackslashEscapes);
  const tokens = new TokenList(lexer);
  const found = readTerms(tokens, dialect, question);
  if (found === null || tokens.overflow) return null;
  const terms = found.terms.some(isVariable) && mayAssign(tokens) ? found.terms.filter(isConstant) : found.terms;
  return terms.length === 0 && found.partition === null ? null : { ...found, terms };
}

function readTerms(tokens: TokenList, dialect: SqlDialect, question: KeyQuestion): KeyConditions | null {
  const table = tokens.seek(question.tableAt);
  if (table < 0) return null;
  // The first row is enough, whatever follows.
  if (INSERTS.has(tokens.at(0).keyword) && isTarget(tokens, table)) {
    return wrap('values', readInsertedValues(tokens, table, dialect, question));
  }
  const block = findBlock(tokens, table);
  if (block === null || INSERTS.has(block.verb)) return null;
  // Whatever is still to come may be an OR.
  const isCut = question.truncated && tokens.at(block.end).kind === TOKEN.end && !tokens.endsAtSemicolon;
  return isCut ? null : wrap('where', readWhere(tokens, block, dialect, question));
}

const INSERTS: ReadonlySet<number> = new Set([KEYWORD.INSERT, KEYWORD.REPLACE]);

/** Whether nothing but modifiers stands before the table of an INSERT. */
function isTarget(tokens: TokenList, table: number): boolean {
  for (let at = 1; at < table; at += 1) if (tokens.at(at).keyword === KEYWORD.SELECT) return false;
  return true;
}

const isVariable = ({ operand }: KeyTerm): boolean => operand.kind === 'variable';
const isConstant = (term: KeyTerm): boolean => !isVariable(term);

/** Whether the text may give variables other values before they are used: `:=`, or a statement before. */
function mayAssign(tokens: TokenList): boolean {
  if (tokens.skipped) return true;
  for (let at = 0; tokens.at(at).kind !== TOKEN.end; at += 1) if (tokens.isOperator(at, ':=')) return true;
  return false;
}

const wrap = (
  source: KeyConditions['source'],
  found: { readonly terms: readonly KeyTerm[]; readonly partition: string | null } | null,
): KeyConditions | null => (found === null ? null : { source, ...found });
