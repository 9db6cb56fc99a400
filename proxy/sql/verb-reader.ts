/** Reads a statement's verb and whatever only that verb can be followed by. */
import { noHints, parseHints } from './hints.ts';
import { KEYWORD, upperCase } from './keywords.ts';
import { TOKEN } from './lexer.ts';
import { nameText } from './names.ts';
import type { RoutineName, StatementHints, StatementKind } from './statement-info.ts';
import { type StatementNotes, type StatementScanner, SYMBOL } from './statement-scanner.ts';
import { isDmlKind, kindOfVerb } from './verbs.ts';

/** CREATE of these has a body with statements of its own. */
const routineWords = new Set<number>([
  KEYWORD.PROCEDURE,
  KEYWORD.FUNCTION,
  KEYWORD.TRIGGER,
  KEYWORD.EVENT,
  KEYWORD.PACKAGE,
  KEYWORD.TYPE,
]);

/** Other things that CREATE makes; after one of these words no routine comes. */
const objectWords = new Set<number>([
  KEYWORD.TABLE,
  KEYWORD.VIEW,
  KEYWORD.INDEX,
  KEYWORD.DATABASE,
  KEYWORD.SCHEMA,
  KEYWORD.USER,
]);

const explainWords = new Set<number>([
  KEYWORD.EXTENDED,
  KEYWORD.EXTENDED_NOADDR,
  KEYWORD.PARTITIONS,
  KEYWORD.FORMAT,
  KEYWORD.BASIC,
  KEYWORD.OUTLINE,
  KEYWORD.PLANREGRESS,
  KEYWORD.PRETTY,
  KEYWORD.PRETTY_COLOR,
  KEYWORD.ANALYZE,
  KEYWORD.FOR,
  KEYWORD.INTO,
  KEYWORD.SET,
]);

const proxyPrefix = Buffer.from('PROXY');

/** Reads a statement from its verb on. */
export class VerbReader {
  readonly #scanner: StatementScanner;
  /** Hints of the statement whose verb was read last. */
  hints: StatementHints = noHints;

  constructor(scanner: StatementScanner) {
    this.#scanner = scanner;
  }

  /**
   * Leaves the lexer on the first token that the scanner is to take in.
   * @param isFirst it is the first statement of the text
   */
  read(notes: StatementNotes, isFirst: boolean): StatementKind {
    const { lexer, finder } = this.#scanner;
    this.hints = noHints;
    while (lexer.symbol === SYMBOL.openParenthesis) {
      finder.open(true);
      lexer.next();
    }
    return lexer.keyword === KEYWORD.WITH ? this.#readWith(notes, isFirst) : this.#readVerb(notes, isFirst);
  }

