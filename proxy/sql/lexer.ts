/**
 * Splits SQL bytes into tokens without decoding or copying them. Works for every character set that keeps ASCII,
 * among them those (GBK, GB18030, Big5) whose second byte may look like a backslash or a backtick.
 */
import { KEYWORD, keywordOf } from './keywords.ts';

/** Kinds of tokens. */
export const TOKEN = {
  end: 0,
  /** An unquoted name or keyword. */
  word: 1,
  /** A name in backticks, or in double quotes under ANSI_QUOTES. */
  quotedName: 2,
  string: 3,
  number: 4,
  /** `@name`, `@'name'` … */
  userVariable: 5,
  /** `@@name`, `@@session.name` … `start`/`end` span the name without its scope. */
  systemVariable: 6,
  /** Any other byte. */
  symbol: 7,
  /** `/*+ … *\/`; only {@link SqlLexer.nextAfterVerb} gives it. `start`/`end` span what is inside. */
  hint: 8,
} as const;

/** Content of a `/*!NNNNN` comment that asks for a newer server than this counts as a comment. */
const newestServerVersion = 80_099;

const CLASS = { symbol: 0, blank: 1, name: 2, digit: 3, quote: 4, doubleQuote: 5, backtick: 6, at: 7 } as const;
const NOTE = { dash: 8, hash: 9, slash: 10, star: 11 } as const;
const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  // NUL ends C strings of some clients' texts: a blank to us.
  if (byte === 0 || (byte >= 9 && byte <= 13) || byte === 32) return CLASS.blank;
  if (byte >= 0x80 || /[A-Za-z_$]/.test(character)) return CLASS.name;
  if (/[0-9]/.test(character)) return CLASS.digit;
  const found = { "'": CLASS.quote, '"': CLASS.doubleQuote, '`': CLASS.backtick, '@': CLASS.at }[character];
  return found ?? { '-': NOTE.dash, '#': NOTE.hash, '/': NOTE.slash, '*': NOTE.star }[character] ?? CLASS.symbol;
});

/** One pass over the bytes given to it; `next` moves to the next token and the fields describe it. */
export class SqlLexer {
  text: Buffer = Buffer.alloc(0);
  /** Kind of the current token, one of {@link TOKEN}. */
  token: number = TOKEN.end;
  start = 0;
  end = 0;
  /** Number in KEYWORD of a word or a system variable's name; 0 for anything else. */
  keyword = 0;
  /** The byte of a symbol; 0 for anything else. */
  symbol = 0;
  #at = 0;
  #limit = 0;
  #cut = false;
  #inVersionComment = false;
  #multiByte = false;
  #ansiQuotes = false;
  #backslashEscapes = true;

  /**
   * Starts over on `text[0, limit)`. `cut` tells that the statement goes on after the limit: then a token that
   * touches the limit is not given, since its true end isn't known (B75).
   * @param multiByte a byte ≥ 0x81 takes the next byte with it (GBK, GB18030, Big5)
   * @param ansiQuotes `"x"` is a name
   * @param noBackslashEscapes a backslash in a string is an ordinary character
   */
  reset(
    text: Buffer,
    limit: number,
    cut: boolean,
    multiByte: boolean,
    ansiQuotes: boolean,
    noBackslashEscapes: boolean,
  ): void {
    this.text = limit < text.length ? text.subarray(0, limit) : text;
    this.#limit = limit;
    this.#cut = cut;
    this.#inVersionComment = false;
    this.#multiByte = multiByte;
    this.#ansiQuotes = ansiQuotes;
    this.#backslashEscapes = !noBackslashEscapes;
    const hasBom = limit >= 3 && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;
    this.#at = hasBom ? 3 : 0;
  }

