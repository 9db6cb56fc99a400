import { COM, HEADER_LENGTH, MAX_PAYLOAD } from '../wire/constants.ts';
import { newTypesFlagOffset, readParameterTypes, withParameterTypes } from './prepared-statements.ts';
import type { ClientRequest, SessionStatement } from './request.ts';
import type { ServerSession } from './server-session.ts';

const NONE: readonly Buffer[] = [];
const STATEMENT_ID_AT = HEADER_LENGTH + 1;

/**
 * Frames with the long data kept for a statement, as one server knows it: they go before its EXECUTE, or before the piece
 * that is too much.
 */
export function longDataFrames({ command, statement }: ClientRequest, server: ServerSession): readonly Buffer[] {
  if (statement === null || (command !== COM.STMT_EXECUTE && command !== COM.STMT_SEND_LONG_DATA)) return NONE;
  if (statement.longData.length === 0) return NONE;
  return statement.longData.map((kept) => {
    const frame = Buffer.from(kept);
    frame.writeUInt32LE(statement.serverIds.get(server) ?? 0, STATEMENT_ID_AT);
    return frame;
  });
}

/**
 * The frame of a request that names a prepared statement, as one server knows it: with that server's id, and, for an
 * EXECUTE that relies on parameter types sent to another server, with the types put in.
 * @returns null when the types cannot be put in because the first packet is full
 */
export function executeFrame(
  request: ClientRequest,
  statement: SessionStatement,
  server: ServerSession,
): Buffer | null {
  const frame = Buffer.from(request.bytes);
  frame.writeUInt32LE(statement.serverIds.get(server) ?? 0, STATEMENT_ID_AT);
  if (request.command !== COM.STMT_EXECUTE || statement.parameterCount === 0) return frame;
  const payload = frame.subarray(HEADER_LENGTH);
  const types = readParameterTypes(payload, statement.parameterCount);
  if (types !== null) {
    // Servers differ in what they make of another flag than 1 (case B49).
    payload[newTypesFlagOffset(statement.parameterCount)] = 1;
    statement.parameterTypes = types;
    statement.typedServers.clear();
    statement.typedServers.add(server);
    return frame;
  }
  // Types that are announced but cut off are the server's to refuse (case B49).
  const hasFlag = payload[newTypesFlagOffset(statement.parameterCount)] === 0;
  if (statement.typedServers.has(server) || statement.parameterTypes === null || !hasFlag) return frame;
  const length = frame.readUIntLE(0, 3) + statement.parameterTypes.length;
  if (length >= MAX_PAYLOAD) return null;
  const typed = withParameterTypes(payload, statement.parameterCount, statement.parameterTypes);
  const header = Buffer.from(frame.subarray(0, HEADER_LENGTH));
  header.writeUIntLE(length, 0, 3);
  statement.typedServers.add(server);
  return Buffer.concat([header, typed]);
}