  /** WITH …: the verb comes after the list; what stands in the list is taken in on the way. */
  #readWith(notes: StatementNotes, isFirst: boolean): StatementKind {
    const { lexer, finder } = this.#scanner;
    finder.enterWith();
    lexer.next();
    let depth = 0;
    while (lexer.token !== TOKEN.end && lexer.symbol !== SYMBOL.semicolon) {
      if (lexer.symbol === SYMBOL.openParenthesis) depth += 1;
      else if (lexer.symbol === SYMBOL.closeParenthesis) depth -= 1;
      else if (depth === 0 && isDmlKind(this.#kind())) return this.#readVerb(notes, isFirst);
      if (depth < 0) break;
      this.#scanner.scanToken(notes, false);
    }
    return 'other';
  }

  #kind(): StatementKind {
    return kindOfVerb[this.#scanner.lexer.keyword] as StatementKind;
  }

  #readVerb(notes: StatementNotes, isFirst: boolean): StatementKind {
    const { lexer, finder } = this.#scanner;
    const verb = lexer.keyword;
    const kind = this.#kind();
    if (isDmlKind(kind)) {
      this.#readDml(verb);
      return kind;
    }
    finder.begin(false);
    lexer.next();
    switch (kind) {
      case 'begin':
        return this.#readBegin(verb, notes);
      case 'commit':
      case 'rollback':
        return this.#readEnd(kind, notes);
      case 'set':
        if (lexer.keyword === KEYWORD.TRANSACTION) notes.setsNextTransaction = true;
        return kind;
      case 'use':
        if (this.#isName()) notes.useDatabase = nameText(lexer, this.#scanner.charset);
        return kind;
      case 'show':
        return this.#readShow(notes, isFirst);
      case 'explain':
      case 'desc':
        return this.#readExplain(verb, notes, isFirst);
      case 'prepare':
      case 'execute':
        return this.#readPrepared(kind, notes);
      case 'deallocate':
        if (lexer.keyword === KEYWORD.PREPARE) lexer.next();
        return this.#readPrepared(kind, notes);
      case 'xa':
        if (lexer.keyword === KEYWORD.START || lexer.keyword === KEYWORD.BEGIN) notes.startsTransaction = true;
        if (lexer.keyword === KEYWORD.COMMIT || lexer.keyword === KEYWORD.ROLLBACK) notes.endsTransaction = true;
        return kind;
      case 'load-data':
        return this.#readLoad(notes);
      case 'call':
        if (isFirst) notes.routine = this.#readRoutine();
        return kind;
      case 'lock':
        notes.takesSessionLock = true;
        return kind;
      case 'unlock':
        notes.releasesSessionLock = true;
        return kind;
      case 'kill':
        if (isFirst) notes.mayBeInternalCommand = true;
        return kind;
      case 'ddl':
        return this.#readDdl(verb, notes, isFirst);
      default:
        return this.#readRest(kind, verb, notes, isFirst);
    }
  }

  #readDml(verb: number): void {
    const { lexer, finder } = this.#scanner;
    if (lexer.nextAfterVerb() === TOKEN.hint) {
      this.hints = parseHints(lexer.text.toString('latin1', lexer.start, lexer.end));
      lexer.next();
    }
    if (verb === KEYWORD.SELECT || verb === KEYWORD.VALUES) {
      finder.keyword(verb);
      return;
    }
    finder.expectTarget();
    if (verb !== KEYWORD.DELETE) return;
    finder.expectsTable = false;
    while (
      lexer.keyword === KEYWORD.LOW_PRIORITY ||
      lexer.keyword === KEYWORD.QUICK ||
      lexer.keyword === KEYWORD.IGNORE
    ) {
      lexer.next();
    }
    if (this.#isName() && lexer.keyword !== KEYWORD.FROM) finder.offerFallback(lexer, this.#scanner.charset);
  }

  #readBegin(verb: number, notes: StatementNotes): StatementKind {
    const { lexer } = this.#scanner;
    if (verb === KEYWORD.BEGIN) {
      const isBare = lexer.token === TOKEN.end || lexer.symbol === SYMBOL.semicolon;
      if (!isBare && lexer.keyword !== KEYWORD.WORK) {
        this.#scanner.isCompound = true;
        return 'other';
      }
    } else {
      if (lexer.keyword !== KEYWORD.TRANSACTION) return 'other';
      while (lexer.token !== TOKEN.end && lexer.symbol !== SYMBOL.semicolon) {
        const wasRead = lexer.keyword === KEYWORD.READ;
        lexer.next();
        if (wasRead && lexer.keyword === KEYWORD.ONLY) notes.readOnlyTransaction = true;
      }
    }
    notes.startsTransaction = true;
    return 'begin';
  }

