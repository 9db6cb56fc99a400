import { isUtf8 } from 'node:buffer';
import { MysqlError } from '../mysql-error.ts';

const BACKSLASH = 0x5c;
const QUOTES: readonly number[] = [0x27, 0x22, 0x60];

/** What a backslash makes of the byte behind it; any other stands for itself. */
const ESCAPED: Readonly<Record<number, number>> = { 48: 0, 98: 8, 110: 10, 114: 13, 116: 9, 90: 26 };

/**
 * A statement's bytes as text. Literals of bytes need not be text of any character set, with `_binary` before them or,
 * as a genuine kernel takes them too, without: they come out as hexadecimal literals.
 * @throws MysqlError INVALID_STRING when other parts are no text
 */
export function statementText(bytes: Buffer): string {
  const isPlain = isUtf8(bytes) && !bytes.includes('_binary') && !bytes.includes('_BINARY');
  const text = isPlain ? bytes : withHexLiterals(bytes);
  if (isUtf8(text)) return text.toString('utf8');
  throw new MysqlError('INVALID_STRING', { charset: 'utf8mb4', value: bytes.subarray(0, 40).toString('latin1') });
}

function withHexLiterals(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let copiedTo = 0;
  let at = 0;
  while (at < bytes.length) {
    const quote = bytes[at] ?? 0;
    if (!QUOTES.includes(quote)) {
      at++;
      continue;
    }
    const literal = readLiteral(bytes, at);
    const before = bytes.toString('latin1', Math.max(copiedTo, at - 20), at);
    const introducer = quote === 0x60 ? '' : (/(?<![\w$])_binary\s*$/i.exec(before)?.[0] ?? '');
    if (introducer !== '' || (quote !== 0x60 && !isUtf8(literal.value))) {
      parts.push(bytes.subarray(copiedTo, at - introducer.length), Buffer.from(`x'${literal.value.toString('hex')}'`));
      copiedTo = literal.end;
    }
    at = literal.end;
  }
  return Buffer.concat([...parts, bytes.subarray(copiedTo)]);
}

/** What stands between the quote at `start` and its end. */
function readLiteral(bytes: Buffer, start: number): { value: Buffer; end: number } {
  const quote = bytes[start] ?? 0;
  const value: number[] = [];
  let at = start + 1;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      if (bytes[at + 1] !== quote) return { value: Buffer.from(value), end: at + 1 };
      at++;
    } else if (byte === BACKSLASH && quote !== 0x60) {
      at++;
      const next = bytes[at] ?? 0;
      value.push(ESCAPED[next] ?? next);
      at++;
      continue;
    }
    value.push(byte);
    at++;
  }
  return { value: Buffer.from(value), end: bytes.length };
}
