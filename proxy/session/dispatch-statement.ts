/** Commands of the prepared-statement protocol (cases B50–B56). */
import { OdpError } from '../errors/odp-error.ts';
import { COM, HEADER_LENGTH } from '../wire/constants.ts';
import { framePackets, PacketWriter } from '../wire/writer.ts';
import type { ClientSession } from './client-session.ts';
import { forward, ignoreRequest, type RequestRange, refuseRequest } from './dispatch-command.ts';
import { refusedSetting } from './imposed-variables.ts';
import { holderLostError } from './may-retry.ts';
import type { SessionStatement } from './request.ts';
import { heldBytes, prepareRefusal } from './session-memory.ts';

const STATEMENT_COMMANDS: ReadonlyMap<number, string> = new Map<number, string>([
  [COM.STMT_PREPARE, 'mysqld_stmt_prepare'],
  [COM.STMT_EXECUTE, 'mysqld_stmt_execute'],
  [COM.STMT_SEND_LONG_DATA, 'mysqld_stmt_send_long_data'],
  [COM.STMT_CLOSE, 'mysqld_stmt_close'],
  [COM.STMT_RESET, 'mysqld_stmt_reset'],
  [COM.STMT_FETCH, 'mysqld_stmt_fetch'],
]);

export const isStatementCommand = (command: number): boolean => STATEMENT_COMMANDS.has(command);

export function dispatchStatementCommand(session: ClientSession, command: number, range: RequestRange): void {
  if (command === COM.STMT_PREPARE) return prepare(session, range);
  const { chunk, start, end } = range;
  const idAt = start + HEADER_LENGTH + 1;
  if (end - idAt < 4) {
    return refuseRequest(session, range, new OdpError('MALFORMED_PACKET', { detail: 'no statement id' }));
  }
  const id = chunk.readUInt32LE(idAt);
  const statement = session.prepared.find(id);
  if (command === COM.STMT_CLOSE) return close(session, statement);
  if (statement === undefined) return unknownStatement(session, command, range, id);
  if (statement.holder?.closed) return holderLost(session, command, range, statement);
  switch (command) {
    case COM.STMT_EXECUTE:
      return forward(session, range, { replyKind: 'result', info: statement.info, statement });
    case COM.STMT_SEND_LONG_DATA:
      if (mayKeep(statement, range) && session.prepared.keepLongData(statement, frameOf(range), leftBytes(session)))
        return;
      return forward(session, range, { replyKind: null, info: statement.info, statement });
    case COM.STMT_FETCH:
      if (!statement.hasCursor) return refuseRequest(session, range, new OdpError('CURSOR_NOT_OPEN', { id }));
      return forward(session, range, { replyKind: 'rows', info: statement.info, statement });
    default:
      // Nothing of the statement is open anywhere: there is nothing to reset.
      if (statement.holder === null) {
        session.prepared.dropLongData(statement);
        return session.sendOk();
      }
      return forward(session, range, { replyKind: 'result', info: statement.info, statement });
  }
}

/** Nothing of the statement is in one server session yet: that of its EXECUTE can be chosen then. */
const mayKeep = (statement: SessionStatement, range: RequestRange): boolean => range.whole && statement.holder === null;

const leftBytes = (session: ClientSession): number =>
  session.config.bytes('client_max_memory_size') - heldBytes(session);

const frameOf = ({ chunk, start, end }: RequestRange): Buffer => Buffer.from(chunk.subarray(start, end));

function prepare(session: ClientSession, range: RequestRange): void {
  const text = Buffer.from(range.chunk.subarray(range.start + HEADER_LENGTH + 1, range.end));
  const info = session.classify(text, !range.whole);
  if (info.mayBeInternalCommand && session.context.commands.isInternal(session, text.toString('utf8'))) {
    const command = text.toString('utf8').slice(0, 60);
    return refuseRequest(session, range, new OdpError('UNSUPPORTED_IN_PREPARED', { command }));
  }
  const refusal = prepareRefusal(session, text.length) ?? refusedSetting(session.config, info, text);
  if (refusal !== null) return refuseRequest(session, range, refusal);
  const statement = session.prepared.create(text, range.whole, info, session.dialect);
  forward(session, range, { replyKind: 'prepare', info, statement });
}

/** No reply: each server session that knows the statement is told (case B53). */
function close(session: ClientSession, statement: SessionStatement | undefined): void {
  if (statement === undefined) return;
  for (const [server, serverId] of statement.serverIds) {
    if (server.ready) server.write(framePackets(new PacketWriter(5).u8(COM.STMT_CLOSE).u32(serverId).finish(), 0));
  }
  session.prepared.delete(statement.id);
}

function unknownStatement(session: ClientSession, command: number, range: RequestRange, id: number): void {
  // Long data has no reply, not even for an error: EXECUTE will say it.
  if (command === COM.STMT_SEND_LONG_DATA) return ignoreRequest(session, range);
  const name = STATEMENT_COMMANDS.get(command) ?? '';
  refuseRequest(session, range, new OdpError('UNKNOWN_STATEMENT', { id, command: name }));
}

/** The server session with the statement's cursor or long data is gone. */
function holderLost(session: ClientSession, command: number, range: RequestRange, statement: SessionStatement): void {
  const error = holderLostError(statement);
  if (command === COM.STMT_SEND_LONG_DATA) return ignoreRequest(session, range);
  statement.hasCursor = false;
  if (statement.isTextWhole) statement.holder = null;
  if (command === COM.STMT_RESET) return session.sendOk();
  refuseRequest(session, range, error);
}
