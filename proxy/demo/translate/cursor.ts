import type { MysqlError } from '../mysql-error.ts';
import { syntaxError, type Token } from './tokens.ts';

const END: Token = { kind: 'end', text: '', upper: '', start: 0, end: 0 };

/** Words that end a table or column alias: they cannot be one without quotes. */
const RESERVED = new Set(
  (
    'ALL ALTER AND AS ASC BETWEEN BY CASE CHECK COLLATE COLUMN CONSTRAINT CREATE CROSS DATABASE DEFAULT DELETE DESC ' +
    'DISTINCT DIV DROP ELSE EXISTS EXPLAIN FALSE FOR FORCE FROM GROUP HAVING IF IGNORE IN INDEX INNER INSERT INTERVAL ' +
    'INTO IS JOIN KEY KILL LEFT LIKE LIMIT LOCK MOD NATURAL NOT NULL ON OR ORDER OUTER PARTITION PRIMARY REGEXP ' +
    'RENAME REPLACE RIGHT RLIKE SELECT SET SHOW STRAIGHT_JOIN TABLE THEN TO TRUE UNION UNIQUE UPDATE USE USING ' +
    'VALUES WHEN WHERE WITH XOR WINDOW OVER'
  ).split(' '),
);

/** Reads a statement's words in order. */
export class TokenCursor {
  readonly sql: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  /** Number of `?` read so far. */
  paramCount = 0;

  constructor(sql: string, tokens: readonly Token[]) {
    this.sql = sql;
    this.#tokens = tokens;
  }

  get current(): Token {
    return this.#tokens[this.#at] ?? END;
  }

  peek(ahead = 1): Token {
    return this.#tokens[this.#at + ahead] ?? END;
  }

  next(): Token {
    const token = this.current;
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  /** End of the word read last. */
  get lastEnd(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0;
  }

  isWord(...words: readonly string[]): boolean {
    const { kind, upper } = this.current;
    return kind === 'word' && words.includes(upper);
  }

  isOp(op: string): boolean {
    return this.current.kind === 'op' && this.current.text === op;
  }

  /** Takes the given words when they are all next. */
  takeWords(...words: readonly string[]): boolean {
    for (const [ahead, word] of words.entries()) if (this.peek(ahead).upper !== word) return false;
    this.#at += words.length;
    return true;
  }

  takeAnyWord(...words: readonly string[]): string | null {
    if (!this.isWord(...words)) return null;
    return this.next().upper;
  }

  takeOp(op: string): boolean {
    if (!this.isOp(op)) return false;
    this.#at++;
    return true;
  }

  expectOp(op: string): void {
    if (!this.takeOp(op)) throw this.syntaxError();
  }

  expectWords(...words: readonly string[]): void {
    if (!this.takeWords(...words)) throw this.syntaxError();
  }

  get atEnd(): boolean {
    return this.current.kind === 'end';
  }

  expectEnd(): void {
    if (!this.atEnd) throw this.syntaxError();
  }

  syntaxError(): MysqlError {
    return syntaxError(this.sql, this.current.start);
  }

  /** A name in any spelling: bare (not a reserved word) or in backticks. */
  name(): string {
    const { kind, upper, text } = this.current;
    if (kind === 'quoted' || (kind === 'word' && !RESERVED.has(upper))) {
      this.#at++;
      return text;
    }
    throw this.syntaxError();
  }

  /** A name after a dot, where reserved words are allowed. */
  anyName(): string {
    const { kind, text } = this.current;
    if (kind !== 'quoted' && kind !== 'word') throw this.syntaxError();
    this.#at++;
    return text;
  }

  isName(): boolean {
    const { kind, upper } = this.current;
    return kind === 'quoted' || (kind === 'word' && !RESERVED.has(upper));
  }

  string(): string {
    if (this.current.kind !== 'string') throw this.syntaxError();
    return this.next().text;
  }

  nameOrString(): string {
    return this.current.kind === 'string' ? this.next().text : this.anyName();
  }

  integer(): number {
    if (this.current.kind !== 'number' || !/^\d+$/.test(this.current.text)) throw this.syntaxError();
    return Number(this.next().text);
  }

  tableName(): { database: string; name: string } {
    const first = this.name();
    return this.takeOp('.') ? { database: first, name: this.anyName() } : { database: '', name: first };
  }

  /** Names in parentheses; a key's length or direction after a name is read over. */
  nameList(): string[] {
    this.expectOp('(');
    const names: string[] = [];
    do {
      names.push(this.anyName());
      if (this.takeOp('(')) {
        this.integer();
        this.expectOp(')');
      }
      this.takeAnyWord('ASC', 'DESC');
    } while (this.takeOp(','));
    this.expectOp(')');
    return names;
  }

  list<Item>(read: () => Item): Item[] {
    const items = [read()];
    while (this.takeOp(',')) items.push(read());
    return items;
  }

  /** Marks a place to come back to with `rewind`. */
  mark(): number {
    return this.#at;
  }

  rewind(mark: number): void {
    this.#at = mark;
  }
}
