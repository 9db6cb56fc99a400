/** Values that a statement compares a column with or puts into it, as far as they are known without evaluating. */
import type { SqlDialect } from './classify.ts';
import { type Expression, readExpression } from './expression.ts';
import { TOKEN } from './lexer.ts';
import type { TokenList } from './token-list.ts';

export type KeyOperand =
  /** Decimal text with sign: `-1`, `2.50`. */
  | { readonly kind: 'number'; readonly text: string }
  /** UTF-8 bytes, escapes resolved. */
  | { readonly kind: 'string'; readonly bytes: Buffer }
  /** Of a hexadecimal or bit literal: a number where one is wanted, else text. */
  | { readonly kind: 'bits'; readonly bytes: Buffer }
  /** What stands in `DATE'…'` or `TIMESTAMP'…'`. */
  | { readonly kind: 'moment'; readonly bytes: Buffer }
  | { readonly kind: 'null' }
  /** `?`, counted from 0. */
  | { readonly kind: 'parameter'; readonly index: number }
  /** DEFAULT, or no value given by an INSERT. */
  | { readonly kind: 'default' }
  /** User variable, name in lower case. */
  | { readonly kind: 'variable'; readonly name: string };

const NULL: KeyOperand = { kind: 'null' };

/** The operand that the tokens `[start, end)` are; null when they are anything else (a function, a column …). */
export function readOperand(tokens: TokenList, start: number, end: number, dialect: SqlDialect): KeyOperand | null {
  let from = start;
  let to = end;
  while (to - from > 2 && tokens.isSymbol(from, '(') && tokens.afterGroup(from) === to) {
    from += 1;
    to -= 1;
  }
  const isNegative = tokens.isSymbol(from, '-');
  const first = isNegative || tokens.isSymbol(from, '+') ? from + 1 : from;
  if (to - first === 1 && tokens.at(first).kind === TOKEN.number) return numberOperand(tokens.text(first), isNegative);
  if (to - from === 1) return singleOperand(tokens, from, dialect);
  return prefixedText(tokens, from, to, dialect) ?? constantSum(tokens, from, to);
}

function singleOperand(tokens: TokenList, at: number, dialect: SqlDialect): KeyOperand | null {
  const token = tokens.at(at);
  if (token.symbol === 0x3f) return { kind: 'parameter', index: token.parameters };
  if (tokens.isWord(at, 'NULL')) return NULL;
  if (token.kind === TOKEN.string) return stringOperand(tokens.bytes(at), dialect);
  if (token.kind === TOKEN.userVariable) {
    const name = tokens.text(at).slice(1);
    return /^[\w$.]+$/.test(name) ? { kind: 'variable', name: name.toLowerCase() } : null;
  }
  return null;
}

function numberOperand(text: string, isNegative: boolean): KeyOperand | null {
  if (/^0[xb]/.test(text)) return isNegative ? null : bitsOperand(text[1] as string, text.slice(2));
  return /^\d+\.?\d*$/.test(text) ? { kind: 'number', text: isNegative ? `-${text}` : text } : null;
}

/** @param digits of base 16 (`x`) or 2 (`b`) */
function bitsOperand(base: string, digits: string): KeyOperand | null {
  const isHex = base.toLowerCase() === 'x';
  if (digits.length > 512 || !(isHex ? /^[\da-f]+$/i : /^[01]+$/).test(digits)) return null;
  const hex = isHex ? digits : BigInt(`0b${digits}`).toString(16);
  const width = isHex ? digits.length + (digits.length % 2) : Math.ceil(digits.length / 8) * 2;
  return { kind: 'bits', bytes: Buffer.from(hex.padStart(width, '0'), 'hex') };
}

/** `x'1f'`, `b'11'`, `DATE'2024-01-01'`, `TIMESTAMP '2024-01-01 00:00:00'`. */
function prefixedText(tokens: TokenList, at: number, end: number, dialect: SqlDialect): KeyOperand | null {
  if (end - at !== 2 || tokens.at(at).kind !== TOKEN.word || tokens.at(at + 1).kind !== TOKEN.string) return null;
  const text = stringOperand(tokens.bytes(at + 1), dialect);
  if (text?.kind !== 'string') return null;
  const isDate = tokens.isWord(at, 'DATE');
  if (isDate || tokens.isWord(at, 'TIMESTAMP')) {
    return isDate && text.bytes.length !== 10 ? null : { kind: 'moment', bytes: text.bytes };
  }
  const isAdjacent = tokens.at(at).end === tokens.at(at + 1).start;
  const isBits = tokens.isWord(at, 'X') || tokens.isWord(at, 'B');
  return isBits && isAdjacent ? bitsOperand(tokens.text(at), text.bytes.toString('latin1')) : null;
}

/** `1 + 2`: whole numbers that stay within 64 bits. */
function constantSum(tokens: TokenList, start: number, end: number): KeyOperand | null {
  const expression = readExpression(tokens, start, end);
  const value = expression === null ? null : foldIntegers(expression);
  return value === null ? null : { kind: 'number', text: String(value) };
}

function foldIntegers(expression: Expression): bigint | null {
  if (expression.kind === 'column') return null;
  if (expression.kind === 'number') return /^\d{1,18}$/.test(expression.text) ? BigInt(expression.text) : null;
  const [left, right] = expression.args.map(foldIntegers);
  if (left === undefined || left === null || right === null) return null;
  const value = foldCall(expression.name, left, right);
  return value === null || BigInt.asIntN(64, value) !== value ? null : value;
}

function foldCall(name: string, left: bigint, right: bigint | undefined): bigint | null {
  if (right === undefined) return name === 'negate' ? -left : null;
  switch (name) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '%':
      return right === 0n ? null : left % right;
    case 'div':
      return right === 0n ? null : left / right;
    default:
      return null;
  }
}

const ESCAPES: Readonly<Record<number, number>> = { 48: 0, 110: 10, 116: 9, 114: 13, 98: 8, 90: 26 };

/** @param quoted the literal with its quotes */
function stringOperand(quoted: Buffer, dialect: SqlDialect): KeyOperand | null {
  const quote = quoted[0] as number;
  if (quoted.length < 2 || quoted[quoted.length - 1] !== quote) return null;
  const bytes = Buffer.allocUnsafe(quoted.length - 2);
  let length = 0;
  const isUtf8 = dialect.charset === 'utf8mb4';
  for (let at = 1; at < quoted.length - 1; at += 1) {
    let byte = quoted[at] as number;
    if (byte >= 0x80 && !isUtf8) return null;
    if (byte === quote) at += 1;
    else if (byte === 0x5c && !dialect.noBackslashEscapes) {
      at += 1;
      const escaped = quoted[at] as number;
      // `\%` and `\_` keep their backslash in some places only.
      if (escaped === 0x25 || escaped === 0x5f || escaped >= 0x80) return null;
      byte = ESCAPES[escaped] ?? escaped;
    }
    bytes[length++] = byte;
  }
  return { kind: 'string', bytes: bytes.subarray(0, length) };
}
