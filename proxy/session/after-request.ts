/** What a session learns from a request that a server has answered. */
import { COM, HEADER_LENGTH, STATUS } from '../wire/constants.ts';
import type { ClientSession } from './client-session.ts';
import type { ClientRequest } from './request.ts';
import type { ServerSession } from './server-session.ts';

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
  if (request.info !== null) session.stayOnLastServer = errno === 0 && request.info.setsNextTransaction;
  if (errno !== 0) {
    if (request.command === COM.STMT_PREPARE && request.statement !== null)
      session.prepared.delete(request.statement.id);
    return;
  }
  if (request.command === COM.QUERY || request.command === COM.STMT_EXECUTE) afterStatement(session, request, server);
  else afterCommand(session, request, server);
  if (request.statement !== null) afterStatementCommand(request, server, status);
}

function afterStatement(session: ClientSession, request: ClientRequest, server: ServerSession): void {
  const { info } = request;
  if (info === null) return;
  if (info.useDatabase !== null) {
    session.database = info.useDatabase;
    server.database = info.useDatabase;
  }
  if (info.createsTemporaryTable) session.pins.add('temporary table');
  if (info.takesSessionLock) session.pins.add('lock');
  if (info.releasesSessionLock) session.pins.delete('lock');
  // A statement prepared as text lives in one server session under its name (case B55).
  if (info.preparedName !== null) {
    const pin = `statement ${info.preparedName}`;
    if (info.kind === 'prepare') session.pins.add(pin);
    if (info.kind === 'deallocate') session.pins.delete(pin);
  }
  session.pinnedServer = session.pins.size > 0 ? server : null;
}

function afterCommand(session: ClientSession, request: ClientRequest, server: ServerSession): void {
  switch (request.command) {
    case COM.INIT_DB:
      session.database = request.bytes.toString('utf8', HEADER_LENGTH + 1);
      server.database = session.database;
      break;
    case COM.SET_OPTION:
      session.multiStatements = request.bytes.readUInt16LE(HEADER_LENGTH + 1) === 0;
      server.multiStatements = session.multiStatements;
      break;
    case COM.RESET_CONNECTION:
      session.variables.reset();
      server.synced.version = 0;
      server.synced.values.clear();
      session.prepared.clear();
      session.pins.clear();
      session.pinnedServer = null;
      session.stayOnLastServer = false;
      break;
    default:
      break;
  }
}

/** An open cursor and long data tie a statement to the server session that has them (case B54). */
function afterStatementCommand(request: ClientRequest, server: ServerSession, status: number): void {
  const { statement } = request;
  if (statement === null) return;
  switch (request.command) {
    case COM.STMT_PREPARE:
      // Of a text that streamed through only the beginning is known: no other server can be taught it.
      if (!request.complete) statement.holder = server;
      break;
    case COM.STMT_SEND_LONG_DATA:
      statement.holder = server;
      break;
    case COM.STMT_EXECUTE:
      statement.hasCursor = status >= 0 && (status & STATUS.CURSOR_EXISTS) !== 0;
      statement.holder = statement.hasCursor ? server : null;
      break;
    case COM.STMT_FETCH:
      if (status >= 0 && (status & STATUS.LAST_ROW_SENT) !== 0) {
        statement.hasCursor = false;
        statement.holder = null;
      }
      break;
    case COM.STMT_RESET:
      statement.hasCursor = false;
      statement.holder = null;
      break;
    default:
      break;
  }
}