  #readEnd(kind: StatementKind, notes: StatementNotes): StatementKind {
    const { lexer } = this.#scanner;
    if (lexer.keyword === KEYWORD.WORK) lexer.next();
    if (lexer.keyword === KEYWORD.TO && kind === 'rollback') return 'savepoint';
    notes.endsTransaction = true;
    if (lexer.keyword === KEYWORD.AND) {
      lexer.next();
      if (lexer.keyword === KEYWORD.CHAIN) notes.startsTransaction = true;
    }
    return kind;
  }

  #readShow(notes: StatementNotes, isFirst: boolean): StatementKind {
    switch (this.#scanner.lexer.keyword) {
      case KEYWORD.WARNINGS:
      case KEYWORD.ERRORS:
      case KEYWORD.TRACE:
      case KEYWORD.PROFILE:
      case KEYWORD.PROFILES:
      case KEYWORD.COUNT:
        this.#scanner.asksAboutLast = true;
        break;
      // SHOW FULL PROCESSLIST; other lists with FULL turn out to be none of the proxy's.
      case KEYWORD.FULL:
      case KEYWORD.PROCESSLIST:
      case KEYWORD.GLOBALSESSION:
      case KEYWORD.WARNLOG:
      case KEYWORD.SQLAUDIT:
        if (isFirst) notes.mayBeInternalCommand = true;
        break;
      default:
        if (isFirst && this.#startsWithProxy()) notes.mayBeInternalCommand = true;
    }
    return 'show';
  }

  #readExplain(verb: number, notes: StatementNotes, isFirst: boolean): StatementKind {
    const { lexer, finder } = this.#scanner;
    if (verb === KEYWORD.EXPLAIN && lexer.keyword === KEYWORD.ROUTE) {
      if (isFirst) notes.mayBeInternalCommand = true;
      return 'explain';
    }
    const isStatement = lexer.keyword === KEYWORD.WITH || isDmlKind(this.#kind());
    if (this.#isName() && !isStatement && !explainWords.has(lexer.keyword)) return 'desc';
    while (lexer.token !== TOKEN.end && lexer.symbol !== SYMBOL.semicolon) {
      const begins = lexer.symbol === SYMBOL.openParenthesis || lexer.keyword === KEYWORD.WITH;
      if (begins || isDmlKind(this.#kind())) {
        finder.begin(true);
        const explained = this.read(notes, false);
        if (isFirst) notes.explainedKind = explained;
        return 'explain';
      }
      lexer.next();
    }
    return 'explain';
  }

  #readPrepared(kind: StatementKind, notes: StatementNotes): StatementKind {
    if (this.#isName()) notes.preparedName = nameText(this.#scanner.lexer, this.#scanner.charset).toLowerCase();
    return kind;
  }

  #readLoad(notes: StatementNotes): StatementKind {
    const { lexer } = this.#scanner;
    if (lexer.keyword !== KEYWORD.DATA && lexer.keyword !== KEYWORD.XML) return 'other';
    while (this.#isName() && lexer.keyword !== KEYWORD.INFILE) {
      if (lexer.keyword === KEYWORD.LOCAL) notes.isLocalInfile = true;
      lexer.next();
    }
    return 'load-data';
  }

  /** `p`, `a.p` or `a.b.p`; null: anything else. */
  #readRoutine(): RoutineName | null {
    const { lexer, charset } = this.#scanner;
    const names: string[] = [];
    while (this.#isName()) {
      names.push(nameText(lexer, charset));
      lexer.next();
      if (lexer.symbol !== SYMBOL.dot) break;
      lexer.next();
    }
    const name = names.pop();
    return name === undefined || names.length > 2 ? null : { qualifiers: names, name };
  }

  #readDdl(verb: number, notes: StatementNotes, isFirst: boolean): StatementKind {
    const { lexer } = this.#scanner;
    if (verb === KEYWORD.DROP && lexer.keyword === KEYWORD.PREPARE) {
      lexer.next();
      return this.#readPrepared('deallocate', notes);
    }
    if (verb === KEYWORD.ALTER && isFirst && this.#startsWithProxy()) notes.mayBeInternalCommand = true;
    if (verb !== KEYWORD.CREATE && verb !== KEYWORD.ALTER) return 'ddl';
    let isGlobal = false;
    while (lexer.token !== TOKEN.end && lexer.symbol !== SYMBOL.semicolon && lexer.symbol !== SYMBOL.openParenthesis) {
      if (objectWords.has(lexer.keyword)) break;
      if (routineWords.has(lexer.keyword)) {
        this.#scanner.isCompound = true;
        break;
      }
      // Oracle mode's GLOBAL TEMPORARY tables are ordinary schema objects.
      if (lexer.keyword === KEYWORD.GLOBAL) isGlobal = true;
      if (lexer.keyword === KEYWORD.TEMPORARY && verb === KEYWORD.CREATE && !isGlobal)
        notes.createsTemporaryTable = true;
      lexer.next();
    }
    return 'ddl';
  }

  #readRest(kind: StatementKind, verb: number, notes: StatementNotes, isFirst: boolean): StatementKind {
    const { lexer } = this.#scanner;
    if (verb === KEYWORD.DECLARE) this.#scanner.isCompound = true;
    if (verb === KEYWORD.PING && isFirst) notes.mayBeInternalCommand = true;
    if (verb === KEYWORD.FLUSH && (lexer.keyword === KEYWORD.TABLES || lexer.keyword === KEYWORD.TABLE)) {
      notes.takesSessionLock = true;
    }
    // GET [CURRENT | STACKED] DIAGNOSTICS
    if (verb === KEYWORD.GET) this.#scanner.asksAboutLast = true;
    return kind;
  }

  #isName(): boolean {
    const { token } = this.#scanner.lexer;
    return token === TOKEN.word || token === TOKEN.quotedName;
  }

  #startsWithProxy(): boolean {
    const { text, start, end, token } = this.#scanner.lexer;
    if (token !== TOKEN.word || end - start < proxyPrefix.length) return false;
    return proxyPrefix.every((byte, index) => upperCase[text[start + index] as number] === byte);
  }
}
