import type { SqlDialect } from './classify.ts';
import { upperCase } from './keywords.ts';
import { SqlLexer, TOKEN } from './lexer.ts';
import { isMultiByteCharset } from './names.ts';

const lexer = new SqlLexer();
const openParenthesis = 0x28;
const closeParenthesis = 0x29;
const comma = 0x2c;
const questionMark = 0x3f;
const spaceless = new Set<number>([0x2e, openParenthesis, closeParenthesis, comma, 0x3b]);

/**
 * A statement in its normal form for logs: literals become `?`, lists of them `?, ...`, comments and surplus blanks
 * go, keywords are in upper case. No value of a client gets into a log this way.
 * @param maxBytes bytes to look at; a longer statement ends in `...`
 */
export function digestStatement(text: Buffer, dialect: SqlDialect, maxBytes = 1024): string {
  const limit = Math.min(text.length, maxBytes);
  const isCut = limit < text.length;
  lexer.reset(text, limit, isCut, isMultiByteCharset(dialect.charset), dialect.ansiQuotes, dialect.noBackslashEscapes);
  const parts: string[] = [];
  let spaced = false;
  while (lexer.next() !== TOKEN.end) {
    const isLiteral = lexer.token === TOKEN.string || lexer.token === TOKEN.number || lexer.symbol === questionMark;
    const part = isLiteral ? '?' : tokenText();
    if (isLiteral && endsWithLiteralList(parts)) {
      parts.length -= 1;
      if (parts.at(-1) !== '...') parts.push(', ', '...');
      continue;
    }
    const joins = spaceless.has(lexer.symbol);
    if (spaced && !joins) parts.push(' ');
    parts.push(lexer.symbol === comma ? ', ' : part);
    spaced = !joins || lexer.symbol === closeParenthesis;
  }
  if (isCut) parts.push(' ...');
  return parts.join('');
}

/** `?, ` or `?, ..., ` stands at the end. */
function endsWithLiteralList(parts: readonly string[]): boolean {
  return parts.at(-1) === ', ' && (parts.at(-2) === '?' || parts.at(-2) === '...');
}

function tokenText(): string {
  const { text, token, start, end, keyword } = lexer;
  if (token === TOKEN.systemVariable) return `@@${text.toString('utf8', start, end)}`;
  if (token !== TOKEN.word || keyword === 0) return text.toString('utf8', start, end);
  return Buffer.from(text.subarray(start, end))
    .map((byte) => upperCase[byte] as number)
    .toString();
}
