/**
 * Takes in the tokens of a statement after its verb: feeds the table finder and notes row locks, functions and
 * variables that tie the statement to a server.
 */
import { KEYWORD } from './keywords.ts';
import { SqlLexer, TOKEN } from './lexer.ts';
import type { NameCharset } from './names.ts';
import type { StatementInfo, StatementKind } from './statement-info.ts';
import { TableFinder } from './table-finder.ts';

/** ASCII codes of the symbols that matter. */
export const SYMBOL = {
  openParenthesis: 0x28,
  closeParenthesis: 0x29,
  comma: 0x2c,
  dot: 0x2e,
  semicolon: 0x3b,
} as const;
const openBrace = 0x7b;

/** An info while it is being filled. */
export type StatementNotes = { -readonly [Key in keyof StatementInfo]: StatementInfo[Key] };

/** The tokens of one statement after another, with notes of what concerns the whole text. */
export class StatementScanner {
  readonly lexer = new SqlLexer();
  readonly finder = new TableFinder();
  charset: NameCharset = 'utf8mb4';
  /** Set for each statement by the one who reads its verb. */
  kind: StatementKind = 'empty';
  /** The statement asks about the one before it. */
  asksAboutLast = false;
  writesFile = false;
  /** Semicolons are part of the statement: a routine's body. */
  isCompound = false;

  beginStatement(): void {
    this.kind = 'empty';
    this.asksAboutLast = false;
    this.writesFile = false;
    this.isCompound = false;
    this.finder.begin(true);
  }

  /** Up to the statement's semicolon or the end of the text. */
  scanRest(notes: StatementNotes): void {
    const { lexer } = this;
    let afterOpen = false;
    while (lexer.token !== TOKEN.end) {
      if (lexer.symbol === SYMBOL.semicolon && !this.isCompound) return;
      const opens = lexer.symbol === SYMBOL.openParenthesis;
      this.scanToken(notes, afterOpen);
      afterOpen = opens;
    }
  }

  /** Takes in the current token and moves on. `afterOpen`: it is the first one inside its parentheses. */
  scanToken(notes: StatementNotes, afterOpen: boolean): void {
    const { lexer, finder } = this;
    let movedOn = false;
    switch (lexer.token) {
      case TOKEN.symbol:
        movedOn = this.#symbol();
        break;
      case TOKEN.word:
        if (lexer.keyword === 0) movedOn = finder.name(lexer, this.charset);
        else if (afterOpen && lexer.keyword === KEYWORD.WITH) finder.enterWith();
        else movedOn = this.#keyword(notes);
        break;
      case TOKEN.quotedName:
        movedOn = finder.name(lexer, this.charset);
        break;
      case TOKEN.systemVariable:
        this.#systemVariable(notes);
        finder.other();
        break;
      default:
        finder.other();
    }
    if (!movedOn) lexer.next();
  }

  #symbol(): boolean {
    const { lexer, finder } = this;
    switch (lexer.symbol) {
      case SYMBOL.openParenthesis:
        finder.open(false);
        return false;
      case SYMBOL.closeParenthesis:
        finder.close();
        return false;
      case SYMBOL.comma:
        finder.comma();
        return false;
      case SYMBOL.dot:
        // What follows a dot is a name, whatever keyword it looks like.
        if (!finder.expectsTable && lexer.next() === TOKEN.word) lexer.next();
        return !finder.expectsTable;
      case openBrace:
        return false;
      default:
        finder.other();
        return false;
    }
  }

  /** True when it has moved on itself. */
  #keyword(notes: StatementNotes): boolean {
    const { lexer, finder } = this;
    const { keyword } = lexer;
    if (finder.keyword(keyword)) return finder.name(lexer, this.charset);
    switch (keyword) {
      case KEYWORD.FOR:
        lexer.next();
        if (lexer.keyword === KEYWORD.UPDATE) notes.rowLock = 'update';
        else if (lexer.keyword === KEYWORD.SHARE) shareRows(notes);
        return true;
      case KEYWORD.LOCK:
        lexer.next();
        if (lexer.keyword !== KEYWORD.IN) return true;
        lexer.next();
        if (lexer.keyword === KEYWORD.SHARE) shareRows(notes);
        return true;
      case KEYWORD.USING:
        if (this.kind !== 'delete' || !finder.atTopLevel) return false;
        lexer.next();
        if (lexer.symbol !== SYMBOL.openParenthesis) finder.expectUsing();
        return true;
      case KEYWORD.OUTFILE:
      case KEYWORD.DUMPFILE:
        this.writesFile = true;
        return false;
      default:
        return keyword >= KEYWORD.FOUND_ROWS && keyword <= KEYWORD.PROXY_STATUS && this.#function(keyword, notes);
    }
  }

  #function(keyword: number, notes: StatementNotes): true {
    this.lexer.next();
    if (this.lexer.symbol !== SYMBOL.openParenthesis) return true;
    switch (keyword) {
      case KEYWORD.LAST_INSERT_ID:
        notes.usesLastInsertId = true;
        this.asksAboutLast = true;
        break;
      case KEYWORD.FOUND_ROWS:
      case KEYWORD.ROW_COUNT:
      case KEYWORD.LAST_TRACE_ID:
        this.asksAboutLast = true;
        break;
      case KEYWORD.GET_LOCK:
        notes.takesSessionLock = true;
        break;
      case KEYWORD.RELEASE_LOCK:
      case KEYWORD.RELEASE_ALL_LOCKS:
        notes.releasesSessionLock = true;
        break;
      default:
        notes.mayBeInternalCommand = true;
    }
    return true;
  }

  #systemVariable(notes: StatementNotes): void {
    switch (this.lexer.keyword) {
      case KEYWORD.LAST_INSERT_ID:
      case KEYWORD.IDENTITY:
        notes.usesLastInsertId = true;
        this.asksAboutLast = true;
        break;
      case KEYWORD.WARNING_COUNT:
      case KEYWORD.ERROR_COUNT:
        this.asksAboutLast = true;
    }
  }
}

function shareRows(notes: StatementNotes): void {
  if (notes.rowLock === 'none') notes.rowLock = 'share';
}
