/** What a session learns from a request that a server has answered. */
import type { StatementInfo } from '../sql/statement-info.ts';
import { COM, HEADER_LENGTH, STATUS } from '../wire/constants.ts';
import type { ClientSession } from './client-session.ts';
import type { ClientRequest, SessionStatement } from './request.ts';
import { takeFeedback, takeSingleLeaderFeedback } from './route-feedback.ts';
import type { ServerSession } from './server-session.ts';
import { noteTemporaryTables } from './temporary-tables.ts';

/**
 * @param status server status flags of the reply, -1 when it had none
 * @param errno MySQL error number of the reply, 0 for success
 */
export function afterRequest(
  session: ClientSession,
  request: ClientRequest,
  server: ServerSession,
  status: number,
  errno: number,
): void {
  if (request.replyKind !== null) session.recent.counters.answered(!session.inTransaction, errno);
  if (session.cluster !== null) {
    takeFeedback(session.cluster, request, server.address, errno);
    takeSingleLeaderFeedback(session.cluster, session.tenant, request, server.address, errno);
  }
  if (request.info !== null && errno === 0) noteNextTransaction(session, request.info);
  if (errno !== 0) return afterError(session, request);
  if (request.command === COM.QUERY || request.command === COM.STMT_EXECUTE) afterStatement(session, request, server);
  else afterCommand(session, request, server);
  if (request.statement !== null) afterStatementCommand(session, request, server, status);
}

/**
 * SET TRANSACTION holds at this server for the next transaction, be it a single statement; till then nothing may move.
 * Nor behind a SAVEPOINT, which with autocommit off belongs to a transaction that no status flag tells of yet.
 */
function noteNextTransaction(session: ClientSession, info: StatementInfo): void {
  const marksNext = info.kind === 'savepoint' && !session.inTransaction && (session.status & STATUS.AUTOCOMMIT) === 0;
  if (info.setsNextTransaction || marksNext) session.servers.stayOnLast = true;
  else if (!session.inTransaction && (info.isDml || info.endsTransaction)) session.servers.stayOnLast = false;
}

function afterError(session: ClientSession, request: ClientRequest): void {
  const { statement } = request;
  if (statement === null) return;
  if (request.command === COM.STMT_PREPARE) session.prepared.delete(statement.id);
  // Long data is used up by an EXECUTE that fails as well, and no cursor is open then.
  if (request.command === COM.STMT_EXECUTE) release(session, statement);
}

/** The proxy has answered a request with an error: no statement was prepared, and long data is used up all the same. */
export function afterFailure(session: ClientSession, { statement, command }: ClientRequest): void {
  if (statement === null) return;
  if (command === COM.STMT_PREPARE) session.prepared.delete(statement.id);
  if (command === COM.STMT_EXECUTE) session.prepared.dropLongData(statement);
}

/** Nothing of a statement is open in one server session any more: any server may run it next. */
function release(session: ClientSession, statement: SessionStatement): void {
  session.prepared.dropLongData(statement);
  statement.hasCursor = false;
  // Of a text that streamed through only the beginning is known: no other server can be taught it.
  if (statement.isTextWhole) statement.holder = null;
}

function afterStatement(session: ClientSession, request: ClientRequest, server: ServerSession): void {
  const { info } = request;
  if (info === null) return;
  if (info.useDatabase !== null) {
    session.database = info.useDatabase;
    session.databaseAt(server, info.useDatabase);
  }
  const { servers } = session;
  if (info.createsTemporaryTable || (info.kind === 'ddl' && servers.pinned === server)) {
    noteTemporaryTables(session, request, info, server);
  }
  if (info.takesSessionLock) servers.takeLock(server);
  if (info.releasesSessionLock) servers.releaseLock();
  // A statement prepared as text lives in one server session under its name (case B55).
  if (info.preparedName !== null) {
    const pin = `statement ${info.preparedName}`;
    if (info.kind === 'prepare') servers.pin(server, pin);
    if (info.kind === 'deallocate') servers.unpinOne(pin);
  }
}

function afterCommand(session: ClientSession, request: ClientRequest, server: ServerSession): void {
  switch (request.command) {
    case COM.INIT_DB:
      session.database = request.bytes.toString('utf8', HEADER_LENGTH + 1);
      session.databaseAt(server, session.database);
      break;
    case COM.SET_OPTION:
      session.multiStatements = request.bytes.readUInt16LE(HEADER_LENGTH + 1) === 0;
      server.multiStatements = session.multiStatements;
      break;
    case COM.RESET_CONNECTION:
      session.stateReset(server);
      break;
    default:
      break;
  }
}

/** An open cursor and long data tie a statement to the server session that has them (case B54). */
function afterStatementCommand(
  session: ClientSession,
  request: ClientRequest,
  server: ServerSession,
  status: number,
): void {
  const { statement } = request;
  if (statement === null) return;
  switch (request.command) {
    case COM.STMT_PREPARE:
      if (!statement.isTextWhole) statement.holder = server;
      break;
    case COM.STMT_SEND_LONG_DATA:
      // More than is kept: all of it is at this server now, and nowhere else.
      session.prepared.dropLongData(statement);
      statement.holder = server;
      break;
    case COM.STMT_EXECUTE:
      if (status >= 0 && (status & STATUS.CURSOR_EXISTS) !== 0) {
        session.prepared.dropLongData(statement);
        statement.hasCursor = true;
        statement.holder = server;
      } else release(session, statement);
      break;
    case COM.STMT_FETCH:
      if (status >= 0 && (status & STATUS.LAST_ROW_SENT) !== 0) release(session, statement);
      break;
    case COM.STMT_RESET:
      release(session, statement);
      break;
    default:
      break;
  }
}
