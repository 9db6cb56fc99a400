/**
 * Finds the table that decides a statement's route while its tokens go by: the first real one in FROM, INTO, UPDATE …
 * Sub-queries in FROM and bodies of WITH contribute; sub-queries elsewhere only when nothing else names a table.
 * DUAL, table functions, names from WITH and `table@dblink` are no tables (R20, R21, B72, B73).
 */
import { KEYWORD } from './keywords.ts';
import { type SqlLexer, TOKEN } from './lexer.ts';
import { type NameCharset, nameText } from './names.ts';
import type { TableName } from './statement-info.ts';

const GROUP = {
  /** A table found here decides the route. */
  primary: 1,
  /** The parentheses hold a query, so FROM means a table list (it doesn't in EXTRACT(YEAR FROM d)). */
  query: 2,
  /** Inside a FROM list: a comma or JOIN brings the next table. */
  tableList: 4,
  /** Between WITH and the verb that follows it. */
  withList: 8,
} as const;

const deepest = 255;

/** Keywords that may stand between the verb (or FROM) and the table. */
const modifiers = new Set<number>([
  KEYWORD.LOW_PRIORITY,
  KEYWORD.HIGH_PRIORITY,
  KEYWORD.DELAYED,
  KEYWORD.QUICK,
  KEYWORD.IGNORE,
  KEYWORD.OVERWRITE,
  KEYWORD.ALL,
  KEYWORD.INTO,
  KEYWORD.TABLE,
  KEYWORD.LATERAL,
  KEYWORD.OJ,
]);

/** Keywords that can be no table's name unless quoted; all the others of the list can. */
const reserved = new Set<number>(
  (
    'SELECT INSERT REPLACE UPDATE DELETE WITH VALUES SET USE SHOW DESC DESCRIBE EXPLAIN CALL LOAD CREATE DROP ALTER ' +
    'GRANT REVOKE LOCK UNLOCK KILL GET FROM JOIN STRAIGHT_JOIN WHERE GROUP ORDER HAVING LIMIT UNION EXCEPT INTERSECT ' +
    'WINDOW USING FOR IN AS RECURSIVE OUTFILE READ TO AND PROCEDURE TRIGGER INDEX DATABASE SCHEMA'
  )
    .split(' ')
    .map((word) => KEYWORD[word as keyof typeof KEYWORD]),
);

/** Finds the first table of the statement that is being read. */
export class TableFinder {
  /** True when the next name is a table. */
  expectsTable = false;
  #primary: TableName | null = null;
  #fallback: TableName | null = null;
  #primaryAt = 0;
  #fallbackAt = 0;
  #depth = 0;
  readonly #groups = new Uint8Array(deepest + 1);
  #isTarget = false;
  #expectsWithName = false;
  #lastKeyword = 0;
  readonly #withNames: string[] = [];

  get table(): TableName | null {
    return this.#primary ?? this.#fallback;
  }

  /** Byte offset at which {@link table} begins. */
  get tableAt(): number {
    return this.#primary === null ? this.#fallbackAt : this.#primaryAt;
  }

  get atTopLevel(): boolean {
    return this.#depth === 0;
  }

