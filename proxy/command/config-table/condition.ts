/** WHERE on one of the tables: plain data, so that it can be sent to where the rows are. */
import { OdpError } from '../../errors/odp-error.ts';
import { likeMatch } from '../../sql/like-match.ts';
import type { TokenStream } from '../token-stream.ts';
import type { Table, TableRow } from './tables.ts';

const comparisons = ['=', '<>', '<', '<=', '>', '>='] as const;
type Comparison = (typeof comparisons)[number];

export type Condition =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | {
      readonly kind: 'compare';
      readonly column: string;
      readonly comparison: Comparison;
      readonly value: string;
    }
  | { readonly kind: 'like'; readonly column: string; readonly pattern: string }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly string[] };

/** Conditions in conditions, at most: a statement of a megabyte of parentheses must not use up the stack. */
const MAX_DEPTH = 50;

/** Reads what follows WHERE. @throws OdpError BAD_INTERNAL_COMMAND, UNKNOWN_COLUMN, INVALID_ARGUMENT */
export function readCondition(tokens: TokenStream, table: Table, depth = 0): Condition {
  if (depth > MAX_DEPTH) throw new OdpError('BAD_INTERNAL_COMMAND', { detail: 'the condition is nested too deeply' });
  const parts: Condition[] = [];
  do {
    const all: Condition[] = [];
    do {
      all.push(readTerm(tokens, table, depth));
    } while (tokens.acceptWord('AND'));
    parts.push(all.length === 1 ? (all[0] as Condition) : { kind: 'all', parts: all });
  } while (tokens.acceptWord('OR'));
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'any', parts };
}

/** Whether a row is meant. Names and levels are compared whatever their case, `vid` and `vport` as numbers. */
export function fits(condition: Condition | null, row: TableRow): boolean {
  if (condition === null) return true;
  switch (condition.kind) {
    case 'all':
      return condition.parts.every((part) => fits(part, row));
    case 'any':
      return condition.parts.some((part) => fits(part, row));
    case 'not':
      return !fits(condition.part, row);
    case 'like':
      return likeMatch(condition.pattern, row[condition.column] ?? '');
    case 'in':
      return condition.values.some((value) => compareCells(condition.column, row[condition.column] ?? '', value) === 0);
    case 'compare': {
      const order = compareCells(condition.column, row[condition.column] ?? '', condition.value);
      switch (condition.comparison) {
        case '=':
          return order === 0;
        case '<>':
          return order !== 0;
        case '<':
          return order < 0;
        case '<=':
          return order <= 0;
        case '>':
          return order > 0;
        case '>=':
          return order >= 0;
      }
    }
  }
}

/** Below, at or above 0, as `left` stands before, at or after `right` in a column. */
export function compareCells(column: string, left: string, right: string): number {
  if (column === 'vid' || column === 'vport') return Number(left) - Number(right);
  const [a, b] = column === 'value' ? [left, right] : [left.toLowerCase(), right.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A column's name, whatever the case of the letters. @throws OdpError UNKNOWN_COLUMN */
export function readColumn(tokens: TokenStream, { name: table, columns }: Table): string {
  const name = tokens.expectName('a column name');
  const column = columns.find((known) => known === name.toLowerCase());
  if (column !== undefined) return column;
  throw new OdpError('UNKNOWN_COLUMN', { name, table, columns: columns.join(', ') });
}

/** A text in quotes, or an integer with or without a sign. */
export function readLiteral(tokens: TokenStream): string {
  const token = tokens.current;
  if (token?.kind === 'quoted') return tokens.expectName('a value');
  const sign = tokens.acceptSymbol('-') ? '-' : '';
  const number = tokens.current;
  if (number?.kind !== 'integer') throw tokens.unexpected('a value in quotes or an integer');
  tokens.take();
  return String(BigInt(sign + number.text));
}

/** `(…, …)`, at least one. */
export function readGroup<Item>(tokens: TokenStream, read: () => Item): Item[] {
  const items: Item[] = [];
  tokens.expectSymbol('(');
  do {
    items.push(read());
  } while (tokens.acceptSymbol(','));
  tokens.expectSymbol(')');
  return items;
}

function readTerm(tokens: TokenStream, table: Table, depth: number): Condition {
  if (tokens.acceptWord('NOT')) return { kind: 'not', part: readTermDeeper(tokens, table, depth) };
  if (tokens.acceptSymbol('(')) {
    const inside = readCondition(tokens, table, depth + 1);
    tokens.expectSymbol(')');
    return inside;
  }
  const column = readColumn(tokens, table);
  const negated = tokens.acceptWord('NOT');
  const condition = readComparison(tokens, column, negated);
  return negated ? { kind: 'not', part: condition } : condition;
}

function readTermDeeper(tokens: TokenStream, table: Table, depth: number): Condition {
  if (depth > MAX_DEPTH) throw new OdpError('BAD_INTERNAL_COMMAND', { detail: 'the condition is nested too deeply' });
  return readTerm(tokens, table, depth + 1);
}

function readComparison(tokens: TokenStream, column: string, negated: boolean): Condition {
  const pattern = tokens.acceptLike();
  if (pattern !== null) return { kind: 'like', column, pattern };
  if (tokens.acceptWord('IN')) {
    return { kind: 'in', column, values: readGroup(tokens, () => checked(column, readLiteral(tokens))) };
  }
  if (negated) throw tokens.unexpected('LIKE or IN');
  let symbol = '';
  while (tokens.current?.kind === 'symbol' && /^[<>=!]$/.test(tokens.current.text) && symbol.length < 2) {
    symbol += tokens.take()?.text ?? '';
  }
  const comparison = comparisons.find((known) => known === (symbol === '!=' ? '<>' : symbol));
  if (comparison === undefined) throw tokens.unexpected('a comparison, LIKE or IN');
  return { kind: 'compare', column, comparison, value: checked(column, readLiteral(tokens)) };
}

function checked(column: string, value: string): string {
  if ((column !== 'vid' && column !== 'vport') || /^-?\d{1,15}$/.test(value)) return value;
  throw new OdpError('INVALID_ARGUMENT', { detail: `${column} is a number, not '${value}'` });
}
