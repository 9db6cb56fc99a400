/** Values that a statement compares a column with or puts into it, as far as they are known without evaluating. */
import type { SqlDialect } from './classify.ts';
import { TOKEN } from './lexer.ts';
import type { TokenList } from './token-list.ts';

export type KeyOperand =
  /** Decimal text with sign: `-1`, `2.50`. */
  | { readonly kind: 'number'; readonly text: string }
  /** UTF-8 bytes, escapes resolved. */
  | { readonly kind: 'string'; readonly bytes: Buffer }
  | { readonly kind: 'null' }
  /** `?`, counted from 0. */
  | { readonly kind: 'parameter'; readonly index: number }
  /** User variable, name in lower case. */
  | { readonly kind: 'variable'; readonly name: string };

const NULL: KeyOperand = { kind: 'null' };

/** The operand that the tokens `[start, end)` are; null when they are anything else (an expression, a function …). */
export function readOperand(tokens: TokenList, start: number, end: number, dialect: SqlDialect): KeyOperand | null {
  let from = start;
  let to = end;
  while (to - from > 2 && tokens.isSymbol(from, '(') && tokens.afterGroup(from) === to) {
    from += 1;
    to -= 1;
  }
  const isNegative = tokens.isSymbol(from, '-');
  const isSigned = isNegative || tokens.isSymbol(from, '+');
  if (isSigned) from += 1;
  if (to - from !== 1) return null;
  const token = tokens.at(from);
  if (token.kind === TOKEN.number) {
    const text = tokens.text(from);
    return /^\d+\.?\d*$/.test(text) ? { kind: 'number', text: isNegative ? `-${text}` : text } : null;
  }
  if (isSigned) return null;
  if (token.symbol === 0x3f) return { kind: 'parameter', index: token.parameters };
  if (tokens.isWord(from, 'NULL')) return NULL;
  if (token.kind === TOKEN.string) return stringOperand(tokens.bytes(from), dialect);
  if (token.kind === TOKEN.userVariable) {
    const name = tokens.text(from).slice(1);
    return /^[\w$.]+$/.test(name) ? { kind: 'variable', name: name.toLowerCase() } : null;
  }
  return null;
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
