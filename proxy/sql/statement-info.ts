/** What the classifier tells about a request's text. */
import type { RouteAddressStatement } from './route-address.ts';

/** What a statement does, as far as the proxy must know. */
export type StatementKind =
  | 'select'
  | 'insert'
  | 'replace'
  | 'update'
  | 'delete'
  | 'merge'
  | 'begin'
  | 'commit'
  | 'rollback'
  /** SAVEPOINT, ROLLBACK TO, RELEASE SAVEPOINT: they stay inside the transaction. */
  | 'savepoint'
  | 'set'
  | 'use'
  | 'show'
  | 'desc'
  | 'explain'
  | 'help'
  | 'call'
  /** Text prepared statements. */
  | 'prepare'
  | 'execute'
  | 'deallocate'
  | 'xa'
  | 'load-data'
  | 'ddl'
  | 'lock'
  | 'unlock'
  | 'kill'
  /** Nothing but blanks, comments and semicolons. */
  | 'empty'
  | 'other';

/** A table as a statement names it. */
export interface TableName {
  /** Null: the session's current database. */
  readonly database: string | null;
  /** As written (quotes taken off); no case folding. */
  readonly name: string;
}

/** A stored procedure as CALL names it. */
export interface RoutineName {
  /** What stands before the name, quotes taken off: a database or a package, or both in this order. */
  readonly qualifiers: readonly string[];
  readonly name: string;
}

/** Argument of the hint READ_CONSISTENCY. */
export type HintedConsistency = 'weak' | 'strong' | 'frozen';

/** OceanBase hints of the statement that decides the route; they count only directly after its verb (B71). */
export interface StatementHints {
  readonly readConsistency: HintedConsistency | null;
  /** Microseconds. */
  readonly queryTimeoutUs: number | null;
  readonly traceLog: boolean;
}

/** All that routing and the session need to know of a request. */
export interface StatementInfo {
  /** Kind of the first statement that isn't empty. */
  readonly kind: StatementKind;
  /** For EXPLAIN: the kind of what is explained. */
  readonly explainedKind: StatementKind | null;
  /** SELECT, INSERT, REPLACE, UPDATE, DELETE or MERGE. */
  readonly isDml: boolean;
  /** Every statement of the text is a SELECT that takes no row locks and writes no file. */
  readonly isRead: boolean;
  /** Strongest row lock that a SELECT of the text asks for. */
  readonly rowLock: 'none' | 'share' | 'update';
  /** First real table of the first statement that has one (R20, R21). */
  readonly table: TableName | null;
  /** Byte offset of that table's name in the text; 0 without one. */
  readonly tableAt: number;
  /** What the first statement calls, if it is CALL. */
  readonly routine: RoutineName | null;
  /** R22, R25: the text's first DML is the statement that `table` comes from: what servers tell of it is about that table. */
  readonly feedbackFits: boolean;
  readonly hints: StatementHints;
  /** The text holds more than one statement. */
  readonly isMulti: boolean;
  /** Must go to the server of the statement before, since it asks about that statement (R27, B43). */
  readonly forcesLastServer: boolean;
  readonly usesLastInsertId: boolean;
  /** BEGIN, START TRANSACTION, XA START, COMMIT AND CHAIN somewhere in the text. */
  readonly startsTransaction: boolean;
  /** COMMIT, ROLLBACK (not to a savepoint), XA COMMIT, XA ROLLBACK somewhere in the text. */
  readonly endsTransaction: boolean;
  /** START TRANSACTION READ ONLY. */
  readonly readOnlyTransaction: boolean;
  /** SET TRANSACTION without a scope: it holds for the next transaction on that server session only. */
  readonly setsNextTransaction: boolean;
  readonly createsTemporaryTable: boolean;
  /** GET_LOCK(), LOCK TABLES, FLUSH TABLES: something that lives in one server session is taken (B46). */
  readonly takesSessionLock: boolean;
  /** RELEASE_LOCK(), RELEASE_ALL_LOCKS(), UNLOCK TABLES. */
  readonly releasesSessionLock: boolean;
  /** LOAD DATA LOCAL: the client will be asked for a file. */
  readonly isLocalInfile: boolean;
  /** Name (lower case) of a text prepared statement in PREPARE, EXECUTE, DEALLOCATE or DROP PREPARE. */
  readonly preparedName: string | null;
  /** `target_db_server` of the comment before the first statement: groups of `ip:port`; null: there is none. */
  readonly targetServers: string | null;
  /** The text is `SELECT @obproxy_route_addr` or `SET @obproxy_route_addr = …`. */
  readonly routeAddress: RouteAddressStatement | null;
  /** Database of the last USE in the text. */
  readonly useDatabase: string | null;
  /** Worth handing to the parser of internal commands; false is certain, true is a guess. */
  readonly mayBeInternalCommand: boolean;
  /** The text goes on beyond what was looked at: what is missing above may still come. */
  readonly truncated: boolean;
  /** What the router remembers of the text, for as long as the text is remembered; the classifier leaves it null. */
  routed: object | null;
}