  /** Moves to the next token and returns its kind. Comments are passed over. */
  next(): number {
    this.keyword = 0;
    this.symbol = 0;
    const token = this.#scan();
    if (this.#cut && this.#at >= this.#limit) return this.#finish(TOKEN.end, this.#limit, this.#limit);
    return this.#finish(token, this.start, this.end);
  }

  /** Like {@link next}, for the token after a verb: a hint counts only there, with nothing but blanks between. */
  nextAfterVerb(): number {
    const { text } = this;
    let at = this.#at;
    while (at < this.#limit && classes[text[at] as number] === CLASS.blank) at += 1;
    if (at + 2 < this.#limit && text[at] === 0x2f && text[at + 1] === 0x2a && text[at + 2] === 0x2b) {
      const end = this.#endOfComment(at + 3);
      this.#at = Math.min(end + 2, this.#limit);
      this.keyword = 0;
      this.symbol = 0;
      if (!this.#cut || end < this.#limit) return this.#finish(TOKEN.hint, at + 3, end);
    }
    return this.next();
  }

  #finish(token: number, start: number, end: number): number {
    this.token = token;
    this.start = start;
    this.end = end;
    return token;
  }

  #scan(): number {
    const { text } = this;
    const limit = this.#limit;
    while (this.#at < limit) {
      const at = this.#at;
      const byte = text[at] as number;
      switch (classes[byte]) {
        case CLASS.blank:
          this.#at = at + 1;
          continue;
        case CLASS.name:
          return this.#word(at);
        case CLASS.digit:
          return this.#number(at);
        case CLASS.quote:
          return this.#quoted(TOKEN.string, at, byte);
        case CLASS.doubleQuote:
          return this.#quoted(this.#ansiQuotes ? TOKEN.quotedName : TOKEN.string, at, byte);
        case CLASS.backtick:
          return this.#quoted(TOKEN.quotedName, at, byte);
        case CLASS.at:
          return this.#variable(at);
        case CLASS.symbol:
          return this.#single(at, byte);
        default:
          if (this.#skipComment(at, byte)) continue;
          return this.#single(at, byte);
      }
    }
    this.start = limit;
    this.end = limit;
    return TOKEN.end;
  }

  #span(token: number, start: number, end: number): number {
    this.start = start;
    this.end = end;
    this.#at = end;
    return token;
  }

  #single(at: number, byte: number): number {
    this.symbol = byte;
    return this.#span(TOKEN.symbol, at, at + 1);
  }