  /** Before each statement. `isQuery`: FROM at its top level names tables. */
  begin(isQuery: boolean): void {
    this.expectsTable = false;
    this.#primary = null;
    this.#fallback = null;
    this.#depth = 0;
    this.#groups[0] = isQuery ? GROUP.primary | GROUP.query : 0;
    this.#isTarget = false;
    this.#expectsWithName = false;
    this.#lastKeyword = 0;
    if (this.#withNames.length > 0) this.#withNames.length = 0;
  }

  /** The next name is what the statement writes to; whatever a WITH list has brought doesn't count (B73). */
  expectTarget(): void {
    this.#primary = null;
    this.#isTarget = true;
    this.expectsTable = true;
    this.#leaveWithList();
  }

  /** `DELETE FROM a USING t AS a`: the tables come after USING. */
  expectUsing(): void {
    this.#primary = null;
    this.#setGroup(this.#group() | GROUP.tableList);
    this.expectsTable = true;
  }

  /** `DELETE t WHERE …`: the current name is the table unless a FROM follows. */
  offerFallback(lexer: SqlLexer, charset: NameCharset): void {
    this.#isTarget = true;
    this.#fallbackAt = lexer.start;
    this.#fallback = this.#readTable(lexer, charset);
  }

  /** WITH as the first word of a statement or of a group. */
  enterWith(): void {
    this.#setGroup(this.#group() | GROUP.withList | GROUP.query);
    this.#expectsWithName = true;
    this.expectsTable = false;
  }

  open(atVerb: boolean): void {
    const parent = this.#group();
    const isWithBody = (parent & GROUP.withList) !== 0 && this.#lastKeyword === KEYWORD.AS;
    const counts = atVerb || this.expectsTable || isWithBody;
    this.#depth += 1;
    this.#setGroup((counts ? parent & GROUP.primary : 0) | (this.expectsTable ? GROUP.tableList : 0));
    this.#lastKeyword = 0;
  }

  close(): void {
    if (this.#depth > 0) this.#depth -= 1;
    this.expectsTable = false;
  }

  comma(): void {
    const group = this.#group();
    if ((group & GROUP.tableList) !== 0) this.#expect();
    else if ((group & GROUP.withList) !== 0) this.#expectsWithName = true;
  }

  /** A name, quoted or not. Leaves the lexer on the token after the name; false when the name was none of its business. */
  name(lexer: SqlLexer, charset: NameCharset): boolean {
    if (this.#expectsWithName) {
      this.#expectsWithName = false;
      this.#withNames.push(nameText(lexer, charset).toLowerCase());
      return false;
    }
    if (!this.expectsTable) return false;
    this.expectsTable = false;
    const { start } = lexer;
    const table = this.#readTable(lexer, charset);
    if (table !== null) this.#note(table, start);
    return true;
  }

  #note(table: TableName, start: number): void {
    if ((this.#group() & GROUP.primary) !== 0) {
      if (this.#primary !== null) return;
      this.#primary = table;
      this.#primaryAt = start;
    } else if (this.#fallback === null) {
      this.#fallback = table;
      this.#fallbackAt = start;
    }
  }

  /** A keyword that isn't taken as a name; true when {@link name} should have it instead. */
  keyword(keyword: number): boolean {
    if (this.#expectsWithName && !reserved.has(keyword)) return true;
    if (this.expectsTable) {
      if (modifiers.has(keyword)) return false;
      if (!reserved.has(keyword)) return true;
    }
    this.#lastKeyword = keyword;
    switch (keyword) {
      case KEYWORD.SELECT:
      case KEYWORD.VALUES:
        this.#leaveWithList();
        this.#setGroup((this.#group() | GROUP.query) & ~GROUP.tableList);
        this.expectsTable = false;
        break;
      case KEYWORD.FROM:
        if ((this.#group() & GROUP.query) !== 0) {
          this.#isTarget = false;
          this.#setGroup(this.#group() | GROUP.tableList);
          this.#expect();
        }
        break;
      case KEYWORD.JOIN:
      case KEYWORD.STRAIGHT_JOIN:
        if ((this.#group() & GROUP.tableList) !== 0) this.#expect();
        break;
      case KEYWORD.WHERE:
      case KEYWORD.GROUP:
      case KEYWORD.ORDER:
      case KEYWORD.HAVING:
      case KEYWORD.LIMIT:
      case KEYWORD.UNION:
      case KEYWORD.EXCEPT:
      case KEYWORD.MINUS:
      case KEYWORD.INTERSECT:
      case KEYWORD.WINDOW:
      case KEYWORD.SET:
      case KEYWORD.INTO:
      case KEYWORD.PROCEDURE:
        this.#setGroup(this.#group() & ~GROUP.tableList);
        this.expectsTable = false;
        break;
    }
    return false;
  }

  /** Anything that can't begin a table name. */
  other(): void {
    this.expectsTable = false;
    this.#expectsWithName = false;
  }

  #expect(): void {
    const counts = (this.#group() & GROUP.primary) !== 0 || this.#fallback === null;
    this.expectsTable = this.#primary === null && counts;
  }

  #leaveWithList(): void {
    this.#setGroup(this.#group() & ~GROUP.withList);
    this.#expectsWithName = false;
  }

  #group(): number {
    return this.#depth <= deepest ? (this.#groups[this.#depth] as number) : 0;
  }

  #setGroup(group: number): void {
    if (this.#depth <= deepest) this.#groups[this.#depth] = group;
  }

  #readTable(lexer: SqlLexer, charset: NameCharset): TableName | null {
    const isDual = lexer.keyword === KEYWORD.DUAL;
    let database: string | null = null;
    let name = nameText(lexer, charset);
    lexer.next();
    for (let parts = 0; lexer.symbol === 0x2e && parts < 2; parts += 1) {
      lexer.next();
      if (lexer.token !== TOKEN.word && lexer.token !== TOKEN.quotedName) break;
      database = name;
      name = nameText(lexer, charset);
      lexer.next();
    }
    const isFunction = lexer.symbol === 0x28 && !this.#isTarget;
    const isRemote = lexer.token === TOKEN.userVariable;
    this.#isTarget = false;
    if (isFunction || isRemote || (isDual && database === null) || name === '') return null;
    if (database === null && this.#withNames.length > 0 && this.#withNames.includes(name.toLowerCase())) return null;
    return { database, name };
  }
}
