/** The tokens of one statement by number, read as far as they are asked for. For parsers that have to look around. */
import { upperCase } from './keywords.ts';
import { type SqlLexer, TOKEN } from './lexer.ts';

/** A condition on the key stands within so many tokens, or it isn't looked for. */
const MAX_TOKENS = 2048;

interface Token {
  /** One of TOKEN. */
  readonly kind: number;
  /** Number in KEYWORD, or 0. */
  readonly keyword: number;
  /** The byte of a symbol, or 0. */
  readonly symbol: number;
  readonly start: number;
  readonly end: number;
  /** How many `?` stand before it. */
  readonly parameters: number;
}

const END: Token = { kind: TOKEN.end, keyword: 0, symbol: 0, start: 0, end: 0, parameters: 0 };

export class TokenList {
  readonly #lexer: SqlLexer;
  readonly #tokens: Token[] = [];
  #parameters = 0;
  /** The statement has more tokens than are looked at. */
  overflow = false;
  /** There were statements before this one in the text. */
  skipped = false;
  /** The statement's end was read, and it is a semicolon. */
  endsAtSemicolon = false;

  /** @param lexer just reset */
  constructor(lexer: SqlLexer) {
    this.#lexer = lexer;
  }

  /** The token of this number, from 0; behind the last one, and for a semicolon, one of kind `end`. */
  at(index: number): Token {
    const tokens = this.#tokens;
    while (tokens.length <= index) {
      const last = tokens[tokens.length - 1];
      if (last !== undefined && last.kind === TOKEN.end) return END;
      tokens.push(this.#read());
    }
    return tokens[index] ?? END;
  }

  /**
   * Begins with the statement that the byte at `offset` belongs to; a list that has been read from before must not be
   * used. Returns the number of the token that begins there; -1 when none does.
   */
  seek(offset: number): number {
    for (let index = 0; ; index += 1) {
      const { kind, start } = this.at(index);
      if (kind === TOKEN.end) {
        if (!this.endsAtSemicolon) return -1;
        this.#tokens.length = 0;
        this.endsAtSemicolon = false;
        this.skipped = true;
        index = -1;
      } else if (start >= offset) return start === offset ? index : -1;
    }
  }

  #read(): Token {
    const lexer = this.#lexer;
    if (this.#tokens.length >= MAX_TOKENS) {
      this.overflow = true;
      return END;
    }
    lexer.next();
    const { token, keyword, symbol, start, end } = lexer;
    if (symbol === 0x3b) {
      this.endsAtSemicolon = true;
      return END;
    }
    const parameters = symbol === 0x3f ? this.#parameters++ : this.#parameters;
    return { kind: token, keyword, symbol, start, end, parameters };
  }

  /** Whether the token is this unquoted word, given in capitals. */
  isWord(index: number, word: string): boolean {
    const { kind, start, end } = this.at(index);
    if (kind !== TOKEN.word || end - start !== word.length) return false;
    const { text } = this.#lexer;
    for (let at = 0; at < word.length; at += 1) {
      if (upperCase[text[start + at] as number] !== word.charCodeAt(at)) return false;
    }
    return true;
  }

  isSymbol(index: number, character: string): boolean {
    return this.at(index).symbol === character.charCodeAt(0);
  }

  /** Whether the symbols of `operator` stand there with nothing between them. */
  isOperator(index: number, operator: string): boolean {
    for (let at = 0; at < operator.length; at += 1) {
      if (this.at(index + at).symbol !== operator.charCodeAt(at)) return false;
      if (at > 0 && this.at(index + at).start !== this.at(index + at - 1).end) return false;
    }
    return true;
  }

  /** A name's text: quotes and their doubling taken off. Only for ASCII and UTF-8. */
  name(index: number): string | null {
    const { kind, start, end } = this.at(index);
    const { text } = this.#lexer;
    if (kind === TOKEN.word) return text.toString('utf8', start, end);
    if (kind !== TOKEN.quotedName) return null;
    const quote = String.fromCharCode(text[start] as number);
    return text.toString('utf8', start + 1, end - 1).replaceAll(quote + quote, quote);
  }

  text(index: number): string {
    const { start, end } = this.at(index);
    return this.#lexer.text.toString('latin1', start, end);
  }

  bytes(index: number): Buffer {
    const { start, end } = this.at(index);
    return this.#lexer.text.subarray(start, end);
  }

  /** The number of the token behind the parenthesis that closes the one at `index`; of the end when none does. */
  afterGroup(index: number): number {
    let depth = 0;
    for (let at = index; ; at += 1) {
      const { symbol, kind } = this.at(at);
      if (symbol === 0x28) depth += 1;
      else if (symbol === 0x29) depth -= 1;
      else if (kind === TOKEN.end) return at;
      if (depth === 0) return at + 1;
    }
  }
}