  #word(start: number): number {
    const end = this.#endOfName(start);
    this.keyword = keywordOf(this.text, start, end);
    return this.#span(TOKEN.word, start, end);
  }

  #endOfName(start: number): number {
    const { text } = this;
    const limit = this.#limit;
    let at = start;
    while (at < limit) {
      const byte = text[at] as number;
      const kind = classes[byte];
      if (kind !== CLASS.name && kind !== CLASS.digit) break;
      at += this.#multiByte && byte > 0x80 && at + 1 < limit ? 2 : 1;
    }
    return at;
  }

  /** `1`, `1.5`, `1e-5`, `0x1f`; but `1a` is a name. */
  #number(start: number): number {
    const { text } = this;
    const limit = this.#limit;
    let at = start;
    while (at < limit && classes[text[at] as number] === CLASS.digit) at += 1;
    const afterDigits = at;
    if (at < limit && text[at] === 0x2e) {
      at += 1;
      while (at < limit && classes[text[at] as number] === CLASS.digit) at += 1;
    }
    if (at < limit && ((text[at] as number) | 0x20) === 0x65) {
      let exponent = at + 1;
      if (exponent < limit && (text[exponent] === 0x2b || text[exponent] === 0x2d)) exponent += 1;
      if (exponent < limit && classes[text[exponent] as number] === CLASS.digit) {
        while (exponent < limit && classes[text[exponent] as number] === CLASS.digit) exponent += 1;
        if (this.#endOfName(exponent) === exponent) return this.#span(TOKEN.number, start, exponent);
      }
    }
    if (at > afterDigits) return this.#span(TOKEN.number, start, at);
    const end = this.#endOfName(start);
    const isNumber = end === afterDigits || this.#isPrefixedNumber(start, end);
    return this.#span(isNumber ? TOKEN.number : TOKEN.word, start, end);
  }

  #isPrefixedNumber(start: number, end: number): boolean {
    const { text } = this;
    const prefix = text[start + 1];
    if (text[start] !== 0x30 || (prefix !== 0x78 && prefix !== 0x62) || end - start < 3) return false;
    for (let at = start + 2; at < end; at += 1) {
      const byte = text[at] as number;
      const digit = byte >= 0x30 && byte <= (prefix === 0x62 ? 0x31 : 0x39);
      const letter = prefix === 0x78 && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66;
      if (!digit && !letter) return false;
    }
    return true;
  }

  #quoted(token: number, start: number, quote: number): number {
    return this.#span(token, start, this.#endOfQuoted(start, quote));
  }

  /** The offset after the closing quote; the limit when there is none. */
  #endOfQuoted(start: number, quote: number): number {
    const { text } = this;
    const limit = this.#limit;
    const escapes = this.#backslashEscapes && quote !== 0x60;
    let at = start + 1;
    while (at < limit) {
      const byte = text[at] as number;
      if (byte === quote) {
        if (at + 1 >= limit || text[at + 1] !== quote) return at + 1;
        at += 2;
      } else if ((byte === 0x5c && escapes) || (byte > 0x80 && this.#multiByte)) at += 2;
      else at += 1;
    }
    return limit;
  }

  #variable(start: number): number {
    const { text } = this;
    if (start + 1 < this.#limit && text[start + 1] === 0x40) return this.#systemVariable(start + 2);
    return this.#span(TOKEN.userVariable, start, this.#endOfVariableName(start + 1));
  }

  #systemVariable(start: number): number {
    let from = start;
    let end = this.#endOfVariableName(from);
    const scope = keywordOf(this.text, from, end);
    const isScope = scope === KEYWORD.SESSION || scope === KEYWORD.LOCAL || scope === KEYWORD.GLOBAL;
    if (isScope && end < this.#limit && this.text[end] === 0x2e) {
      from = end + 1;
      end = this.#endOfVariableName(from);
    }
    const isQuoted = this.text[from] === 0x60 && end > from + 1;
    this.keyword = isQuoted ? keywordOf(this.text, from + 1, end - 1) : keywordOf(this.text, from, end);
    return this.#span(TOKEN.systemVariable, from, end);
  }

  #endOfVariableName(start: number): number {
    if (start >= this.#limit) return this.#limit;
    const byte = this.text[start] as number;
    if (byte === 0x60 || byte === 0x27 || byte === 0x22) return this.#endOfQuoted(start, byte);
    return this.#endOfName(start);
  }

  /** Passes over a comment that begins at `at`; false when none does. */
  #skipComment(at: number, byte: number): boolean {
    const { text } = this;
    const limit = this.#limit;
    const following = at + 1 < limit ? (text[at + 1] as number) : -1;
    if (byte === 0x23) return this.#skipLine(at);
    if (byte === 0x2d) {
      if (following !== 0x2d) return false;
      const third = at + 2 < limit ? (text[at + 2] as number) : 0;
      return (third <= 0x20 || third === 0x7f) && this.#skipLine(at);
    }
    if (byte === 0x2a) {
      if (following !== 0x2f || !this.#inVersionComment) return false;
      this.#inVersionComment = false;
      this.#at = at + 2;
      return true;
    }
    if (following !== 0x2a) return false;
    if (at + 2 < limit && text[at + 2] === 0x21 && this.#enterVersionComment(at + 3)) return true;
    this.#at = Math.min(this.#endOfComment(at + 2) + 2, limit);
    return true;
  }

  #skipLine(at: number): boolean {
    const end = this.text.indexOf(0x0a, at);
    this.#at = end < 0 || end >= this.#limit ? this.#limit : end + 1;
    return true;
  }

  #enterVersionComment(start: number): boolean {
    let at = start;
    let version = 0;
    while (at < this.#limit && at < start + 6 && classes[this.text[at] as number] === CLASS.digit) {
      version = version * 10 + (this.text[at] as number) - 0x30;
      at += 1;
    }
    if (version > newestServerVersion) return false;
    this.#inVersionComment = true;
    this.#at = at;
    return true;
  }

  /** The offset of the closing star and slash; the limit when there is none. */
  #endOfComment(start: number): number {
    let at = this.text.indexOf(0x2a, start);
    while (at >= 0 && at + 1 < this.#limit) {
      if (this.text[at + 1] === 0x2f) return at;
      at = this.text.indexOf(0x2a, at + 1);
    }
    return this.#limit;
  }
}
