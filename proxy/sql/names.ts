/** Turns the bytes of a name into text. */
import { type SqlLexer, TOKEN } from './lexer.ts';

/** Character sets that a client's names may come in; any other is read as UTF-8. */
export type NameCharset = 'utf8mb4' | 'latin1' | 'gbk' | 'gb18030' | 'big5';

/** True for the character sets whose second byte may be an ASCII byte. */
export function isMultiByteCharset(charset: NameCharset): boolean {
  return charset === 'gbk' || charset === 'gb18030' || charset === 'big5';
}

const decoders = new Map<NameCharset, TextDecoder>();

/** The lexer's current word, quoted name, string or variable as text: quotes and their doubling taken off. */
export function nameText(lexer: SqlLexer, charset: NameCharset): string {
  const { text, token } = lexer;
  let { start, end } = lexer;
  if (token === TOKEN.word) return decode(text, start, end, charset);
  if (token === TOKEN.userVariable) start += 1;
  const quote = text[start] as number;
  if (start >= end || (quote !== 0x60 && quote !== 0x22 && quote !== 0x27)) return decode(text, start, end, charset);
  start += 1;
  if (end > start && text[end - 1] === quote) end -= 1;
  const mark = String.fromCharCode(quote);
  return decode(text, start, end, charset).replaceAll(mark + mark, mark);
}

function decode(text: Buffer, start: number, end: number, charset: NameCharset): string {
  if (isAscii(text, start, end)) return text.toString('latin1', start, end);
  if (charset === 'utf8mb4') return text.toString('utf8', start, end);
  let decoder = decoders.get(charset);
  if (decoder === undefined) {
    decoder = new TextDecoder(charset);
    decoders.set(charset, decoder);
  }
  return decoder.decode(text.subarray(start, end));
}

function isAscii(text: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((text[at] as number) >= 0x80) return false;
  return true;
}
