import { OdpError } from '../errors/odp-error.ts';
import { SqlLexer, TOKEN } from '../sql/lexer.ts';
import { nameText } from '../sql/names.ts';

/** A token of an internal command. */
export interface CommandToken {
  readonly kind: 'word' | 'quoted' | 'integer' | 'number' | 'variable' | 'symbol';
  /** Words, names and strings without their quotes; everything else as written. */
  readonly text: string;
  /** Byte offsets in the statement. */
  readonly start: number;
  readonly end: number;
}

/** Reads the few tokens of an internal command, with one token of foresight. */
export class TokenStream {
  readonly #lexer = new SqlLexer();
  readonly #bytes: Buffer;
  #current: CommandToken | null;
  /** Offset behind the last token that was taken. */
  #takenEnd = 0;

  constructor(statement: string) {
    this.#bytes = Buffer.from(statement);
    this.#lexer.reset(this.#bytes, this.#bytes.length, false, false, false, false);
    this.#current = this.#read();
  }

  /** The token to come; null at the end. */
  get current(): CommandToken | null {
    return this.#current;
  }

  /** The statement's text between two byte offsets. */
  source(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end);
  }

  take(): CommandToken | null {
    const token = this.#current;
    if (token === null) return null;
    this.#takenEnd = token.end;
    this.#current = this.#read();
    return token;
  }

  /** Takes the word if it comes next, whatever its case. */
  acceptWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.take();
    return true;
  }

  isWord(word: string): boolean {
    return this.#current?.kind === 'word' && this.#current.text.toUpperCase() === word;
  }

  acceptSymbol(symbol: string): boolean {
    if (this.#current?.kind !== 'symbol' || this.#current.text !== symbol) return false;
    this.take();
    return true;
  }

  expectWord(word: string): void {
    if (!this.acceptWord(word)) throw this.unexpected(word);
  }

  expectSymbol(symbol: string): void {
    if (!this.acceptSymbol(symbol)) throw this.unexpected(`'${symbol}'`);
  }

  /** A name: a bare word, or anything in quotes of any kind. */
  expectName(what: string): string {
    const token = this.#current;
    if (token === null || (token.kind !== 'word' && token.kind !== 'quoted')) throw this.unexpected(what);
    this.take();
    return token.text;
  }

  /** An unsigned integer; null when something else comes. */
  acceptId(): number | null {
    const token = this.#current;
    if (token?.kind !== 'integer' || !/^\d{1,17}$/.test(token.text)) return null;
    this.take();
    return Number(token.text);
  }

  /** As `expectId`; also `0x1f`, `'5'`, `(5)`, and CONNECTION_ID(), which is null: the caller's own. */
  expectConnectionId(): number | null {
    if (this.acceptSymbol('(')) {
      const id = this.expectConnectionId();
      this.expectSymbol(')');
      return id;
    }
    const token = this.#current;
    if (token?.kind === 'quoted' && /^\d{1,17}$/.test(token.text)) {
      this.take();
      return Number(token.text);
    }
    if (token?.kind === 'number' && /^0x[0-9a-f]{1,13}$/i.test(token.text)) {
      this.take();
      return Number(token.text);
    }
    if (!this.acceptWord('CONNECTION_ID')) return this.expectId('a connection id');
    this.expectSymbol('(');
    this.expectSymbol(')');
    return null;
  }

  expectId(what: string): number {
    const id = this.acceptId();
    if (id === null) throw this.unexpected(what);
    return id;
  }

  /** `LIKE 'pattern'`, or null when it is left out. The reference's limit is 128 bytes. */
  acceptLike(): string | null {
    if (!this.acceptWord('LIKE')) return null;
    const pattern = this.expectName('a pattern');
    const bytes = Buffer.byteLength(pattern);
    if (bytes > 128) {
      throw new OdpError('INVALID_ARGUMENT', {
        detail: `the LIKE pattern has ${bytes} bytes, at most 128 are allowed`,
      });
    }
    return pattern;
  }

  /** The statement's text from the next token to its end, as written. */
  takeRest(): string {
    const token = this.#current;
    this.#current = null;
    return token === null ? '' : this.source(this.#takenEnd, this.#bytes.length).trim();
  }

  /** Nothing but semicolons may follow. */
  expectEnd(): void {
    while (this.acceptSymbol(';'));
    if (this.#current !== null) throw this.unexpected('the end of the command');
  }

  unexpected(wanted: string): OdpError {
    const found = this.#current === null ? 'the end' : `'${this.source(this.#current.start, this.#current.end)}'`;
    return new OdpError('BAD_INTERNAL_COMMAND', { detail: `${wanted} expected, ${found} found` });
  }

  #read(): CommandToken | null {
    const lexer = this.#lexer;
    const token = lexer.next();
    const { start, end } = lexer;
    const raw = () => this.source(start, end);
    switch (token) {
      case TOKEN.end:
        return null;
      case TOKEN.word:
        return { kind: 'word', text: raw(), start, end };
      case TOKEN.quotedName:
        return { kind: 'quoted', text: nameText(lexer, 'utf8mb4'), start, end };
      case TOKEN.string:
        return { kind: 'quoted', text: stringText(raw()), start, end };
      case TOKEN.number:
        return { kind: /^\d+$/.test(raw()) ? 'integer' : 'number', text: raw(), start, end };
      case TOKEN.systemVariable:
        // The lexer gives the bare name; the token begins where the marks and the scope do.
        return {
          kind: 'variable',
          text: `@@${raw().replaceAll('`', '')}`,
          start: this.#bytes.lastIndexOf('@@', start),
          end,
        };
      case TOKEN.userVariable:
        return { kind: 'variable', text: raw(), start, end };
      default:
        return { kind: 'symbol', text: raw(), start, end };
    }
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', Z: '\x1a', '0': '\0' };

/** A string literal's value. `\%` and `\_` keep their backslash, since they mean something to LIKE. */
function stringText(literal: string): string {
  const quote = literal.charAt(0);
  const isClosed = literal.length > 1 && literal.endsWith(quote);
  const inside = literal.slice(1, isClosed ? -1 : undefined);
  return inside.replaceAll(quote + quote, quote).replace(/\\([\s\S])/g, (pair, character: string) => {
    if (character === '%' || character === '_') return pair;
    return escapes[character] ?? character;
  });
}
