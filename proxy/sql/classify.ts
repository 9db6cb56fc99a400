/**
 * Says what a request is, by one pass over its bytes that decodes nothing but the names it returns. It never throws:
 * what it can't make sense of is `other` and the server's business.
 */
import { noHints } from './hints.ts';
import { targetServersBefore } from './leading-comments.ts';
import { TOKEN } from './lexer.ts';
import { isMultiByteCharset, type NameCharset } from './names.ts';
import { readRouteAddress } from './route-address.ts';
import type { StatementInfo } from './statement-info.ts';
import { type StatementNotes, StatementScanner, SYMBOL } from './statement-scanner.ts';
import { VerbReader } from './verb-reader.ts';
import { isDmlKind } from './verbs.ts';

/** How the client writes SQL. Keep one per session and replace it when character set or sql_mode change. */
export interface SqlDialect {
  readonly charset: NameCharset;
  /** sql_mode ANSI_QUOTES, or Oracle mode. */
  readonly ansiQuotes: boolean;
  /** sql_mode NO_BACKSLASH_ESCAPES. */
  readonly noBackslashEscapes: boolean;
}

/** utf8mb4 and an empty sql_mode, as far as reading SQL goes. */
export const defaultDialect: SqlDialect = Object.freeze({
  charset: 'utf8mb4',
  ansiQuotes: false,
  noBackslashEscapes: false,
});

/** How much of a statement is there to be read. */
export interface ClassifyLimits {
  /** Bytes to look at (`request_buffer_length`). */
  readonly maxBytes: number;
  /** The buffer holds only the first part of the statement. */
  readonly incomplete: boolean;
}

const noLimits: ClassifyLimits = Object.freeze({ maxBytes: Number.POSITIVE_INFINITY, incomplete: false });

// One of each is enough: classifying is synchronous and leaves nothing behind.
const scanner = new StatementScanner();
const verbs = new VerbReader(scanner);
/** Of the text that is being classified: a DML has been taken in. */
let sawDml = false;

/**
 * Classifies a request's text (COM_QUERY, COM_STMT_PREPARE).
 * @param text the statement's bytes, without the command byte
 */
export function classifyStatement(
  text: Buffer,
  dialect: SqlDialect = defaultDialect,
  limits: ClassifyLimits = noLimits,
): StatementInfo {
  const { lexer } = scanner;
  const limit = Math.min(text.length, limits.maxBytes);
  const notes = emptyNotes(limits.incomplete || limit < text.length);
  scanner.charset = dialect.charset;
  lexer.reset(
    text,
    limit,
    notes.truncated,
    isMultiByteCharset(dialect.charset),
    dialect.ansiQuotes,
    dialect.noBackslashEscapes,
  );
  lexer.next();
  if (lexer.start > 0) notes.targetServers = targetServersBefore(text, lexer.start);
  let statements = 0;
  let allReads = true;
  sawDml = false;
  while (lexer.token !== TOKEN.end) {
    if (lexer.symbol === SYMBOL.semicolon) {
      lexer.next();
      continue;
    }
    allReads = readStatement(notes, statements === 0) && allReads;
    statements += 1;
  }
  notes.isRead = statements > 0 && allReads && notes.rowLock === 'none';
  notes.isMulti = statements > 1;
  if (statements === 1 && notes.table === null && (notes.kind === 'select' || notes.kind === 'set')) {
    notes.routeAddress = readRouteAddress(text);
  }
  return notes;
}

/** Takes in one statement; true when it is a SELECT that writes no file. */
function readStatement(notes: StatementNotes, isFirst: boolean): boolean {
  scanner.beginStatement();
  scanner.kind = verbs.read(notes, isFirst);
  const { kind } = scanner;
  const isDml = isDmlKind(kind);
  if (isFirst) {
    notes.kind = kind;
    notes.isDml = isDml;
  }
  scanner.scanRest(notes);
  // R27: a question about the statement before counts until a statement has chosen the server by its table.
  if (notes.table === null) {
    if (scanner.asksAboutLast) notes.forcesLastServer = true;
    // R20: only BEGIN, SET and DML are read for tables; EXPLAIN goes where the explained statement would go.
    if (isDml || kind === 'set' || kind === 'explain') {
      notes.table = scanner.finder.table;
      if (notes.table !== null) notes.tableAt = scanner.finder.tableAt;
      notes.feedbackFits = isDml && notes.table !== null && !sawDml;
      if (notes.table !== null || notes.hints === noHints) notes.hints = verbs.hints;
    }
  }
  if (isDml) sawDml = true;
  return kind === 'select' && !scanner.writesFile;
}

function emptyNotes(truncated: boolean): StatementNotes {
  return {
    kind: 'empty',
    explainedKind: null,
    isDml: false,
    isRead: false,
    rowLock: 'none',
    table: null,
    tableAt: 0,
    routine: null,
    feedbackFits: false,
    hints: noHints,
    isMulti: false,
    forcesLastServer: false,
    usesLastInsertId: false,
    startsTransaction: false,
    endsTransaction: false,
    readOnlyTransaction: false,
    setsNextTransaction: false,
    createsTemporaryTable: false,
    takesSessionLock: false,
    releasesSessionLock: false,
    isLocalInfile: false,
    preparedName: null,
    targetServers: null,
    routeAddress: null,
    useDatabase: null,
    mayBeInternalCommand: false,
    truncated,
    routed: null,
  };
}
